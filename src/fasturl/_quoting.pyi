from collections.abc import Iterable, Iterator
from typing import Literal, overload

__all__ = [
    "quote",
    "quote_from_bytes",
    "quote_many",
    "quote_plus",
    "unquote",
    "unquote_many",
    "unquote_plus",
    "unquote_to_bytes",
]

@overload
def quote(
    string: str, safe: str | Iterable[int] = "/", encoding: str | None = None, errors: str | None = None
) -> str: ...
@overload
def quote(string: bytes | bytearray, safe: str | Iterable[int] = "/") -> str: ...
@overload
def quote_plus(
    string: str, safe: str | Iterable[int] = "", encoding: str | None = None, errors: str | None = None
) -> str: ...
@overload
def quote_plus(string: bytes | bytearray, safe: str | Iterable[int] = "") -> str: ...
def quote_from_bytes(bs: bytes | bytearray, safe: str | Iterable[int] = "/") -> str: ...
def unquote(string: str | bytes, encoding: str = "utf-8", errors: str = "replace") -> str: ...
def unquote_plus(string: str, encoding: str = "utf-8", errors: str = "replace") -> str: ...
def unquote_to_bytes(string: str | bytes | bytearray) -> bytes: ...
@overload
def quote_many(
    strings: Iterable[str | bytes | bytearray],
    safe: str | Iterable[int] = "/",
    *,
    errors: Literal["raise"] = "raise",
) -> Iterator[str]: ...
@overload
def quote_many(
    strings: Iterable[object], safe: str | Iterable[int] = "/", *, errors: Literal["null"]
) -> Iterator[str | None]: ...
@overload
def quote_many(
    strings: Iterable[object], safe: str | Iterable[int] = "/", *, errors: Literal["keep"]
) -> Iterator[str | Exception]: ...
@overload
def quote_many(
    strings: Iterable[object], safe: str | Iterable[int] = "/", *, errors: str
) -> Iterator[str | Exception | None]: ...
@overload
def unquote_many(strings: Iterable[str | bytes], *, errors: Literal["raise"] = "raise") -> Iterator[str]: ...
@overload
def unquote_many(strings: Iterable[object], *, errors: Literal["null"]) -> Iterator[str | None]: ...
@overload
def unquote_many(strings: Iterable[object], *, errors: Literal["keep"]) -> Iterator[str | Exception]: ...
@overload
def unquote_many(strings: Iterable[object], *, errors: str) -> Iterator[str | Exception | None]: ...
