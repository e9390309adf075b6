"""Look for data races in a CPython without the GIL and fasturl, both built with ThreadSanitizer.

    python3 tools/tsan.py FOLDER SOURCE                     pairs of threads on each public function
    python3 tools/tsan.py FOLDER SOURCE tests/boundary -k list    the rest goes to pytest

SOURCE is the unpacked source of CPython 3.13 or newer (on Debian: `apt-get source python3.13`), without a build in it.
The first run makes FOLDER: the interpreter, pytest and its requirements, and a build of this checkout. The tool needs
clang 18 or newer with its sanitizers, and make. CPython's own list of suppressions applies. Exit status: pytest's, or
66 if a race was found.
"""

from __future__ import annotations

import argparse
import os
import shlex
import subprocess
import sys
from pathlib import Path

from common import ROOT, clang, fail

KNOWN = "Tools/tsan/suppressions_free_threading.txt"
# Missing from CPython's list: two threads that decode a bytearray count its readers at once (CPython 3.13).
KNOWN_TOO = ["race:bytearray_getbuffer", "race:bytearray_releasebuffer"]
TESTS = ["tests/boundary/test_pairs_of_threads.py"]
PACKAGES = ["setuptools>=77", "cython>=3.1,<4", "pytest>=8", "hypothesis>=6.100", "publicsuffixlist"]
ANY_PYTHON = ["--only-binary=:all:", "--implementation", "py", "--abi", "none", "--platform", "any"]


def run(command: list[str], folder: Path, log: Path, **environment: str) -> None:
    with log.open("a") as to:
        settings = {**os.environ, "TSAN_OPTIONS": "report_bugs=0", **environment}
        done = subprocess.run(command, cwd=folder, env=settings, stdout=to, stderr=to)
    if done.returncode != 0:
        fail(f"failed: {shlex.join(command)}: {log}")


def make_python(folder: Path, source: Path) -> Path:
    """Build the interpreter once."""
    prefix = folder / "python"
    if not (prefix / "bin/python3").exists():
        build, log = folder / "build", folder / "python.log"
        build.mkdir(parents=True, exist_ok=True)
        options = ["--disable-gil", "--with-thread-sanitizer", "--without-ensurepip", "--disable-test-modules"]
        # The flag is part of the compiler's name because configure may lose it when there is no pkg-config.
        compiler = f"{clang()} -fsanitize=thread"
        run([str(source / "configure"), "-q", f"--prefix={prefix}", *options], build, log, CC=compiler)
        run(["make", f"-j{os.cpu_count()}"], build, log)
        run(["make", "install"], build, log)
    return prefix / "bin/python3"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="made on the first run and kept")
    parser.add_argument("source", type=Path, help="the unpacked source of CPython")
    options, tests = parser.parse_known_args()
    folder, source = options.folder.resolve(), options.source.resolve()
    if not (source / KNOWN).is_file():
        fail(f"{source} is not the source of CPython 3.13 or newer")
    folder.mkdir(parents=True, exist_ok=True)
    python, packages, build = make_python(folder, source), folder / "packages", folder / "fasturl"
    if not packages.exists():
        install = [sys.executable, "-m", "pip", "install", "-q", "--target", str(packages), *ANY_PYTHON, *PACKAGES]
        run(install, folder, folder / "packages.log")
    run([str(python), "setup.py", "-q", "build", "--build-base", str(build)], ROOT, folder / "fasturl.log",
        FASTURL_BUILD="tsan", CC=clang(), LDSHARED=f"{clang()} -shared", PYTHONPATH=str(packages))  # fmt: skip
    known = folder / "known.txt"
    known.write_text("\n".join([(source / KNOWN).read_text(), *KNOWN_TOO, ""]))
    sanitizer = f"suppressions={known} halt_on_error=0 exitcode=66 history_size=3"
    path = os.pathsep.join([str(next(build.glob("lib*"))), str(packages)])
    environment = os.environ | {"PYTHONPATH": path, "TSAN_OPTIONS": sanitizer, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [str(python), "-m", "pytest", "-q", "-s", "-p", "no:cacheprovider", *(tests or TESTS)]
    return subprocess.run(command, cwd=ROOT, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main())
