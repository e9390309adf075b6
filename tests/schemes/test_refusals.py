"""What a refusal says: the sentence, the term, the place, the section of the RFC. People and programs read it."""

import pytest

import fasturl
from fasturl import Finding
from fasturl.errors import UnsafeURL
from fasturl.schemes import (
    Generic,
    Gopher,
    Nntp,
    SchemeParts,
    UnbuildableURL,
    Wais,
    decompose,
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
    assert "a lone period ends the form" in str(refused.value) and "section 3.4.9" in str(refused.value)


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
