"""Section 3.3: HTTP, and https, which has its shape."""

import pytest

from fasturl import InvalidURL
from fasturl.schemes import Http, Https, UnbuildableURL, decompose, hpath


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("http://h", Http("h", 80, None, None)),
        ("http://h/", Http("h", 80, "", None)),
        ("http://h/?", Http("h", 80, "", "")),
        ("http://h/?q", Http("h", 80, "", "q")),
        ("http://h/a/b;c?d=e&f", Http("h", 80, "a/b;c", "d=e&f")),
        ("http://h:8080/a%2Fb%20c", Http("h", 8080, "a%2Fb%20c", None)),
        ("HTTP://Host.Dom:080/a", Http("Host.Dom", 80, "a", None)),
        ("http://h//a", Http("h", 80, "/a", None)),
        ("https://h/a?b", Https("h", 443, "a", "b")),
        ("https://h:80/", Https("h", 80, "", None)),
        (
            "http://www.acl.lanl.gov/URI/archive/uri-archive.index.html",
            Http("www.acl.lanl.gov", 80, "URI/archive/uri-archive.index.html", None),
        ),
    ],
)
def test_path_and_search_stay_as_written(url, parts):
    assert decompose(url) == parts
    assert decompose(parts.geturl()) == parts


def test_segments_are_decoded_after_the_split():
    assert decompose("http://h/a%2Fb/c%20d//").segments == ("a/b", "c d", "", "")
    assert decompose("http://h/").segments == ("",)
    assert decompose("http://h").segments == ()
    assert decompose("http://h/%FF").segments == ("\udcff",)


@pytest.mark.parametrize("segments", [(), ("",), ("a/b", "?#%"), ("é", "\udcff", "\0"), ("", "", "x")])
def test_hpath_joins_segments(segments):
    expected = segments or ("",)
    assert decompose(Http("h", path=hpath(segments)).geturl()).segments == expected


@pytest.mark.parametrize(
    "url",
    [
        "http:", "http:a", "http://", "http:///a", "http://h?q", "http://h/a?b/c", "http://h/a?b?c", "http://u@h/",
        "http://u:p@h/", "http://h/a b", "http://h/#f", "http://h/[", "http://h/%", "http://[::1]/",
    ],
)  # fmt: skip
def test_texts_that_the_production_does_not_derive_are_invalid(url):
    with pytest.raises(InvalidURL):
        decompose(url)
    assert decompose(url, strict=False).findings


@pytest.mark.parametrize(
    ("url", "parts"),
    [
        ("http://h?q/r", Http("h", 80, None, "q/r")), ("http://u:p@h:81/a b", Http("h", 81, "a b", None)),
        ("http://[::1]:81/a", Http("::1", 81, "a", None)), ("http://[::1]", Http("::1", 80, None, None)),
        ("http://h/a?b?c/d#e", Http("h", 80, "a", "b?c/d")), ("http://h#?x", Http("h", 80, None, None)),
        ("http:/a/b", Http("", 80, "a/b", None)), ("http:a", Http("", 80, "a", None)),
        ("http:///a", Http("", 80, "a", None)), ("http://h:x/a", Http("h", 80, "a", None)),
        ("http://h:/a", Http("h", 80, "a", None)), ("http://h/%zz", Http("h", 80, "%zz", None)),
    ],
)  # fmt: skip
def test_an_invalid_url_gives_its_best_parts(url, parts):
    assert decompose(url, strict=False) == parts


@pytest.mark.parametrize(
    ("value", "term", "offset"),
    [
        (Http("h", path="a?b"), "path", 1), (Http("h", path="a b"), "path", 1), (Http("h", path="é"), "path", 0),
        (Http("h", path="a%4"), "path", 1), (Http("h", path="a%zz"), "path", 1),
        (Http("h", path="a", search="b/c"), "search", 1), (Http("h", path="a", search="b#"), "search", 1),
        (Http("h", search="q"), "search", 0), (Http("", path=""), "host", 0), (Http(None, path=""), "host", 0),
    ],
)  # fmt: skip
def test_unbuildable_values_are_refused(value, term, offset):
    with pytest.raises(UnbuildableURL) as refused:
        value.geturl()
    assert (refused.value.term, refused.value.offset) == (term, offset)


def test_https_is_a_class_of_its_own():
    assert Https("h", 443, "a") != Http("h", 443, "a")
    assert Https("h").port == 443
    assert Https("h", 443, "a").geturl() == "https://h/a"


@pytest.mark.parametrize("segments", ["etc", b"etc", bytearray(b"etc"), memoryview(b"etc")])
def test_hpath_takes_segments_and_no_text(segments):
    with pytest.raises(
        TypeError, match=f"^hpath.. argument must be an iterable of str, not {type(segments).__name__}$"
    ):
        hpath(segments)
    with pytest.raises(TypeError, match="hsegment: expected str, got bytes"):
        hpath(["a", b"etc"])
    assert hpath(iter(["a/b", "c"])) == "a%2Fb/c"
