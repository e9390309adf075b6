"""Text for people: nothing that a log holds may drive their terminal."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from typing import IO

_UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]")
_UNSAFE_IN_LINES = re.compile(_UNSAFE.pattern.replace(r"\x00-\x1f", r"\x00-\x08\x0b-\x1f"))


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


def visible_lines(octets: bytes) -> bytes:
    """`visible` for a block of whole lines, whose ends and tabs stay."""
    text = octets.decode("utf-8", "surrogateescape")
    return _UNSAFE_IN_LINES.sub(_escape, text).encode("utf-8")


def octets_visible(octets: bytes) -> list[str]:
    r"""One string an octet: itself, or `\xNN` when it is no graphic ASCII character or the space."""
    return [chr(o) if 0x20 <= o < 0x7F else f"\\x{o:02x}" for o in octets]


def is_terminal(stream: IO[str] | int) -> bool:
    try:
        return os.isatty(stream if isinstance(stream, int) else stream.fileno())
    except (OSError, ValueError, AttributeError):
        return False


def say(line: str) -> None:
    """One line on stderr. A stderr that is closed or full must not turn a good run into a bad one."""
    if sys.stderr is not None:
        with contextlib.suppress(OSError, ValueError, UnicodeError):
            print(line, file=sys.stderr, flush=True)


def complain(message: str) -> None:
    say(f"fasturl: {visible(message)}")
