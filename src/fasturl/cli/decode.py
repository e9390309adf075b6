"""Undoing escapes for people: all but those of control characters, so that a line stays a line."""

from fasturl import unquote_safe


def unquote_line(octets: bytes) -> bytes:
    r"""`fasturl.unquote_safe` from octets to octets: those that are no UTF-8 stay as they are.

    >>> unquote_line(b"a%20b%0d%0AX%FF\xfe")
    b'a b%0d%0AX\xff\xfe'
    """
    return unquote_safe(octets, "utf-8", "surrogateescape").encode("utf-8", "surrogateescape")
