"""What a refusal says: the sentence, the term, the place, the section of the RFC. People and programs read it."""

import importlib
import pkgutil

import pytest

import fasturl
from fasturl import Finding, schemes
from fasturl.errors import UnsafeURL
from fasturl.schemes import (
    Ftp,
    Generic,
    Gopher,
    Http,
    News,
    Nntp,
    SchemeParts,
    UnbuildableURL,
    Wais,
    decompose,
    hpath,
    register,
)


@pytest.mark.parametrize(
    ("value", "why", "term", "offset", "section"),
    [
        (Wais("h", 210, "d", None, "t", None), "wtype and wpath go together", "wtype", 0, "3.9"),
        (Nntp("h", 119, "g", -1), "not a number of up to 640 digits", "digits", 0, "3.7"),
        (Generic("a b", "x"), "no scheme's name", "scheme", 1, "2.1"),
        (Generic("a\ud800", "x"), "a surrogate that stands for no octet", "scheme", 1, "2.1"),
        (Generic("http", "x"), "a scheme with a class of its own", "scheme", 0, "5"),
        (News("g\ud800"), "a surrogate that stands for no octet", "group", 1, "3.6"),
        (Nntp("h", 119, "g\ud800", 1), "a surrogate that stands for no octet", "group", 1, "3.7"),
        (Ftp("h", cwd=(None,)), "missing", "fsegment", 0, "3.2.2"),
        (Http(None), "missing", "host", 0, "3.3"),
    ],
)
def test_what_cannot_be_built(value: SchemeParts, why: str, term: str, offset: int, section: str) -> None:
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    error = refused.value
    assert (error.why, error.term, error.offset, error.section) == (why, term, offset, section)


def test_a_lone_period_would_end_a_gopher_form() -> None:
    with pytest.raises(UnsafeURL) as refused:
        Gopher.filled(".")
    assert str(refused.value).startswith("gopher+_string: a lone period ends the form at offset 0")
    assert str(refused.value).endswith("section 3.4.9)")


def test_a_segment_of_http_names_its_term_and_section() -> None:
    with pytest.raises(UnbuildableURL) as refused:
        hpath(["a", "b\ud800"])
    assert (refused.value.term, refused.value.offset, refused.value.section) == ("hsegment", 1, "3.3")


@pytest.mark.parametrize("name", ["", "A", "a b", "a_b", "\xe9"])
def test_a_name_that_is_no_schemes(name: str) -> None:
    with pytest.raises(ValueError) as refused:
        register(name)
    assert str(refused.value) == f"{name!r} is no scheme's name (section 2.1): a-z, 0-9, '+', '-' and '.' make one"


def test_productions_of_ones_own_name_the_place_up_to_the_end_of_the_part() -> None:
    register("x-refusal", productions="part = 2*digit")
    found = [one for one in fasturl.problems("x-refusal:1a23#f") if one.finding == Finding.BAD_PART]
    assert [(one.start, one.end) for one in found] == [(11, 14)]
    assert fasturl.problems("x-refusal:1")[0].finding == Finding.MISSING
    with pytest.raises(UnbuildableURL) as refused:
        Generic("x-refusal", "1\ud800").geturl()
    assert (refused.value.term, refused.value.offset) == ("schemepart", 1)
    assert decompose("x-refusal:12").geturl() == "x-refusal:12"


def test_a_class_of_ones_own_reads_and_builds() -> None:
    """One of the two alone is not enough."""
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class OnlyReads(SchemeParts):
        text: str = ""

        @classmethod
        def from_schemepart(cls, part: str) -> "OnlyReads":
            return cls(part)

    @dataclass(frozen=True)
    class OnlyBuilds(SchemeParts):
        text: str = ""

        def schemepart(self) -> str:
            return self.text

    for cls in (OnlyReads, OnlyBuilds):
        with pytest.raises(ValueError, match="needs from_schemepart and schemepart of its own"):
            register("x-half", dataclass=cls)


def test_a_class_that_names_another_scheme_is_refused() -> None:
    from dataclasses import dataclass

    @dataclass(frozen=True)
    class Named(SchemeParts):
        text: str = ""
        scheme = "x-its-own"

        @classmethod
        def from_schemepart(cls, part: str) -> "Named":
            return cls(part)

        def schemepart(self) -> str:
            return self.text

    with pytest.raises(ValueError, match=r"^Named is the class of another scheme$"):
        register("x-not-its-own", dataclass=Named)
    # Its own scheme it may have; what it builds may hold anything, and is still held against the productions.
    assert register("x-its-own", dataclass=Named, productions='part = *"a"') is Named
    with pytest.raises(UnbuildableURL) as refused:
        Named("a\ud800").geturl()
    assert (refused.value.term, refused.value.offset, refused.value.section) == ("schemepart", 1, "4")


@pytest.mark.parametrize("name", [one.name for one in pkgutil.iter_modules(schemes.__path__)])
def test_each_class_of_a_module_is_among_its_names(name: str) -> None:
    module = importlib.import_module(f"fasturl.schemes.{name}")
    own = {
        cls.__name__
        for cls in vars(schemes).values()
        if isinstance(cls, type) and issubclass(cls, SchemeParts) and cls.__module__ == module.__name__
    }
    assert own <= set(getattr(module, "__all__", ()))
