"""Report which lines of the extensions' Cython the tests run, by coverage.py and Cython's line tracing.

    python3 tools/coverage_pyx.py                build, run the tests, and report
    python3 tools/coverage_pyx.py --report       report the last run again

Needs coverage, which is not part of the extra "test". Builds a copy of the checkout in out/coverage_pyx, without
optimisation. Lines outside functions run at import, and functions of .pxd files are not traced: neither is counted.
tools/uncovered_pyx.txt lists the lines that no test runs, each with the reason. Exit status 1: the list is wrong, a
test fails, or the measured files are not the .pyx and .pxi files of src.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import coverage
from common import ROOT, copy_checkout, print_differences, read_reasons, report_coverage, run_tests

TREE = ROOT / "out" / "coverage_pyx" / "tree"
UNCOVERED = Path(__file__).resolve().parent / "uncovered_pyx.txt"
# In Cython's C: the source of the lines that follow, and a line that is traced.
PLACE, TRACED = re.compile(r' */[*] +"(.*)":[0-9]+$'), re.compile(r" *__Pyx_TraceLine\(([0-9]+),")
DEFINES = re.compile(r"\s*(def|cpdef|cdef class|class|cdef(?=.*\())\b")
SETTINGS = "[run]\nplugins = Cython.Coverage\ninclude =\n    src/*.pyx\n    src/extensions/*/*\n"


def count() -> bool:
    """Build the copy and run the tests; return True if they pass."""
    shutil.rmtree(TREE, ignore_errors=True)
    copy_checkout(TREE)
    environment = {**os.environ, "FASTURL_BUILD": "trace"}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=TREE, env=environment, check=True)
    TREE.joinpath(".coveragerc").write_text(SETTINGS, encoding="utf-8")
    runner = [sys.executable, "-m", "coverage", "run"]
    return run_tests(TREE, runner, {"FASTURL_PROOF_LENGTH": "1", "FASTURL_KERNEL": "scalar"})


def is_in_function(text: list[str], number: int) -> bool:
    """Return True if this line (the first is 1) is in a function's body, so that it does not run at import."""
    if DEFINES.match(text[number - 1]):
        return False
    indent = len(text[number - 1]) - len(text[number - 1].lstrip())
    for line in reversed(text[: number - 1]):
        if line.strip() and len(line) - len(line.lstrip()) < indent:
            indent = len(line) - len(line.lstrip())
            if found := DEFINES.match(line):
                return "class" not in found[0].split()
    return False


def traced_lines() -> dict[str, set[int]]:
    """Return the traced lines inside functions for each Cython file, as Cython's C lists them."""
    found: dict[str, set[int]] = {}
    for translated in TREE.glob("src/**/_*.c"):
        lines: set[int] = set()
        for text in translated.read_text(encoding="utf-8").splitlines():
            if place := PLACE.match(text):
                lines = found.setdefault(place[1], set())
            elif line := TRACED.match(text):
                lines.add(int(line[1]))
    in_functions = {}
    for name, lines in found.items():
        if lines and not name.endswith(".pxd"):
            source = TREE.joinpath(name).read_text(encoding="utf-8").splitlines()
            in_functions[name] = {line for line in lines if is_in_function(source, line)}
    return in_functions


def report() -> bool:
    """Print the figures; return True if the list of reasons and the measured files are right."""
    counted = coverage.CoverageData(str(TREE / ".coverage"))
    counted.read()
    patterns = ("src/**/*.pyx", "src/**/*.pxi")
    there = {path.relative_to(ROOT).as_posix() for pattern in patterns for path in ROOT.glob(pattern)}
    missing, run, total, every = set(), 0, 0, traced_lines()
    for name, lines in sorted(every.items()):
        ran = lines & set(counted.lines(str(TREE / name)) or ())
        run, total = run + len(ran), total + len(lines)
        print(f"{name:40} {len(ran):5} of {len(lines):5} lines")
        text = TREE.joinpath(name).read_text(encoding="utf-8").splitlines()
        missing |= {f"{name} | {text[line - 1].strip()}" for line in lines - ran}
    known = read_reasons(UNCOVERED)
    print(f"{run} of {total} lines run, {len(missing & known.keys())} more with a reason")
    different = print_differences(missing, known, "run")
    if there != set(every):
        print(f"measured files are not the Cython of src: {sorted(there ^ set(every))}")
    return not different and there == set(every)


if __name__ == "__main__":
    sys.exit(report_coverage(__doc__, count, report))
