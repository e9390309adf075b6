"""Which lines of the extensions' Cython do the tests run? Counted by coverage.py, as each line tells of itself.

    python3 tools/coverage_pyx.py                build, run the tests, and tell
    python3 tools/coverage_pyx.py --report       tell of the last run again

Needs coverage, which is no part of the extra "test". A copy of the checkout is built in out/coverage_pyx, without
optimisation, each line with a call of the trace function. Lines outside functions run when the module is imported, and
the small functions of .pxd files do not tell of themselves: neither is counted. tools/uncovered_pyx.txt holds the lines
that no test runs, each with the reason. Exit status 1: a line is not run that is not in it, one in it is run or gone, a
test fails, or the measured files are not the .pyx and .pxi of src. Writes out/coverage_pyx.json.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import coverage
from coverage_report import ROOT, differences, explained, main, run_tests, write
from pythons import copy_checkout

WORK = ROOT / "out" / "coverage_pyx"
SOURCE, TREE = ROOT / "src", WORK / "tree"
UNCOVERED = Path(__file__).resolve().parent / "uncovered_pyx.txt"
# In the C that Cython makes: where the next lines come from, and a line that tells of itself.
PLACE, TRACED = re.compile(r' */[*] +"(.*)":[0-9]+$'), re.compile(r" *__Pyx_TraceLine\(([0-9]+),")
DEFINES = re.compile(r"\s*(def|cpdef|cdef class|class|cdef(?=.*\())\b")
SETTINGS = """[run]
plugins = Cython.Coverage
include =
    src/*.pyx
    src/*/*.pxi
"""


def build() -> None:
    shutil.rmtree(TREE, ignore_errors=True)
    copy_checkout(TREE)
    environment = {**os.environ, "FASTURL_BUILD": "trace"}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=TREE, env=environment, check=True)


def count() -> bool:
    build()
    TREE.joinpath(".coveragerc").write_text(SETTINGS, encoding="utf-8")
    runner = [sys.executable, "-m", "coverage", "run"]
    return run_tests(TREE, runner, {"FASTURL_PROOF_LENGTH": "1", "FASTURL_KERNEL": "scalar"})


def is_in_function(text: list[str], number: int) -> bool:
    """Of a line, the first is 1. A module's and a class's own lines, and where functions begin, run with the import."""
    if DEFINES.match(text[number - 1]):
        return False
    indent = len(text[number - 1]) - len(text[number - 1].lstrip())
    for line in reversed(text[: number - 1]):
        if line.strip() and len(line) - len(line.lstrip()) < indent:
            indent = len(line) - len(line.lstrip())
            if found := DEFINES.match(line):
                return "class" not in found[0].split()
    return False


def traced() -> dict[str, set[int]]:
    """The lines inside functions of each file of Cython that tell of themselves, by the C that was made of them."""
    found: dict[str, set[int]] = {}
    for made in TREE.glob("src/_*.c"):
        lines: set[int] = set()
        for text in made.read_text(encoding="utf-8").splitlines():
            if place := PLACE.match(text):
                lines = found.setdefault(place[1], set())
            elif line := TRACED.match(text):
                lines.add(int(line[1]))
    of_functions = {}
    for name, lines in found.items():
        if lines and not name.endswith(".pxd"):
            source = TREE.joinpath(name).read_text(encoding="utf-8").splitlines()
            of_functions[name] = {line for line in lines if is_in_function(source, line)}
    return of_functions


def tell() -> int:
    counted = coverage.CoverageData(str(TREE / ".coverage"))
    counted.read()
    there = {path.relative_to(ROOT).as_posix() for pattern in ("*.pyx", "*/*.pxi") for path in SOURCE.glob(pattern)}
    missing, run, total, every = set(), 0, 0, traced()
    for name, lines in sorted(every.items()):
        ran = lines & set(counted.lines(str(TREE / name)) or ())
        run, total = run + len(ran), total + len(lines)
        print(f"{name:40} {len(ran):5} of {len(lines):5} lines")
        text = TREE.joinpath(name).read_text(encoding="utf-8").splitlines()
        missing |= {f"{name} | {text[line - 1].strip()}" for line in lines - ran}
    known = explained(UNCOVERED)
    print(f"{run} of {total} lines")
    different = differences(missing, known, "run")
    if there != set(every):
        print(f"measured files are not the Cython of src: {sorted(there ^ set(every))}")
    how = "`python3 tools/coverage_pyx.py`"
    rows = [
        ["lines of the extensions' Cython that the tests run", f"{run} of {total} ({run / total:.1%})", how],
        ["lines that no test runs, with a reason", f"{len(missing & known.keys())}", "`tools/uncovered_pyx.txt`"],
        ["lines that no test runs, without one", f"{len(missing - known.keys())}", how],
    ]
    write("coverage_pyx", "Coverage of the extensions", rows)
    return 1 if different or there != set(every) else 0


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Which lines of the extensions' Cython do the tests run?")
    sys.exit(main(arguments, count, lambda _: tell()))
