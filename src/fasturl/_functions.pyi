from collections.abc import Iterable, Iterator
from os import PathLike
from typing import Any, AnyStr, Final, Generic, Literal, TypeAlias, TypeVar, final, overload

from _typeshed import structseq
from typing_extensions import Buffer, disjoint_base

from fasturl._fastparse import URL

_Text: TypeAlias = str | URL[str]
_Bytes: TypeAlias = Buffer | URL[bytes]
_Form: TypeAlias = Literal["url", "request-target"]
_Standard: TypeAlias = Literal["rfc1738", "rfc3986"]
_HostForm: TypeAlias = Literal["url", "request-target", "host"]
_Otherwise: TypeAlias = Literal["null", "keep"]
_Part: TypeAlias = Literal["scheme", "login", "password", "www", "port", "path", "query", "fragment"]
_HostKind: TypeAlias = Literal["name", "ipv4", "ipv6", "numeric", "none"]
_Scope: TypeAlias = Literal["global", "private", "loopback", "link-local", "unspecified", "multicast", "reserved"]
_Addresses: TypeAlias = _Scope | Literal["any"]
_Refusal: TypeAlias = (
    _Scope
    | Literal["character", "scheme", "no-host", "ambiguous", "login", "port", "blocked", "not-allowed"]
    | Literal["local-name", "metadata"]
)
_StrNames: TypeAlias = str | Iterable[str]
_Names: TypeAlias = str | bytes | Iterable[str | Buffer]

_Name = TypeVar("_Name", str, bytes)

TRACKING: Final[tuple[str, ...]]

@disjoint_base
class Suffixes:
    @property
    def rules(self) -> int: ...
    def __new__(cls, rules: Iterable[tuple[bytes, bool, bool, bool]]) -> Suffixes: ...

_Hosts: TypeAlias = str | Buffer | Iterable[str | Buffer | None]

