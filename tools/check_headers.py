"""Compile each kernel header alone, warnings as errors: does it include all that it uses, and lose no bits?

    python tools/check_headers.py [COMPILER ...]    default: those of gcc and clang that are there

Exit 1 when a header does not compile, or when the flags let pass what they are there to stop.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

KERNEL = Path(__file__).resolve().parent.parent / "src" / "kernel"
# Alone, a header's own variables are of no use to anyone.
FLAGS = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-Wno-unused-variable"]
MSVC_ALONE = "builtins.h"
PROBE = "#include <stddef.h>\nint narrow(size_t n);\nint narrow(size_t n) { return n; }\n"


def stands_alone(header: Path) -> bool:
    """NAME_more.h is a part of NAME.h if that includes it; all others say themselves what they need."""
    for whole in KERNEL.glob("*.h"):
        if header.stem.startswith(whole.stem + "_") and f'"{header.name}"' in whole.read_text(encoding="utf-8"):
            return False
    return header.name != MSVC_ALONE


def compiles(compiler: str, source: str, folder: Path) -> str | None:
    """None when it does, else what the compiler says."""
    file = folder / "alone.c"
    file.write_text(source, encoding="utf-8")
    command = [compiler, *FLAGS, f"-I{KERNEL}", "-c", str(file), "-o", str(folder / "alone.o")]
    done = subprocess.run(command, capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr


def check(compiler: str) -> tuple[int, list[str]]:
    """How many headers were compiled, and what is wrong."""
    wrong = []
    headers = [header for header in sorted(KERNEL.glob("*.h")) if stands_alone(header)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for header in headers:
            # Twice: the second time its guard must keep it out.
            said = compiles(
                compiler, f'#include "{header.name}"\n' * 2 + "int main(void) { return 0; }\n", folder
            )
            if said is not None:
                wrong.append(f"{header.name} does not compile alone with {compiler}:\n{said[:4000]}")
        if compiles(compiler, PROBE, folder) is None:
            wrong.append(f"{compiler} lets a size_t pass for an int: the flags have no effect")
    return len(headers), wrong


def main(compilers: list[str]) -> int:
    found = compilers or [name for name in ("gcc", "clang") if shutil.which(name)]
    if not found:
        print("check_headers: neither gcc nor clang is there", file=sys.stderr)
        return 2
    status = 0
    for compiler in found:
        count, wrong = check(compiler)
        for message in wrong:
            print(message, file=sys.stderr)
        if wrong or count == 0:
            status = 1
        print(f"{compiler}: {count} headers compiled alone, {len(wrong)} faults")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
