"""Forms of times, as strftime spells them, to programs of the kernel (logs/moment.h)."""

from __future__ import annotations

from fasturl.logs.errors import LogError
from fasturl.logs.shown import visible

APACHE_DATE, APACHE_CLOCK, APACHE = "%d/%b/%Y", "%H:%M:%S", "%d/%b/%Y:%H:%M:%S %z"
ISO = "%Y-%m-%dT%H:%M:%S%z"
_LITERAL = b"="
_PIECES = {
    **{letter: letter.encode() for letter in "debmYyHIpMSsz"},
    "B": b"b",
    "h": b"b",
    "k": b"H",
    "l": b"I",
    "Z": b"a",
    "a": b"a",
    "A": b"a",
    "f": b"f",
    "*": b"3",
}
_TOGETHER = {"T": "%H:%M:%S", "R": "%H:%M", "F": "%Y-%m-%d", "D": "%m/%d/%y", "r": "%I:%M:%S %p"}
# Pieces that tell a day.
DATES = frozenset(b"Yys36")


def time_program(form: str) -> bytes:
    """The program of a form. LogError for a form with a piece that is not known, or with none.

    `%f` is a fraction of a second; as goaccess has it, by itself microseconds since 1970, and `%*` milliseconds.

    >>> time_program("%d/%b/%Y")
    b'd=/b=/Y'
    """
    if form == "%f":
        return b"6"
    program, at = b"", 0
    while at < len(form):
        letter = form[at]
        at += 1
        if letter != "%" or form[at : at + 1] == "%":
            program += b"".join(_LITERAL + bytes([octet]) for octet in letter.encode("utf-8", "surrogateescape"))
            at += letter == "%"
            continue
        piece = form[at : at + 1]
        at += 1
        if piece in _TOGETHER:
            program += time_program(_TOGETHER[piece])
        elif piece in _PIECES:
            program += _PIECES[piece]
        else:
            raise LogError(f"the time format {visible(form)!r}: offset {at - 2}: there is no %{visible(piece)}")
    if not program:
        raise LogError("a time format must not be empty")
    return program
