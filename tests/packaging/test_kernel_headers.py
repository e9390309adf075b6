"""Each C header compiles alone, its names equal the Python names, and asserts stop at spans that no split returns."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fasturl

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "src" / "kernel"
COMPILER = shutil.which("gcc") or shutil.which("clang")


@pytest.mark.long
@pytest.mark.skipif(COMPILER is None, reason="no gcc, no clang")
def test_each_header_compiles_alone_without_a_warning() -> None:
    command = [sys.executable, str(ROOT / "tools" / "check_headers.py"), "--headers"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r": [1-9]\d* files compiled alone, 0 faults", done.stdout)


def test_violations_and_hazards_split_the_findings() -> None:
    header = KERNEL.joinpath("validate/findings.h").read_text(encoding="utf-8")
    masked = re.search(r"FU_VIOLATIONS = (0x[0-9a-f]+)", header)
    assert masked is not None
    mask = int(masked[1], 16)
    for finding in fasturl.Finding:
        violation, hazard = finding in fasturl.Finding.VIOLATIONS, finding in fasturl.Finding.HAZARDS
        assert violation != hazard
        assert violation == bool(finding & mask)


def test_shapes_are_those_of_the_scheme_table() -> None:
    text = KERNEL.joinpath("split/shapes.h").read_text(encoding="utf-8")
    listed = re.search(r"#define FU_SHAPE_LIST\(X\)((?:.*\\\n)*.*\n)", text)
    assert listed is not None
    names = re.findall(r'X\((\w+), "(\w+)",', listed[1])
    assert [name for _, name in names] == list(fasturl._fastparse.SHAPES)
    assert all(constant.lower() == name for constant, name in names)
    assert list(fasturl._fastparse.SHAPES.values()) == list(range(len(names)))


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
        case 5: s.flags &= ~(uint32_t)FU_HAS_SUSPECT; break;
        case 6: s.flags |= FU_PLAIN_HTTP; break;
        case 7: s.flags |= FU_PROVEN_VALID; break;
        default: break;
    }
    FU_CHECK_SPLIT(runtime->schemes, text, n, FU_FORM_URL, &s);
    return 0;
}
"""

COMPILED = pytest.mark.skipif(COMPILER is None or sys.platform == "win32", reason="no gcc, no clang")


def build(folder: Path, *flags: str) -> Path:
    source, program = folder / "broken.c", folder / "broken"
    source.write_text(PROGRAM, encoding="utf-8")
    kernel = map(str, sorted(KERNEL.glob("*.c")))
    command = [COMPILER or "", "-O0", *flags, f"-I{KERNEL}", str(source), *kernel, "-o", str(program)]
    subprocess.run(command, check=True)
    return program


@pytest.mark.long
@COMPILED
def test_spans_that_contradict_themselves_or_the_text_end_a_debug_build(tmp_path: Path) -> None:
    program = build(tmp_path)
    assert subprocess.run([program, "0"]).returncode == 0
    for case in range(1, 8):
        done = subprocess.run([program, str(case)], capture_output=True, text=True)
        assert done.returncode != 0 and "Assertion" in done.stderr, case


@pytest.mark.long
@COMPILED
def test_a_release_build_has_no_asserts(tmp_path: Path) -> None:
    program = build(tmp_path, "-DNDEBUG")
    assert subprocess.run([program, "7"]).returncode == 0
