"""Make text of a log or a user safe for messages: it may not control a terminal or show a password."""

from __future__ import annotations

import re

from fasturl._urllib import _redact_text, redact
from fasturl.secrets import SECRET_KEYS

# Compiled on use: most runs show plain text only.
_UNSAFE = r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
_UNSAFE_IN_LINES = _UNSAFE.replace(r"\x00-\x1f", r"\x00-\x08\x0b-\x1f")
_NOT_UTF8 = "[\\udc80-\\udcff]"


def _escape(match: re.Match[str]) -> str:
    code = ord(match.group())
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not UTF-8, as surrogateescape holds it
        code -= 0xDC00
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}"


def visible(text: str | bytes) -> str:
    r"""Return the text with every control character (C0, DEL, C1, bidirectional) and every stray byte as `\xNN`.

    >>> visible(b"a\x1b[31m\xff")
    'a\\x1b[31m\\xff'
    """
    if isinstance(text, bytes):
        text = text.decode("utf-8", "surrogateescape")
    return text if text.isascii() and text.isprintable() else re.sub(_UNSAFE, _escape, text)


def hide_secrets(text: str) -> str:
    """Return the text of a message without secrets.

    It may hide more than the password, because a password can hold any character. It never hides less.

    >>> hide_secrets("no column http://me:se cret@h/?token=abc; there are: a, b")
    'no column http://me:***@h/?token=*** there are: a, b'
    """
    return redact(_redact_text(text, SECRET_KEYS))


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match.group()) - 0xDC00:02X}"


def escape_octets(text: bytes) -> bytes:
    r"""Return the text with every byte that is not UTF-8 as its percent escape.

    >>> escape_octets(b"caf\xc3\xa9 caf\xe9")
    b'caf\xc3\xa9 caf%E9'
    """
    return text if text.isascii() else re.sub(_NOT_UTF8, _percent, text.decode("utf-8", "surrogateescape")).encode()


def visible_lines(octets: bytes) -> bytes:
    """Apply `visible` to a block of whole lines, except for line feeds and tabs."""
    text = octets.decode("utf-8", "surrogateescape")
    return re.sub(_UNSAFE_IN_LINES, _escape, text).encode("utf-8")
