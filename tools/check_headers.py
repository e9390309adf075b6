"""Compile each file of the kernel alone, warnings as errors: does it include all that it uses, and lose no bits?

    python tools/check_headers.py [--headers] [COMPILER ...]    default: those of gcc and clang that are there

--headers leaves out the sources, which take a minute a compiler.
Exit 1 when one does not compile, or when the flags let pass what they are there to stop.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KERNEL = Path(__file__).resolve().parent.parent / "src" / "kernel"
# Alone, a header's own variables are of no use to anyone.
FLAGS = ["-std=gnu11", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-unused-variable"]
# A header alone makes no code: to read it is enough. Some warnings on sources need the optimiser.
HOW = {".h": ["-fsyntax-only"], ".c": ["-O1", "-c", "-o", "alone.o"]}
# Parts of a kernel, for instructions that its source asks for: compiled with each kernel_NAME.c that includes them.
PARTS = re.compile(r"(_body|_vector|_sse2|_avx2|_avx512|_neon)\.h$")
PROBE = "#include <stddef.h>\nint narrow(size_t n);\nint narrow(size_t n) { return n; }\n"


def include(file: Path) -> str:
    """How sources name it."""
    return f'"{file.relative_to(KERNEL).as_posix()}"'


def compiles(compiler: str, source: str, folder: Path, how: list[str]) -> str | None:
    """None when it does, else what the compiler says."""
    folder.joinpath("alone.c").write_text(source, encoding="utf-8")
    command = [compiler, *FLAGS, f"-I{KERNEL}", *how, "alone.c"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    return None if done.returncode == 0 else done.stderr


def check(compiler: str, with_sources: bool) -> tuple[int, list[str]]:
    """How many files were compiled, and what is wrong."""
    wrong = []
    headers = [header for header in sorted(KERNEL.rglob("*.h")) if not PARTS.search(header.name)]
    sources = sorted(KERNEL.rglob("*.c")) if with_sources else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for file in headers + sources:
            # A header twice: the second time its guard must keep it out.
            source = f"#include {include(file)}\n" * (2 if file in headers else 1) + "int main(void) { return 0; }\n"
            said = compiles(compiler, source, folder, HOW[file.suffix])
            if said is not None:
                wrong.append(f"{file.name} does not compile alone with {compiler}:\n{said[:4000]}")
        for how in HOW.values():
            if compiles(compiler, PROBE, folder, how) is None:
                wrong.append(f"{compiler} lets a size_t pass for an int: the flags have no effect")
    return len(headers) + len(sources), wrong


def main(arguments: list[str]) -> int:
    with_sources = "--headers" not in arguments
    compilers = [argument for argument in arguments if argument != "--headers"]
    found = compilers or [name for name in ("gcc", "clang") if shutil.which(name)]
    if not found:
        print("check_headers: neither gcc nor clang is there", file=sys.stderr)
        return 2
    status = 0
    for compiler in found:
        count, wrong = check(compiler, with_sources)
        for message in wrong:
            print(message, file=sys.stderr)
        if wrong or count == 0:
            status = 1
        print(f"{compiler}: {count} files compiled alone, {len(wrong)} faults")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
