"""Functions that several tools share: a copy of the checkout, the tests that coverage counts, lists of reasons."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parent.parent
# Files with these suffixes are deleted from a copy if the checkout no longer has them.
SOURCES = (".py", ".pyx", ".pxi", ".pxd", ".h", ".pyi")
COVERED_TESTS = (
    "chars quoting parse functions reference context normalize columns logs memory dropin boundary schemes cli".split()
)
# Builds that count coverage fail tests of time and memory. Suites of other programs take long.
NOT_COVERED = "not hundred_megabytes and not grows and not linear and not leak"


def fail(message: str) -> NoReturn:
    print(f"{Path(sys.argv[0]).name}: {message}", file=sys.stderr)
    sys.exit(2)


def copy_checkout(to: Path) -> None:
    """Copy the files that git tracks or would track. Unchanged files keep their times, so that builds stay valid."""
    command = ["git", "-C", str(ROOT), "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, capture_output=True, check=True)
    names = {name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()}
    for name in names:
        source, copy = ROOT / name, to / name
        if not copy.is_file() or copy.read_bytes() != source.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, copy)
    for part in ("src", "tests"):
        for copy in (to / part).rglob("*"):
            if str(copy.relative_to(to)) not in names and copy.suffix in SOURCES and copy.is_file():
                copy.unlink()


def clang(name: str = "clang") -> str:
    """Return the newest clang, or the newest tool of LLVM with this name."""
    for command in (*(f"{name}-{version}" for version in range(30, 17, -1)), name):
        if shutil.which(command):
            return command
    fail(f"{name} of version 18 or newer is not installed")


def run_tests(tree: Path, runner: list[str], environment: dict[str, str]) -> bool:
    """Run the covered tests in a copy of the checkout; return True if they pass."""
    defaults = {"FASTURL_TRIES": "500", "FASTURL_LONG": "1", "FASTURL_DATA": str(ROOT.parent / "shared" / "data")}
    command = [*runner, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{name}" for name in COVERED_TESTS)]
    command += ["-k", NOT_COVERED, "--ignore=tests/dropin/test_interpreter_suite.py"]
    environment = {**defaults, **os.environ, "PYTHONPATH": "src", "CI": "1", **environment}
    return subprocess.run(command, cwd=tree, env=environment, check=False).returncode == 0


def report_coverage(doc: str | None, count: Callable[[], bool], report: Callable[[], bool]) -> int:
    """Build and run the tests by `count`, unless --report is given, then report; return the exit status."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("--report", action="store_true", help="report the last run; build and run nothing")
    passed = parser.parse_args().report or count()
    if not passed:
        print("a test failed in the build that counts")
    return 0 if report() and passed else 1


def read_reasons(path: Path) -> dict[str, str]:
    """Read a list of exceptions: each line is "WHAT  -- REASON"."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and line[0] != "#":
            what, _, why = line.partition("  -- ")
            found[what.strip()] = why.strip()
    return found


def print_differences(missing: set[str], known: Iterable[str], what: str) -> bool:
    """Print uncovered items without a reason, and reasons for covered items; return True if there are any."""
    new, gone = sorted(missing - set(known)), sorted(set(known) - missing)
    for title, names in ((f"not {what}, and without a reason", new), (f"with a reason, but {what} or gone", gone)):
        if names:
            print(f"{title}:", *names, sep="\n  ")
    return bool(new or gone)
