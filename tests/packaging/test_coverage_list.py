"""tools/uncovered.txt: each branch of the kernel that no test takes has a reason, and its file is there."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "src" / "kernel"


def lines() -> list[str]:
    text = ROOT.joinpath("tools/uncovered.txt").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and line[0] != "#"]


def test_each_branch_has_a_reason() -> None:
    found = lines()
    assert found and len(set(found)) == len(found)
    for line in found:
        what, _, why = line.partition("  -- ")
        assert len(why.split()) >= 2, line
        assert what.rstrip().endswith(("| true", "| false")), line
        assert KERNEL.joinpath(what.partition(" | ")[0]).is_file(), line
