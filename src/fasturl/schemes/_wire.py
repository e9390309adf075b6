"""Refuse decoded characters that must never reach a protocol's wire (RFC 1738 section 6)."""

from __future__ import annotations

from fasturl.errors import UnsafeURL


def unsafe(why: str, term: str, offset: int, section: str = "6") -> UnsafeURL:
    return UnsafeURL(f"{term}: {why} at offset {offset} (RFC 1738 section {section})", term, offset, section)


def check_sendable(value: str, term: str, refused: bytes = b"\r\n\0") -> bytes:
    """Return the bytes to send, or raise UnsafeURL if one of them is refused."""
    if not isinstance(value, str):
        raise TypeError(f"{term}: expected str, got {type(value).__name__}")
    try:
        octets = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise unsafe("a surrogate that stands for no octet", term, error.start) from None
    if len(octets.translate(None, refused)) < len(octets):
        at, octet = next((at, octet) for at, octet in enumerate(octets) if octet in refused)
        raise unsafe(f"octet {octet:02X} cannot be sent", term, at)
    return octets
