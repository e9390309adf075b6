"""Section 3.9: wais."""

import pytest

from fasturl import InvalidURL
from fasturl.schemes import UnbuildableURL, Wais, decompose


@pytest.mark.parametrize(
    ("url", "parts", "kind"),
    [
        ("wais://h/db", Wais("h", 210, "db"), "database"),
        ("wais://h/", Wais("h", 210, ""), "database"),
        ("wais://h:2100/db?", Wais("h", 2100, "db", ""), "index"),
        ("wais://h/db?red%20fox;a=b", Wais("h", 210, "db", "red fox;a=b"), "index"),
        ("wais://h/db/TEXT/1%2F2", Wais("h", 210, "db", None, "TEXT", "1/2"), "document"),
        ("wais://h///", Wais("h", 210, "", None, "", ""), "document"),
    ],
)
def test_a_url_names_a_database_a_search_or_a_document(url, parts, kind):
    assert decompose(url) == parts
    assert decompose(url).kind == kind
    assert parts.geturl() == url


@pytest.mark.parametrize(
    "url",
    [
        "wais:", "wais://h", "wais://h?s", "wais://h/d/t", "wais://h/d/t/p/q", "wais://h/d?a/b", "wais://h/d?a?b",
        "wais://h/d:e", "wais://h/d;e", "wais://h/d/t:/p", "wais://h/d/t/p?q", "wais://h/d/t?/p", "wais://u@h/d",
        "wais:///d",
    ],
)  # fmt: skip
def test_texts_that_the_production_does_not_derive_are_invalid(url):
    with pytest.raises(InvalidURL):
        decompose(url)
    assert decompose(url, strict=False).findings


@pytest.mark.parametrize(
    ("value", "term", "offset"),
    [
        (Wais("h", 210, "d", None, "t", None), "wtype", 0), (Wais("h", 210, "d", None, None, "p"), "wtype", 0),
        (Wais("h", 210, "d", "s", "t", "p"), "search", 0), (Wais("h", 210, None), "database", 0),
    ],
)  # fmt: skip
def test_unbuildable_values_are_refused(value, term, offset):
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    assert (refused.value.term, refused.value.offset, refused.value.section) == (term, offset, "3.9")


def test_an_invalid_url_gives_its_best_parts():
    assert decompose("wais://h?s", strict=False) == Wais("h", 210, "", "s")
    assert decompose("wais://h/d/t", strict=False) == Wais("h", 210, "d", None, "t", None)
