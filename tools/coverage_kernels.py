"""Report which branches of the kernels the tests take, and which conditions decide alone, by clang's coverage.

    python3 tools/coverage_kernels.py                build, run the tests of the kernels, and report
    python3 tools/coverage_kernels.py --report       report the last run again

Needs a processor with AVX-512 (VBMI2), and clang 18 or newer with llvm-profdata and llvm-cov (Debian: clang-19,
llvm-19, libclang-rt-19-dev). Builds a copy of the checkout in out/coverage, without optimisation. A branch is taken if
any kernel or extension takes it. tools/uncovered.txt lists the branches that no test takes, each with the reason. Exit
status 1: the list is wrong, a test fails, or the measured files are not those of src/kernel.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from common import ROOT, clang, copy_checkout, print_differences, read_reasons, report_coverage, run_tests

WORK = ROOT / "out" / "coverage"
TREE, RAW, COUNTS = WORK / "tree", WORK / "raw", WORK / "tests.profdata"
UNCOVERED = Path(__file__).resolve().parent / "uncovered.txt"
# Files without a branch.
NO_BRANCH = set("compiler.h kernel.h chars.h kernel_body.h runtime.h".split())
NO_BRANCH |= {"split/masks.h", "split/invariants.h", "columns/fields.h"}
OTHER_PROCESSORS = re.compile(r"neon")

# File, line, column, and whether the condition is true.
Branch = tuple[str, int, int, bool]


def count() -> bool:
    """Build the copy and run the tests; return True if they pass."""
    shutil.rmtree(TREE, ignore_errors=True)
    shutil.rmtree(RAW, ignore_errors=True)
    copy_checkout(TREE)
    counted = WORK / "kernel.list"
    counted.write_text("[clang]\ndefault:skip\nsource:src/kernel/*=allow\n")
    compiler = f"{'ccache ' if shutil.which('ccache') else ''}{clang()}"
    flags = f"-fcoverage-mcdc -fprofile-list={counted} -w"
    environment = {**os.environ, "FASTURL_BUILD": "coverage", "CC": compiler, "CFLAGS": flags}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=TREE, env=environment, check=True)
    length = os.environ.get("FASTURL_PROOF_LENGTH", "2")
    settings = {"LLVM_PROFILE_FILE": str(RAW / "%4m.profraw"), "FASTURL_PROOF_LENGTH": length}
    passed = run_tests(TREE, [sys.executable], settings)
    raw = sorted(map(str, RAW.glob("*.profraw")))
    subprocess.run([clang("llvm-profdata"), "merge", "-sparse", "-o", str(COUNTS), *raw], check=True)
    return passed


def export() -> dict[str, Any]:
    """Return llvm-cov's data of all extensions."""
    first, *others = sorted(map(str, TREE.joinpath("src/fasturl").glob("*.so")))
    command = [clang("llvm-cov"), "export", "--skip-expansions", f"--instr-profile={COUNTS}", first]
    command += [argument for other in others for argument in ("--object", other)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    exported: dict[str, Any] = json.loads(done.stdout)["data"][0]
    return exported


class Coverage:
    """The count of each branch, and per decision the conditions that were shown to decide alone."""

    def __init__(self, exported: dict[str, Any]) -> None:
        self.taken: dict[Branch, int] = defaultdict(int)
        self.decisions: dict[tuple[str, int, int], list[bool]] = {}
        self.files: set[str] = set()
        for function in exported["functions"]:
            names = [name.partition("src/kernel/")[2] for name in function["filenames"]]
            self.files |= {name for name in names if name}
            for line, column, _, _, true, false, file, _, _ in function["branches"]:
                if names[file]:
                    self.taken[names[file], line, column, True] += true
                    self.taken[names[file], line, column, False] += false
            for line, column, _, _, *rest in function.get("mcdc_records", []):
                conditions, name = rest[-1], names[rest[0]] if len(rest) > 1 else names[0]
                if name:
                    held = self.decisions.setdefault((name, line, column), [False] * len(conditions))
                    self.decisions[name, line, column] = [a or b for a, b in zip(held, conditions, strict=True)]


def spell(branch: Branch) -> str:
    """Return a branch by its text, which stays the same when lines move."""
    name, line, column, way = branch
    text = TREE.joinpath("src/kernel", name).read_text(encoding="utf-8").splitlines()[line - 1]
    return f"{name} | {text[column - 1 :].strip()[:70]} | {'true' if way else 'false'}"


def wrong_files(files: set[str]) -> set[str]:
    """Return the kernel's files that have branches but were not measured, and measured files that do not exist."""
    kernel = ROOT / "src" / "kernel"
    there = {path.relative_to(kernel).as_posix() for path in kernel.rglob("*.[ch]")}
    wanted = {name for name in there if not OTHER_PROCESSORS.search(name)} - NO_BRANCH
    wanted -= {name for name in wanted if re.fullmatch(r"kernel_\w+\.c|vector_\w+\.h", name)}
    return wanted ^ {name for name in files if name in wanted or name not in there}


def report(coverage: Coverage) -> bool:
    """Print the figures; return True if the list of reasons and the measured files are right."""
    known, not_taken = read_reasons(UNCOVERED), [branch for branch, count in coverage.taken.items() if not count]
    missing = {spell(branch) for branch in not_taken}
    by_file: dict[str, list[bool]] = defaultdict(list)
    for (name, _, _, _), count in coverage.taken.items():
        by_file[name].append(count > 0)
    for name, taken in sorted(by_file.items()):
        print(f"{name:32} {sum(taken):4} of {len(taken):4} branches")
    conditions = [one for decision in coverage.decisions.values() for one in decision]
    with_reason = sum(spell(branch) in known for branch in not_taken)
    total = len(coverage.taken)
    print(f"{total - len(not_taken)} of {total} branches taken, {with_reason} more with a reason")
    print(f"{sum(conditions)} of {len(conditions)} conditions shown to decide alone")
    different = print_differences(missing, known, "taken")
    files = wrong_files(coverage.files)
    if files:
        print(f"measured files are not the kernel's: {sorted(files)}")
    return not different and not files


def main() -> int:
    if "avx512_vbmi2" not in Path("/proc/cpuinfo").read_text():
        sys.exit("coverage_kernels.py: this processor lacks AVX-512 (VBMI2), so one kernel cannot run")
    return report_coverage(__doc__, count, lambda: report(Coverage(export())))


if __name__ == "__main__":
    sys.exit(main())
