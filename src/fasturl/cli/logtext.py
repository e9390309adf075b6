r"""What servers write into logs: escapes, numbers, times.

Apache writes `\"`, `\\`, `\n` and the like, and `\xhh` for every other octet that is not printable ASCII;
nginx writes `\xHH`, for `"` and `\` too. A backslash that is none of these stays.
"""

from __future__ import annotations

import re
from functools import lru_cache

HYPHEN = b"-"
_ESCAPE = re.compile(rb"\\(?:x([0-9A-Fa-f]{2})|([\"\\abfnrtv]))")
_NAMED = {
    b'"': b'"',
    b"\\": b"\\",
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"n": b"\n",
    b"r": b"\r",
    b"t": b"\t",
    b"v": b"\v",
}


def _octet(match: re.Match[bytes]) -> bytes:
    digits, named = match.groups()
    return bytes((int(digits, 16),)) if digits is not None else _NAMED[named]


def unescape(text: bytes) -> bytes:
    r"""The octets that the server was sent.

    >>> unescape(rb'/a?b=\"c\"\x16\xe9')
    b'/a?b="c"\x16\xe9'
    """
    return _ESCAPE.sub(_octet, text) if b"\\" in text else text


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
