"""Section 3.7: nntp."""

import dataclasses
import sys

import pytest

from fasturl import InvalidURL
from fasturl.schemes import Nntp, UnbuildableURL, decompose


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("nntp://news.dom/comp.lang.c/1234", Nntp("news.dom", 119, "comp.lang.c", 1234)),
        ("nntp://news.dom/comp.lang.c", Nntp("news.dom", 119, "comp.lang.c", None)),
        ("nntp://1.2.3.4:8119/a/0", Nntp("1.2.3.4", 8119, "a", 0)),
        ("nntp://h/a/007", Nntp("h", 119, "a", 7)),
        ("nntp://h/a/" + "9" * 640, Nntp("h", 119, "a", 10**640 - 1)),
        ("nntp://h/a/" + "0" * 5000 + "1", Nntp("h", 119, "a", 1)),
    ],
)
def test_a_group_and_an_article_number_are_read_and_built(url, parts):
    assert decompose(url) == parts
    assert decompose(url).geturl() == url
    assert decompose(parts.geturl()) == parts


def test_an_article_number_that_is_too_long_is_none():
    url = "nntp://h/a/1" + "0" * 640
    assert decompose(url) == Nntp("h", 119, "a", None)
    assert decompose(url).geturl() == url


@pytest.mark.parametrize(
    "url",
    [
        "nntp:", "nntp://h", "nntp://h/", "nntp://h/a/", "nntp://h/a/x", "nntp://h/a/1/", "nntp://h/*", "nntp://h/1",
        "nntp://h//1", "nntp://u@h/a", "nntp://h/a/%31", "nntp://h/a%2Eb", "nntp:///a", "nntp://h/a/-1",
    ],
)  # fmt: skip
def test_texts_that_the_production_does_not_derive_are_invalid(url):
    with pytest.raises(InvalidURL):
        decompose(url)
    assert decompose(url, strict=False).findings


@pytest.mark.parametrize(
    ("value", "term"),
    [
        (Nntp("h", 119, ""), "group"), (Nntp("h", 119, "*"), "group"), (Nntp("h", 119, "a/b"), "group"),
        (Nntp("h", 119, "a", -1), "digits"), (Nntp("h", 119, "a", 10**640), "digits"), (Nntp("", 119, "a"), "host"),
    ],
)  # fmt: skip
def test_unbuildable_values_are_refused(value, term):
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    assert refused.value.term == term


@pytest.mark.parametrize("article", ["12", 1.5, True])
def test_an_article_is_an_int(article):
    with pytest.raises(TypeError, match="article"):
        Nntp("h", 119, "a", article).geturl()


@pytest.mark.parametrize("digits", [640, 641, 4301, 100_000])
def test_a_number_of_any_length_has_an_answer(digits):
    """Python converts at most 640 digits to or from an int if it was told so."""
    url = f"nntp://h/a/{'9' * digits}"
    limit = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(640)
    try:
        for parts in (decompose(url), decompose(url, strict=False)):
            assert parts.geturl() == url and repr(parts) and not parts.findings
            assert (parts.article is None) == (digits > 640)
            assert dataclasses.replace(parts).geturl() == (url if digits <= 640 else "nntp://h/a")
        built = Nntp("h", 119, "a", 10**digits)
        assert repr(built) == "Nntp(host='h', port=119, group='a', article=<int>)"
        with pytest.raises(UnbuildableURL, match="digits"):
            built.geturl()
        with pytest.raises(InvalidURL):
            decompose(f"{url}x")
        assert decompose(f"{url}x", strict=False).article is None
    finally:
        sys.set_int_max_str_digits(limit)
