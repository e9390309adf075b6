from collections.abc import Iterable, Iterator
from typing import Literal, overload
from urllib.parse import quote as quote
from urllib.parse import quote_from_bytes as quote_from_bytes
from urllib.parse import quote_plus as quote_plus
from urllib.parse import unquote as unquote
from urllib.parse import unquote_plus as unquote_plus
from urllib.parse import unquote_to_bytes as unquote_to_bytes

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
