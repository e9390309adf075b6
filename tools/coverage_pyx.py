"""Which lines of the extensions' Cython do the tests run? Counted by coverage.py, as each line tells of itself.

    python3 tools/coverage_pyx.py                build, run the tests, and tell
    python3 tools/coverage_pyx.py --report       tell of the last run again

Needs coverage, which is no part of the extra "test". A copy of the checkout is built in out/coverage_pyx, without
optimisation, each line with a call of the trace function. tools/uncovered_pyx.txt holds the lines that no test runs,
each with the reason. Exit status 1: a line is not run that is not in it, one in it is run or gone, a test fails, or the
measured files are not the .pyx and .pxi of src. Writes out/coverage_pyx.json.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from coverage_kernels import LEFT_OUT, TESTS, explained
from pythons import copy_checkout

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "out" / "coverage_pyx"
TREE, COUNTED = WORK / "tree", WORK / "counted.json"
UNCOVERED = Path(__file__).resolve().parent / "uncovered_pyx.txt"
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


def coverage(*words: str) -> bool:
    environment = {**os.environ, "PYTHONPATH": "src", "CI": "1"}
    environment |= {"FASTURL_TRIES": "50", "FASTURL_PROOF_LENGTH": "1", "FASTURL_KERNEL": "scalar"}
    command = [sys.executable, "-m", "coverage", *words]
    return subprocess.run(command, cwd=TREE, env=environment, check=False).returncode == 0


def run_tests() -> bool:
    TREE.joinpath(".coveragerc").write_text(SETTINGS, encoding="utf-8")
    folders = [f"tests/{name}" for name in TESTS]
    left_out = ["-k", LEFT_OUT, "--ignore=tests/dropin/test_interpreter_suite.py"]
    passed = coverage("run", "-m", "pytest", "-q", "-p", "no:cacheprovider", *folders, *left_out)
    return coverage("json", "-q", "-o", str(COUNTED)) and passed


def tell() -> int:
    files = json.loads(COUNTED.read_text())["files"]
    source = ROOT / "src"
    there = {path.relative_to(ROOT).as_posix() for pattern in ("*.pyx", "*/*.pxi") for path in source.glob(pattern)}
    missing, run, lines = set(), 0, 0
    for name, of_file in sorted(files.items()):
        summary = of_file["summary"]
        run, lines = run + summary["covered_lines"], lines + summary["num_statements"]
        print(f"{name:40} {summary['covered_lines']:5} of {summary['num_statements']:5} lines")
        text = ROOT.joinpath(name).read_text(encoding="utf-8").splitlines()
        missing |= {f"{name} | {text[line - 1].strip()}" for line in of_file["missing_lines"]}
    known = explained(UNCOVERED)
    new, gone = sorted(missing - known.keys()), sorted(known.keys() - missing)
    print(f"{run} of {lines} lines")
    for what, names in (("not run, and not explained", new), ("explained, but run or gone", gone)):
        if names:
            print(f"{what}:", *names, sep="\n  ")
    if there != set(files):
        print(f"measured files are not the Cython of src: {sorted(there ^ set(files))}")
    how = "`python3 tools/coverage_pyx.py`"
    rows = [
        ["lines of the extensions' Cython that the tests run", f"{run} of {lines} ({run / lines:.1%})", how],
        ["lines that no test runs, with a reason", f"{len(missing & known.keys())}", "`tools/uncovered_pyx.txt`"],
        ["lines that no test runs, without one", f"{len(new)}", how],
    ]
    report = {"title": "Coverage of the extensions", "date": datetime.date.today().isoformat(), "rows": rows}
    ROOT.joinpath("out/coverage_pyx.json").write_text(json.dumps(report, indent=2) + "\n")
    return 1 if new or gone or there != set(files) else 0


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Which lines of the extensions' Cython do the tests run?")
    parser.add_argument("--report", action="store_true", help="of the last run; build and run nothing")
    options = parser.parse_args(arguments)
    passed = True
    if not options.report:
        build()
        passed = run_tests()
        if not passed:
            print("a test failed in the build that counts")
    status = tell()
    return status if passed else 1


if __name__ == "__main__":
    sys.exit(main())
