"""Decode, escape and check the components of URLs."""

from __future__ import annotations

import re
from functools import cache
from typing import Final, Literal

from fasturl._fastparse import _break
from fasturl._urllib import unquote_to_bytes
from fasturl.errors import UnbuildableURL, UnsafeURL
from fasturl.schemes._rfc1738 import RAW

MAX_PORT: Final = 65535
# Python converts an int of up to this many digits whatever its configured limit is.
MAX_DIGITS: Final = 640

_HEX = RAW["hex"]
_BAD_ESCAPE = re.compile(rb"%(?![" + _HEX + rb"]{2})")
_NO_BYTE = re.compile("([\ud800-\udc7f\udd00-\udfff])")


def decode(text: str) -> str:
    """Decode a component's escapes, and then UTF-8 with a surrogate for each invalid byte (``surrogateescape``)."""
    if "%" not in text:
        return text
    try:
        data: bytes = unquote_to_bytes(text.encode("utf-8", "surrogateescape"))
    except UnicodeEncodeError:
        # A lone surrogate that stands for no byte. Only text that is not a URL has one.
        return "".join(part if _NO_BYTE.match(part) else decode(part) for part in _NO_BYTE.split(text))
    return data.decode("utf-8", "surrogateescape")


def decode_any(text: str | None) -> str | None:
    """Decode a component. Return None if it is absent."""
    return None if text is None else decode(text)


def bytes_of(value: str, term: str, section: str) -> bytes:
    """Return the bytes that a decoded component stands for.

    Raise UnbuildableURL for text that no bytes decode to: a lone surrogate that ``surrogateescape`` never makes, or
    surrogates that together encode valid UTF-8.
    """
    if not isinstance(value, str):
        raise TypeError(f"{term}: expected str, got {type(value).__name__}")
    if value.isascii():
        return value.encode("ascii")
    try:
        data = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise UnbuildableURL("a surrogate that stands for no byte", term, error.start, section) from None
    back = data.decode("utf-8", "surrogateescape")
    if back != value:
        at = next((i for i, (a, b) in enumerate(zip(back, value, strict=False)) if a != b), len(back))
        raise UnbuildableURL("surrogates that together are UTF-8", term, at, section)
    return data


@cache
def _escapes(raw: bytes) -> list[str]:
    return [chr(byte) if byte in raw else f"%{byte:02X}" for byte in range(256)]


def escape(value: str, term: str, section: str, *, raw: bytes | None = None) -> str:
    """Escape a decoded component for a URL. Bytes that the production derives raw stay."""
    if raw is None:
        raw = RAW[term]
    data = bytes_of(value, term, section)
    if not data.translate(None, raw):
        return value
    escapes = _escapes(raw)
    return "".join([escapes[byte] for byte in data])


def check_written(value: str, term: str, section: str, *, raw: bytes | None = None) -> str:
    """Return a component that is stored as written. Raise UnbuildableURL unless ``*[raw | escape]`` derives it."""
    if raw is None:
        raw = RAW[term]
    data = bytes_of(value, term, section)
    if data.translate(None, raw + b"%"):
        at = next(i for i, char in enumerate(value) if char > "~" or (ord(char) not in raw and char != "%"))
        raise UnbuildableURL("a character that must be escaped", term, at, section)
    if b"%" in data and (bad := _BAD_ESCAPE.search(data)):
        raise UnbuildableURL("% without two hex digits", term, bad.start(), section)
    return value


def repaired(text: str, raw: bytes) -> str:
    """Return a text as written, except that bytes which may not stand raw, and a lone ``%``, become escapes."""
    data = text.encode("utf-8", "surrogatepass") if _NO_BYTE.search(text) else text.encode("utf-8", "surrogateescape")
    broken = rb"%(?![" + _HEX + rb"]{2})|[^%" + re.escape(raw) + rb"]"
    return re.sub(broken, lambda one: b"%%%02X" % ord(one[0]), data).decode()


def checked_name(name: str, term: Literal["host", "group"], section: str = "3.1") -> str:
    """Return the name of a host or newsgroup. Raise UnbuildableURL if it is none."""
    bytes_of(name, term, section)
    at = _break(name, term == "group")
    if at is not None:
        why = "no newsgroup name" if term == "group" else "neither a name nor a number"
        raise UnbuildableURL(why, term, at, section)
    return name


def hostport(host: str, port: int | None, default: int | None) -> str:
    """Return a host and a port as a ``hostport``. Omit the scheme's default port."""
    checked_name(host, "host")
    if port == default or port is None:
        return host
    if not 0 <= port <= MAX_PORT:
        raise UnbuildableURL(f"not in 0-{MAX_PORT}", "port", 0, "3.1")
    return f"{host}:{port}"


# A reader that ends the login at a raw "?" would see another host.
LOGIN_RAW: Final = RAW["user"].replace(b"?", b"")


def userinfo(user: str | None, password: str | None, *, raw: bytes = LOGIN_RAW) -> str:
    """Return ``user:password@``, or an empty text without a user (RFC 1738 section 3.1).

    raw : the bytes that stay raw in user and password
    """
    if user is None:
        if password is not None:
            raise UnbuildableURL("a password without a user", "password", 0, "3.1")
        return ""
    name = escape(user, "user", "3.1", raw=raw)
    return f"{name}@" if password is None else f"{name}:{escape(password, 'password', '3.1', raw=raw)}@"


def unsafe(why: str, term: str, offset: int, section: str = "6") -> UnsafeURL:
    return UnsafeURL(f"{term}: {why} at offset {offset} (RFC 1738 section {section})", term, offset, section)


def check_sendable(value: str, term: str, refused: bytes = b"\r\n\0") -> bytes:
    """Return the bytes to send, or raise UnsafeURL if a byte is refused."""
    if not isinstance(value, str):
        raise TypeError(f"{term}: expected str, got {type(value).__name__}")
    try:
        data = value.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError as error:
        raise unsafe("a surrogate that stands for no byte", term, error.start) from None
    if len(data.translate(None, refused)) < len(data):
        at, byte = next((at, byte) for at, byte in enumerate(data) if byte in refused)
        raise unsafe(f"byte {byte:02X} cannot be sent", term, at)
    return data
