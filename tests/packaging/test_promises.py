"""Each claim of docs/trust.md has a fault that breaks it, and each fault can be planted."""

import re
from pathlib import Path

from scripts import script_of_tools

ROOT = Path(__file__).resolve().parents[2]
# tools/faults.py has the faults of this claim.
PROVED = "Functions of the scalar kernel"


def claims() -> dict[str, list[str]]:
    """Return the names of the planted faults that the page lists for each claim."""
    page = ROOT.joinpath("docs/trust.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([A-Z][^|]+) \| [^|]+ \| ([^|]+) \|$", page, re.MULTILINE)
    assert len(rows) == len(re.findall(r"^\| [A-Z]", page, re.MULTILINE))
    return {claim: re.findall(r"`([^`]+)`", faults) for claim, faults in rows}


def test_each_claim_is_broken_and_names_its_faults() -> None:
    breaks = script_of_tools("promises").BREAKS
    assert len(claims()) > 8
    for claim, faults in claims().items():
        broken = [one.name for one in breaks if claim.startswith(one.claim)]
        assert faults == (["tools/faults.py"] if claim.startswith(PROVED) else broken) and faults, claim
    for one in breaks:
        assert any(claim.startswith(one.claim) for claim in claims()), one.claim


def test_each_fault_stands_once_and_its_check_is_there() -> None:
    for one in script_of_tools("promises").BREAKS:
        text = ROOT.joinpath(one.file).read_text(encoding="utf-8")
        assert text.count(one.old) == 1 and one.new != one.old, one.name
        for word in one.check.split():
            assert not word.startswith("tests/") or ROOT.joinpath(word).exists(), word
