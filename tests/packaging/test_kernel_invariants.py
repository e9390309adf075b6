"""The asserts of a build without NDEBUG stop at spans that no split may return."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = Path(__file__).resolve().parents[2] / "src" / "kernel"
COMPILER = shutil.which("gcc") or shutil.which("clang")
# Split one URL correctly, then damage its spans.
PROGRAM = r"""
#include <stdlib.h>

#include "runtime.h"
#include "split/invariants.h"

int main(int count, char **arguments) {
    const uint8_t *text = (const uint8_t *)"http://h.example/a/b c?d#e";
    const size_t n = 26;
    const fu_runtime *runtime = fu_start_runtime();
    fu_spans s;
    runtime->kernel->split(runtime->schemes, text, n, FU_FORM_URL, 0, &s);
    switch (count > 1 ? atoi(arguments[1]) : 0) {
        case 1: s.path_end = s.query_end + 1; break;
        case 2: s.query_end = n + 1; break;
        case 3: s.netloc_start -= 1; break;
        case 4: s.flags &= ~(uint32_t)FU_HAS_QUERY; break;
        case 5: s.flags &= ~(uint32_t)FU_HAS_NON_XCHAR; break;
        case 6: s.flags |= FU_PLAIN_HTTP; break;
        case 7: s.flags |= FU_PROVEN_VALID; break;
        default: break;
    }
    FU_CHECK_SPLIT(runtime->schemes, text, n, FU_FORM_URL, &s);
    return 0;
}
"""

pytestmark = pytest.mark.skipif(COMPILER is None or sys.platform == "win32", reason="no gcc, no clang")


def build(folder: Path, *flags: str) -> Path:
    source, program = folder / "broken.c", folder / "broken"
    source.write_text(PROGRAM, encoding="utf-8")
    kernel = map(str, sorted(KERNEL.glob("*.c")))
    command = [COMPILER or "", "-O0", *flags, f"-I{KERNEL}", str(source), *kernel, "-o", str(program)]
    subprocess.run(command, check=True)
    return program


def test_spans_that_contradict_themselves_or_the_text_end_a_debug_build(tmp_path: Path) -> None:
    program = build(tmp_path)
    assert subprocess.run([program, "0"]).returncode == 0
    for case in range(1, 8):
        done = subprocess.run([program, str(case)], capture_output=True, text=True)
        assert done.returncode != 0 and "Assertion" in done.stderr, case


def test_a_release_build_has_no_asserts(tmp_path: Path) -> None:
    program = build(tmp_path, "-DNDEBUG")
    assert subprocess.run([program, "7"]).returncode == 0
