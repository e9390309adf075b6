"""What never reaches a protocol's wire decoded (RFC 1738 section 6)."""

from __future__ import annotations

import re

from fasturl.errors_build import UnsafeURL

_DELIMITERS = re.compile(rb"[\r\n\0]")
_DELIMITERS_AND_TAB = re.compile(rb"[\r\n\0\t]")


def check_sendable(value: str, term: str, *, tab: bool = True) -> bytes:
    """The octets to send; UnsafeURL for a CR, LF or NUL (or TAB, unless ``tab``) among them."""
    try:
        octets = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise UnsafeURL("a surrogate that stands for no octet", term, error.start, "6") from None
    found = (_DELIMITERS if tab else _DELIMITERS_AND_TAB).search(octets)
    if found:
        raise UnsafeURL(f"octet {found[0][0]:02X} cannot be sent", term, found.start(), "6")
    return octets
