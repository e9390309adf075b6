"""Check that the tests notice small changes to the program: one mutant at a time of the kernels or the schemes.

    python3 tools/mutate.py kernel --count 150   that many mutants of the scalar kernel's headers, in --seed's order
    python3 tools/mutate.py schemes --count 150  of fasturl.schemes

universalmutator, which pip installs in out/mutation, makes the mutants; comments and docstrings are left alone. A
mutant of the kernel is compiled into a copy of the checkout and runs as the scalar kernel. The tests of JUDGES run
until one fails. A mutant that does not compile is not counted. Survivors are printed, and judged again in the next run:
each needs a test, or a line in tools/equivalent.txt with the reason why no test can detect it.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import random
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from common import ROOT, copy_checkout, fail, read_reasons

WORK = ROOT / "out" / "mutation"
EQUIVALENT = Path(__file__).resolve().parent / "equivalent.txt"
WHEEL = "universalmutator==1.14.1"
# The folders of src/kernel that are mutated.
FOLDERS = ("split", "escapes", "validate")
JUDGES = {
    # The first detect most mutants.
    "kernel": ("tests/parse", "tests/normalize", "tests/reference", "tests/quoting", "tests/functions", "tests/dropin"),
    "schemes": ("tests/schemes",),
}
# Slow tests that detect little more, and tests of time, which fail without optimisation.
LEFT_OUT = (
    "not hundred_megabytes and not leak and not long_runs and not time and not threads and not memory and not very_many"
)
PYTHON = """
import json, random, sys
from universalmutator import mutator
rules, files, seed = json.loads(sys.stdin.read())
random.seed(seed) # it chooses a word of the line at random
made = []
for file in files:
    lines = open(file, encoding="utf-8").readlines()
    for mutant in mutator.mutants_regexp(lines, ruleFiles=rules, ignorePatterns=[]):
        made.append((file, mutant[0], mutant[1]))
print("\\n" + json.dumps(made))
"""


@dataclass(frozen=True)
class Mutant:
    """Line `line` of the copy's `file` becomes `text`; the first line is 1."""

    file: str
    line: int
    before: str
    text: str

    def __str__(self) -> str:
        return f"{self.file} | {self.before.strip()} | {' '.join(self.text.split())}"


def tree(kind: str) -> Path:
    """Update and build a copy of the checkout, for mutants to be written into and removed from."""
    folder = WORK / kind
    copy_checkout(folder)
    if not build(folder):
        fail(f"{folder} could not be built")
    return folder


def build(folder: Path) -> bool:
    compiler = os.environ.get("CC") or ("ccache gcc" if shutil.which("ccache") else "gcc")
    environment = {**os.environ, "FASTURL_BUILD": "debug", "CC": compiler, "CFLAGS": "-w -g0"}
    command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False).returncode == 0


def lines_of_text(path: Path) -> set[int]:
    """Return the lines of comments and docstrings."""
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
    """Return all mutants, in the order of the seed."""
    packages = WORK / "packages"
    if not packages.is_dir():
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(packages), WHEEL]
        subprocess.run(command, check=True)
    if kind == "kernel":
        files = sorted(path for name in FOLDERS for path in folder.joinpath("src/kernel", name).glob("*.h"))
        files = [path for path in files if not re.search(r"avx|neon|sse2|vector|invariants", path.name)]
        rules = ["universal.rules", "c_like.rules"]
    else:
        schemes = folder.joinpath("src/fasturl/schemes")
        files = [path for path in sorted(schemes.glob("*.py")) if path.stem != "_rfc1738"]
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


def compiles(folder: Path, path: Path) -> bool:
    """Return True if Python, or C as part of the scalar kernel, accepts the file."""
    if path.suffix == ".h":
        command = ["gcc", "-w", "-fsyntax-only", "-Isrc/kernel", "src/kernel/kernel_scalar.c"]
        return subprocess.run(command, cwd=folder, capture_output=True, check=False).returncode == 0
    try:
        compile(path.read_text(encoding="utf-8"), "mutant", "exec")
    except SyntaxError:
        return False
    return True


def judges(kind: str, folder: Path, mutant: Mutant) -> list[str]:
    """Return the tests, first those named after the file, because they detect most mutants."""
    stem = Path(mutant.file).stem
    named = [path for top in JUDGES[kind] for path in sorted(folder.joinpath(top).glob(f"test_*{stem}*.py"))]
    return [*(path.relative_to(folder).as_posix() for path in named), *JUDGES[kind]]


def judge(kind: str, folder: Path, mutant: Mutant, seconds: int) -> str:
    """Return "killed", "survived" or "no program"."""
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
        if not compiles(folder, path) or (kind == "kernel" and not build(folder)):
            return "no program"
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, timeout=seconds, check=False)
    except subprocess.TimeoutExpired:
        return "killed"  # it does not end
    finally:
        path.write_text(held, encoding="utf-8")
    return "survived" if done.returncode == 0 else "killed"


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("kind", choices=sorted(JUDGES))
    parser.add_argument("--count", type=int, default=150, help="how many mutants that compile; default: %(default)s")
    parser.add_argument("--seed", type=int, default=1738, help="of their order; default: %(default)s")
    parser.add_argument("--seconds", type=int, default=600, help="after which a mutant counts as killed")
    options = parser.parse_args()
    WORK.mkdir(parents=True, exist_ok=True)
    folder = tree(options.kind)
    every = mutants(options.kind, folder, options.seed)
    kept = WORK / "results.json"
    results = json.loads(kept.read_text()) if kept.is_file() else {}
    verdicts = results.setdefault(options.kind, {})
    known, alive = read_reasons(EQUIVALENT), []
    counted = dict.fromkeys(("killed", "survived", "equivalent", "no program"), 0)
    for mutant in every:
        judged = sum(counted.values()) - counted["no program"]
        if judged == options.count:
            break
        what = str(mutant)
        if what not in verdicts or (verdicts[what] == "survived" and what not in known):
            verdicts[what] = judge(options.kind, folder, mutant, options.seconds)
            kept.write_text(json.dumps(results, indent=1) + "\n")
            print(f"{judged}: {verdicts[what]}: {what}", flush=True)
        verdict = "equivalent" if verdicts[what] == "survived" and what in known else verdicts[what]
        counted[verdict] += 1
        if verdict == "survived":
            alive.append(what)
    print(*alive, *(f"{verdict}: {count}" for verdict, count in counted.items()), sep="\n")
    return 1 if alive else 0


if __name__ == "__main__":
    sys.exit(main())
