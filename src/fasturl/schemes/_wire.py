"""What never reaches a protocol's wire decoded (RFC 1738 section 6)."""

from __future__ import annotations

import re

from fasturl.errors import UnsafeURL

_DELIMITERS = re.compile(rb"[\r\n\0]")
_DELIMITERS_AND_TAB = re.compile(rb"[\r\n\0\t]")


def unsafe(why: str, term: str, offset: int, section: str = "6") -> UnsafeURL:
    return UnsafeURL(f"{term}: {why} at offset {offset} (RFC 1738 section {section})", term, offset, section)


def check_sendable(value: str, term: str, *, tab: bool = True) -> bytes:
    """The octets to send; UnsafeURL for a CR, LF or NUL (or TAB, unless ``tab``) among them."""
    if not isinstance(value, str):
        raise TypeError(f"{term}: expected str, got {type(value).__name__}")
    try:
        octets = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise unsafe("a surrogate that stands for no octet", term, error.start) from None
    found = (_DELIMITERS if tab else _DELIMITERS_AND_TAB).search(octets)
    if found:
        raise unsafe(f"octet {found[0][0]:02X} cannot be sent", term, found.start())
    return octets
