import sys
from typing import Any

from typing_extensions import disjoint_base

KINDS: dict[str, int]

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
    def lines(self, *, end: int, keep: int = 0, csv: bool = False) -> Any: ...

def value(octets: bytes, *, csv: bool = False) -> bytes: ...
