"""Make text safe for messages, because it must not control a terminal or show a password."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from fasturl import SECRET_KEYS, redact
from fasturl._urllib import _redact_text

# Compiled on use: most runs show plain text only.
_UNSAFE = r"[\x00-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff]"
_UNSAFE_IN_LINES = _UNSAFE.replace(r"\x00-\x1f", r"\x00-\x08\x0b-\x1f")
_NOT_UTF8 = "[\\udc80-\\udcff]"
# The characters of a line that an excerpt shows before and after the caret.
_BEFORE, _AFTER = 70, 40
# The bytes around the place that are searched for secrets: a line may have a gigabyte, and the search is slow.
_CONTEXT = 1 << 12
_MARK = b"\0"  # keeps the place in a line that changes


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


def input_name(name: str) -> str:
    """Return the name of an input for an error."""
    return "standard input" if name == "-" else visible(name)


def hide_secrets(text: str) -> str:
    """Return a message without secrets.

    It may hide more than the password, because a password can hold any character. It never hides less.

    >>> hide_secrets("no column http://me:se cret@h/?token=abc; there are: a, b")
    'no column http://me:***@h/?token=*** there are: a, b'
    """
    return redact(_redact_text(text, SECRET_KEYS), ())


class Quote(NamedTuple):
    """A line that an error quotes, and the offset at fault."""

    line: bytes
    at: int

    def excerpt(self, change: Callable[[bytes], bytes] = bytes) -> str:
        """Return the line, without secrets and controls, and on a second line a caret under the offset.

        change : applied to the line first

        Secrets are hidden before the line is cut, because a part may not look like a secret.

        >>> print(Quote(b"h - - x", 6).excerpt())
          h - - x
                ^
        """
        first, last = max(self.at - _CONTEXT, 0), self.at + _CONTEXT
        before, after = self.line[first : self.at], self.line[self.at : last]
        if first:  # the word that is cut may be a part of a secret
            before, is_cut = before.partition(b" ")[2], b" " not in before
            after = after[len(after.partition(b" ")[0]) :] if is_cut else after

        def hidden(line: bytes) -> str:
            return hide_secrets(change(line).decode("utf-8", "surrogateescape"))

        text, marked = hidden(before + after), hidden(before + _MARK + after).partition(_MARK.decode())
        if marked[0] + marked[2] == text:
            place = len(marked[0])
        elif text.startswith(before.decode("utf-8", "surrogateescape")):
            place = len(before.decode("utf-8", "surrogateescape"))
        else:  # the mark stood in a secret
            place = max(len(text) - len(after.decode("utf-8", "surrogateescape")), 0)
        start = max(place - _BEFORE, 0)
        end = start + max(place - start + _AFTER, _BEFORE + _AFTER)
        shown = ("…" if first or start else "") + visible(text[start:place])
        rest = visible(text[place:end]) + ("…" if len(text) > end or len(self.line) > last else "")
        return f"  {shown}{rest}\n  {' ' * len(shown)}^"


def _percent(match: re.Match[str]) -> str:
    return f"%{ord(match.group()) - 0xDC00:02X}"


def as_bytes(text: str) -> bytes:
    r"""Return a JSON string as UTF-8. `\udc80` to `\udcff` stand for the bytes 80 to FF, as in the output.

    >>> as_bytes("caf\udce9")
    b'caf\xe9'
    """
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # another lone surrogate, which JSON can hold and UTF-8 cannot
        return text.encode("utf-8", "surrogatepass")


def escape_bytes(text: bytes) -> bytes:
    r"""Return the text with a percent escape for every byte that is not UTF-8.

    >>> escape_bytes(b"caf\xc3\xa9 caf\xe9")
    b'caf\xc3\xa9 caf%E9'
    """
    return text if text.isascii() else re.sub(_NOT_UTF8, _percent, text.decode("utf-8", "surrogateescape")).encode()


def visible_lines(data: bytes) -> bytes:
    """Apply `visible` to a block of whole lines, except for line feeds and tabs."""
    text = data.decode("utf-8", "surrogateescape")
    return re.sub(_UNSAFE_IN_LINES, _escape, text).encode("utf-8")
