"""The figures of docs/trust.md are those of docs/figures, and tools/trust.py takes only what is a report."""

import json
from pathlib import Path
from types import ModuleType

import pytest
from scripts import script_of_tools

ROOT = Path(__file__).resolve().parents[2]
REPORT = {"title": "Proofs", "date": "2026-11-22", "rows": [["octets", "24", "`python3 tools/prove.py`"]]}


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return script_of_tools("trust")


@pytest.fixture
def tree(script: ModuleType, tmp_path: Path) -> Path:
    tmp_path.joinpath("docs/figures").mkdir(parents=True)
    tmp_path.joinpath("docs/trust.md").write_text(f"before\n{script.BEGIN}\nold\n{script.END}\nafter\n")
    return tmp_path


def test_the_page_has_the_figures_of_the_reports(script: ModuleType) -> None:
    assert list(ROOT.joinpath(script.FIGURES).glob("*.json"))
    assert script.main(["--check"]) == 0


def test_a_report_becomes_a_table(script: ModuleType, tree: Path) -> None:
    report = tree / "proofs.json"
    rows = [*REPORT["rows"], ["texts", 12345, "so"]]
    report.write_text(json.dumps({**REPORT, "rows": rows}))
    assert script.main(["--root", str(tree), "--check"]) == 1
    assert script.main(["--root", str(tree), str(report)]) == 0
    assert script.main(["--root", str(tree), "--check"]) == 0
    page = tree.joinpath("docs/trust.md").read_text()
    assert page.startswith("before\n") and page.endswith("\nafter\n") and "old" not in page
    assert "### Proofs (2026-11-22)" in page
    assert "| texts | 12 345 | so |" in page
    assert "| octets | 24 | `python3 tools/prove.py` |" in page


@pytest.mark.parametrize(
    "change",
    [
        {"title": ""},
        {"date": "yesterday"},
        {"rows": []},
        {"rows": [["octets", "24"]]},
        {"rows": [["octets", 2.4, "so"]]},
        {"rows": [["octets", "2|4", "so"]]},
        {"rows": None},
    ],
)
def test_what_is_no_report_is_refused(script: ModuleType, tree: Path, change: dict[str, object]) -> None:
    report = tree / "proofs.json"
    report.write_text(json.dumps({**REPORT, **change}))
    assert script.main(["--root", str(tree), str(report)]) == 1
    assert not list(tree.joinpath("docs/figures").iterdir())


def test_a_page_without_markers_is_left_alone(script: ModuleType, tree: Path) -> None:
    page = tree / "docs/trust.md"
    page.write_text("text\n")
    assert script.main(["--root", str(tree)]) == 1
    assert page.read_text() == "text\n"
