"""Find where a line stops to fit a format, and say it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from fasturl.logs.shown import Quote


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
        return Quote(self.text, self.offset).excerpt()
