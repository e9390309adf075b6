"""Compile each file of the kernel alone, with warnings as errors: each file includes all that it uses.

    python tools/check_headers.py [--headers] [COMPILER ...]    default: gcc and clang, if installed
    python tools/check_headers.py --elsewhere                   for other systems and processors, by zig

The flags are C11 to the letter (-std=c11 -pedantic). Only syntax is checked, except with --elsewhere, which compiles
for each of TARGETS without their Python.h: zig (pip install ziglang) has the other headers. --headers leaves out the
sources. Exit status 1: a file does not compile, or the flags accept what they must reject.
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
# POSIX has one function that the kernel uses: posix_memalign. A header alone does not use its own variables.
FLAGS = ["-std=c11", "-pedantic", "-D_POSIX_C_SOURCE=200809L", "-Wall", "-Wextra", "-Wconversion", "-Werror"]
FLAGS += ["-Wno-unused-variable"]
# The systems of the wheels that CI's own machine is not, and one more processor.
TARGETS = ("x86_64-windows-gnu", "x86_64-macos", "aarch64-macos", "x86_64-linux-musl", "riscv64-linux-musl")
# These need the instructions that a kernel_NAME.c asks for, and are compiled with it.
PARTS = re.compile(r"(_body|_vector|_sse2|_avx2|_avx512|_neon)\.h$")
# Sources that the flags must reject.
PROBES = {
    "a size_t for an int": "#include <stddef.h>\nint narrow(size_t n);\nint narrow(size_t n) { return n; }\n",
    "an array of no elements": "int first(void);\nstatic int none[0];\nint first(void) { return none[0]; }\n",
}


def compile_error(compiler: list[str], source: str) -> str | None:
    """Return the compiler's message, or None if the source compiles."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "file.c")
        file.write_text(source, encoding="utf-8")
        # zig always makes code.
        way = ["-O0", "-c", "-o", f"{folder}/file.o"] if "-target" in compiler else ["-fsyntax-only"]
        done = subprocess.run([*compiler, *FLAGS, f"-I{KERNEL}", *way, str(file)], capture_output=True, text=True)
    return None if done.returncode == 0 else done.stderr


def check(compiler: list[str], with_sources: bool) -> tuple[int, list[str]]:
    """Return the number of compiled files, and the errors."""
    errors = []
    headers = [header for header in sorted(KERNEL.rglob("*.h")) if not PARTS.search(header.name)]
    sources = sorted(KERNEL.rglob("*.c")) if with_sources else []
    # Each header is included twice, which tests its guard.
    names = {file: f'#include "{file.relative_to(KERNEL).as_posix()}"\n' for file in headers + sources}
    texts = [names[header] * 2 + "int main(void) { return 0; }\n" for header in headers]
    texts += [names[source] for source in sources]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, error in zip(names, pool.map(lambda text: compile_error(compiler, text), texts), strict=True):
            if error is not None:
                errors.append(f"{file.name} does not compile alone with {compiler[-1]}:\n{error[:4000]}")
    for what, probe in PROBES.items():
        if compile_error(compiler, probe) is None:
            errors.append(f"{compiler[-1]} accepts {what}: the flags have no effect")
    return len(texts), errors


def zig() -> list[str]:
    """Return the command of zig's C compiler, or an empty list."""
    if shutil.which("zig"):
        return ["zig", "cc"]
    return [sys.executable, "-m", "ziglang", "cc"] if importlib.util.find_spec("ziglang") else []


def main(arguments: list[str]) -> int:
    if "--elsewhere" in arguments:
        found = [[*zig(), "-target", target] for target in TARGETS if zig()]
    else:
        named = [argument for argument in arguments if argument != "--headers"]
        found = [[name] for name in named or ("gcc", "clang") if named or shutil.which(name)]
    if not found:
        print("check_headers: no compiler found; install gcc or clang, for --elsewhere ziglang", file=sys.stderr)
        return 2
    status = 0
    for compiler in found:
        count, errors = check(compiler, "--headers" not in arguments)
        print(*errors, sep="\n", end="\n" * bool(errors), file=sys.stderr)
        print(f"{compiler[-1]}: {count} files compiled alone, {len(errors)} faults")
        status |= bool(errors) or count == 0
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
