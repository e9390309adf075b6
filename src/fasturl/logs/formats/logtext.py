"""Times and text as servers write them into logs."""

from __future__ import annotations

from datetime import UTC, datetime

from fasturl._accesslog import iso_time
from fasturl._patterns import lazy_pattern

_RFC3339 = lazy_pattern(r"[0-9-]{10}(?:[T ][0-9:]{5,8}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9:]{2,5})?)?")
_EPOCH = lazy_pattern(rb"[0-9]{1,11}(\.[0-9]{1,9})?")


def log_time(written: bytes | None) -> bytes | None:
    """Return Apache's time, or seconds since 1970, as RFC 3339. A time in another form is returned as written.

    >>> log_time(b"17/May/2015:10:05:03 +0000")
    b'2015-05-17T10:05:03+00:00'
    >>> log_time(b"1431857103.25")
    b'2015-05-17T10:05:03.250000+00:00'
    """
    if written is None or written == b"-":
        return None
    if _EPOCH.fullmatch(written):
        return datetime.fromtimestamp(float(written), UTC).isoformat().encode()
    return iso_time(written)


def time_of(text: str | None) -> datetime | None:
    """Return the time of an RFC 3339 text, which may end after the date or the minute, or None for other text.

    A time without a zone is UTC.

    >>> time_of("2015-05-17T12:05+02:00").timestamp() == time_of("2015-05-17T10:05").timestamp(), time_of("17:05")
    (True, None)
    """
    # fromisoformat accepts more than RFC 3339.
    if text is None or not _RFC3339.fullmatch(text):
        return None
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def octets(text: str) -> bytes:
    r"""Return a JSON string as UTF-8. `\udc80` to `\udcff` stand for the bytes 80 to FF, as in the output.

    >>> octets("caf\udce9")
    b'caf\xe9'
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # another lone surrogate, which JSON can hold and UTF-8 cannot
        return text.encode("utf-8", "surrogatepass")
