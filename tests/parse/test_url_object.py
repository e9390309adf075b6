"""The URL object behaves like a 5-tuple, and never changes its text."""

import copy
import copyreg
import functools
import inspect
import operator
import pickle
import pydoc
import re
import sys
from unittest import mock
from urllib.parse import urlsplit

import pytest

import fasturl
from fasturl import URL, Finding, InvalidURL, parse

TEXT = "HTTP://User:secret@EX.com:8080/a/b;c?x=1&y#top"


def test_unpacks_indexes_and_counts_as_the_five_tuple() -> None:
    url = parse(TEXT)
    scheme, netloc, path, query, fragment = url
    assert (scheme, netloc, path, query, fragment) == tuple(urlsplit(TEXT))
    assert url[0] == "http"
    assert url[-1] == "top"
    assert url[1:3] == (netloc, path)
    assert len(url) == 5
    assert "x=1&y" in url
    assert list(reversed(url)) == list(url)[::-1]
    assert url._fields == urlsplit(TEXT)._fields
    assert url._asdict() == urlsplit(TEXT)._asdict()
    match url:
        case URL(scheme="http", path=p):
            assert p == "/a/b;c"
    with pytest.raises(IndexError):
        url[5]


def test_equal_urls_have_equal_hashes() -> None:
    assert parse("http://h/a") == parse("http://h/a") == urlsplit("http://h/a")
    assert parse("http://h/?") != parse("http://h/")
    assert parse("http://h/") != parse(b"http://h/")
    assert parse("/a") != parse("/a", form="request-target")
    assert parse("http://h/") != "http://h/"
    assert len({parse("http://h/a"), parse("http://h/a"), urlsplit("http://h/a")}) == 1


@pytest.mark.parametrize("text", [TEXT, TEXT.encode(), "", b"", "http://h\u20ac/\U0001f600", b"\xff\x00", "\udc80"])
@pytest.mark.parametrize("form", ["url", "request-target"])
def test_pickled_and_copied_urls_are_equal(text, form) -> None:
    url = parse(text, form=form)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(url, protocol))
        assert again == url
        assert (again.form, again.findings, again.error_offset) == (url.form, url.findings, url.error_offset)
    assert copy.copy(url) == url == copy.deepcopy(url)


def test_a_strict_url_stays_strict_when_pickled() -> None:
    url = parse("1http://a/b", strict=True)
    assert url.scheme == "1http"
    again = pickle.loads(pickle.dumps(url))
    assert again.strict
    assert again.scheme == "1http"


def test_a_url_is_immutable_and_has_no_constructor() -> None:
    url = parse(TEXT)
    with pytest.raises(AttributeError):
        url.path = "/x"
    with pytest.raises(TypeError):
        URL()
    with pytest.raises(TypeError):
        url[0] = "x"


def test_no_url_exists_without_a_text() -> None:
    """An object made without parse() would have spans but no bytes, so that its hash would read foreign memory."""
    for make in (
        lambda: URL(), lambda: URL("http://h/"), lambda: URL.__new__(URL), lambda: URL.__new__(URL, "http://h/"),
        lambda: object.__new__(URL), lambda: copyreg.__newobj__(URL),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=r"cannot make a fasturl\._fastparse\.URL|object\.__new__"):
            make()
    assert pickle.loads(pickle.dumps(parse(TEXT))) == parse(TEXT)


def test_the_repr_shows_no_secret() -> None:
    assert "secret" not in repr(parse(TEXT))
    assert "secret" not in repr(parse(TEXT.encode()))
    assert "secret" in str(parse(TEXT))


def test_bytes_urls_convert_to_bytes_and_str() -> None:
    url = parse(b"http://h/caf\xe9")
    assert bytes(url) == b"http://h/caf\xe9"
    assert str(url) == "http://h/caf\udce9"
    assert bytes(parse(str(url))) == b"http://h/caf\xe9"


@pytest.mark.parametrize("kind", [str, bytes])
def test_replace_builds_the_url_again_or_raises(kind) -> None:
    def of(text):
        return text if kind is str else text.encode()

    url = parse(of("HTTP://h/a?#f"))
    assert url._replace(path=of("/b")).text == of("HTTP://h/b?#f")
    assert url._replace(query=of("")).text == of("HTTP://h/a#f")
    assert url._replace(query=of("x"), fragment=of("")).text == of("HTTP://h/a?x")
    assert url._replace(scheme=of("ftp")).text == of("ftp://h/a?#f")
    assert url._replace(netloc=of("u@h:1")).netloc == of("u@h:1")
    assert url._replace().text == url.text
    for parts in ({"path": of("/a?b")}, {"query": of("a#b")}, {"netloc": of("a/b")}, {"scheme": of("1")}):
        with pytest.raises(ValueError, match="read back"):
            url._replace(**parts)
    with pytest.raises(TypeError, match="unexpected field"):
        url._replace(port=1)
    with pytest.raises(TypeError, match="must be"):
        url._replace(path=b"/x" if kind is str else "/x")


def test_a_hostname_of_any_length_is_in_lower_case() -> None:
    for n in range(1, 40):
        host = ("A.b-Z9" * 7)[: n - 1] + "M"
        for text in (f"http://{host}/Path", f"http://{host}/\xe9", f"http://{host}/\u20ac"):
            assert parse(text).hostname == host.lower()
            data = parse(text.encode()).hostname
            assert data == host.lower().encode() and type(data) is bytes
            assert parse(text).host == host and parse(text).port is None


