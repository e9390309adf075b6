"""Undoing escapes for people: all but those of control octets, so that a line stays a line."""

from __future__ import annotations

import re

from fasturl import unquote_to_bytes

_CONTROL = re.compile(rb"((?:%(?:[01][0-9A-Fa-f]|7[Ff]))+)")


def unquote_line(octets: bytes) -> bytes:
    r"""The octets that escapes stand for, but for controls (00-1F and 7F), whose escapes stay.

    >>> unquote_line(b"a%20b%0d%0AX%FF")
    b'a b%0d%0AX\xff'
    """
    if b"%" not in octets:
        return octets
    pieces = _CONTROL.split(octets)
    # Every other piece is what the pattern took.
    pieces[::2] = map(unquote_to_bytes, pieces[::2])
    return b"".join(pieces)
