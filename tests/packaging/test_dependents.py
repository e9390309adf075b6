"""The script that runs real programs' tests under install(): its table, how it counts, and what it makes of imports."""

import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from scripts import script_of_tools

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def script() -> ModuleType:
    return script_of_tools("dependents")


def test_the_list_names_each_project_once_with_its_pin(
    script: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["dependents.py", "--list"])
    assert script.main() == 0
    lines = capsys.readouterr().out.splitlines()
    named = [tuple(line.split()[:2]) for line in lines]
    assert named == [(project.name, project.version) for project in script.PROJECTS]
    assert len({name for name, _ in named}) == len(named) >= 12
    assert all(version[0].isdigit() for _, version in named)


def test_the_workflow_and_the_page_know_the_script(script: ModuleType) -> None:
    workflow = ROOT.joinpath(".github/workflows/dependents.yml").read_text(encoding="utf-8")
    assert "tools/dependents.py --short" in workflow
    page = ROOT.joinpath("docs/install.md").read_text(encoding="utf-8")
    assert page.index(script.BEGIN) < page.index(script.END)
    assert any(project.short for project in script.PROJECTS)


def test_an_unknown_name_is_refused(script: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        script.chosen(["requests", "reqests"], False)
    assert stopped.value.code == 2
    assert "no such project: reqests" in capsys.readouterr().err


def test_a_report_of_pytest_is_read(script: ModuleType, tmp_path: Path) -> None:
    report = tmp_path / "report.xml"
    report.write_text(
        '<testsuites><testsuite><testcase classname="a.B" name="c"/>'
        '<testcase classname="a.B" name="d"><failure message="x">y</failure></testcase>'
        '<testcase classname="a" name="e"><error/></testcase>'
        '<testcase classname="a" name="f"><skipped/></testcase></testsuite></testsuites>'
    )
    assert script.of_pytest(report) == script.Run(3, {"a.B::d", "a::e"})


def test_closing_lines_of_unittest_are_read(script: ModuleType) -> None:
    output = "FAIL: test_a (m.C.test_a)\n---\nRan 7 tests in 0.1s\n\nFAILED (failures=1, skipped=2)\n"
    assert script.of_unittest(output) == script.Run(5, {"test_a (m.C.test_a)"})
    assert script.of_unittest("no test") is None


def test_what_urllib_refuses_too_is_told_from_what_it_answers(script: ModuleType) -> None:
    handed_on = {"port: ValueError": 40, "quote: a subclass of str or bytes": 3}
    result = script.Result("a", "1", 9, 0, (), 200, handed_on)
    assert (result.refused(), result.answered()) == (40, 3)
    project = script.Project("a", "1", ())
    assert not script.is_good(project, result)
    assert script.is_good(project, script.Result("a", "1", 9, 0, (), 300, handed_on))
    assert not script.is_good(project, script.Result("a", "1", 9, 0, ("t",), 300, handed_on))
    assert script.table([result])[-1] == "| a 1 | 9 | 0 | 0 | 200 | 1.50 % | 20.00 % |"


def test_imports_are_replaced_and_lines_stay_where_they_are(script: ModuleType) -> None:
    text = (
        "from urllib.parse import (quote,\n  unquote as u)\nimport os, urllib.parse as p\n"
        "from urllib import parse as q\n"
        "from urllib import parse, request\nimport urllib.parse\nx = 'é', urllib.parse.quote('a')\n"
    )
    made = (
        "from fasturl import (quote,\n  unquote as u)\nimport os, fasturl as p\nimport fasturl as q\n"
        "from urllib import request; import fasturl as parse\nimport fasturl\n"
        "x = 'é', fasturl.quote('a')\n"
    )
    assert script.with_fasturl(text) == (made, 6)
    both = "import urllib.parse\nurllib.parse.quote, urllib.request\n"
    assert script.with_fasturl(both)[0] == "import fasturl, urllib\nfasturl.quote, urllib.request\n"
    assert script.with_fasturl("import urllib.request\n" + both)[0].splitlines()[1] == "import fasturl"
    assert script.with_fasturl("from .urllib.parse import quote\n")[1] == 0


def test_complaints_are_read_of_both_checkers(script: ModuleType, tmp_path: Path) -> None:
    """One name stands for both modules: what urllib.parse lacks as well is nothing new."""
    file = tmp_path / "a" / "b.py"
    lines = (f"{file}:3: error: No  [x]", f"{file}:4: note: so", f"  {file}:5:7 - error: urllib.parse", "c.py:1: error")
    found = list(script.read_complaints("\n".join(lines), tmp_path))
    assert found == ["a/b.py:3: error: No  [x]", "a/b.py:5: error: fasturl"]


PROGRAM = """
from urllib.parse import quote, unquote
class Text(str): pass
quote("a b"), quote(Text("a b"))
try:
    unquote(7)
except TypeError:
    pass
"""


def test_what_is_handed_on_is_counted_by_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program, counts = tmp_path / "program.py", tmp_path / "counts.json"
    program.write_text(PROGRAM)
    monkeypatch.setenv("FASTURL_COUNT", "1")
    command = [sys.executable, "-m", "fasturl.install", str(ROOT / "tools/handed_on.py"), str(counts), str(program)]
    subprocess.run(command, check=True)
    counted = json.loads(counts.read_text())
    assert counted["handed_on"] == {"quote: a subclass of str or bytes": 1, "unquote: TypeError": 1}
    assert counted["calls"] >= 3


def test_the_report_adds_up(script: ModuleType) -> None:
    handed_on = {"urlsplit: a subclass": 3, "urlsplit: ValueError": 4}
    results = [script.Result("a", "1", 10, 2, (), 100, {}), script.Result("b", "2", 5, 0, ("t",), 900, handed_on)]
    [[what, figure, how]] = script.report(results)["rows"]
    assert what.endswith("2 programs under `install()`: a, b") and how.startswith("`python3 tools/dependents.py")
    assert figure.startswith("15 tests, 1 fail only with fasturl; 1,000 calls")
    assert "0.30 % handed on" in figure
