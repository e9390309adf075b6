"""Each figure on a page and in a docstring is in the file of facts, with its machine, versions and commit."""

import json
from pathlib import Path

import pytest

from bench import facts, jobs

FACT = {"page": "README.md", "machine": "a", "versions": "b", "commit": "c", "figures": ["131 ns"]}


def test_each_figure_has_a_fact() -> None:
    assert facts.faults() == []


def test_each_fact_says_where_it_comes_from() -> None:
    for fact in facts.facts():
        assert fact["machine"] and fact["versions"] and fact["commit"], fact
        assert fact.get("command") if "table" in fact else fact["figures"], fact


@pytest.mark.parametrize(
    ("text", "figures"),
    [
        (
            "It takes 1,287 ns here, 0.6 to 0.9 µs there, 2.5× as long, 6 GB/s.",
            ["1,287 ns", "0.6 to 0.9 µs", "2.5×", "6 GB/s"],
        ),
        ("18 M/s, 40 ms, twenty times, 40 timestamps, v1.2 ns, 3 nsec, port 80", ["18 M/s", "40 ms"]),
    ],
)
def test_what_is_a_figure(text: str, figures: list[str]) -> None:
    assert facts.FIGURE.findall(text) == figures


def test_a_wrong_figure_or_table_is_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = {"table": "t", "command": "x", "lines": ["| 1 |"]}
    rows = [FACT, {**FACT, **table, "page": "docs/a.md"}, {**FACT, "page": "docs/gone.md"}]
    (tmp_path / "bench").mkdir()
    (tmp_path / "docs").mkdir()
    monkeypatch.setattr(facts, "ROOT", tmp_path)
    monkeypatch.setattr(facts, "FILE", tmp_path / "facts.jsonl")
    facts.FILE.write_text("".join(json.dumps(row) + "\n" for row in rows))
    for name, text in {"README": "130 ns", "CHANGELOG": "", "bench/README": ""}.items():
        (tmp_path / f"{name}.md").write_text(text)
    page = tmp_path / "docs/a.md"
    page.write_text("131 ns <!-- t: begin -->\n\n| 2 |\n\n<!-- t: end -->")
    assert facts.faults() == [
        "README.md: a fact has '131 ns', and the text does not",
        "README.md: no fact has '130 ns'",
        "docs/a.md: the table 't' differs from its fact",
        "docs/gone.md: it has a fact and does not exist",
    ]
    facts.paste(page, "t", ["| 1 |"])
    assert page.read_text() == "131 ns <!-- t: begin -->\n\n| 1 |\n\n<!-- t: end -->"
    with pytest.raises(ValueError, match="needs the markers"):
        facts.paste(page, "u", [])


def test_the_table_of_jobs_has_all_that_a_run_gives() -> None:
    run = {"wall": 2.0, "cpu": 1.0, "peak": 5_000_000, "rows": 3, "bytes": 1_500_000}
    head, _, row = jobs.lines_of({("fasturl parse", 1): run}, 100)
    cells = dict(zip(*([cell.strip() for cell in line.split("|")] for line in (head, row)), strict=True))
    assert (cells["lines/s"], cells["peak MB"], cells["file MB"]) == ("50", "5", "1.5")
