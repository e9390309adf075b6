"""Build and run the fuzz targets.

    python3 fuzz/run.py                     fuzz each target in C for 60 s
    python3 fuzz/run.py split quote --seconds 600 --build fast
    python3 fuzz/run.py --short             replay the kept inputs, then fuzz for half a minute in all: CI runs this
    python3 fuzz/run.py --replay            only replay the kept inputs; any C compiler will do
    python3 fuzz/run.py --minimise          rewrite fuzz/corpus/*.zip: the fewest inputs with all coverage
    python3 fuzz/run.py --seeds FOLDER      write the seeds into a folder, one file each

Needs clang with libFuzzer (Debian: clang and libclang-rt-14-dev). The Python targets need atheris from PyPI and the
package built in src/. Exit status 1: an input failed. The input is in fuzz/out/crashes.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
KERNEL = ROOT / "src" / "kernel"
OUT = HERE / "out"
CORPUS = HERE / "corpus"
TARGETS = sorted(path.stem for path in (HERE / "targets").glob("*.c"))
PYTHON_TARGETS = sorted(path.stem for path in (HERE / "python").glob("fuzz_*.py"))

SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
# asan detects every bad load and every overflow. fast and blind have the target's checks and the guard pages only;
# blind measures no coverage of the kernels. replay is built without libFuzzer.
BUILDS = {
    "asan": ["-O1", "-g", *SANITIZERS],
    "fast": ["-O2", "-g1", "-DNDEBUG"],
    "blind": ["-O2", "-g1", "-DNDEBUG"],
    "replay": ["-O0"],
}
COVERAGE = {
    "asan": ["-fsanitize=fuzzer-no-link"],
    "fast": ["-fsanitize-coverage=inline-8bit-counters,pc-table"],
    "blind": ["-fsanitize-coverage=inline-8bit-counters,pc-table"],
}
SHORT_SECONDS = 30  # of fuzzing in all
OPTIONS = bytes(2)  # the option bytes of a seed
CORPUS_INPUT_MAX = 600  # bytes of a kept input
CORPUS_INPUTS = 200  # per target
CORPUS_DATE = (2026, 1, 1, 0, 0, 0)  # of every member, so that equal inputs make equal archives


def compiler(build: str) -> list[str]:
    return (os.environ.get("CC") or ("cc" if build == "replay" else "clang")).split()


def run(command: list[str | Path], **options: object) -> None:
    subprocess.run([str(word) for word in command], check=True, **options)  # type: ignore[call-overload]


# --- building --------------------------------------------------------------------------------------------------------


def newest(paths: list[Path]) -> float:
    return max(path.stat().st_mtime for path in paths)


def build_target(target: str, build: str) -> Path:
    """Return the program of a target. Compile only the files that have changed."""
    headers = newest([*KERNEL.rglob("*.h"), *HERE.glob("*.h")])
    sources = [*sorted(KERNEL.glob("*.c")), HERE / "targets" / f"{target}.c"]
    sources.append(HERE / ("replay.c" if build == "replay" else "mutator.c"))
    objects = []
    for source in sources:
        object_file = OUT / build / "objects" / f"{source.parent.name}-{source.stem}.o"
        objects.append(object_file)
        if object_file.exists() and object_file.stat().st_mtime > max(headers, source.stat().st_mtime):
            continue
        object_file.parent.mkdir(parents=True, exist_ok=True)
        coverage = [] if build == "blind" and source.parent == KERNEL else COVERAGE.get(build, [])
        flags = ["-std=gnu11", *BUILDS[build], *coverage, f"-I{HERE}", f"-I{KERNEL}"]
        run([*compiler(build), *flags, "-c", source, "-o", object_file])
    program = OUT / build / target
    if not program.exists() or program.stat().st_mtime < newest(objects):
        driver = ["-fsanitize=fuzzer"] if build in COVERAGE else []
        run([*compiler(build), *BUILDS[build], *driver, *objects, "-o", program])
    return program


# --- inputs ----------------------------------------------------------------------------------------------------------


def write_seeds(folder: Path) -> Path:
    """Write the lines of seeds.txt into a folder, one file each, with the option bytes in front."""
    folder.mkdir(parents=True, exist_ok=True)
    for line in HERE.joinpath("seeds.txt").read_text("ascii").splitlines():
        name, _, text = line.partition(": ")
        folder.joinpath(name).write_bytes(OPTIONS + text.encode().decode("unicode_escape").encode("latin-1"))
    return folder


def seed_corpus(target: str) -> Path:
    """Return the archive of a target's kept inputs, named as OSS-Fuzz expects."""
    return CORPUS / f"{target}_seed_corpus.zip"


def unpacked_corpus(target: str) -> Path:
    """Unpack a target's kept inputs into fuzz/out/kept and return that folder; it is empty if there is no archive."""
    folder = OUT / "kept" / target
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    if seed_corpus(target).exists():
        with zipfile.ZipFile(seed_corpus(target)) as archive:
            archive.extractall(folder)
    return folder


def corpus_folders(target: str) -> list[Path]:
    """Return the folders that libFuzzer reads; it writes new inputs into the first."""
    new = OUT / "corpus" / target
    new.mkdir(parents=True, exist_ok=True)
    return [new, unpacked_corpus(target), write_seeds(OUT / "seeds")]


