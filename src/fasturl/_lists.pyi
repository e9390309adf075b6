from collections.abc import Callable, Iterable, Sequence
from typing import Literal, TypeAlias, TypeVar, overload

from typing_extensions import Buffer, disjoint_base

from fasturl._columns import InputColumn
from fasturl._fastparse import URL

__all__ = ["path_prefixes", "query_names", "query_pairs", "query_values", "url_prefixes"]

_Text: TypeAlias = str | URL[str]
_Octets: TypeAlias = Buffer | URL[bytes]
_Form: TypeAlias = Literal["url", "request-target"]
_Name = TypeVar("_Name", str, bytes)

@overload
def query_names(url: _Text, *, decode: bool = True, form: _Form = "url") -> list[str] | None: ...
@overload
def query_names(url: _Octets, *, decode: bool = True, form: _Form = "url") -> list[bytes] | None: ...
@overload
def query_pairs(url: _Text, *, decode: bool = True, form: _Form = "url") -> list[tuple[str, str]] | None: ...
@overload
def query_pairs(url: _Octets, *, decode: bool = True, form: _Form = "url") -> list[tuple[bytes, bytes]] | None: ...
@overload
def query_values(url: _Text, names: str | Iterable[str], *, form: _Form = "url") -> dict[str, str | None]: ...
@overload
def query_values(url: _Octets, names: _Name | Iterable[_Name], *, form: _Form = "url") -> dict[_Name, bytes | None]: ...
@overload
def path_prefixes(url: _Text, *, most: int = 32, form: _Form = "url") -> list[str]: ...
@overload
def path_prefixes(url: _Octets, *, most: int = 32, form: _Form = "url") -> list[bytes]: ...
@overload
def url_prefixes(url: _Text, *, most: int = 32, form: _Form = "url") -> list[str]: ...
@overload
def url_prefixes(url: _Octets, *, most: int = 32, form: _Form = "url") -> list[bytes]: ...

@disjoint_base
class Gather:
    unsure: list[int] | None

def _listing(name: str, *, form: str = "url", most: int = 0) -> Gather: ...
def _values_of(names: Iterable[str | bytes], *, text: bool, form: str = "url") -> Gather: ...
def _depths(*, form: str = "url") -> Gather: ...
def _hashes() -> Gather: ...
def _gather_lists(
    source: InputColumn,
    work: Gather,
    validity: int,
    offsets: int,
    *,
    start: int,
    end: int,
    take: Callable[[int], tuple[int, ...]],
) -> tuple[int, int]: ...
def _shift_offsets(offsets: int, *, start: int, end: int, base: int) -> None: ...
def _gather_values(
    source: InputColumn,
    work: Gather,
    validity: int,
    columns: Sequence[tuple[int, int]],
    *,
    start: int,
    end: int,
) -> tuple[int, ...]: ...
def _gather_numbers(source: InputColumn, work: Gather, validity: int, numbers: int, *, start: int, end: int) -> int: ...
