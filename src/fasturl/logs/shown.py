"""Text of a log or a user in messages: it may neither drive a terminal nor tell a password."""

from __future__ import annotations

import re

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
_UNSAFE_IN_LINES = re.compile(_UNSAFE.pattern.replace(r"\x00-\x1f", r"\x00-\x08\x0b-\x1f"))
_NOT_UTF8 = re.compile("[\\udc80-\\udcff]")
_SLASHES = re.compile(r"[/\\]{2}")


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if 0xDC80 <= code <= 0xDCFF:  # an octet that is no UTF-8, as surrogateescape holds it
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def visible(text: str | bytes) -> str:
    r"""The text with every control (C0, DEL, C1, those that reorder text) and every stray octet written as
    `\xNN`.

    >>> visible(b"a\x1b[31m\xff")
    'a\\x1b[31m\\xff'
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    return _UNSAFE.sub(_escape, text)


def hide_passwords(text: str) -> str:
    """The text of a message, which may quote what a user typed or a file holds, without any URL's password.

    What stands from the first colon behind two slashes to the last `@` goes. That may be more than a password, which
    can hold any character, but never less.

    >>> hide_passwords("no column http://me:se cret@h/; there are: a, b")
    'no column http://me:***@h/; there are: a, b'
    """
    start = _SLASHES.search(text)
    colon = text.find(":", start.end()) if start else -1
    end = text.rfind("@")
    return f"{text[: colon + 1]}***{text[end:]}" if 0 <= colon < end else text


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match.group()) - 0xDC00:02X}"


def escape_octets(text: bytes) -> bytes:
    r"""The text with every octet that cannot be UTF-8 written as its escape, which every reader takes.

    >>> escape_octets(b"caf\xc3\xa9 caf\xe9")
    b'caf\xc3\xa9 caf%E9'
    """
    return text if text.isascii() else _NOT_UTF8.sub(_percent, text.decode("utf-8", "surrogateescape")).encode()


def visible_lines(octets: bytes) -> bytes:
    """`visible` for a block of whole lines, whose ends and tabs stay."""
    text = octets.decode("utf-8", "surrogateescape")
    return _UNSAFE_IN_LINES.sub(_escape, text).encode("utf-8")
