import sys

from typing_extensions import disjoint_base

NAMES: tuple[str, ...]
TEXT_NAMES: tuple[str, ...]
WINDOW_BITS: int
TEXT_MAX: int
LAYOUTS: dict[str, int]

@disjoint_base
class Room:
    def __new__(cls, size: int) -> Room: ...
    @property
    def address(self) -> int: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

@disjoint_base
class Source:
    def __new__(
        cls,
        layout: str,
        first: int,
        rows: int,
        validity: int,
        places: int,
        data: int,
        view_data: tuple[int, ...],
        targets: int = 0,
    ) -> Source: ...
    @property
    def address(self) -> int: ...

@disjoint_base
class Sink:
    def __new__(cls, columns: dict[str, tuple[int, int]]) -> Sink: ...

def parse_rows(
    source: Source,
    sink: Sink,
    *,
    request_target: bool,
    start: int,
    end: int,
    arena_buffer: int,
) -> tuple[dict[str, int], set[str], bytes | None, list[tuple[int, int]]]: ...
def zero_rows(sink: Sink, name: str, start: int, end: int) -> None: ...
def _use_kernel(name: str) -> None: ...