@final
class HostList:
    @property
    def ignored(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def __new__(cls, source: _Hosts, *, errors: Literal["raise", "ignore"] = "raise") -> HostList: ...
    @staticmethod
    def from_file(path: str | PathLike[str], *, errors: Literal["raise", "ignore"] = "raise") -> HostList: ...
    @overload
    def blocks(self, url: _Text, *, exact: bool = False, form: _HostForm = "url") -> str | None: ...
    @overload
    def blocks(self, url: _Bytes, *, exact: bool = False, form: _HostForm = "url") -> bytes | None: ...
    def allows(self, url: _Text | _Bytes, *, exact: bool = False, form: _HostForm = "url") -> bool: ...
    def __len__(self) -> int: ...

@final
class Function:
    @property
    def pointer(self) -> object: ...
    def answer(self, text: bytes) -> bytes | None: ...

def _plain_function(name: str, form: _Form = "url") -> Function: ...
def _drop_params_function(names: _Names, *, text: bool, form: _Form = "url") -> Function: ...
def _fetch_refusal_function(
    schemes: str | Iterable[str],
    ports: Iterable[int] | None,
    addresses: str | Iterable[str],
    hosts: HostList | _Hosts | None = None,
    not_hosts: HostList | _Hosts | None = None,
    *,
    empty: bool = False,
) -> Function: ...
def _path_template_function(keep: _Names, *, text: bool, form: _Form = "url") -> Function: ...
def _drop_parts_function(parts: Iterable[str], form: _Form = "url") -> Function: ...
def _domain_function(
    name: str, *, private: bool, form: _HostForm = "url", rules: Suffixes | None = None
) -> Function: ...
def _dedup_key_function(
    *, normalize: bool, sort: bool, fragment: bool, drop: _Names | None, text: bool
) -> Function: ...
def _list_function(
    name: str, hosts: HostList | _Hosts, *, exact: bool = False, form: _HostForm = "url"
) -> Function: ...
def _provide_python() -> None: ...
def _surt_function() -> Function: ...
def _canonicalize_function(
    *, keep_blank_values: bool = True, keep_fragments: bool = False, otherwise: str = "null"
) -> Function: ...

@disjoint_base
class Gather:
    unsure: list[int] | None
    @property
    def pointer(self) -> object: ...

def _listing(name: str, *, form: str = "url", limit: int = 0, decode: bool = False, text: bool = False) -> Gather: ...
def _values_of(names: Iterable[str | bytes], *, text: bool, form: str = "url") -> Gather: ...
def _depths(*, form: str = "url") -> Gather: ...
def _hashes() -> Gather: ...

@final
class FoundURL(structseq[Any], tuple[AnyStr, int, int, AnyStr | None], Generic[AnyStr]):
    __match_args__: Final = ("url", "start", "end", "fragment")
    @property
    def url(self) -> AnyStr: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def fragment(self) -> AnyStr | None: ...
    @property
    def hyphen(self) -> bool: ...

@overload
def find_urls(text: str, *, bare: bool = False) -> Iterator[FoundURL[str]]: ...
@overload
def find_urls(text: Buffer, *, bare: bool = False) -> Iterator[FoundURL[bytes]]: ...
@overload
def wrap_url(url: str, fragment: str | None = None, *, width: int | None = None) -> str: ...
@overload
def wrap_url(url: Buffer, fragment: Buffer | None = None, *, width: int | None = None) -> bytes: ...
@overload
def wrap_url(url: URL[AnyStr], fragment: AnyStr | None = None, *, width: int | None = None) -> AnyStr: ...
@overload
def normalize(url: str, *, standard: _Standard = "rfc1738") -> str: ...
@overload
def normalize(url: Buffer, *, standard: _Standard = "rfc1738") -> bytes: ...
@overload
def normalize(url: URL[AnyStr], *, standard: _Standard = "rfc1738") -> AnyStr: ...
@overload
def equivalent(a: str | URL[str], b: str | URL[str]) -> bool: ...
@overload
def equivalent(a: Buffer | URL[bytes], b: Buffer | URL[bytes]) -> bool: ...
def _normalize_in_place(buffer: Buffer, *, key: bool = False) -> bytes: ...

# DO NOT EDIT below: written by tools/gen_stubs.py from the rows of arrow/functions.py.

__all__ = [
    "address_scope",
    "allows",
    "blocks",
    "canonicalize",
    "dedup_hash",
    "dedup_key",
    "drop_params",
    "drop_parts",
    "fetch_refusal",
    "file_extension",
    "file_name",
    "first_segment",
    "host_kind",
    "is_fetchable",
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
    "surt",
    "url_prefixes",
]

@overload
def file_name(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def file_name(url: _Bytes, *, form: _Form = "url") -> bytes | None: ...
@overload
def file_extension(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def file_extension(url: _Bytes, *, form: _Form = "url") -> bytes | None: ...
@overload
def first_segment(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def first_segment(url: _Bytes, *, form: _Form = "url") -> bytes | None: ...
@overload
def path_and_query(url: _Text, *, form: _Form = "url") -> str: ...
@overload
def path_and_query(url: _Bytes, *, form: _Form = "url") -> bytes: ...
@overload
def query_and_fragment(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def query_and_fragment(url: _Bytes, *, form: _Form = "url") -> bytes | None: ...
@overload
def origin(url: _Text, *, form: _Form = "url") -> str | None: ...
@overload
def origin(url: _Bytes, *, form: _Form = "url") -> bytes | None: ...
@overload
def host_kind(url: _Text, *, form: _Form = "url") -> _HostKind: ...
@overload
def host_kind(url: _Bytes, *, form: _Form = "url") -> bytes: ...
@overload
def address_scope(url: _Text, *, form: _Form = "url") -> _Scope | None: ...
@overload
def address_scope(url: _Bytes, *, form: _Form = "url") -> bytes | None: ...
@overload
def fetch_refusal(
    url: _Text,
    schemes: str | Iterable[str] = ("http", "https"),
    ports: Iterable[int] | None = None,
    addresses: _Addresses | Iterable[_Scope] = "global",
    *,
    hosts: HostList | _Hosts | None = None,
    not_hosts: HostList | _Hosts | None = None,
) -> _Refusal | None: ...
@overload
def fetch_refusal(
    url: _Bytes,
    schemes: str | Iterable[str] = ("http", "https"),
    ports: Iterable[int] | None = None,
    addresses: _Addresses | Iterable[_Scope] = "global",
    *,
    hosts: HostList | _Hosts | None = None,
    not_hosts: HostList | _Hosts | None = None,
) -> bytes | None: ...
def is_fetchable(
    url: _Text | _Bytes,
    schemes: str | Iterable[str] = ("http", "https"),
    ports: Iterable[int] | None = None,
    addresses: _Addresses | Iterable[_Scope] = "global",
    *,
    hosts: HostList | _Hosts | None = None,
    not_hosts: HostList | _Hosts | None = None,
) -> bool: ...
@overload
def path_template(url: _Text, *, keep: _StrNames = (), form: _Form = "url") -> str: ...
@overload
def path_template(url: _Bytes, *, keep: _Names = (), form: _Form = "url") -> bytes: ...
@overload
def drop_parts(url: _Text, *parts: _Part, form: _Form = "url") -> str: ...
@overload
def drop_parts(url: _Bytes, *parts: _Part, form: _Form = "url") -> bytes: ...
@overload
def drop_params(url: _Text, names: _StrNames, *, form: _Form = "url") -> str: ...
@overload
def drop_params(url: _Bytes, names: _Names, *, form: _Form = "url") -> bytes: ...
@overload
def public_suffix(
    url: _Text, *, private_suffixes: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> str | None: ...
@overload
def public_suffix(
    url: _Bytes, *, private_suffixes: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> bytes | None: ...
@overload
def registrable_domain(
    url: _Text, *, private_suffixes: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> str | None: ...
@overload
def registrable_domain(
    url: _Bytes, *, private_suffixes: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> bytes | None: ...
@overload
def subdomain(
    url: _Text, *, private_suffixes: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> str | None: ...
@overload
def subdomain(
    url: _Bytes, *, private_suffixes: bool = True, form: _HostForm = "url", rules: Suffixes | None = None
) -> bytes | None: ...
@overload
def blocks(url: _Text, hosts: HostList | _Hosts, *, exact: bool = False, form: _HostForm = "url") -> str | None: ...
@overload
def blocks(url: _Bytes, hosts: HostList | _Hosts, *, exact: bool = False, form: _HostForm = "url") -> bytes | None: ...
def allows(url: _Text | _Bytes, hosts: HostList | _Hosts, *, exact: bool = False, form: _HostForm = "url") -> bool: ...
@overload
def dedup_key(
    url: _Text, *, normalize: bool = True, sort: bool = True, fragment: bool = False, drop: _StrNames | None = None
) -> str: ...
@overload
def dedup_key(
    url: _Bytes, *, normalize: bool = True, sort: bool = True, fragment: bool = False, drop: _Names | None = None
) -> bytes: ...
@overload
def canonicalize(
    url: _Text, *, keep_blank_values: bool = True, keep_fragments: bool = False, otherwise: _Otherwise = "null"
) -> str | None: ...
@overload
def canonicalize(
    url: _Bytes, *, keep_blank_values: bool = True, keep_fragments: bool = False, otherwise: _Otherwise = "null"
) -> bytes | None: ...
@overload
def surt(url: _Text) -> str | None: ...
@overload
def surt(url: _Bytes) -> bytes | None: ...
def path_depth(url: _Text | _Bytes, *, form: _Form = "url") -> int: ...
def dedup_hash(
    url: _Text | _Bytes,
    *,
    normalize: bool = True,
    sort: bool = True,
    fragment: bool = False,
    drop: _Names | None = None,
) -> int: ...
@overload
def query_names(url: _Text, *, decode: bool = True, form: _Form = "url") -> list[str]: ...
@overload
def query_names(url: _Bytes, *, decode: bool = True, form: _Form = "url") -> list[bytes]: ...
@overload
def query_pairs(url: _Text, *, decode: bool = True, form: _Form = "url") -> list[tuple[str, str]]: ...
@overload
def query_pairs(url: _Bytes, *, decode: bool = True, form: _Form = "url") -> list[tuple[bytes, bytes]]: ...
@overload
def path_prefixes(url: _Text, *, limit: int = 32, form: _Form = "url") -> list[str]: ...
@overload
def path_prefixes(url: _Bytes, *, limit: int = 32, form: _Form = "url") -> list[bytes]: ...
@overload
def url_prefixes(url: _Text, *, limit: int = 32, form: _Form = "url") -> list[str]: ...
@overload
def url_prefixes(url: _Bytes, *, limit: int = 32, form: _Form = "url") -> list[bytes]: ...
@overload
def query_values(url: _Text, names: _StrNames, *, form: _Form = "url") -> dict[str, str | None]: ...
@overload
def query_values(url: _Bytes, names: _Name | Iterable[_Name], *, form: _Form = "url") -> dict[_Name, bytes | None]: ...
