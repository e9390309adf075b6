"""Which branches of the kernels do the tests take, and which conditions decide alone (MC/DC)? Counted by clang.

    python3 tools/coverage_kernels.py                build, run the tests that are about the kernels, and tell
    python3 tools/coverage_kernels.py --report       tell of the last run again
    python3 tools/coverage_kernels.py --explain      print the lines for tools/uncovered.txt that it lacks

Needs a processor with AVX-512 (VBMI2), or one of the kernels is not run; and clang 18 or newer with llvm-profdata and
llvm-cov (Debian: clang-19, llvm-19, libclang-rt-19-dev). A copy of the checkout is built in out/coverage, without
optimisation. A branch counts as taken when any kernel or extension takes it: what is written once is compiled several
times. tools/uncovered.txt holds the branches that no test takes, each with the reason. Exit status 1: a branch is not
taken that is not in it, one in it is taken or gone, a test fails, or the measured files are not those of src/kernel.
Writes out/coverage.json.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from coverage_report import ROOT, differences, explained, main, run_tests, write
from pythons import copy_checkout

WORK = ROOT / "out" / "coverage"
TREE, RAW, COUNTS = WORK / "tree", WORK / "raw", WORK / "tests.profdata"
UNCOVERED = Path(__file__).resolve().parent / "uncovered.txt"
# Files without a branch of their own, or for other processors.
NO_BRANCH = set("compiler.h kernel.h octets.h kernel_body.h runtime.h".split())
NO_BRANCH |= {"split/masks.h", "split/invariants.h", "columns/fields.h"}
OTHER_PROCESSORS = re.compile(r"neon")

# A branch by its file, line, column and way: "percent/quote.h:45:9 true".
Branch = tuple[str, int, int, bool]


def tool(name: str) -> str:
    """clang or a tool of LLVM, the newest that is there."""
    for version in range(30, 17, -1):
        found = shutil.which(f"{name}-{version}")
        if found:
            return found
    found = shutil.which(name)
    if found is None:
        raise SystemExit(f"coverage_kernels: no {name} of version 18 or newer")
    return found


def build() -> None:
    """A copy of the checkout, built so that it counts, in out/coverage/tree."""
    shutil.rmtree(TREE, ignore_errors=True)
    copy_checkout(TREE)
    counted = WORK / "kernel.list"
    counted.write_text("[clang]\ndefault:skip\nsource:src/kernel/*=allow\n")
    compiler = f"{'ccache ' if shutil.which('ccache') else ''}{tool('clang')}"
    flags = f"-fcoverage-mcdc -fprofile-list={counted} -w"
    environment = {**os.environ, "FASTURL_BUILD": "coverage", "CC": compiler, "CFLAGS": flags}
    subprocess.run([sys.executable, "setup.py", "-q", "build_ext", "--inplace"], cwd=TREE, env=environment, check=True)


def count() -> bool:
    build()
    shutil.rmtree(RAW, ignore_errors=True)
    length = os.environ.get("FASTURL_PROOF_LENGTH", "2")
    passed = run_tests(
        TREE, [sys.executable], {"LLVM_PROFILE_FILE": str(RAW / "%4m.profraw"), "FASTURL_PROOF_LENGTH": length}
    )
    raw = sorted(map(str, RAW.glob("*.profraw")))
    subprocess.run([tool("llvm-profdata"), "merge", "-sparse", "-o", str(COUNTS), *raw], check=True)
    return passed


def export() -> dict[str, Any]:
    """What llvm-cov tells of all extensions together."""
    first, *others = sorted(map(str, TREE.joinpath("src/fasturl").glob("*.so")))
    command = [tool("llvm-cov"), "export", "--skip-expansions", f"--instr-profile={COUNTS}", first]
    command += [argument for other in others for argument in ("--object", other)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    exported: dict[str, Any] = json.loads(done.stdout)["data"][0]
    return exported


class Coverage:
    """Branches, with how often each way was taken, and decisions, with the conditions that were shown to decide."""

    def __init__(self, exported: dict[str, Any]) -> None:
        self.taken: dict[Branch, int] = defaultdict(int)
        self.decisions: dict[tuple[str, int, int], list[bool]] = {}
        self.files: set[str] = set()
        for function in exported["functions"]:
            names = [self.relative(name) for name in function["filenames"]]
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

    @staticmethod
    def relative(name: str) -> str:
        _, inside, rest = name.partition("src/kernel/")
        return rest if inside else ""

    def not_taken(self) -> list[Branch]:
        return sorted(branch for branch, count in self.taken.items() if not count)


def spelled(branch: Branch) -> str:
    """A branch by its text, which stays when lines move: what the condition is, and the way."""
    name, line, column, way = branch
    text = TREE.joinpath("src/kernel", name).read_text(encoding="utf-8").splitlines()[line - 1]
    return f"{name} | {text[column - 1 :].strip()[:70]} | {'true' if way else 'false'}"


def wrong_files(files: set[str]) -> set[str]:
    """Files of the kernel that were not measured though they have branches, or that were measured and are none."""
    kernel = ROOT / "src" / "kernel"
    there = {path.relative_to(kernel).as_posix() for path in kernel.rglob("*.[ch]")}
    wanted = {name for name in there if not OTHER_PROCESSORS.search(name)} - NO_BRANCH
    wanted -= {name for name in wanted if re.fullmatch(r"kernel_\w+\.c|vector_\w+\.h", name)}
    return wanted ^ {name for name in files if name in wanted or name not in there}


def tell(coverage: Coverage, explain: bool) -> int:
    known, not_taken = explained(UNCOVERED), coverage.not_taken()
    missing = {spelled(branch) for branch in not_taken}
    explained_branches = sum(spelled(branch) in known for branch in not_taken)
    by_file: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for (name, _, _, _), count in coverage.taken.items():
        by_file[name][0] += count > 0
        by_file[name][1] += 1
    for name, (covered, total) in sorted(by_file.items()):
        print(f"{name:32} {covered:4} of {total:4} branches")
    conditions = [one for decision in coverage.decisions.values() for one in decision]
    covered, total = sum(one[0] for one in by_file.values()), sum(one[1] for one in by_file.values())
    print(f"{covered} of {total} branches, {sum(conditions)} of {len(conditions)} conditions shown to decide alone")
    different = differences(missing, known, "taken")
    if explain:
        print(*(f"{one}  -- " for one in sorted(missing - known.keys())), sep="\n")
    files = wrong_files(coverage.files)
    if files:
        print(f"measured files are not the kernel's: {sorted(files)}")
    how = "`python3 tools/coverage_kernels.py`"
    rows = [
        ["branches of the kernel's C that the tests take", f"{covered} of {total} ({covered / total:.1%})", how],
        ["branches that no test takes, with a reason", f"{explained_branches}", "`tools/uncovered.txt`"],
        ["branches that no test takes, without one", f"{total - covered - explained_branches}", how],
        ["conditions shown to decide alone (MC/DC)", f"{sum(conditions)} of {len(conditions)}", how],
    ]
    write("coverage", "Coverage of the kernels", rows)
    return 1 if different or files else 0


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Which branches of the kernels do the tests take?")
    if "avx512_vbmi2" not in Path("/proc/cpuinfo").read_text():
        sys.exit("coverage_kernels.py: this processor lacks AVX-512 (VBMI2): not each kernel can be counted")
    arguments.add_argument("--explain", action="store_true", help="print the lines that tools/uncovered.txt lacks")
    sys.exit(main(arguments, count, lambda options: tell(Coverage(export()), options.explain)))
