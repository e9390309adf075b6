"""Find where a line stops to fit a format, and show it in a message: an excerpt with a caret under the place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fasturl.logs.shown import hide_secrets, visible

# The bytes of a line that an excerpt shows before and after the caret.
_BEFORE, _AFTER = 70, 40


class Stop(NamedTuple):
    """The offset at which a line stops to fit a format, and the field that was expected there."""

    at: int
    field: str


def column_of(line: bytes, at: int) -> int:
    """Return the column of this offset, from 1. It counts characters, as editors do."""
    return len(line[:at].decode("utf-8", "surrogateescape")) + 1


def reason(name: str, line: bytes, stop: Stop) -> str:
    """Return why a line is a reject.

    >>> reason("COMMON", b"h - - x", Stop(6, "time"))
    'not in the format COMMON: time, column 7'
    """
    return f"not in the format {name}: {stop.field}, column {column_of(line, stop.at)}"


def excerpt(line: bytes, at: int) -> str:
    r"""Return the line, without secrets and controls, and on a second line a caret under this offset.

    >>> print(excerpt(b"h - - x", 6))
      h - - x
            ^
    """
    start = max(at - _BEFORE, 0)
    end = start + max(at - start + _AFTER, _BEFORE + _AFTER)
    shown = line[start:end].decode("utf-8", "surrogateescape")
    place = len(line[start:at].decode("utf-8", "surrogateescape"))
    hidden = hide_secrets(shown)
    if hidden != shown:
        # The caret stays where it was if the secret is behind it, else it keeps its distance from the end.
        place = place if hidden[:place] == shown[:place] else max(len(hidden) - (len(shown) - place), 0)
    before = ("…" if start else "") + visible(hidden[:place])
    after = visible(hidden[place:]) + ("…" if len(line) > end else "")
    return f"  {before}{after}\n  {' ' * len(before)}^"


@dataclass(frozen=True)
class Mismatch:
    """The first line that is not in a format.

    format : the name of the format
    line, text : the number of the line from 1, and its bytes
    offset, field : where the line stops to fit, and the field that was expected there
    """

    format: str
    line: int
    text: bytes
    offset: int
    field: str

    @property
    def column(self) -> int:
        """The column of the offset, from 1."""
        return column_of(self.text, self.offset)

    def __str__(self) -> str:
        return f"line {self.line:,} is not {self.format}: {self.field}, column {self.column}\n{self.excerpt}"

    @property
    def excerpt(self) -> str:
        """The line, without secrets, and a caret under the place."""
        return excerpt(self.text, self.offset)
