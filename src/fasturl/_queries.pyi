from collections.abc import Iterable
from typing import Any, Protocol, TypeVar, overload
from urllib.parse import parse_qs as parse_qs
from urllib.parse import parse_qsl as parse_qsl
from urllib.parse import urlencode as urlencode

from typing_extensions import Buffer

from fasturl._fastparse import URL

__all__ = ["parse_qs", "parse_qsl", "query_value", "redact", "urlencode"]

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
def redact(url: str | URL[str], keys: str | Iterable[str] = ()) -> str: ...
@overload
def redact(url: Buffer | URL[bytes], keys: str | Iterable[str | Buffer] = ()) -> bytes: ...
@overload
def _redact_text(text: str, keys: Iterable[str]) -> str: ...
@overload
def _redact_text(text: bytes, keys: Iterable[str | bytes]) -> bytes: ...
def _hidden_places(text: str | bytes, keys: Iterable[str]) -> list[tuple[int, int]]: ...
