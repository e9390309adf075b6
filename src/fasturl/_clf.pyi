from collections.abc import Callable
from typing import Any

def unescape(text: bytes) -> bytes: ...
def read_plain(
    lines: list[bytes],
    first: int,
    *,
    vhost: bool,
    combined: bool,
    numbers: list[int],
    fields: list[str],
    urls: list[bytes],
    details: list[Any],
    log_time: Callable[[bytes], object],
    slow: Callable[[int, bytes], object],
) -> None: ...
