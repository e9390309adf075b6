from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, overload

from typing_extensions import Buffer

from fasturl._fastparse import URL

__all__ = ["parse_qs", "parse_qsl", "query_value", "redact", "urlencode"]

_Default = TypeVar("_Default")

class _HasQuery(Protocol):
    @property
    def query(self) -> str | bytes | None: ...

@overload
def parse_qsl(
    qs: str | None,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str = "&",
) -> list[tuple[str, str]]: ...
@overload
def parse_qsl(
    qs: bytes | bytearray,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str | bytes = "&",
) -> list[tuple[bytes, bytes]]: ...
@overload
def parse_qs(
    qs: str | None,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str = "&",
) -> dict[str, list[str]]: ...
@overload
def parse_qs(
    qs: bytes | bytearray,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str | bytes = "&",
) -> dict[bytes, list[bytes]]: ...
def urlencode(
    query: Mapping[Any, Any] | Sequence[tuple[Any, Any]],
    doseq: bool = False,
    safe: str | bytes = "",
    encoding: str | None = None,
    errors: str | None = None,
    quote_via: Callable[..., str] = ...,
) -> str: ...
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
def redact(url: str | URL[str], keys: str | Iterable[str] = ()) -> str: ...
@overload
def redact(url: Buffer | URL[bytes], keys: str | Iterable[str | Buffer] = ()) -> bytes: ...
