"""For any arguments, the value, the type and the exception type are the running interpreter's own."""

import urllib.parse
from collections.abc import Callable
from typing import Any

import pytest
import quoting_strategies as given_by
from hypothesis import given
from hypothesis import strategies as st

from fasturl import _urllib

pytestmark = pytest.mark.usefixtures("kernel")


def outcome(function: Callable[..., Any], args: tuple[Any, ...], options: dict[str, Any]) -> tuple[Any, ...]:
    try:
        value = function(*args, **options)
    except UnicodeError as error:
        return type(error), error.args
    except Exception as error:
        return (type(error),)
    if isinstance(value, (list, dict)):
        # Equality alone would accept "a" of a subclass for "a".
        return type(value), value, repr(value)
    return type(value), value


def same(name: str, *args: Any, **options: Any) -> None:
    own = getattr(_urllib, name)
    assert outcome(own, args, options) == outcome(getattr(urllib.parse, name), args, options)


@pytest.mark.parametrize("name", ["quote", "quote_plus"])
@given(data=st.data())
def test_quote_agrees_with_urllib(name: str, data: st.DataObject) -> None:
    same(name, data.draw(given_by.strings))
    same(name, data.draw(given_by.data), data.draw(given_by.safe))
    options = given_by.some(safe=given_by.safe, encoding=given_by.encoding, errors=given_by.errors)
    same(name, data.draw(given_by.anything), **data.draw(options))


@pytest.mark.parametrize("name", ["quote", "quote_plus"])
@pytest.mark.parametrize("encoding", [None, "utf-8", "UTF-8", "utf8", "latin-1", "cp1252"])
@pytest.mark.parametrize("errors", [None, "strict", "replace", "ignore", "xmlcharrefreplace"])
def test_each_codec_with_each_handler(name: str, encoding: str | None, errors: str | None) -> None:
    for string in ("", "plain", "a b%/~", "\xe9 +", "\u20ac", "\ud800 x"):
        for safe in ("/", "", "% ", b" ", "\xe9", 5, [47], None):
            same(name, string, safe, encoding, errors)


@given(data=st.data())
def test_quote_from_bytes_agrees_with_urllib(data: st.DataObject) -> None:
    same("quote_from_bytes", data.draw(given_by.data))
    same("quote_from_bytes", data.draw(given_by.anything), data.draw(given_by.safe))


@pytest.mark.parametrize("name", ["unquote", "unquote_plus"])
@given(data=st.data())
def test_unquote_agrees_with_urllib(name: str, data: st.DataObject) -> None:
    same(name, data.draw(given_by.strings))
    same(name, data.draw(given_by.data))
    options = given_by.some(encoding=given_by.encoding, errors=given_by.errors)
    same(name, data.draw(given_by.anything), **data.draw(options))


@given(data=st.data())
def test_unquote_to_bytes_agrees_with_urllib(data: st.DataObject) -> None:
    same("unquote_to_bytes", data.draw(given_by.strings))
    same("unquote_to_bytes", data.draw(given_by.anything))


QUERY_OPTIONS = given_by.some(
    keep_blank_values=st.sampled_from([True, False, None, 0, 1, "", "yes", []]),
    strict_parsing=st.sampled_from([True, False, None, 0, 1]),
    encoding=given_by.encoding,
    errors=given_by.errors,
    max_num_fields=st.sampled_from([None, -1, 0, 1, 2, 3, 50, True, 2.5, "3"]),
    separator=st.sampled_from(
        ["&", ";", "=", "%", "+", "a", "&;", "é", "", None, 5, b"&", b";", b"\xff", b"", given_by.Text("&")]
    ),
)


