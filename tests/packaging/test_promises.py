"""Each claim of docs/trust.md has a fault that breaks it, and each fault can be planted."""

import re
from pathlib import Path

from scripts import script_of_tools

ROOT = Path(__file__).resolve().parents[2]
# tools/faults.py has the faults of this claim.
PROVED = "Functions of the scalar kernel"


def claims() -> list[str]:
    page = ROOT.joinpath("docs/trust.md").read_text(encoding="utf-8")
    return re.findall(r"^\| ([A-Z][^|]+) \|", page, re.MULTILINE)


def test_each_claim_is_broken_once() -> None:
    broken = [one.claim for one in script_of_tools("promises").BREAKS]
    assert len(claims()) > 8
    for claim in claims():
        assert claim.startswith(PROVED) or any(claim.startswith(each) for each in broken), claim
    for each in broken:
        assert any(claim.startswith(each) for claim in claims()), each


def test_each_fault_stands_once_and_its_check_is_there() -> None:
    for one in script_of_tools("promises").BREAKS:
        text = ROOT.joinpath(one.file).read_text(encoding="utf-8")
        assert text.count(one.old) == 1 and one.new != one.old, one.name
        for word in one.check.split():
            assert not word.startswith("tests/") or ROOT.joinpath(word).exists(), word
