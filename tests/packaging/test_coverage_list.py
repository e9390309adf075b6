"""Each uncovered branch of the kernel and line of Cython has a reason, and still exists."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNEL = ROOT / "src" / "kernel"


def lines(name: str) -> list[str]:
    text = ROOT.joinpath("tools", name).read_text(encoding="utf-8")
    found = [line for line in text.splitlines() if line and line[0] != "#"]
    assert len(set(found)) == len(found)
    for line in found:
        assert len(line.partition("  -- ")[2].split()) >= 2, line
    return [line.partition("  -- ")[0].rstrip() for line in found]


def test_each_branch_has_a_reason() -> None:
    found = lines("uncovered.txt")
    assert found
    for what in found:
        assert what.endswith(("| true", "| false")), what
        name, condition, _ = what.split(" | ")
        assert condition in KERNEL.joinpath(name).read_text(encoding="utf-8"), what


def test_each_line_of_cython_has_a_reason() -> None:
    for what in lines("uncovered_pyx.txt"):
        name, _, line = what.partition(" | ")
        assert line in map(str.strip, ROOT.joinpath(name).read_text(encoding="utf-8").splitlines()), what
