from typing import Self, final

VIEW_NAMES: tuple[str, ...]
ROWS_A_LINE: int
PLAN_ARENA_A_LINE: int
PLAN_FIELDS: tuple[str, ...]
ESCAPINGS: tuple[str, ...]
PLAN_KINDS: tuple[str, ...]

@final
class Plan:
    def __new__(
        cls, steps: list[tuple[str, str, int, bytes, bytes]], has_more: bool, escaping: str = "server"
    ) -> Self: ...
    def is_record(self, line: bytes) -> bool: ...

def count_octet(octets: bytes, octet: int) -> int: ...
def read_lines(
    blocks: list[bytes],
    *,
    separator: int,
    strips: bool,
    start: int,
    first: int,
    count: int,
    vhost: bool,
    combined: int,
    by_request: bool,
    numbers: int,
    fields: int,
    targets: int,
    views: tuple[int, ...],
    validity: tuple[int, ...],
    status: int,
    size: int,
    arena: int,
    arena_size: int,
    plan: Plan | None = None,
) -> tuple[int, int, tuple[int, ...], int, list[tuple[int, bytes]]]: ...
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
def is_record(line: bytes, *, vhost: bool, combined: int) -> bool: ...
def unescape(text: bytes) -> bytes: ...
def split_request(request: bytes) -> tuple[bytes | None, bytes | None, bytes | None]: ...
def iso_time(written: bytes) -> bytes: ...
