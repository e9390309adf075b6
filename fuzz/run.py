"""Build and run the fuzz targets, and write down how many inputs each has tried.

    python3 fuzz/run.py                     each kernel target for 60 s
    python3 fuzz/run.py split quote --seconds 600 --build fast
    python3 fuzz/run.py --runs 100000000 --build fast
    python3 fuzz/run.py --short             the kept inputs once through, then half a minute in all: what CI runs
    python3 fuzz/run.py --replay            only the kept inputs; any C compiler will do
    python3 fuzz/run.py --minimise          bring what was found into fuzz/corpus, no more than reaches all

Needs clang with libFuzzer (Debian: clang and libclang-rt-14-dev); the Python targets need atheris from PyPI and
the package built in src/. Ends with a status other than 0 when an input failed: its file is left in fuzz/out/crashes.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
KERNEL = ROOT / "src" / "kernel"
OUT = HERE / "out"
CORPUS = HERE / "corpus"
WORDS = HERE / "urls.dict"
SEEDS = HERE / "seeds"
RECORD = ROOT / "docs" / "figures" / "fuzz.json"
TARGETS = sorted(path.stem for path in (HERE / "targets").glob("*.c"))
PYTHON_TARGETS = sorted(path.stem for path in (HERE / "python").glob("fuzz_*.py"))

# asan: every load and every sum is watched. fast: only the checks that a target makes itself, and the guarded pages.
# blind: as fast, without asking what an input has covered. replay: kept inputs only. The last two have no libFuzzer.
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined", "-fno-omit-frame-pointer"]
BUILDS = {
    "asan": ["-O1", "-g", *SANITIZERS],
    "fast": ["-O2", "-g1", "-DNDEBUG"],
    "blind": ["-O2", "-g1", "-DNDEBUG"],
    "replay": ["-O0"],
}
COVERAGE = {"asan": ["-fsanitize=fuzzer-no-link"], "fast": ["-fsanitize-coverage=inline-8bit-counters,pc-table"]}
DRIVERS = {"asan": ["mutator.c"], "fast": ["mutator.c"], "blind": ["mutator.c", "blind.c"], "replay": ["replay.c"]}
SHORT_SECONDS = 30  # of fuzzing in all
CORPUS_INPUT_MAX = 600  # octets of an input that is kept
CORPUS_INPUTS = 200  # a target


def compiler(build: str) -> list[str]:
    return (os.environ.get("CC") or ("cc" if build == "replay" else "clang")).split()


def run(command: list[str | Path], **options: object) -> None:
    subprocess.run([str(word) for word in command], check=True, **options)  # type: ignore[call-overload]


# --- building --------------------------------------------------------------------------------------------------------


def newest(paths: list[Path]) -> float:
    return max(path.stat().st_mtime for path in paths)


def compile_one(source: Path, made: Path, build: str, headers: float) -> None:
    if made.exists() and made.stat().st_mtime > max(headers, source.stat().st_mtime):
        return
    made.parent.mkdir(parents=True, exist_ok=True)
    flags = ["-std=gnu11", *BUILDS[build], *COVERAGE.get(build, []), f"-I{HERE}", f"-I{KERNEL}"]
    run([*compiler(build), *flags, "-c", source, "-o", made])


def build_target(target: str, build: str) -> Path:
    """The program of a target, made of what has changed."""
    headers = newest([*KERNEL.rglob("*.h"), *HERE.glob("*.h")])
    sources = [*sorted(KERNEL.glob("*.c")), HERE / "targets" / f"{target}.c"]
    sources += [HERE / name for name in DRIVERS[build]]
    objects = []
    for source in sources:
        made = OUT / build / "objects" / f"{source.parent.name}-{source.stem}.o"
        compile_one(source, made, build, headers)
        objects.append(made)
    program = OUT / build / target
    if not program.exists() or program.stat().st_mtime < newest(objects):
        driver = ["-fsanitize=fuzzer"] if build in COVERAGE else []
        run([*compiler(build), *BUILDS[build], *driver, *objects, "-o", program])
    return program


# --- running ---------------------------------------------------------------------------------------------------------


class Limits(NamedTuple):
    """Where a run ends, after seconds or a number of inputs, 0 for none; and how long an input may be."""

    seconds: int
    runs: int
    max_len: int

    def options(self) -> list[str]:
        """As libFuzzer takes them."""
        found = [
            f"-max_len={self.max_len}",
            "-print_final_stats=1",
            "-timeout=20",
            "-rss_limit_mb=2048",
            "-len_control=20",
        ]
        found += [f"-max_total_time={self.seconds}"] if self.seconds else []
        return found + ([f"-runs={self.runs}"] if self.runs else [])


def started(command: list[str | Path], name: str, environment: dict[str, str] | None = None) -> tuple[int, int, str]:
    """Runs one fuzzer to its end: the status, how many inputs it tried, and what it said last."""
    log = OUT / "logs" / f"{name}.log"
    log.parent.mkdir(parents=True, exist_ok=True)
    with log.open("wb") as to:
        status = subprocess.run([str(word) for word in command], stdout=to, stderr=to, env=environment).returncode
    said = log.read_text(errors="replace")
    counts = re.findall(r"stat::number_of_executed_units:\s*(\d+)", said) or re.findall(r"^#(\d+)\t", said, re.M)
    return status, int(counts[-1]) if counts else 0, said[-3000:]


def corpus_folders(target: str) -> list[Path]:
    """Where new inputs go, and where kept ones are."""
    new, kept = OUT / "corpus" / target, CORPUS / target
    new.mkdir(parents=True, exist_ok=True)
    return [new, *([kept] if kept.is_dir() else []), SEEDS]


def crashes_of(target: str) -> Path:
    folder = OUT / "crashes" / target
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def fuzz_kernel(target: str, build: str, limits: Limits) -> tuple[int, int, str]:
    program, crashes, folders = build_target(target, build), crashes_of(target), corpus_folders(target)
    command: list[str | Path] = [program]
    if build == "blind":
        command += [str(limits.runs), str(limits.seconds), str(limits.max_len), crashes / "blind", *folders]
    else:
        command += [*limits.options(), f"-dict={WORDS}", f"-artifact_prefix={crashes}/", "-reload=0", *folders]
    return started(command, f"{target}-{build}")


def fuzz_python(target: str, limits: Limits) -> tuple[int, int, str]:
    command: list[str | Path] = [sys.executable, HERE / "python" / f"{target}.py", "atheris", *limits.options()]
    command += [f"-dict={WORDS}", f"-artifact_prefix={crashes_of(target)}/", *corpus_folders(target)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")])}
    return started(command, target, environment)


def replay(targets: list[str]) -> None:
    for target in targets:
        program = [sys.executable, HERE / "python" / f"{target}.py"]
        if target not in PYTHON_TARGETS:
            program = [build_target(target, "replay")]
        run([*program, SEEDS, *([CORPUS / target] if (CORPUS / target).is_dir() else [])])


def merged(target: str) -> list[Path]:
    """Of all inputs so far the fewest that reach what all do."""
    to = OUT / "merged" / target
    shutil.rmtree(to, ignore_errors=True)
    to.mkdir(parents=True)
    folders = [SEEDS, CORPUS / target, OUT / "corpus" / target]
    run([build_target(target, "fast"), "-merge=1", "-use_counters=0", f"-max_len={CORPUS_INPUT_MAX}", "-reload=0", to,
         *[folder for folder in folders if folder.is_dir()]], stderr=subprocess.DEVNULL)  # fmt: skip
    return list(to.iterdir())


def newly_reaching(target: str) -> list[Path]:
    """The inputs that each reached something new when they were tried: atheris does not merge."""
    folders = [CORPUS / target, OUT / "corpus" / target]
    paths = [path for folder in folders if folder.is_dir() for path in folder.iterdir()]
    return [path for path in paths if path.stat().st_size <= CORPUS_INPUT_MAX]


def minimise(targets: list[str]) -> None:
    """Some of all inputs so far into fuzz/corpus: no more than reach what all do, and of all lengths."""
    for target in targets:
        kept = CORPUS / target
        kept.mkdir(parents=True, exist_ok=True)
        found = newly_reaching(target) if target in PYTHON_TARGETS else merged(target)
        inputs = {path.name[:12]: path.read_bytes() for path in found}
        sized = sorted(inputs, key=lambda name: (len(inputs[name]), name))
        chosen = sized[:: max(1, -(-len(sized) // CORPUS_INPUTS))]
        for old in kept.iterdir():
            old.unlink()
        for name in chosen:
            kept.joinpath(name).write_bytes(inputs[name])
        print(f"{target}: {len(chosen)} inputs of {sum(len(inputs[name]) for name in chosen)} octets kept")


# --- the record ------------------------------------------------------------------------------------------------------


def record(name: str, how: str, count: int) -> None:
    """Add to the inputs that a target has tried: docs/figures/fuzz.json."""
    found = json.loads(RECORD.read_text())["rows"] if RECORD.exists() else []
    counts: dict[tuple[str, str], int] = {(row[0], row[2]): row[1] for row in found}
    counts[name, how] = counts.get((name, how), 0) + count
    rows = ",\n  ".join(json.dumps([name, counts[name, how], how]) for name, how in sorted(counts))
    title = "Inputs that each fuzz target has tried without a finding that is left"
    head = json.dumps({"title": title, "date": datetime.date.today().isoformat()})[:-1]
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    RECORD.write_text(f'{head}, "rows": [\n  {rows}\n]}}\n')


HOW = {
    "asan": "libFuzzer, AddressSanitizer and UndefinedBehaviorSanitizer, asserts",
    "fast": "libFuzzer, coverage and guarded pages only",
    "blind": "the same mutations of kept inputs, without coverage; guarded pages",
    "python": "atheris",
}


def fuzz(targets: list[str], build: str, limits: Limits, keep_count: bool) -> bool:
    sound = True
    for target in targets:
        is_python = target in PYTHON_TARGETS
        began = time.monotonic()
        status, count, said = fuzz_python(target, limits) if is_python else fuzz_kernel(target, build, limits)
        ending = "no finding" if status == 0 else "A FINDING"
        print(f"{target}: {count:,} inputs in {time.monotonic() - began:.0f} s, {ending}", flush=True)
        if status != 0:
            print(said, file=sys.stderr)
            sound = False
        elif keep_count:
            record(target, HOW["python" if is_python else build], count)
    return sound


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    names = [*TARGETS, *PYTHON_TARGETS]
    parser.add_argument("targets", nargs="*", help=f"of {', '.join(names)}; those in C by default")
    parser.add_argument("--seconds", type=int, default=0, help="for each target; 60 when no number of runs is given")
    parser.add_argument("--runs", type=int, default=0, help="inputs for each target")
    parser.add_argument("--build", choices=("asan", "fast", "blind"), default="asan")
    parser.add_argument("--max-len", type=int, default=256, help="octets of an input")
    parser.add_argument("--record", action="store_true", help="add the counts to docs/figures/fuzz.json")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--replay", action="store_true")
    parser.add_argument("--minimise", action="store_true")
    arguments = parser.parse_args()
    targets = arguments.targets or TARGETS
    if wrong := set(targets) - set(names):
        parser.error(f"no such target: {', '.join(sorted(wrong))}")
    if arguments.minimise:
        minimise(targets)
        return 0
    if arguments.replay:
        replay(targets)
        return 0
    if arguments.short:
        limits = Limits(seconds=max(1, SHORT_SECONDS // len(targets)), runs=0, max_len=256)
        return not fuzz(targets, "asan", limits, keep_count=False)
    seconds = arguments.seconds or (0 if arguments.runs else 60)
    return not fuzz(targets, arguments.build, Limits(seconds, arguments.runs, arguments.max_len), arguments.record)


if __name__ == "__main__":
    sys.exit(main())
