from collections.abc import Mapping
from typing import Any

def url_rows(
    file: object,
    numbers: list[int],
    fields: list[str],
    urls: list[bytes],
    details: list[Any],
    targets: frozenset[str],
    names: Mapping[int, object],
) -> list[tuple[Any, ...]]: ...
