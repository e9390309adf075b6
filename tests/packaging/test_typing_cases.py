"""What a type checker says of the public names, and whether the values are of these types when run."""

from typing import assert_type

import pytest

import fasturl
from fasturl import URL, Finding, InvalidURL, Problem


def same(value: object, *types: type) -> None:
    assert type(value) in types


def test_str_in_str_out() -> None:
    url = fasturl.parse("HTTP://u:p@h.example:80/a?b#c")
    assert_type(url, URL[str])
    assert_type(url.scheme, str)
    assert_type(url.hostname, str | None)
    assert_type(url.port, int | None)
    assert_type(url.span("query"), tuple[int, int] | None)
    assert_type(url[0], str)
    assert_type(url[1:3], tuple[str, ...])
    assert_type(url._replace(path="/b"), URL[str])
    assert_type(url.findings, Finding)
    assert_type(url.error_offset, int | None)
    scheme, netloc, path, query, fragment = url
    assert_type(fragment, str)
    for part in (scheme, netloc, path, query, fragment, url.username, url.password, url.host, url.geturl()):
        same(part, str)
    same(url.port, int)


def test_octets_in_octets_out() -> None:
    for octets in (b"//h/a", bytearray(b"//h/a"), memoryview(b"//h/a")):
        url = fasturl.parse(octets, form="request-target")
        assert_type(url, URL[bytes])
        assert_type(url.path, bytes)
        same(url.path, bytes)
        same(url.geturl(), bytes)


def test_what_is_absent_is_none() -> None:
    url = fasturl.parse("x")
    assert (url.username, url.password, url.host, url.hostname, url.port) == (None,) * 5
    assert url.span("scheme") is None
    assert fasturl.parse("http://h/").error_offset is None


def test_many() -> None:
    assert_type(list(fasturl.parse_many(["a"])), list[URL[str]])
    assert_type(list(fasturl.parse_many([b"a"])), list[URL[bytes]])
    texts: list[str | None] = ["a", None]
    nulls = list(fasturl.parse_many(texts, errors="null"))
    assert_type(nulls, list[URL[str] | None])
    assert [type(url) for url in nulls] == [URL, type(None)]
    kept = list(fasturl.parse_many(texts, errors="keep", strict=True))
    assert_type(kept, list[URL[str] | InvalidURL | TypeError])
    assert [type(url) for url in kept] == [InvalidURL, TypeError]


def test_either() -> None:
    def scheme_of(text: str | bytes) -> str | bytes:
        return fasturl.parse(text).scheme

    assert (scheme_of("a:b"), scheme_of(b"a:b")) == ("a", b"a")


def test_problems() -> None:
    found = fasturl.problems(fasturl.parse("http://h/ "))
    assert_type(found, list[Problem])
    same(found[0].finding, Finding)
    assert_type(found[0].finding, Finding)


def test_a_url_can_be_named_with_its_type() -> None:
    def path_of(url: URL[str]) -> str:
        return url.path

    assert path_of(fasturl.parse("http://h/a")) == "/a"
    assert repr(URL[str]).endswith("URL[str]")
    with pytest.raises(TypeError, match="parse"):
        URL()
