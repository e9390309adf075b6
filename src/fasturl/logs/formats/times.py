"""Times as servers write them: RFC 3339, and forms as for strftime, compiled to programs (logs/time.h)."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache

from fasturl._patterns import lazy_pattern
from fasturl._quoted import quoted, without_secrets
from fasturl.logs.errors import LogError
from fasturl.logs.shown import as_bytes, visible

APACHE_DATE, APACHE_CLOCK, APACHE = "%d/%b/%Y", "%H:%M:%S", "%d/%b/%Y:%H:%M:%S %z"
ISO = "%Y-%m-%dT%H:%M:%S%z"
_LITERAL = b"="
_PIECES = {
    **{letter: letter.encode() for letter in "debmYyHIpMSszafg."},
    **dict.fromkeys("Bh", b"b"),
    **dict.fromkeys("ZA", b"a"),
    "k": b"H",
    "l": b"I",
    "*": b"3",
}
_TOGETHER = {"T": "%H:%M:%S", "R": "%H:%M", "F": "%Y-%m-%d", "D": "%m/%d/%y", "r": "%I:%M:%S %p"}
# The most characters of a format. A longer one is refused before it is read.
FORMAT_MAX = 1 << 16
_SHOWN = 80


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


def excerpt(text: str) -> str:
    """Return the beginning of a piece of a format, for a message. Secrets go first: half of one is not recognised."""
    text = without_secrets(text)
    return visible(text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…")


def check_length(what: str, text: str) -> None:
    """Raise LogError if the text of a format is too long."""
    if len(text) > FORMAT_MAX:
        message = f"{what}: offset {FORMAT_MAX}: a format has {FORMAT_MAX:,} characters at most"
        raise LogError(message, offset=FORMAT_MAX)


def is_whole_time(program: bytes) -> bool:
    """Return True if a program reads a date and a time of day, or seconds since 1970.

    >>> is_whole_time(time_program("%d/%b/%Y")), is_whole_time(time_program("%s"))
    (False, True)
    """
    pieces = re.sub(rb"=.", b"", program, flags=re.DOTALL)  # without literals
    return not {*pieces}.isdisjoint(b"s36") or {*pieces} >= {*b"dH"}


@lru_cache(64)  # detection compiles all formats, and most of them have the same times
def time_program(form: str) -> bytes:
    """Return the program of a form. Raises LogError with the offset of an unknown piece, or for an empty form.

    `%f` is a fraction of a second, `%.` a dot and a fraction, or nothing. As in goaccess, `%f` alone is microseconds
    since 1970, and `%*` milliseconds.

    >>> time_program("%d/%b/%Y")
    b'd=/b=/Y'
    """
    if form == "%f":
        return b"6"
    check_length("the time format", form)
    program, at = bytearray(), 0
    while at < len(form):
        letter = form[at]
        at += 1
        if letter != "%" or form[at : at + 1] == "%":
            program += b"".join(_LITERAL + bytes([byte]) for byte in as_bytes(letter))
            at += letter == "%"
            continue
        piece = form[at : at + 1]
        at += 1
        if piece in _TOGETHER:
            program += time_program(_TOGETHER[piece])
        elif piece in _PIECES:
            program += _PIECES[piece]
        else:
            what = f"the time format {quoted(form)}: offset {at - 2}: unknown %{visible(piece)}"
            raise LogError(what, offset=at - 2)
    if not program:
        raise LogError("the time format: offset 0: it must not be empty", offset=0)
    return bytes(program)
