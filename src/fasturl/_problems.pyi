from collections.abc import Callable
from typing import Literal, TypeAlias

from typing_extensions import Buffer, disjoint_base

from fasturl._columns import InputColumn
from fasturl._fastparse import URL
from fasturl.findings import Problem

_Form: TypeAlias = Literal["url", "request-target"]

@disjoint_base
class Findings:
    def __new__(cls, text: str | bytes, form: _Form, wanted: int, *, strict: bool = False) -> Findings: ...
    def take(self, limit: int) -> list[tuple[int, int, int, str]]: ...

def problems(url: str | Buffer | URL, *, form: _Form = "url", strict: bool = False) -> list[Problem]: ...
def _scan_in_place(
    buffer: Buffer, *, strict: bool = False, form: _Form = "url"
) -> tuple[int, int, int, int, int, int, int, int | None]: ...
def _gather_problems(
    source: InputColumn,
    validity: int,
    offsets: int,
    *,
    form: _Form = "url",
    start: int,
    end: int,
    allocate: Callable[[int], tuple[int, int, int]],
) -> tuple[int, int]: ...
def _gather_same(
    source: InputColumn,
    other: InputColumn,
    validity: int,
    same: int,
    *,
    start: int,
    end: int,
) -> int: ...
