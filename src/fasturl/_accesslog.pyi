from typing import Self, final

VIEW_NAMES: tuple[str, ...]
NUMBER_NAMES: tuple[str, ...]
ROWS_A_LINE: int
TEMPLATE_ARENA_A_LINE: int
TEMPLATE_STEPS_MAX: int
TEMPLATE_OCTETS_MAX: int
TEMPLATE_FIELDS: tuple[str, ...]
OBJECT_COLUMNS: dict[str, int]
OBJECT_SYNTAXES: tuple[str, ...]
ESCAPINGS: tuple[str, ...]
TEMPLATE_KINDS: tuple[str, ...]
PREFIXES: tuple[str, ...]

@final
class LineTemplate:
    @property
    def copies(self) -> bool: ...
    def __new__(
        cls,
        steps: list[tuple[str, str, int, bytes, bytes]],
        has_more: bool,
        escaping: str = "server",
        is_exact: bool = False,
    ) -> Self: ...
    def is_record(self, line: bytes) -> bool: ...
    def stop(self, line: bytes) -> tuple[int, int] | None: ...
    def fields(self, line: bytes) -> dict[str, bytes] | None: ...

@final
class ObjectTemplate:
    def __new__(
        cls,
        candidates: list[tuple[str, bytes, int]],
        required: list[bytes],
        syntax: str,
        needs: int,
        is_mapped: bool,
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
    figures: tuple[int, ...],
    arena: int,
    arena_size: int,
    template: LineTemplate | None = None,
    objects: ObjectTemplate | None = None,
    prefix: str = "",
    holder: ObjectTemplate | None = None,
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
def behind_prefix(line: bytes, prefix: str, holder: ObjectTemplate | None = None) -> bytes | None: ...
def is_object(line: bytes) -> bool: ...
def unescape(text: bytes) -> bytes: ...
def iso_time(written: bytes) -> bytes | None: ...