@pytest.mark.parametrize("name", ["parse_qsl", "parse_qs"])
@given(data=st.data())
def test_parse_qsl_and_parse_qs_agree_with_urllib(name: str, data: st.DataObject) -> None:
    same(name, data.draw(given_by.strings))
    same(
        name, data.draw(given_by.strings), keep_blank_values=data.draw(st.booleans()),
        strict_parsing=data.draw(st.booleans()),
    )  # fmt: skip
    same(name, data.draw(given_by.data), keep_blank_values=data.draw(st.booleans()))
    same(name, data.draw(given_by.anything), **data.draw(QUERY_OPTIONS))


@pytest.mark.parametrize("name", ["parse_qsl", "parse_qs"])
@given(
    pieces=st.lists(
        st.sampled_from([*"ab&=%+;", "&", "=", "name=value&", "%C3%A9", "%FF", "é", "€", "\U0001f600", "x" * 40])
    ),
    repeats=st.integers(1, 40),
    keep=st.sampled_from([True, False, None, 1, "yes"]),
)
def test_queries_of_many_pairs_agree_with_urllib(name: str, pieces: list[str], repeats: int, keep: Any) -> None:
    """More pairs than one chunk, longer than a block, of any character width, with positional arguments."""
    query = "".join(pieces) * repeats
    same(name, query)
    same(name, query, keep)
    same(name, query, keep, True)
    same(name, query.encode(), keep)
    same(name, query, keep, separator=";", max_num_fields=50)


def join_quoted(text: Any, safe: Any = "", encoding: Any = None, errors: Any = None) -> str:
    return f"<{text}|{safe}|{encoding}|{errors}>"


@given(data=st.data())
def test_urlencode_agrees_with_urllib(data: st.DataObject) -> None:
    same("urlencode", data.draw(given_by.plain_queries))
    query = data.draw(given_by.queries)
    same("urlencode", query)
    same("urlencode", query, True)
    via = st.sampled_from([urllib.parse.quote, urllib.parse.quote_plus, _urllib.quote, _urllib.quote_plus, join_quoted,
                           None])  # fmt: skip
    options = given_by.some(
        doseq=st.sampled_from([True, False, None, 1, "yes"]), safe=given_by.safe, encoding=given_by.encoding,
        errors=given_by.errors, quote_via=via,
    )  # fmt: skip
    same("urlencode", query, **data.draw(options))


@given(pairs=st.lists(st.tuples(given_by.text, given_by.text), max_size=4))
def test_urlencode_reads_an_iterator_once(pairs: list[tuple[str, str]]) -> None:
    """No item is taken from an iterator before it is clear which function reads it."""
    own = outcome(_urllib.urlencode, (iter(pairs),), {})
    assert own == outcome(urllib.parse.urlencode, (iter(pairs),), {})
    own = outcome(_urllib.urlencode, ({"k": iter(pairs)}, True), {})
    assert own[0] is outcome(urllib.parse.urlencode, ({"k": iter(pairs)}, True), {})[0]


def test_mutated_real_urls_agree_with_urllib(urls: list[str], random_source: Any) -> None:
    """Real text with bytes changed, cut and doubled."""
    for url in urls:
        characters = list(url)
        for _ in range(random_source.randrange(4)):
            at = random_source.randrange(len(characters) + 1)
            characters[at : at + random_source.randrange(3)] = random_source.choice(given_by.PIECES)
        text = "".join(characters)
        for name in ("quote", "quote_plus", "unquote", "unquote_plus", "unquote_to_bytes", "parse_qsl", "parse_qs"):
            same(name, text)
        same("unquote", outcome(urllib.parse.quote, (text,), {"errors": "replace"})[1])
        same("urlencode", {text: text[::-1]})
        same("parse_qsl", text.encode("utf-8", "surrogatepass"))


@pytest.mark.parametrize("name", ["parse_qsl", "parse_qs"])
@pytest.mark.parametrize("most", [-1, 0, 1, 2, 5])
@pytest.mark.parametrize("query", ["\x80", "\u20ac=1&b", "a=1&b=2"])
def test_bytes_separate_any_text(name: str, query: str, most: int) -> None:
    same(name, query, separator=b"&", max_num_fields=most)
