import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal

from typing_extensions import disjoint_base

from fasturl._functions import Function, Gather

FIELDS: tuple[tuple[str, str, int], ...]
NAMES: tuple[str, ...]
WINDOW_BITS: int
LAYOUTS: dict[str, tuple[int, int, int]]

@disjoint_base
class PooledBuffer:
    starts: tuple[int, ...]
    def __new__(cls, *sizes: int) -> PooledBuffer: ...
    @property
    def address(self) -> int: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

@disjoint_base
class InputColumn:
    def __new__(
        cls,
        layout: str,
        offset: int,
        rows: int,
        validity: tuple[int, int],
        offsets: tuple[int, int],
        data: list[tuple[int, int]],
        targets: int = 0,
        name: str = "row",
        first: int = 0,
    ) -> InputColumn: ...
    def octets(self, row: int) -> bytes: ...

@disjoint_base
class OutputColumns:
    def __new__(cls, names: tuple[str, ...], memory: PooledBuffer) -> OutputColumns: ...

@disjoint_base
class CopiedTexts:
    offsets: PooledBuffer
    def __new__(cls, rows: int, space: int = 0) -> CopiedTexts: ...
    @property
    def octets(self) -> PooledBuffer | None: ...
    @property
    def used(self) -> int: ...
    def append(self, other: CopiedTexts, texts: int) -> None: ...

@disjoint_base
class Copies:
    texts: dict[str, CopiedTexts]
    def __new__(cls, names: list[str], rows: int, spaces: Iterable[int]) -> Copies: ...

def parse_rows(
    source: InputColumn,
    out: OutputColumns,
    *,
    request_target: bool,
    start: int,
    end: int,
    arena_buffer: int,
    copies: Copies | None = None,
) -> tuple[dict[str, int], set[str], bytes | None]: ...
def zero_rows(out: OutputColumns, name: str, start: int, end: int) -> None: ...
def encode_words(
    views: int, offsets: int, octets: int, validity: int, rows: int, numbers: int
) -> list[bytes] | None: ...

@disjoint_base
class Work:
    otherwise: bytes | None
    copies: bool

def quoting(safe: str | bytes, *, plus: bool = False) -> Work: ...
def unquoting(*, text: bool, plus: bool = False) -> Work: ...
def unquoting_safely(*, text: bool) -> Work: ...
def joining(base: bytes, join: Callable[[bytes], bytes | None]) -> Work: ...
def normalizing() -> Work: ...
def joining_each(bases: InputColumn, join: Callable[[bytes, bytes], bytes | None]) -> Work: ...
def valuing_each(names: InputColumn, otherwise: bytes | None, *, text: bool) -> Work: ...
def valuing(name: str | bytes, otherwise: bytes | None, *, text: bool) -> Work: ...
def redacting(keys: Iterable[str | bytes], *, text: bool, quotes_urls: bool = False) -> Work: ...
def applying(function: Function) -> Work: ...
def map_rows(
    source: InputColumn,
    work: Work,
    views: int,
    validity: int,
    *,
    start: int,
    end: int,
    take: Callable[[int, int], tuple[int, int, int]],
    otherwise_buffer: int = 0,
) -> tuple[int, int]: ...
def map_copies(
    source: InputColumn,
    work: Work,
    texts: CopiedTexts,
    validity: int,
    *,
    start: int,
    end: int,
) -> int: ...
def gather_lists(
    source: InputColumn,
    work: Gather,
    names: CopiedTexts | None,
    values: CopiedTexts | None,
    validity: int,
    offsets: int,
    *,
    start: int,
    end: int,
) -> tuple[int, int]: ...
def gather_values(
    source: InputColumn,
    work: Gather,
    columns: list[tuple[CopiedTexts, int]],
    validity: int,
    *,
    start: int,
    end: int,
) -> tuple[int, ...]: ...
def gather_list_views(
    source: InputColumn,
    work: Gather,
    validity: int,
    offsets: int,
    *,
    start: int,
    end: int,
    allocate: Callable[[int], tuple[int, ...]],
) -> tuple[int, int]: ...
def gather_value_views(
    source: InputColumn,
    work: Gather,
    validity: int,
    columns: Sequence[tuple[int, int]],
    *,
    start: int,
    end: int,
) -> tuple[int, ...]: ...
def gather_numbers(source: InputColumn, work: Gather, validity: int, numbers: int, *, start: int, end: int) -> int: ...
def shift_offsets(offsets: int, *, start: int, end: int, base: int) -> None: ...
def gather_problems(
    source: InputColumn,
    validity: int,
    offsets: int,
    *,
    form: Literal["url", "request-target"] = "url",
    start: int,
    end: int,
    allocate: Callable[[int], tuple[int, int, int]],
) -> tuple[int, int]: ...
def gather_same(
    source: InputColumn,
    other: InputColumn,
    validity: int,
    same: int,
    *,
    start: int,
    end: int,
) -> int: ...

BEFORE_MAX: int
KINDS: dict[str, int]
COPY_SLACK: int

@disjoint_base
class Text:
    def __len__(self) -> int: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

@disjoint_base
class Columns:
    def __new__(
        cls, columns: list[tuple[bytes, str, int, int, int, tuple[int, ...], tuple[bytes, ...]]]
    ) -> Columns: ...
    def lines(
        self, *, end: int, keep: int = 0, csv: bool = False, escapes: bool = False, csv_safe: bool = False
    ) -> Any: ...

@disjoint_base
class Views:
    def __new__(cls, views: int, validity: int, data: list[int], rows: int) -> Views: ...
    def total(self) -> int: ...
    def copy(self, offsets: int, octets: int) -> None: ...
    def times(self, times: int) -> bool: ...

def value(octets: bytes, *, csv: bool = False, escapes: bool = False, csv_safe: bool = False) -> bytes: ...
def finding_lists(findings: int, rows: int, offsets: int, values: int, capacity: int) -> int: ...
def count_findings(findings: int, rows: int) -> list[tuple[int, int, int]]: ...
def rows_with_findings(findings: int, rows: int, wanted: int) -> list[int]: ...
def add_up(
    group_of: int, row_of: int, sizes: int, items: int, rows: int, groups: int, counts: int, sums: int, last: int
) -> bool: ...
def is_ascii(address: int, size: int) -> bool: ...
def not_utf8(offsets: int, data: int, rows: int) -> list[int]: ...
