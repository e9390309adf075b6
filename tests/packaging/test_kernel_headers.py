"""Each C header compiles alone, and its names equal the Python names."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fasturl

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "src" / "kernel"


@pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("clang")), reason="no gcc, no clang")
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
