"""What servers write into logs: numbers and times, `-` for none (`fasturl._clf.unescape` undoes escapes)."""

from __future__ import annotations

import re
from functools import lru_cache

HYPHEN = b"-"
_numbers: dict[bytes | None, int | None] = {None: None, HYPHEN: None}
_numbers.update({b"%d" % n: n for n in range(1000)})


def number(digits: bytes | None) -> int | None:
    """The number; None for the log's `-`."""
    found = _numbers.get(digits, -1)
    return found if found != -1 else int(digits or b"0")


_MONTHS = {
    month: index
    for index, month in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], start=1
    )
}
_CLF_TIME = re.compile(
    r"(\d{1,2})/([A-Za-z]{3})/(\d{4}):(\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?: ([+-]\d\d)(\d\d))?", re.ASCII
)


@lru_cache(maxsize=4096)
def log_time(written: bytes | None) -> str | bytes | None:
    """The time as ISO 8601 where it is written as Apache writes it; any other stays as it is.

    >>> log_time(b"17/May/2015:10:05:03 +0000")
    '2015-05-17T10:05:03+00:00'
    """
    if written is None or written == HYPHEN:
        return None
    match = _CLF_TIME.fullmatch(written.decode("latin-1"))
    month = _MONTHS.get(match[2].lower()) if match else None
    if match is None or month is None:
        return written
    zone = f"{match[5]}:{match[6]}" if match[5] else ""
    return f"{match[3]}-{month:02}-{int(match[1]):02}T{match[4]}{zone}"
