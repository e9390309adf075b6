"""Lists that appear in several places are equal: columns, shapes, engines."""

import re
import tomllib
from pathlib import Path
from typing import get_args

import pytest

from fasturl import _columns, _fastparse, engines, schemes
from fasturl.schemes import registry

ROOT = Path(__file__).resolve().parents[2]
BUILT_IN = [*schemes.registered().values()]  # before a test registers others
EXTRAS = tomllib.loads(ROOT.joinpath("pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]


def names(folder: str, pattern: str) -> set[str]:
    """Return the pattern's group for the folder's file names that match."""
    found = (re.fullmatch(pattern, path.name) for path in ROOT.joinpath(folder).iterdir())
    return {match[1] for match in found if match}


def test_every_engine_has_a_module_an_extra_a_page_and_tests() -> None:
    listed = set(engines.ENGINES)
    assert listed == names("src/fasturl/engines", r"([a-z]+)\.py")
    assert listed == names("tests/engines", r"test_engine_(?!pages)([a-z]+)\.py")
    assert listed <= set(EXTRAS)
    assert EXTRAS["engines"] == [f"fasturl[{','.join(engines.ENGINES)}]"]
    page = ROOT.joinpath("docs/engines/README.md").read_text(encoding="utf-8")
    assert listed <= set(re.findall(r"\[([a-z]+)\.md\]", page))
    assert listed <= set(re.findall(r"^<!-- ::: fasturl\.engines\.([a-z]+)", reference("engines"), re.MULTILINE))


def reference(page: str) -> str:
    return ROOT.joinpath("docs/api", f"{page}.md").read_text(encoding="utf-8")


def test_every_scheme_with_a_class_is_in_the_table_and_the_reference() -> None:
    page = ROOT.joinpath("docs/schemes/README.md").read_text(encoding="utf-8")
    table = "".join(re.findall(r"^\| `.*$", page, re.MULTILINE))
    classes = {scheme.dataclass.__name__ for scheme in BUILT_IN}
    assert {scheme.name for scheme in BUILT_IN} <= set(re.findall(r"`([a-z]+)`", table))
    assert classes <= set(re.findall(r"`([A-Z][a-z]+)`", table))
    assert classes <= set(re.findall(r"^<!-- ::: fasturl\.schemes\.(\w+) -->$", reference("schemes"), re.MULTILINE))


def test_every_page_is_in_the_navigation() -> None:
    site = ROOT.joinpath("mkdocs.yml").read_text(encoding="utf-8")
    pages = {path.relative_to(ROOT / "docs").as_posix() for path in ROOT.joinpath("docs").rglob("*.md")}
    assert {page for page in pages if page not in site} == set()


def test_a_registered_scheme_can_have_every_shape_but_the_one_of_own_productions() -> None:
    assert [*get_args(registry.Shape), "custom"] == list(_fastparse.SHAPES)


def test_every_column_is_on_the_page_and_a_method_of_each_engine() -> None:
    pytest.importorskip("pyarrow")
    from fasturl.arrow import FIELDS
    from fasturl.engines._operations import Shortcuts

    assert FIELDS == (*_columns.NAMES, "findings")
    page = ROOT.joinpath("docs/columns.md").read_text(encoding="utf-8")
    shown = page.split(">>> arrow.schema(arrow.FIELDS)\n")[1].split(">>>")[0]
    assert tuple(line.partition(":")[0] for line in shown.splitlines() if line[0] != " ") == FIELDS
    assert all(callable(getattr(Shortcuts, name)) for name in FIELDS)


def test_the_command_line_writes_every_column_that_is_read_by_default() -> None:
    pytest.importorskip("pyarrow")
    from fasturl.arrow import DEFAULT_FIELDS
    from fasturl.logs.columns import DIAGNOSTICS, PARTS

    read = ("finding_bits" if name == "findings" else name for name in DIAGNOSTICS)
    assert sorted((*PARTS, *read)) == sorted(DEFAULT_FIELDS)
