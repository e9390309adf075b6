"""What coverage_kernels.py and coverage_pyx.py share: the tests that are counted, and how a count is told."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = (
    "octets quoting parse functions reference context normalize columns logs memory dropin boundary schemes cli".split()
)
# What measures time is not for a build that counts; other programs' suites are long.
LEFT_OUT = "not hundred_megabytes and not grows and not linear and not leak"


def run_tests(tree: Path, runner: list[str], environment: dict[str, str]) -> bool:
    """Whether the tests pass in that copy of the checkout. FASTURL_TRIES and FASTURL_DATA may be set."""
    given = {"FASTURL_TRIES": "500", "FASTURL_DATA": str(ROOT.parent / "shared" / "data")}
    command = [*runner, "-m", "pytest", "-q", "-p", "no:cacheprovider", *(f"tests/{name}" for name in TESTS)]
    command += ["-k", LEFT_OUT, "--ignore=tests/dropin/test_interpreter_suite.py"]
    environment = {**given, **os.environ, "PYTHONPATH": "src", "CI": "1", **environment}
    return subprocess.run(command, cwd=tree, env=environment, check=False).returncode == 0


def explained(path: Path) -> dict[str, str]:
    """The lines of a list of what no test takes: what it is, and the reason."""
    found = {}
    for line in path.read_text(encoding="utf-8").splitlines():
        if line and line[0] != "#":
            what, _, why = line.partition("  -- ")
            found[what.strip()] = why.strip()
    return found


def differences(missing: set[str], known: Iterable[str], what: str) -> list[str]:
    """Prints what no test takes and nothing explains, and what is explained for nothing; returns both."""
    new, gone = sorted(missing - set(known)), sorted(set(known) - missing)
    for title, names in ((f"not {what}, and not explained", new), (f"explained, but {what} or gone", gone)):
        if names:
            print(f"{title}:", *names, sep="\n  ")
    return [*new, *gone]


def write(name: str, title: str, rows: list[list[str]]) -> None:
    """out/NAME.json, which tools/trust.py reads."""
    report = {"title": title, "date": datetime.date.today().isoformat(), "rows": rows}
    ROOT.joinpath("out", f"{name}.json").write_text(json.dumps(report, indent=2) + "\n")


def main(parser: argparse.ArgumentParser, count: Callable[[], bool], tell: Callable[[argparse.Namespace], int]) -> int:
    """Counts anew unless --report is given, and tells. 1, too, when a test failed in the build that counts."""
    parser.add_argument("--report", action="store_true", help="of the last run; build and run nothing")
    options = parser.parse_args()
    passed = options.report or count()
    if not passed:
        print("a test failed in the build that counts")
    status = tell(options)
    return status if passed else 1
