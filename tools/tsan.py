"""Look for data races: a CPython without the GIL and fasturl, both built with ThreadSanitizer, and threads at work.

    python3 tools/tsan.py FOLDER SOURCE                     pairs of threads on each public function
    python3 tools/tsan.py FOLDER SOURCE tests/boundary -k list    what follows goes to pytest

SOURCE is the unpacked source of CPython 3.13 or newer (on Debian: `apt-get source python3.13`), in which nothing was
built. FOLDER is made on the first run and kept: the interpreter, which takes minutes to build, pytest, its needs,
and one build of this checkout. Needs clang 18 or newer with its sanitizers, and make. What CPython itself is known to
race in is left out, by the list in its source. Exit status: that of pytest, or 66 when a race was found.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from pythons import fail, fetch_packages

ROOT = Path(__file__).resolve().parent.parent
KNOWN = "Tools/tsan/suppressions_free_threading.txt"
# Not in that list: a bytearray counts its readers, and two threads that decode it count at once (CPython 3.13).
KNOWN_TOO = ["race:bytearray_getbuffer", "race:bytearray_releasebuffer"]
TESTS = ["tests/boundary/test_pairs_of_threads.py"]


def clang() -> str:
    for version in range(30, 17, -1):
        if shutil.which(f"clang-{version}"):
            return f"clang-{version}"
    fail("there is no clang 18 or newer")
    raise AssertionError


def run(command: list[str], folder: Path, log: Path, **environment: str) -> None:
    with log.open("a") as to:
        done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, stdout=to, stderr=to)
    if done.returncode != 0:
        fail(f"failed: {shlex.join(command)}: {log}")


def make_python(folder: Path, source: Path) -> Path:
    """The interpreter, built once."""
    made = folder / "python"
    if not (made / "bin/python3").exists():
        build, log = folder / "build", folder / "python.log"
        build.mkdir(parents=True, exist_ok=True)
        options = ["--disable-gil", "--with-thread-sanitizer", "--without-ensurepip", "--disable-test-modules"]
        # With the compiler's name, for the linker too: configure's own flag may be lost where there is no pkg-config.
        compiler = f"{clang()} -fsanitize=thread"
        run([str(source / "configure"), "-q", f"--prefix={made}", *options], build, log, CC=compiler)
        run(["make", f"-j{os.cpu_count()}"], build, log, TSAN_OPTIONS="report_bugs=0")
        run(["make", "install"], build, log, TSAN_OPTIONS="report_bugs=0")
    return made / "bin/python3"


def make_packages(folder: Path) -> Path:
    """pytest and the others, for any Python."""
    fetch_packages(folder / "wheels")
    packages = folder / "packages"
    if not packages.exists():
        wheels = [str(path) for path in sorted((folder / "wheels").glob("*.whl"))]
        run([sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(packages), *wheels], folder,
            folder / "packages.log")  # fmt: skip
    return packages


def build_fasturl(folder: Path, python: Path, packages: Path) -> Path:
    build = folder / "fasturl"
    command = [str(python), "setup.py", "-q", "build", "--build-base", str(build)]
    run(command, ROOT, folder / "fasturl.log", FASTURL_BUILD="tsan", CC=clang(), LDSHARED=f"{clang()} -shared",
        PYTHONPATH=str(packages), TSAN_OPTIONS="report_bugs=0")  # fmt: skip
    return next(build.glob("lib*"))


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools/tsan.py", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="made on the first run and kept")
    parser.add_argument("source", type=Path, help="of CPython, unpacked")
    options, tests = parser.parse_known_args()
    folder, source = options.folder.resolve(), options.source.resolve()
    if not (source / KNOWN).is_file():
        fail(f"{source} is not the source of CPython 3.13 or newer")
    folder.mkdir(parents=True, exist_ok=True)
    python, packages = make_python(folder, source), make_packages(folder)
    path = os.pathsep.join([str(build_fasturl(folder, python, packages)), str(packages)])
    known = folder / "known.txt"
    known.write_text("\n".join([(source / KNOWN).read_text(), *KNOWN_TOO, ""]))
    sanitizer = f"suppressions={known} halt_on_error=0 exitcode=66 history_size=3"
    environment = os.environ | {"PYTHONPATH": path, "TSAN_OPTIONS": sanitizer, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(python), "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *(tests or TESTS)]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
