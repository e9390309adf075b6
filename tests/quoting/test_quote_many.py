"""quote_many and unquote_many give one result per text, in order, lazily."""

import itertools
import urllib.parse
from collections.abc import Iterator

import pytest
import quoting_strategies as given_by
from hypothesis import given
from hypothesis import strategies as st

from fasturl import _urllib
from fasturl._urllib import quote_many, unquote_many


@given(texts=st.lists(st.one_of(
    given_by.text.filter(lambda text: not any("\ud800" <= c <= "\udfff" for c in text)), given_by.data,
)))  # fmt: skip
def test_quote_many_equals_quote_one_by_one(texts: list[str | bytes]) -> None:
    assert list(quote_many(texts)) == [urllib.parse.quote(text) for text in texts]
    assert list(quote_many(iter(texts), safe=b"?")) == [urllib.parse.quote(text, "?") for text in texts]
    assert list(quote_many(texts, bytearray(b"&"))) == [urllib.parse.quote(text, "&") for text in texts]
    assert list(unquote_many(tuple(texts))) == [urllib.parse.unquote(text) for text in texts]


BAD = ["a b", None, 7, "\ud800", b"\xff", bytearray(b" "), object(), ""]


def test_errors_null_gives_none_in_place() -> None:
    assert list(quote_many(BAD, errors="null")) == ["a%20b", None, None, None, "%FF", "%20", None, ""]
    assert list(unquote_many(["%41", None, 7, b"%42", []], errors="null")) == ["A", None, None, "B", None]


def test_errors_keep_gives_the_exception_in_place() -> None:
    kept = list(quote_many(BAD, errors="keep"))
    assert [type(item) for item in kept] == [str, TypeError, TypeError, UnicodeEncodeError, str, str, TypeError, str]
    assert all(item.__traceback__ is None for item in kept if isinstance(item, Exception))
    assert isinstance(next(unquote_many([3], errors="keep")), TypeError)


def test_iteration_goes_on_after_a_raise() -> None:
    many = quote_many(BAD)
    assert next(many) == "a%20b"
    for kind in (TypeError, TypeError, UnicodeEncodeError):
        with pytest.raises(kind):
            next(many)
    assert list(itertools.islice(many, 2)) == ["%FF", "%20"]


def test_exceptions_of_the_source_pass_through() -> None:
    def source() -> Iterator[str]:
        yield "a"
        raise ValueError("torn")

    for errors in ("raise", "null", "keep"):
        many = quote_many(source(), errors=errors)
        assert next(many) == "a"
        with pytest.raises(ValueError, match="torn"):
            next(many)


def test_nothing_is_read_ahead() -> None:
    source = iter(["a", "b", "c"])
    many = unquote_many(source)
    assert iter(many) is many
    assert next(many) == "a"
    assert list(source) == ["b", "c"]
    assert list(many) == []
    assert next(unquote_many(itertools.repeat("%41"))) == "A"


def test_wrong_arguments_raise() -> None:
    for function in (quote_many, unquote_many):
        with pytest.raises(TypeError):
            function(5)
        with pytest.raises(ValueError, match="errors"):
            function([], errors="none such")
        with pytest.raises(ValueError, match="errors"):
            function([], errors=None)
    with pytest.raises(TypeError):
        quote_many(["a"], None)


@pytest.mark.parametrize("one", ["a%20b", b"a%20b", bytearray(b"a%20b"), ""])
def test_a_single_text_is_refused(one: str | bytes) -> None:
    for function in (quote_many, unquote_many):
        with pytest.raises(TypeError, match=f"{function.__name__}.* not one text"):
            function(one)


def test_unquote_many_asks_no_other_function_for_each(monkeypatch: pytest.MonkeyPatch) -> None:
    """It costs less than mapping unquote, since it neither looks that up nor calls it."""
    monkeypatch.setattr(_urllib, "unquote", None)
    assert list(unquote_many(["%41", b"%42", "c", "%C3%A9\xe9", b""])) == ["A", "B", "c", "\xe9\xe9", ""]