def merged(target: str) -> list[Path]:
    """Return the fewest inputs that reach the coverage of all inputs so far."""
    to = OUT / "merged" / target
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    options = ["-merge=1", "-use_counters=0", f"-max_len={CORPUS_INPUT_MAX}", "-reload=0"]
    command = [build_target(target, "fast"), *options, to, *corpus_folders(target)]
    run(command, stderr=subprocess.DEVNULL)
    return list(to.iterdir())


def newly_reaching(target: str) -> list[Path]:
    """Return the inputs that each reached new coverage when they were tried: atheris does not merge."""
    paths = [path for folder in corpus_folders(target)[:2] for path in folder.iterdir()]
    return [path for path in paths if path.stat().st_size <= CORPUS_INPUT_MAX]


def minimise(targets: list[str]) -> None:
    """Rewrite each target's archive: at most CORPUS_INPUTS inputs, of all lengths, that keep the coverage."""
    for target in targets:
        found = newly_reaching(target) if target in PYTHON_TARGETS else merged(target)
        inputs = {path.name[:12]: path.read_bytes() for path in found}
        sized = sorted(inputs, key=lambda name: (len(inputs[name]), name))
        chosen = sized[:: max(1, -(-len(sized) // CORPUS_INPUTS))]
        # An input that once failed is kept, whatever it reaches.
        failed = {path.name: path.read_bytes() for path in unpacked_corpus(target).glob("crash-*")}
        inputs |= failed
        chosen += failed.keys() - chosen
        with zipfile.ZipFile(seed_corpus(target), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
            for name in sorted(chosen):
                archive.writestr(zipfile.ZipInfo(name, CORPUS_DATE), inputs[name], zipfile.ZIP_DEFLATED)
        print(f"{target}: {len(chosen)} inputs, {seed_corpus(target).stat().st_size} bytes packed")


def replay(targets: list[str]) -> None:
    for target in targets:
        program: list[str | Path] = [sys.executable, HERE / "python" / f"{target}.py"]
        if target not in PYTHON_TARGETS:
            program = [build_target(target, "replay")]
        run([*program, write_seeds(OUT / "seeds"), unpacked_corpus(target)])


# --- fuzzing ---------------------------------------------------------------------------------------------------------


def fuzz_one(target: str, build: str, seconds: int, max_len: int) -> tuple[int, int, str]:
    """Run a target; return its exit status, the number of inputs, and the end of its output."""
    crashes = OUT / "crashes" / target
    crashes.mkdir(parents=True, exist_ok=True)
    if target in PYTHON_TARGETS:
        command: list[str | Path] = [sys.executable, HERE / "python" / f"{target}.py", "atheris"]
    else:
        command = [build_target(target, build)]
    command += [f"-max_len={max_len}", "-print_final_stats=1", "-timeout=20", "-rss_limit_mb=2048"]
    command += ["-len_control=20", f"-dict={HERE / 'urls.dict'}", f"-artifact_prefix={crashes}/", "-reload=0"]
    command += [f"-max_total_time={seconds}"]
    command += ["-keep_seed=1"] if build == "blind" else []  # without coverage no input would be kept
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])}
    log = OUT / "logs" / f"{target}-{build}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    words = [str(word) for word in [*command, *corpus_folders(target)]]
    with log.open("wb") as to:
        status = subprocess.run(words, stdout=to, stderr=to, env=environment).returncode
    text = log.read_text(errors="replace")
    counts = re.findall(r"stat::number_of_executed_units:\s*(\d+)", text) or re.findall(r"^#(\d+)\t", text, re.M)
    return status, int(counts[-1]) if counts else 0, text[-3000:]


def fuzz(targets: list[str], build: str, seconds: int, max_len: int) -> bool:
    """Run each target so long with inputs of up to so many bytes; return True if none failed."""
    sound = True
    for target in targets:
        began = time.monotonic()
        status, count, output = fuzz_one(target, build, seconds, max_len)
        ending = "A FINDING" if status else "no finding"
        print(f"{target}: {count:,} inputs in {time.monotonic() - began:.0f} s, {ending}", flush=True)
        if status:
            print(output, file=sys.stderr)
            sound = False
    return sound


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*TARGETS, *PYTHON_TARGETS]
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(names)}; default: those in C")
    parser.add_argument("--seconds", type=int, default=60, help="for each target; default: %(default)s")
    parser.add_argument("--build", choices=sorted(COVERAGE), default="asan")
    parser.add_argument("--max-len", type=int, default=256, help="bytes of an input; default: %(default)s")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--minimise", action="store_true")
    parser.add_argument("--seeds", type=Path, metavar="FOLDER")
    options = parser.parse_args()
    targets = options.targets or TARGETS
    if wrong := set(targets) - set(names):
        parser.error(f"no such target: {', '.join(sorted(wrong))}")
    if options.seeds:
        write_seeds(options.seeds)
    elif options.minimise:
        minimise(targets)
    elif options.replay:
        replay(targets)
    elif options.short:
        return not fuzz(targets, "asan", max(1, SHORT_SECONDS // len(targets)), 256)
    else:
        return not fuzz(targets, options.build, options.seconds, options.max_len)
    return 0


if __name__ == "__main__":
    sys.exit(main())