def test_spans_tile_the_text() -> None:
    for text in (TEXT, "//h?#", "a:b", "", "http://u@h", "?q", "#f", "http://[::1]:80/"):
        url = parse(text)
        spans = [url.span(name) for name in ("scheme", "netloc", "path", "query", "fragment")]
        marks = [(":", 1), ("//", 0), ("", 0), ("?", 0), ("#", 0)]
        rebuilt = ""
        for span, (mark, after) in zip(spans, marks, strict=True):
            if span is not None:
                part = text[slice(*span)]
                rebuilt += part + mark if after else mark + part
        assert rebuilt == text
        for name in ("username", "password", "host", "port"):
            span = url.span(name)
            if span is not None:
                netloc = url.span("netloc")
                assert netloc[0] <= span[0] <= span[1] <= netloc[1]
    with pytest.raises(KeyError):
        parse("x").span("nonsense")


def test_parts_of_a_wide_str_count_characters() -> None:
    url = parse("http://us\U0001f600er:p@h\u20ac:80/\u20ac?\U0001f600#\xe9")
    assert url.username == "us\U0001f600er"
    assert url.host == "h\u20ac"
    assert url.port == 80
    assert url.span("query") == (23, 24)
    assert url.error_offset == 7


def test_strict_raises_with_the_first_violation() -> None:
    with pytest.raises(InvalidURL) as caught:
        parse("http://h/a b#c", strict=True)
    error = caught.value
    assert (error.finding, error.term, error.offset, error.section) == (Finding.UNSAFE, "hpath", 10, "2.2")
    assert "offset 10" in str(error)
    assert "hpath" in str(error)
    again = pickle.loads(pickle.dumps(error))
    assert (again.finding, again.term, again.offset, again.section) == (Finding.UNSAFE, "hpath", 10, "2.2")
    assert parse("http://h/a%20b", strict=True).path == "/a%20b"


def test_every_kind_of_text_is_parsed_and_other_types_raise() -> None:
    class Text(str):
        pass

    class Bytes(bytes):
        pass

    assert type(parse(Text("http://h/")).text) is str
    assert type(parse(Bytes(b"http://h/")).text) is bytes
    assert parse(bytearray(b"http://h/")).text == b"http://h/"
    assert parse(memoryview(b"x-http://h/")[2:]).text == b"http://h/"
    assert parse(memoryview(b"h_t_t_p_:_")[::2]).text == b"http:"
    assert parse(parse("/a")) == parse("/a")
    for wrong in (None, 1, 1.5, ["http://h"], object()):
        with pytest.raises(TypeError):
            parse(wrong)
    with pytest.raises(ValueError, match="form"):
        parse("x", form="nonsense")
    with pytest.raises(TypeError):
        parse("x", True)
    form = "".join(["request", "-target"])
    assert parse("h:1", form=form).netloc == "h:1"
    assert parse("h:1", form="".join(["u", "rl"])).scheme == "h"


def test_a_bytearray_may_change_afterwards() -> None:
    data = bytearray(b"http://h/path")
    url = parse(data)
    data[:] = b"x"
    assert url.path == b"/path"


def test_a_url_uses_little_memory() -> None:
    assert sys.getsizeof(parse("http://h/")) <= 128


def test_equal_findings_are_the_same_object() -> None:
    assert parse("a b").findings is parse("c d").findings


def test_methods_of_other_modules_answer() -> None:
    url = parse("HTTP://u:p@h:80/%7a?k=v")
    assert url.redact(["k"]) == "HTTP://u:***@h:80/%7a?k=***"
    assert url.normalize() == fasturl.normalize(str(url))
    assert parse("http://h/a").decompose().path == "a"


METHODS = {
    "geturl": "(self, /)", "decompose": "(self, /, *, strict=True)",
    "redact": "(self, /, keys=None, mark=None, *, user=False)",
    "normalize": "(self, /, *, standard='rfc1738')", "problems": "(self, /, *, standard='rfc1738')",
    "span": "(self, /, name)", "_asdict": "(self, /)", "_replace": "(self, /, **parts)",
}  # fmt: skip


@pytest.mark.parametrize("name", METHODS)
def test_methods_show_their_signatures(name: str) -> None:
    """They are C descriptors, whose docstrings hold the signature."""
    method = getattr(URL, name)
    assert str(inspect.signature(method)) == METHODS[name]
    found = str(inspect.signature(getattr(parse(TEXT), name)))
    assert found == METHODS[name].replace("self, /, ", "").replace("self, /", "")
    documented = pydoc.render_doc(method, renderer=pydoc.plaintext)
    assert name + METHODS[name] in documented
    assert not re.search(r"^\s*--$", documented, re.MULTILINE)
    assert pickle.loads(pickle.dumps(method)) is method


def test_methods_work_as_values() -> None:
    url = parse(TEXT)
    assert pickle.loads(pickle.dumps(url.geturl))() == TEXT
    assert functools.partial(URL.span, name="scheme")(url) == url.span("scheme")
    assert operator.methodcaller("span", "path")(url) == url.span("path")
    assert [*map(URL.geturl, [url, url])] == [TEXT, TEXT]
    assert mock.create_autospec(URL, instance=True).span("path") is not None


def test_parse_shows_its_signature() -> None:
    assert str(inspect.signature(parse)) == "(url, *, strict=False, standard='rfc1738', form='url')"
    assert "parse(url, *, strict=False, standard='rfc1738', form='url')" in pydoc.render_doc(
        parse, renderer=pydoc.plaintext
    )
