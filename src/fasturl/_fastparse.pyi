from _thread import RLock
from collections.abc import Callable, Iterable, Iterator
from types import GenericAlias
from typing import (
    Any,
    AnyStr,
    Generic,
    Literal,
    Never,
    Self,
    SupportsIndex,
    TypeAlias,
    TypedDict,
    final,
    overload,
    type_check_only,
)

from typing_extensions import Buffer, CapsuleType, TypeVar, disjoint_base

from fasturl._findings import Finding, Problem
from fasturl.errors import InvalidURL

_T_co = TypeVar("_T_co", bound=str | bytes, covariant=True, default=Any)
_Form: TypeAlias = Literal["url", "request-target"]
_Standard: TypeAlias = Literal["rfc1738", "rfc3986"]
_Shape: TypeAlias = Literal[
    "generic",
    "ftp",
    "http",
    "gopher",
    "mailto",
    "news",
    "nntp",
    "telnet",
    "wais",
    "file",
    "prospero",
    "custom",
]

@type_check_only
class _Parts(TypedDict, Generic[AnyStr]):
    scheme: AnyStr
    netloc: AnyStr
    path: AnyStr
    query: AnyStr
    fragment: AnyStr

_BUILD: str
_runtime: CapsuleType
SHAPES: dict[str, int]

@disjoint_base
class _Counted:
    __wrapped__: Callable[..., Any]
    calls: int
    def __init__(self, function: Callable[..., Any]) -> None: ...
    def __call__(self, *args: object, **kwargs: object) -> Any: ...

@final
class URL(Generic[_T_co]):
    __match_args__: tuple[str, ...]
    _fields: tuple[str, ...]
    def __new__(cls, *args: Never, **kwargs: Never) -> Self: ...
    @classmethod
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...
    @property
    def text(self) -> _T_co: ...
    @property
    def scheme(self) -> _T_co: ...
    @property
    def netloc(self) -> _T_co: ...
    @property
    def path(self) -> _T_co: ...
    @property
    def query(self) -> _T_co: ...
    @property
    def fragment(self) -> _T_co: ...
    @property
    def username(self) -> _T_co | None: ...
    @property
    def password(self) -> _T_co | None: ...
    @property
    def host(self) -> _T_co | None: ...
    @property
    def hostname(self) -> _T_co | None: ...
    @property
    def port(self) -> int | None: ...
    @property
    def findings(self) -> Finding: ...
    @property
    def valid_rfc1738(self) -> bool: ...
    @property
    def valid_rfc3986(self) -> bool: ...
    @property
    def error_offset(self) -> int | None: ...
    @property
    def form(self) -> _Form: ...
    @property
    def strict(self) -> bool: ...
    @property
    def standard(self) -> _Standard: ...
    def span(self, name: str) -> tuple[int, int] | None: ...
    def geturl(self) -> _T_co: ...
    def decompose(self, *, strict: bool = True) -> Any: ...
    def redact(
        self, keys: str | Iterable[str] | None = None, mark: str | bytes | None = None, *, user: bool = False
    ) -> _T_co: ...
    def normalize(self, *, standard: _Standard = "rfc1738") -> _T_co: ...
    def problems(self, *, standard: _Standard = "rfc1738") -> list[Problem]: ...
    def _asdict(self: URL[AnyStr]) -> _Parts[AnyStr]: ...
    def _replace(
        self: URL[AnyStr],
        *,
        scheme: AnyStr = ...,
        netloc: AnyStr = ...,
        path: AnyStr = ...,
        query: AnyStr = ...,
        fragment: AnyStr = ...,
    ) -> URL[AnyStr]: ...
    def replace(
        self: URL[AnyStr],
        *,
        scheme: AnyStr | None = ...,
        username: AnyStr | None = ...,
        password: AnyStr | None = ...,
        host: AnyStr | None = ...,
        port: int | None = ...,
        path: AnyStr | None = ...,
        query: AnyStr | None = ...,
        fragment: AnyStr | None = ...,
    ) -> URL[AnyStr]: ...
    def __iter__(self) -> Iterator[_T_co]: ...
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, key: SupportsIndex, /) -> _T_co: ...
    @overload
    def __getitem__(self, key: slice, /) -> tuple[_T_co, ...]: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __eq__(self, value: object, /) -> bool: ...
    def __bytes__(self) -> bytes: ...

_Text: TypeAlias = str | URL[str]
_Bytes: TypeAlias = Buffer | URL[bytes]

