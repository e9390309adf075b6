"""Text for people: nothing that a log holds may drive their terminal."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import IO

from fasturl.logs.shown import hide_passwords, visible


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
    """What is wrong, to the user: every message goes out here."""
    say(f"fasturl: {visible(hide_passwords(message))}")
