"""Compile each file of the kernel alone, warnings as errors: does it include all that it uses, and lose no bits?

    python tools/check_headers.py [--headers] [COMPILER ...]    default: those of gcc and clang that are there
    python tools/check_headers.py --elsewhere                   for systems and processors that are not here, by zig

C11 to the letter (-std=c11 -pedantic). The files are read and no code is made: what only an optimiser warns of, the
build by setup.py shows. --headers leaves out the sources. --elsewhere makes code for each of TARGETS, without their
Python.h: zig (pip install ziglang) brings the other headers of these systems.
Exit 1 when one does not compile, or when the flags let pass what they are there to stop.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

KERNEL = Path(__file__).resolve().parent.parent / "src" / "kernel"
# Alone, a header's own variables are of no use to anyone. Of POSIX there is one function, posix_memalign.
FLAGS = ["-std=c11", "-pedantic", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
FLAGS += ["-Wno-unused-variable"]
# What the wheels are for that CI's own machine is not, and one processor more.
TARGETS = ("x86_64-windows-gnu", "x86_64-macos", "aarch64-macos", "x86_64-linux-musl", "riscv64-linux-musl")
# Parts of a kernel, for instructions that its source asks for: compiled with each kernel_NAME.c that includes them.
PARTS = re.compile(r"(_body|_vector|_sse2|_avx2|_avx512|_neon)\.h$")
# What each flag is there to stop, and what it is called where that passes.
PROBES = {
    "a size_t for an int": "#include <stddef.h>\nint narrow(size_t n);\nint narrow(size_t n) { return n; }\n",
    "an array of no elements": "int first(void);\nstatic int none[0];\nint first(void) { return none[0]; }\n",
}


def include(file: Path) -> str:
    """How sources name it."""
    return f'"{file.relative_to(KERNEL).as_posix()}"'


def compiles(compiler: list[str], source: str) -> str | None:
    """None when it does, else what the compiler says."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "file.c")
        file.write_text(source, encoding="utf-8")
        # zig makes code in any case.
        way = ["-O0", "-c", "-o", f"{folder}/file.o"] if "-target" in compiler else ["-fsyntax-only"]
        done = subprocess.run([*compiler, *FLAGS, f"-I{KERNEL}", *way, str(file)], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr


def check(compiler: list[str], with_sources: bool) -> tuple[int, list[str]]:
    """How many files were compiled, and what is wrong."""
    wrong = []
    headers = [header for header in sorted(KERNEL.rglob("*.h")) if not PARTS.search(header.name)]
    sources = sorted(KERNEL.rglob("*.c")) if with_sources else []
    # A header twice: the second time its guard must keep it out.
    texts = [f"#include {include(header)}\n" * 2 + "int main(void) { return 0; }\n" for header in headers]
    texts += [f"#include {include(source)}\n" for source in sources]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, said in zip(headers + sources, pool.map(lambda text: compiles(compiler, text), texts), strict=True):
            if said is not None:
                wrong.append(f"{file.name} does not compile alone with {compiler[-1]}:\n{said[:4000]}")
    for what, probe in PROBES.items():
        if compiles(compiler, probe) is None:
            wrong.append(f"{compiler[-1]} lets pass {what}: the flags have no effect")
    return len(texts), wrong


def zig() -> list[str]:
    """How zig's compiler of C is called here, or nothing."""
    if shutil.which("zig"):
        return ["zig", "cc"]
    return [sys.executable, "-m", "ziglang", "cc"] if importlib.util.find_spec("ziglang") else []


def main(arguments: list[str]) -> int:
    with_sources = "--headers" not in arguments
    if "--elsewhere" in arguments:
        found = [[*zig(), "-target", target] for target in TARGETS if zig()]
    else:
        named = [argument for argument in arguments if argument != "--headers"]
        found = [[name] for name in named or ("gcc", "clang") if named or shutil.which(name)]
    if not found:
        print("check_headers: there is no compiler: gcc or clang, for --elsewhere ziglang", file=sys.stderr)
        return 2
    status = 0
    for compiler in found:
        count, wrong = check(compiler, with_sources)
        for message in wrong:
            print(message, file=sys.stderr)
        if wrong or count == 0:
            status = 1
        print(f"{compiler[-1]}: {count} files compiled alone, {len(wrong)} faults")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