def is_request_target(form: str) -> bool: ...
@overload
def exact_text(text: _Text, caller: str) -> str: ...
@overload
def exact_text(text: _Bytes, caller: str) -> bytes: ...
@overload
def exact_text(text: object, caller: str) -> str | bytes: ...
@overload
def parse(url: _Text, *, strict: bool = False, standard: _Standard = "rfc1738", form: _Form = "url") -> URL[str]: ...
@overload
def parse(url: _Bytes, *, strict: bool = False, standard: _Standard = "rfc1738", form: _Form = "url") -> URL[bytes]: ...
@overload
def parse_many(
    urls: Iterable[_Text],
    *,
    strict: bool = False,
    standard: _Standard = "rfc1738",
    form: _Form = "url",
    errors: Literal["raise"] = "raise",
) -> Iterator[URL[str]]: ...
@overload
def parse_many(
    urls: Iterable[_Bytes],
    *,
    strict: bool = False,
    standard: _Standard = "rfc1738",
    form: _Form = "url",
    errors: Literal["raise"] = "raise",
) -> Iterator[URL[bytes]]: ...
@overload
def parse_many(  # type: ignore[overload-overlap]
    urls: Iterable[_Text | None],
    *,
    strict: bool = False,
    standard: _Standard = "rfc1738",
    form: _Form = "url",
    errors: Literal["null"],
) -> Iterator[URL[str] | None]: ...
@overload
def parse_many(
    urls: Iterable[_Bytes | None],
    *,
    strict: bool = False,
    standard: _Standard = "rfc1738",
    form: _Form = "url",
    errors: Literal["null"],
) -> Iterator[URL[bytes] | None]: ...
@overload
def parse_many(  # type: ignore[overload-overlap]
    urls: Iterable[_Text | None],
    *,
    strict: bool = False,
    standard: _Standard = "rfc1738",
    form: _Form = "url",
    errors: Literal["keep"],
) -> Iterator[URL[str] | InvalidURL | TypeError]: ...
@overload
def parse_many(
    urls: Iterable[_Bytes | None],
    *,
    strict: bool = False,
    standard: _Standard = "rfc1738",
    form: _Form = "url",
    errors: Literal["keep"],
) -> Iterator[URL[bytes] | InvalidURL | TypeError]: ...
@overload
def parse_many(
    urls: Iterable[Any],
    *,
    strict: bool = False,
    standard: _Standard = "rfc1738",
    form: _Form = "url",
    errors: Literal["raise", "null", "keep"] = "raise",
) -> Iterator[Any]: ...

@final
class Productions:
    columns: bytes
    width: int
    rows: bytes
    accepting: bytes
    def __new__(cls, columns: bytes, width: int, rows: bytes, accepting: bytes) -> Productions: ...
    def stop(self, part: bytes) -> int | None: ...

def schemes() -> dict[str, tuple[_Shape, int | None]]: ...
def registered_port(name: str) -> int | None: ...
def register_scheme(
    name: str, shape: _Shape, default_port: int | None = None, productions: Productions | None = None
) -> None: ...
def _kernels() -> list[str]: ...
def _use_kernel(name: str) -> None: ...
def _fork_lock() -> RLock: ...
def _before_fork() -> None: ...
def _after_fork() -> None: ...
def _after_fork_in_child() -> None: ...
def _let_texts_change(may: bool) -> None: ...
def _split_login(
    part: str, shape: int
) -> tuple[str | None, str | None, str | None, int | None, Literal["/", "?"] | None, str, bool]: ...
def _break(text: str, group: bool) -> int | None: ...
def _place(url: URL, finding: int, term: int, start: int, is_3986: bool = False) -> tuple[int, int, bool]: ...
def _restore(text: str | bytes, form: _Form, strict: bool, standard: _Standard) -> URL: ...

@disjoint_base
class Findings:
    def __new__(
        cls, text: str | bytes, form: _Form, wanted: int, *, strict: bool = False, standard: _Standard = "rfc1738"
    ) -> Findings: ...
    def take(self, limit: int) -> list[tuple[int, int, int, str]]: ...

def problems(
    url: str | Buffer | URL, *, form: _Form = "url", strict: bool = False, standard: _Standard = "rfc1738"
) -> list[Problem]: ...
def _scan_in_place(
    buffer: Buffer, *, strict: bool = False, form: _Form = "url"
) -> tuple[int, int, int, int, int, int, int, int | None]: ...
