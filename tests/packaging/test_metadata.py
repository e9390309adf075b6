"""Each fact is declared once, and the files that a package needs are in place."""

import ast
import importlib.metadata
import re
import sys
import tomllib
from pathlib import Path

import pytest

import fasturl
from fasturl._extras import pip_install

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = Path(fasturl.__file__).resolve().parent
PROJECT = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))
SOURCES = sorted(ROOT.joinpath("src").rglob("_*.pyx"))
STUBS = sorted(PACKAGE.glob("_*.pyi"))


def test_version_is_written_once() -> None:
    text = ROOT.joinpath("src/fasturl/_version.py").read_text(encoding="utf-8")
    assert text == f'__version__ = "{fasturl.__version__}"\n'
    assert PROJECT["project"]["dynamic"] == ["version", "readme"]
    assert PROJECT["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "fasturl._version.__version__"}
    assert not re.search(r"^version\s*=\s*[\"']", ROOT.joinpath("pyproject.toml").read_text(), re.MULTILINE)
    others = re.compile(r"^\s*__version__\s*(:\s*\w+\s*)?=", re.MULTILINE)
    holding = [path for path in ROOT.joinpath("src").rglob("*.py*") if others.search(read(path))]
    assert [path.name for path in holding if path.suffix in (".py", ".pyx", ".pyi")] == ["_version.py"]


def read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.suffix in (".py", ".pyx", ".pyi") else ""


@pytest.mark.parametrize("name", [
    "README.md", "mkdocs.yml", "docs/fasturl.1", "packaging/conda/recipe.yaml", "CITATION.cff", "debian/control",
])  # fmt: skip
def test_the_tagline_is_that_of_the_project(name: str) -> None:
    tagline = PROJECT["project"]["description"].removeprefix("A ")
    assert fasturl.__doc__ is not None and fasturl.__doc__.startswith(f"A {tagline}.")
    assert tagline in ROOT.joinpath(name).read_text(encoding="utf-8").replace("`", "").replace("\\-", "-")


def test_the_installed_version_is_the_modules_own() -> None:
    try:
        installed = importlib.metadata.version("fasturl")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("run in place: fasturl is not installed")
    assert installed == fasturl.__version__


def test_changelog_speaks_of_this_version() -> None:
    text = ROOT.joinpath("CHANGELOG.md").read_text(encoding="utf-8")
    assert re.search(rf"^## {re.escape(fasturl.__version__)}\b", text, re.MULTILINE)


def test_each_extension_of_public_names_has_a_stub() -> None:
    of_public_names = {getattr(getattr(fasturl, name), "__module__", None) for name in fasturl.__all__}
    extensions = {source.stem for source in SOURCES}
    assert {stub.stem for stub in STUBS} == {name for name in extensions if f"fasturl.{name}" in of_public_names}


@pytest.mark.parametrize("stub", STUBS, ids=lambda stub: stub.stem)
def test_a_stub_of_an_extension_has_no_docstrings(stub: Path) -> None:
    tree = ast.parse(stub.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            assert ast.get_docstring(node) is None
    declared = [node for node in tree.body if not isinstance(node, (ast.Import, ast.ImportFrom))]
    assert declared, f"{stub.name} declares nothing"


def test_the_package_is_marked_as_typed() -> None:
    assert PACKAGE.joinpath("py.typed").is_file()


def test_all_is_true() -> None:
    assert sorted(set(fasturl.__all__)) == sorted(fasturl.__all__)
    for name in fasturl.__all__:
        assert hasattr(fasturl, name)
    assert {"URL", "parse", "parse_many", "problems", "Finding", "InvalidURL"} <= set(fasturl.__all__)


def test_supported_pythons_agree() -> None:
    assert PROJECT["project"]["requires-python"] == ">=3.11"
    assert PROJECT["tool"]["ruff"]["target-version"] == "py311"
    assert PROJECT["tool"]["mypy"]["python_version"] == "3.11"
    minors = re.findall(r"Python :: 3\.(\d+)", "\n".join(PROJECT["project"]["classifiers"]))
    assert [int(minor) for minor in minors] == list(range(11, 11 + len(minors)))


def test_the_core_needs_nothing() -> None:
    assert "dependencies" not in PROJECT["project"]


def test_every_message_that_names_an_extra_is_worded_alike() -> None:
    """ "It needs PACKAGE: {pip_install('EXTRA')}", with an extra that pyproject.toml has."""
    extras = PROJECT["project"]["optional-dependencies"]
    messages = [
        (path.name, match)
        for path in sorted(ROOT.joinpath("src/fasturl").rglob("*.py"))
        for match in re.findall(r'.*"[^"\n]*pip_install\([^"\n]*".*', read(path))
    ]
    assert len(messages) > 8
    for name, message in messages:
        found = re.search(r"needs? [\w{}.]+: \{pip_install\('?(\w+)", message)
        assert found and (found[1] in extras or found[1] == "_EXTRAS"), f"{name}: {message}"


@pytest.mark.parametrize(
    ("files", "advice"),
    [
        ({}, "pip install '.[arrow]' (in the clone)"),
        ({"METADATA": "Name: fasturl\n"}, "pip install 'fasturl[arrow]'"),
        ({"METADATA": "Name: fasturl\n", "direct_url.json": "{}"}, "pip install '.[arrow]' (in the clone)"),
    ],
    ids=["built in place", "from the index", "from a clone"],
)
def test_the_advice_on_extras_fits_the_installation(
    files: dict[str, str], advice: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if files:
        folder = tmp_path / "fasturl-0.1.0.dist-info"
        folder.mkdir()
        for name, text in files.items():
            folder.joinpath(name).write_text(text)
    monkeypatch.setattr(sys, "path", [str(tmp_path)])
    assert pip_install("arrow") == advice
