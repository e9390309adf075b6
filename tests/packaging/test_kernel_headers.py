"""Do the C headers stand alone, and say the same as the Python names for them?"""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import fasturl
from fasturl import _terms

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "src" / "kernel"
DIAGNOSTICS = KERNEL.joinpath("validate/diagnostics.h").read_text(encoding="utf-8")


@pytest.mark.skipif(not (shutil.which("gcc") or shutil.which("clang")), reason="no gcc, no clang")
def test_each_header_compiles_alone_without_a_warning() -> None:
    command = [sys.executable, str(ROOT / "tools" / "check_headers.py"), "--headers"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert re.search(r": [1-9]\d* files compiled alone, 0 faults", done.stdout)


def test_findings_are_the_bits_of_the_diagnostics() -> None:
    bits = dict(re.findall(r"^    FU_(\w+) = 1 << (\d+),?$", DIAGNOSTICS, re.MULTILINE))
    # The C name differs: FU_NO_SCHEME is an index of the scheme table.
    bits["NO_SCHEME"] = bits.pop("NO_SCHEME_READ")
    in_c = {name: 1 << int(bit) for name, bit in bits.items()}
    in_python = {finding.name: finding.value for finding in fasturl.Finding}
    assert len(in_c) == 22
    assert in_c == in_python


def test_violations_and_hazards_split_the_findings() -> None:
    masked = re.search(r"FU_VIOLATIONS = (0x[0-9a-f]+)", DIAGNOSTICS)
    assert masked is not None
    mask = int(masked[1], 16)
    for finding in fasturl.Finding:
        violation, hazard = finding in fasturl.Finding.VIOLATIONS, finding in fasturl.Finding.HAZARDS
        assert violation != hazard
        assert violation == bool(finding & mask)


def test_terms_are_in_the_order_of_the_diagnostics() -> None:
    enumerated = re.search(r"typedef enum \{([^}]*)\} fu_term;", DIAGNOSTICS)
    assert enumerated is not None
    names = re.findall(r"FU_TERM_(\w+)", enumerated[1])
    assert tuple(name.lower() for name in names) == _terms.NAMES


def test_shapes_are_those_of_the_scheme_table() -> None:
    text = KERNEL.joinpath("split/schemes.h").read_text(encoding="utf-8")
    listed = re.search(r"#define FU_SHAPE_LIST\(X\)((?:.*\\\n)*.*\n)", text)
    assert listed is not None
    names = re.findall(r'X\((\w+), "(\w+)"\)', listed[1])
    assert [name for _, name in names] == list(fasturl._fastparse.SHAPES)
    assert all(constant.lower() == name for constant, name in names)
    assert list(fasturl._fastparse.SHAPES.values()) == list(range(len(names)))
