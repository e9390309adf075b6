"""Times and text as servers write them into logs."""

from __future__ import annotations

from datetime import UTC, datetime

from fasturl._patterns import lazy_pattern

_RFC3339 = lazy_pattern(r"[0-9-]{10}(?:[T ][0-9:]{5,8}(?:\.[0-9]{1,9})?(?:[Zz]|[+-][0-9:]{2,5})?)?")


def time_of(text: str | None) -> datetime | None:
    """Return the time in UTC of an RFC 3339 text, which may end after the date or the minute, or None for other text.

    A time without a zone is UTC. A time is None if UTC has it in another year than 1 to 9999: no datetime has it.

    >>> time_of("2015-05-17T12:05+02:00") == time_of("2015-05-17T10:05"), time_of("0001-01-01T00:00+01:00")
    (True, None)
    """
    # fromisoformat accepts more than RFC 3339.
    if text is None or not _RFC3339.fullmatch(text):
        return None
    try:
        time = datetime.fromisoformat(text)
        return time.astimezone(UTC) if time.tzinfo else time.replace(tzinfo=UTC)
    except (ValueError, OverflowError):
        return None


def octets(text: str) -> bytes:
    r"""Return a JSON string as UTF-8. `\udc80` to `\udcff` stand for the bytes 80 to FF, as in the output.

    >>> octets("caf\udce9")
    b'caf\xe9'
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # another lone surrogate, which JSON can hold and UTF-8 cannot
        return text.encode("utf-8", "surrogatepass")
