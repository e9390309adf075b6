"""Section 3.11: prospero."""

import pytest

from fasturl import InvalidURL
from fasturl.schemes import Prospero, UnbuildableURL, decompose


def test_the_double_slash_of_the_prose():
    assert decompose("prospero://host.dom//pros/name") == Prospero("host.dom", 1525, "/pros/name", ())
    assert Prospero("host.dom", hsoname="/pros/name").geturl() == "prospero://host.dom//pros/name"


@pytest.mark.parametrize(
    ("url", "hsoname", "fields"),
    [
        ("prospero://h/", "", ()),
        ("prospero://h/a;OBJECT-VERSION=2", "a", (("OBJECT-VERSION", "2"),)),
        ("prospero://h/a;b=2;a=1;b=3", "a", (("b", "2"), ("a", "1"), ("b", "3"))),
        ("prospero://h/a=b;=;c=", "a=b", (("", ""), ("c", ""))),
        ("prospero://h/a%3Bb%2Fc;%3D=%3B", "a;b/c", (("=", ";"),)),
    ],
)
def test_fields_are_pairs_in_order(url, hsoname, fields):
    assert decompose(url) == Prospero("h", 1525, hsoname, fields)
    assert decompose(url).geturl() == url
    assert decompose(Prospero("h", 1525, hsoname, fields).geturl()) == Prospero("h", 1525, hsoname, fields)


@pytest.mark.parametrize(
    "url",
    [
        "prospero:", "prospero://h", "prospero://h/a;b", "prospero://h/a;b=c=d", "prospero://h/a;b=c/d",
        "prospero://u@h/", "prospero:///a",
    ],
)  # fmt: skip
def test_texts_that_the_production_does_not_derive_are_invalid(url):
    with pytest.raises(InvalidURL):
        decompose(url)
    assert decompose(url, strict=False).findings


def test_an_invalid_url_gives_its_best_parts():
    assert decompose("prospero://h/a;b;c=d=e", strict=False).fields == (("b", ""), ("c", "d=e"))


def test_unbuildable_values_are_refused():
    with pytest.raises(UnbuildableURL):
        Prospero("h", 1525, "a", (("b", None),)).geturl()


@pytest.mark.parametrize("fields", [(("a",),), ("ab",), (5,), (("a", "b", "c"),)])
def test_fields_that_are_no_pairs_are_type_errors(fields):
    with pytest.raises(TypeError, match="pairs of str"):
        Prospero("h", 1525, "a", fields).geturl()
