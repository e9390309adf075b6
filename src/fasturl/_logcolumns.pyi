from collections.abc import Callable
from typing import Any

VIEW_NAMES: tuple[str, ...]
ROWS_A_LINE: int
TIME_ROOM: int

def arena_size(blocks: list[bytes], count: int, separator: int) -> int: ...
def read_lines(
    blocks: list[bytes],
    *,
    separator: int,
    strips: bool,
    start: int,
    first: int,
    count: int,
    vhost: bool,
    combined: bool,
    slow: Callable[[int, bytes, bytes], tuple[list[bytes], list[bool], tuple[Any, ...]] | None],
    numbers: int,
    fields: int,
    targets: int,
    views: tuple[int, ...],
    bitmaps: tuple[int, ...],
    status: int,
    size: int,
    arena: int,
    arena_room: int,
) -> tuple[int, int, tuple[int, ...]]: ...
def read_urls(
    blocks: list[bytes],
    *,
    separator: int,
    strips: bool,
    start: int,
    first: int,
    count: int,
    numbers: int,
    views: int,
) -> int: ...
def finding_lists(findings: int, rows: int, offsets: int, values: int, room: int) -> int: ...
def count_findings(findings: int, rows: int) -> list[tuple[int, int, int]]: ...
def is_ascii(address: int, size: int) -> bool: ...
def not_utf8(offsets: int, data: int, rows: int) -> list[int]: ...
