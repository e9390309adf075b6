"""What servers write into logs: numbers and times, `-` for none (`fasturl._accesslog.unescape` undoes escapes)."""

from __future__ import annotations

import re
from datetime import UTC, datetime

from fasturl._accesslog import iso_time

HYPHEN = b"-"
_RFC3339 = re.compile(r"[0-9-]{10}(?:[T ][0-9:]{5,8}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9:]{2,5})?)?")
_EPOCH = re.compile(rb"[0-9]{1,11}(\.[0-9]{1,9})?")


def number(digits: bytes | None) -> int | None:
    """The number; None for the log's `-`."""
    return None if digits is None or digits == HYPHEN else int(digits)


def log_time(written: bytes | None) -> bytes | None:
    """The time as RFC 3339 where it is written as Apache writes it or in seconds since 1970; any other stays as it is.

    >>> log_time(b"17/May/2015:10:05:03 +0000")
    b'2015-05-17T10:05:03+00:00'
    >>> log_time(b"1431857103.25")
    b'2015-05-17T10:05:03.250000+00:00'
    """
    if written is None or written == HYPHEN:
        return None
    if _EPOCH.fullmatch(written):
        return datetime.fromtimestamp(float(written), UTC).isoformat().encode()
    return iso_time(written)


def time_of(text: str | None) -> datetime | None:
    """The time that RFC 3339, or a part of it from the date on, says; in UTC without a zone, None for other text.

    >>> time_of("2015-05-17T12:05+02:00").timestamp() == time_of("2015-05-17T10:05").timestamp(), time_of("17:05")
    (True, None)
    """
    # fromisoformat takes other forms too, and more than digits for a fraction.
    if text is None or not _RFC3339.fullmatch(text):
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def octets(text: str) -> bytes:
    r"""A JSON string as octets: UTF-8, where `\udc80` to `\udcff` stand for the octets 80 to FF as they do in
    our output.

    >>> octets("caf\udce9")
    b'caf\xe9'
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # another lone surrogate: JSON can say it, UTF-8 cannot
        return text.encode("utf-8", "surrogatepass")
