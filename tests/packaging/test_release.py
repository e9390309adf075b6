"""Does the list of a release find what is missing, and does the project hold the files that a reader looks for?"""

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from scripts import script_of_tools

import fasturl

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, on a project in which each point holds."""
    module = script_of_tools("check_release")
    for folder in ("src/fasturl", "docs", "dist"):
        tmp_path.joinpath(folder).mkdir(parents=True)
    for name, content in GOOD.items():
        tmp_path.joinpath(name).write_text(content, encoding="utf-8")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return module


GOOD = {
    "src/fasturl/_version.py": '__version__ = "1.2.3"\n',
    "CHANGELOG.md": "# Changes\n\n## 1.2.3 (2030-01-31)\n",
    "CITATION.cff": "title: fasturl\nversion: 1.2.3\nlicense: MIT\n",
    "README.md": "",
    "docs/speed.md": "Versions: fasturl 1.2.3 (release), yarl 1.\n",
}


def test_a_project_that_is_ready_passes(release: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    assert release.main(["--tag", "v1.2.3"]) == 0
    assert [line.split()[1] for line in capsys.readouterr().out.splitlines()] == ["ok"] * 6


@pytest.mark.parametrize(
    ("name", "content", "point"),
    [
        ("src/fasturl/_version.py", '__version__ = "1.2.3.dev0"\n', "version"),
        ("CHANGELOG.md", "## 1.2.3 (not yet released)\n", "changelog"),
        ("CITATION.cff", "title: fasturl\nversion: 1.2.2\n", "citation"),
        ("README.md", "TODO: say why\n", "docs"),
        ("docs/speed.md", "Versions: fasturl 1.2.2 (release)\n", "speed"),
    ],
)
def test_what_is_missing_is_said(
    release: ModuleType, capsys: pytest.CaptureFixture[str], name: str, content: str, point: str
) -> None:
    release.ROOT.joinpath(name).write_text(content, encoding="utf-8")
    assert release.main([]) == 1
    found = dict(line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines())
    assert found[point] != "ok"


def test_a_wrong_tag_and_missing_wheels_are_said(release: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    dist = release.ROOT / "dist"
    assert release.main(["--tag", "v1.2.4", str(dist)]) == 1
    told = capsys.readouterr().out
    assert "the tag is v1.2.4" in told and "needs one sdist" in told
    dist.joinpath("fasturl-1.2.2.tar.gz").touch()
    assert "of another version" in release.the_archives_are_whole(dist)


def test_the_citation_is_of_this_version() -> None:
    assert f"\nversion: {fasturl.__version__}\n" in ROOT.joinpath("CITATION.cff").read_text(encoding="utf-8")


def test_templates_name_what_is_there() -> None:
    templates = list(ROOT.joinpath(".github").rglob("*.md"))
    assert len(templates) == 3
    named: Callable[[str], list[str]] = re.compile(r"\b([A-Z]+\.md|docs/)").findall
    for template in templates:
        for name in named(template.read_text(encoding="utf-8")):
            assert ROOT.joinpath(name).exists(), f"{template.name} names {name}"
