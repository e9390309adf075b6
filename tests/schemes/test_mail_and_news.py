"""Sections 3.5 to 3.7: mailto, news and nntp. test_each_scheme.py has their cases of reading and building."""

import dataclasses
import sys

import pytest

from fasturl import InvalidURL
from fasturl.schemes import Mailto, News, Nntp, UnbuildableURL, decompose


def test_the_percent_sign_is_escaped():
    assert Mailto("joe%host@gateway").geturl() == "mailto:joe%25host@gateway"


def test_an_empty_address_is_refused():
    with pytest.raises(InvalidURL):
        decompose("mailto:")
    with pytest.raises(UnbuildableURL) as refused:
        Mailto("").geturl()
    assert (refused.value.term, refused.value.section) == ("encoded822addr", "3.5")


@pytest.mark.parametrize("url", ["mailto:a", "mailto:@", "mailto:%00", "mailto:a@@b", "mailto:/?;"])
def test_an_address_is_not_checked_as_an_addr_spec(url):
    """Section 5 derives any 1*xchar; docs/deviations.md says why that decides."""
    assert decompose(url).findings == 0
    assert decompose(url).geturl() == url


def test_a_star_is_all_groups():
    assert decompose("news:*").all_groups
    assert not any(News(group).all_groups for group in ("comp.infosystems.www.misc", "a", "a..b", "a."))


def test_an_article_number_that_is_too_long_is_none():
    url = "nntp://h/a/1" + "0" * 640
    assert decompose(url) == Nntp("h", 119, "a", None)
    assert decompose(url).geturl() == url


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
