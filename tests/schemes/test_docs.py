"""The examples on the pages of the schemes, and in the docstrings, run as shown."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import fasturl.errors
import fasturl.schemes

PAGES = Path(__file__).parents[2] / "docs" / "schemes"
NAMES = sorted(page.name for page in PAGES.glob("*.md"))
MODULES = [fasturl.schemes, fasturl.errors]
MODULES += [
    importlib.import_module(f"fasturl.schemes.{module.name}")
    for module in pkgutil.iter_modules(fasturl.schemes.__path__)
]


def test_every_scheme_has_its_heading():
    built_in = [scheme for scheme in fasturl.schemes.registered().values() if not scheme.name.startswith("x-")]
    schemes = [scheme.name for scheme in built_in if scheme.shape in (scheme.name, "custom")]
    headings = re.findall(r"^## (.+) \((?:RFC .*)\)$", "".join(map(Path.read_text, PAGES.glob("*.md"))), re.MULTILINE)
    named = [name for heading in headings for name in heading.split(", ")]
    assert sorted(named) == sorted([*schemes, "https", "Any other scheme", "New schemes"])


@pytest.mark.parametrize("name", NAMES)
def test_the_examples_of_a_page(name):
    result = doctest.testfile(str(PAGES / name), module_relative=False, encoding="utf-8")
    assert result.attempted > 2
    assert result.failed == 0


@pytest.mark.parametrize("module", MODULES, ids=lambda module: module.__name__)
def test_the_examples_of_a_module(module):
    assert doctest.testmod(module).failed == 0


def test_the_docstrings_hold_examples():
    found = [test for module in MODULES for test in doctest.DocTestFinder().find(module)]
    assert sum(len(test.examples) for test in found) > 50


@pytest.mark.parametrize("name", fasturl.schemes.__all__)
def test_every_public_name_is_documented(name):
    if name != "RESERVED_NAMES":
        assert (getattr(fasturl.schemes, name).__doc__ or "").strip()
