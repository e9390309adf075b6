VIEW_NAMES: tuple[str, ...]
ROWS_A_LINE: int

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
