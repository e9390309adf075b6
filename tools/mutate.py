"""Do the tests notice when the program is changed? Small changes, one at a time, to the kernels and to the schemes.

    python3 tools/mutate.py kernel --count 150   as many mutants of the scalar kernel's headers, in --seed's order
    python3 tools/mutate.py schemes --count 150  of fasturl.schemes
    python3 tools/mutate.py kernel --list        the mutants that would be tried, as lines that were changed

universalmutator, which pip brings to out/mutation, makes the mutants; comments and docstrings are left alone. A mutant
of the kernel is compiled into a copy of the checkout and runs as the scalar kernel. The tests of JUDGES decide, and the
first that fails ends the run. A mutant that does not compile counts for nothing. Those that live are printed, and are
judged again in the next run: each needs a test, or a line in tools/equivalent.txt with the reason why no test can tell
it from the program. Writes out/mutation.json.
"""

from __future__ import annotations

import argparse
import ast
import datetime
import json
import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from coverage_report import explained
from pythons import copy_checkout

ROOT = Path(__file__).resolve().parent.parent
WORK = ROOT / "out" / "mutation"
EQUIVALENT = Path(__file__).resolve().parent / "equivalent.txt"
WHEEL = "universalmutator==1.14.1"
# The kernel's folders, and the extensions that include them.
FOLDERS = ("split", "percent", "validate")
JUDGES = {
    # The first tell most; octets holds tests of a generator that no mutant of the kernel changes.
    "kernel": ("tests/parse", "tests/normalize", "tests/reference", "tests/quoting", "tests/functions", "tests/dropin"),
    "schemes": ("tests/schemes",),
}
# What takes long and says little more; and in a build without optimisation the clock says nothing.
LEFT_OUT = (
    "not hundred_megabytes and not leak and not long_runs and not time and not threads and not memory and not very_many"
)
PYTHON = """
import json, random, sys
from universalmutator import mutator
rules, files, seed = json.loads(sys.stdin.read())
random.seed(seed) # of two words of a line it changes one or the other
made = []
for file in files:
    lines = open(file, encoding="utf-8").readlines()
    for mutant in mutator.mutants_regexp(lines, ruleFiles=rules, ignorePatterns=[]):
        made.append((file, mutant[0], mutant[1]))
print("\\n" + json.dumps(made))
"""


@dataclass(frozen=True)
class Mutant:
    """In the copy's `file` line `line` (the first is 1) becomes `text`."""

    file: str
    line: int
    before: str
    text: str

    def __str__(self) -> str:
        return f"{self.file} | {self.before.strip()} | {' '.join(self.text.split())}"


def tree(kind: str) -> Path:
    """A copy of the checkout, brought up to date and built; mutants are written into it and taken out again."""
    folder = WORK / kind
    copy_checkout(folder)
    if not build(folder):
        raise SystemExit(f"mutate.py: {folder} could not be built")
    return folder


def build(folder: Path) -> bool:
    compiler = os.environ.get("CC") or ("ccache gcc" if shutil.which("ccache") else "gcc")
    environment = {**os.environ, "FASTURL_BUILD": "debug", "CC": compiler, "CFLAGS": "-w -g0"}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False).returncode == 0


def lines_of_text(path: Path) -> set[int]:
    """The lines that are no program: comments and docstrings."""
    source = path.read_text(encoding="utf-8")
    found: set[int] = set()
    if path.suffix == ".py":
        found.update(n for n, line in enumerate(source.splitlines(), 1) if line.lstrip().startswith("#"))
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                found.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        return found
    for comment in re.finditer(r"/\*.*?\*/", source, re.DOTALL):
        first, last = (source.count("\n", 0, at) + 1 for at in comment.span())
        before = source[source.rfind("\n", 0, comment.start()) + 1 : comment.start()]
        found.update(range(first + 1 if before.strip() else first, last + 1))
    return found


def mutants(kind: str, folder: Path, seed: int) -> list[Mutant]:
    """All mutants, in an order that is always the same for a seed."""
    packages = WORK / "packages"
    if not packages.is_dir():
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(packages), WHEEL]
        subprocess.run(command, check=True)
    if kind == "kernel":
        files = sorted(path for name in FOLDERS for path in folder.joinpath("src/kernel", name).glob("*.h"))
        files = [path for path in files if not re.search(r"avx|neon|sse2|vector|invariants", path.name)]
        rules = ["universal.rules", "c_like.rules"]
    else:
        files = [
            path for path in sorted(folder.joinpath("src/fasturl/schemes").glob("*.py")) if path.stem != "_rfc1738"
        ]
        rules = ["universal.rules", "python.rules"]
    given = json.dumps([rules, [str(path) for path in files], seed])
    environment = {**os.environ, "PYTHONPATH": str(packages)}
    command = [sys.executable, "-c", PYTHON]
    done = subprocess.run(command, input=given, env=environment, capture_output=True, text=True, check=True)
    found = {}
    texts = {str(path): lines_of_text(path) for path in files}
    lines = {str(path): path.read_text(encoding="utf-8").splitlines(keepends=True) for path in files}
    for file, line, text in json.loads(done.stdout.splitlines()[-1]):
        before = lines[file][line - 1]
        if line not in texts[file] and text.split() != before.split():
            mutant = Mutant(Path(file).relative_to(folder).as_posix(), line, before, text)
            found[str(mutant)] = mutant
    every = [found[key] for key in sorted(found)]
    random.Random(seed).shuffle(every)
    return every


