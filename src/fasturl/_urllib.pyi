from collections.abc import Callable, Container, Iterable, Iterator
from types import CodeType, FunctionType
from typing import Any, Literal, Protocol, TypeVar, overload
from urllib.parse import DefragResult as DefragResult
from urllib.parse import DefragResultBytes as DefragResultBytes
from urllib.parse import ParseResult as ParseResult
from urllib.parse import ParseResultBytes as ParseResultBytes
from urllib.parse import SplitResult as SplitResult
from urllib.parse import SplitResultBytes as SplitResultBytes
from urllib.parse import parse_qs as parse_qs
from urllib.parse import parse_qsl as parse_qsl
from urllib.parse import quote as quote
from urllib.parse import quote_from_bytes as quote_from_bytes
from urllib.parse import quote_plus as quote_plus
from urllib.parse import unquote as unquote
from urllib.parse import unquote_plus as unquote_plus
from urllib.parse import unquote_to_bytes as unquote_to_bytes
from urllib.parse import urldefrag as urldefrag
from urllib.parse import urlencode as urlencode
from urllib.parse import urljoin as urljoin
from urllib.parse import urlparse as urlparse
from urllib.parse import urlsplit as urlsplit
from urllib.parse import urlunparse as urlunparse
from urllib.parse import urlunsplit as urlunsplit

from typing_extensions import Buffer

from fasturl._chars import CharClass
from fasturl._fastparse import URL

def compiled_here() -> frozenset[str]: ...
def new_trampoline(function: FunctionType, compiled: Callable[..., Any]) -> CodeType: ...
def exchange(changes: list[tuple[FunctionType, CodeType]], *, renews: bool = False) -> None: ...
def frames_between() -> int: ...
def names_of_urllib(module: str, others: Container[str], take: Callable[[str], object]) -> Callable[[str], object]: ...

PROPERTIES: dict[str, Callable[..., Any]]

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

_Default = TypeVar("_Default")

class _HasQuery(Protocol):
    @property
    def query(self) -> str | bytes | None: ...

@overload
def query_value(url: str, name: str, default: None = None) -> str | None: ...
@overload
def query_value(url: str, name: str, default: _Default) -> str | _Default: ...
@overload
def query_value(url: Buffer, name: str | Buffer, default: None = None) -> bytes | None: ...
@overload
def query_value(url: Buffer, name: str | Buffer, default: _Default) -> bytes | _Default: ...
@overload
def query_value(url: _HasQuery, name: str | Buffer, default: Any = None) -> Any: ...
@overload
def redact(
    url: str | URL[str],
    keys: str | Iterable[str] | None = None,
    mark: str | bytes | None = None,
    *,
    user: bool = False,
) -> str: ...
@overload
def redact(
    url: Buffer | URL[bytes],
    keys: str | Iterable[str | Buffer] | None = None,
    mark: str | bytes | None = None,
    *,
    user: bool = False,
) -> bytes: ...

SECRET_KEYS: tuple[str, ...]

def checked_mark(mark: str | bytes) -> bytes: ...
@overload
def _redact_text(
    text: str, keys: Iterable[str] | None, mark: str | bytes | None = None, *, user: bool = False
) -> str: ...
@overload
def _redact_text(
    text: bytes, keys: Iterable[str | bytes] | None, mark: str | bytes | None = None, *, user: bool = False
) -> bytes: ...
def _hidden_places(
    text: str | bytes, keys: Iterable[str | bytes], *, is_text: bool = False, user: bool = False
) -> list[tuple[int, int]]: ...
def _name_bytes(name: str | Buffer, of_bytes: bool) -> bytes: ...
def _value_name(name: str | Buffer, of_bytes: bool) -> bytes: ...
def classify(byte_or_char: int | str | Buffer) -> CharClass: ...
def classify_bytes(buffer: Buffer) -> bytes: ...
def escape(data: str | Buffer, allowed: CharClass = ...) -> str: ...
def escape_login(text: str | Buffer) -> str: ...
def unescape(text: str | Buffer) -> bytes: ...
def unquote_safe(string: str | Buffer, encoding: str | None = "utf-8", errors: str | None = "replace") -> str: ...
