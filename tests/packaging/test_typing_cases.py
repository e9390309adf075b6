"""A type checker infers the types of the public names, and the values have these types at run time."""

import urllib.parse
from typing import TYPE_CHECKING, assert_type

import pytest

import fasturl
import fasturl as parse
from fasturl import URL, Finding, InvalidURL, Problem

if TYPE_CHECKING:  # what typeshed has under private names, and programs take of it
    from fasturl import _NetlocResultMixinStr, _QueryType, _QuoteVia


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


def test_bytes_in_bytes_out() -> None:
    for data in (b"//h/a", bytearray(b"//h/a"), memoryview(b"//h/a")):
        url = fasturl.parse(data, form="request-target")
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


def test_lists_of_schemes_are_lists() -> None:
    for schemes in (parse.uses_netloc, parse.uses_relative, parse.uses_params, parse.uses_query, parse.uses_fragment):
        assert_type(schemes, list[str])
        schemes.append("s3.test")
        schemes.remove("s3.test")
    assert_type(parse.non_hierarchical, list[str])
    assert_type(parse.scheme_chars, str)
    assert parse.uses_netloc is urllib.parse.uses_netloc
    assert_type(parse.unwrap("<URL:http://h/>"), str)


def test_a_query_may_be_none() -> None:
    def pairs(query: str | None) -> list[tuple[str, str]]:
        return parse.parse_qsl(query, True, max_num_fields=None)

    def values(query: bytes | None) -> dict[bytes, list[bytes]]:
        return parse.parse_qs(query, encoding="utf-8", separator=";")

    assert (pairs(None), values(None), pairs("a="), values(b"a=1")) == ([], {}, [("a", "")], {b"a": [b"1"]})


def test_drop_in_results_are_urllibs() -> None:
    assert_type(parse.urlsplit("http://h/"), urllib.parse.SplitResult)
    assert_type(parse.urlsplit(b"http://h/"), urllib.parse.SplitResultBytes)
    assert_type(parse.urlparse("http://h/")._replace(path="/b"), parse.ParseResult)
    assert_type(parse.urldefrag("http://h/#a").fragment, str)
    assert_type(parse.urlunsplit(["http", "h", "/", None, None]), str)
    assert_type(parse.urlunparse((b"http", b"h", b"/", b"", b"", b"")), bytes)
    assert_type(parse.urljoin(b"http://h/", b"a"), bytes)
    assert_type(parse.quote(bytearray(b"a b"), safe=b"/"), str)
    assert_type(parse.quote_plus("a b", errors="replace"), str)
    assert_type(parse.unquote(b"a%20b"), str)
    assert_type(parse.unquote_to_bytes("a%20b"), bytes)
    assert_type(parse.urlencode({"a": [1, None]}, doseq=True, quote_via=urllib.parse.quote), str)
    query: list[tuple[str | bytes, object]] = [(b"a", 1), ("b", None)]
    same(parse.urlencode(query, quote_via=parse.quote), str)


def test_private_types_of_urllibs_are_there() -> None:
    def encoded(query: "_QueryType", by: "_QuoteVia") -> str:
        return parse.urlencode(query, quote_via=by)

    def host(url: "_NetlocResultMixinStr") -> str | None:
        return url.hostname

    assert encoded({"a": "b c"}, parse.quote) == "a=b%20c"
    assert host(parse.urlsplit("http://H/")) == "h"


def test_what_is_imported_on_first_use_has_its_own_type() -> None:
    assert_type(parse.schemes.decompose("http://h/").scheme, str)
    same(parse.domains.__name__, str)


def test_a_misspelt_name_is_an_error() -> None:
    # If there is no error here, the type checker reports these comments as unused.
    with pytest.raises(AttributeError):
        parse.urlsplitt  # type: ignore[attr-defined] # noqa: B018
    with pytest.raises(AttributeError):
        parse.clear_cash()  # type: ignore[attr-defined]
