from collections.abc import Callable, Iterable, Sequence
from typing import Final, Literal, TypeAlias, TypeVar, overload

from typing_extensions import Buffer, disjoint_base

from fasturl._columns import InputColumn
from fasturl._fastparse import URL

__all__ = [
    "dedup_hash",
    "dedup_key",
    "drop_query",
    "file_extension",
    "file_name",
    "first_segment",
    "origin",
    "path_and_query",
    "path_depth",
    "path_prefixes",
    "path_template",
    "public_suffix",
    "query_and_fragment",
    "query_names",
    "query_pairs",
    "query_values",
    "registrable_domain",
    "subdomain",
    "url_prefixes",
    "without",
]

_Text: TypeAlias = str | URL[str]
_Octets: TypeAlias = Buffer | URL[bytes]
_Form: TypeAlias = Literal["url", "request-target"]
_HostForm: TypeAlias = Literal["url", "request-target", "host"]
_Part: TypeAlias = Literal["scheme", "login", "password", "www", "port", "path", "query", "fragment"]
_StrNames: TypeAlias = str | Iterable[str]
_Names: TypeAlias = str | bytes | Iterable[str | Buffer]

_Name = TypeVar("_Name", str, bytes)

TRACKING: Final[tuple[str, ...]]

@disjoint_base
class Suffixes:
    @property
    def rules(self) -> int: ...
    def __new__(cls, rules: Iterable[tuple[bytes, bool, bool, bool]]) -> Suffixes: ...

@disjoint_base
class Function:
    @property
    def pointer(self) -> object: ...

@overload
def file_name(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def file_name(url: _Octets, *, form: _Form = "url") -> bytes | None: ...
@overload
def file_extension(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def file_extension(url: _Octets, *, form: _Form = "url") -> bytes | None: ...
@overload
def first_segment(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def first_segment(url: _Octets, *, form: _Form = "url") -> bytes | None: ...
@overload
def query_and_fragment(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def query_and_fragment(url: _Octets, *, form: _Form = "url") -> bytes | None: ...
@overload
def origin(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def origin(url: _Octets, *, form: _Form = "url") -> bytes | None: ...
@overload
def path_and_query(url: _Text, *, form: _Form = "url") -> str: ...
@overload
def path_and_query(url: _Octets, *, form: _Form = "url") -> bytes: ...
def path_depth(url: _Text | _Octets, *, form: _Form = "url") -> int: ...
@overload
def path_template(url: _Text, *, keep: _StrNames = (), form: _Form = "url") -> str: ...
@overload
def path_template(url: _Octets, *, keep: _Names = (), form: _Form = "url") -> bytes: ...
@overload
def without(url: _Text, *parts: _Part, form: _Form = "url") -> str: ...
@overload
def without(url: _Octets, *parts: _Part, form: _Form = "url") -> bytes: ...
@overload
def drop_query(url: _Text, names: _StrNames, *, form: _Form = "url") -> str: ...
@overload
def drop_query(url: _Octets, names: _Names, *, form: _Form = "url") -> bytes: ...
@overload
def public_suffix(
    url: _Text, *, private: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> str | None: ...
@overload
def public_suffix(
    url: _Octets, *, private: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> bytes | None: ...
@overload
def registrable_domain(
    url: _Text, *, private: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> str | None: ...
@overload
def registrable_domain(
    url: _Octets, *, private: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> bytes | None: ...
@overload
def subdomain(
    url: _Text, *, private: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> str | None: ...
@overload
def subdomain(
    url: _Octets, *, private: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> bytes | None: ...
@overload
def dedup_key(
    url: _Text, *, normalize: bool = True, sort: bool = True, fragment: bool = False, drop: _StrNames | None = None
) -> str: ...
@overload
def dedup_key(
    url: _Octets, *, normalize: bool = True, sort: bool = True, fragment: bool = False, drop: _Names | None = None
) -> bytes: ...
def dedup_hash(
    url: _Text | _Octets,
    *,
    normalize: bool = True,
    sort: bool = True,
    fragment: bool = False,
    drop: _Names | None = None,
) -> int: ...
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
def path_prefixes(url: _Text, *, limit: int = 32, form: _Form = "url") -> list[str]: ...
@overload
def path_prefixes(url: _Octets, *, limit: int = 32, form: _Form = "url") -> list[bytes]: ...
@overload
def url_prefixes(url: _Text, *, limit: int = 32, form: _Form = "url") -> list[str]: ...
@overload
def url_prefixes(url: _Octets, *, limit: int = 32, form: _Form = "url") -> list[bytes]: ...
def _plain_function(name: str, form: _Form = "url") -> Function: ...
def _dropping(names: _Names, *, text: bool, form: _Form = "url") -> Function: ...
def _templating(keep: _Names, *, text: bool, form: _Form = "url") -> Function: ...
def _leaving_out(parts: Iterable[str], form: _Form = "url") -> Function: ...
def _dividing(name: str, *, private: bool, form: _HostForm = "url", rules: Suffixes | None = None) -> Function: ...
def _keying(*, normalize: bool, sort: bool, fragment: bool, drop: _Names | None, text: bool) -> Function: ...

@disjoint_base
class Gather:
    unsure: list[int] | None
    @property
    def pointer(self) -> object: ...

def _listing(name: str, *, form: str = "url", limit: int = 0, decode: bool = False, text: bool = False) -> Gather: ...
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
    allocate: Callable[[int], tuple[int, ...]],
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