def is_program(folder: Path, path: Path) -> bool:
    """Whether the compiler takes it: asked of Python, or of C about the scalar kernel, before all is built."""
    if path.suffix == ".h":
        command = ["gcc", "-w", "-fsyntax-only", "-Isrc/kernel", "src/kernel/kernel_scalar.c"]
        return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
    try:
        compile(path.read_text(encoding="utf-8"), "mutant", "exec")
    except SyntaxError:
        return False
    return True


def judges(kind: str, folder: Path, mutant: Mutant) -> list[str]:
    """The tests, those first that are named for the file: they kill most, and the first that fails ends the run."""
    stem = Path(mutant.file).stem
    named = [path for top in JUDGES[kind] for path in sorted(folder.joinpath(top).glob(f"test_*{stem}*.py"))]
    return [*(path.relative_to(folder).as_posix() for path in named), *JUDGES[kind]]


def judge(kind: str, folder: Path, mutant: Mutant, seconds: int) -> str:
    """killed, survived, or no program."""
    path = folder / mutant.file
    held = path.read_text(encoding="utf-8")
    lines = held.splitlines(keepends=True)
    lines[mutant.line - 1] = mutant.text if mutant.text.endswith("\n") else mutant.text + "\n"
    environment = {**os.environ, "PYTHONPATH": "src", "FASTURL_TRIES": "100", "CI": "1", "FASTURL_PROOF_LENGTH": "1"}
    environment |= {"FASTURL_KERNEL": "scalar", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider"]
    command += ["--ignore=tests/dropin/test_interpreter_suite.py", *judges(kind, folder, mutant), "-k", LEFT_OUT]
    try:
        path.write_text("".join(lines), encoding="utf-8")
        if not is_program(folder, path) or (kind == "kernel" and not build(folder)):
            return "no program"
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "killed"  # it does not come to an end
    finally:
        path.write_text(held, encoding="utf-8")
    return "survived" if done.returncode == 0 else "killed"


@dataclass(frozen=True)
class Told:
    """Of the mutants of a kind: how many were killed, live and are not explained, are the same program, are none."""

    killed: int = 0
    alive: int = 0
    same: int = 0
    none: int = 0


def report(every: dict[str, Told]) -> None:
    names = {"kernel": "the scalar kernel's headers (split, percent, validate)", "schemes": "`fasturl.schemes`"}
    rows = []
    for kind, told in sorted(every.items()):
        judged = told.killed + told.alive
        figure = f"{told.killed} of {judged} killed ({told.killed / max(judged, 1):.0%}), "
        figure += f"{told.same} more are the same program; {told.none} others did not compile"
        command = f"`python3 tools/mutate.py {kind} --count {judged + told.same}`"
        rows.append([f"mutants of {names[kind]}", figure, command])
    made = {"title": "Mutants", "date": datetime.date.today().isoformat(), "rows": rows}
    ROOT.joinpath("out/mutation.json").write_text(json.dumps(made, indent=2) + "\n")


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Do the tests notice when the program is changed?")
    parser.add_argument("kind", choices=sorted(JUDGES))
    parser.add_argument("--count", type=int, default=150, help="how many mutants that are programs")
    parser.add_argument("--seed", type=int, default=1738, help="which of them")
    parser.add_argument("--seconds", type=int, default=600, help="after which a mutant's tests are given up")
    parser.add_argument("--list", action="store_true", help="show the mutants; try none")
    options = parser.parse_args(arguments)
    WORK.mkdir(parents=True, exist_ok=True)
    folder = tree(options.kind)
    every = mutants(options.kind, folder, options.seed)
    if options.list:
        print(*every[: options.count], sep="\n")
        return 0
    kept = WORK / "results.json"
    results = json.loads(kept.read_text()) if kept.is_file() else {}
    verdicts = results.setdefault(options.kind, {})
    known, counted, alive = explained(EQUIVALENT), dict.fromkeys(("killed", "alive", "same", "none"), 0), []
    for mutant in every:
        judged = sum(counted.values()) - counted["none"]
        if judged == options.count:
            break
        what = str(mutant)
        if what not in verdicts or (verdicts[what] == "survived" and what not in known):
            verdicts[what] = judge(options.kind, folder, mutant, options.seconds)
            kept.write_text(json.dumps(results, indent=1) + "\n")
            print(f"{judged}: {verdicts[what]}: {what}", flush=True)
        if verdicts[what] == "survived" and what not in known:
            alive.append(what)
        outcome = {"killed": "killed", "no program": "none", "survived": "same" if what in known else "alive"}
        counted[outcome[verdicts[what]]] += 1
    told = results.setdefault("told", {})
    told[options.kind] = counted
    kept.write_text(json.dumps(results, indent=1) + "\n")
    report({kind: Told(**of_kind) for kind, of_kind in told.items()})
    print(*alive, sep="\n")
    print(f"{len(alive)} of {sum(counted.values()) - counted['none']} live and are not explained")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
