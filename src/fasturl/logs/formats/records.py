"""Records, which every format reads from lines, and the formats' base class.

A record is a request in a log, or a URL in another input. It has a line number, a URL, and the log's details.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from fasturl._quoted import unknown
from fasturl.logs.columns import COLUMNS, REFERER, URL
from fasturl.logs.errors import LogError, SettingError
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.shown import Quote, as_bytes, escape_bytes, visible

ALL = "*"  # in a list of columns to keep
_SHOWN_AT_MOST = 50
_NUMBER_END = 20  # a text of so many digits is a name: Python converts thousands of digits slowly, or not at all


class PassthroughColumn(NamedTuple):
    """An input column to copy to the output. source : the input's name; type : the Arrow type, or None for text"""

    source: str
    name: str
    type: Any = None


def column_number(column: str) -> int | None:
    """Return the number, from 1, that stands for a column, or None for a name."""
    return int(column) if column.isascii() and column.isdigit() and len(column) < _NUMBER_END else None


def keep_columns(wanted: tuple[str, ...], there: Sequence[str], own: str | None) -> tuple[PassthroughColumn, ...]:
    """Return the wanted columns that are there. `*` is every column except `own`, which holds the URL.

    A name that another output column has gets the prefix `input_`. Bytes that are not UTF-8 are escaped. Raises
    LogError for a column that is not there.

    >>> [kept.name for kept in keep_columns(("*",), ["id", "path", "u"], "u")]
    ['id', 'input_path']
    """
    found: dict[str, None] = {}
    known = frozenset(there)
    for name in wanted:
        if name == ALL:
            found |= dict.fromkeys(each for each in there if each != own)
        elif name in known:
            found[name] = None
        else:
            raise LogError(str(unknown("column", name, map(visible, there[:_SHOWN_AT_MOST]))), settings=("keep",))
    names: set[str] = set(COLUMNS)
    kept = []
    for source in found:
        name = escape_bytes(as_bytes(source)).decode()
        while not name or name in names:
            name = f"input_{name}"
        names.add(name)
        kept.append(PassthroughColumn(source, name))
    return tuple(kept)


class Stop(NamedTuple):
    """The offset at which a line stops to fit a format, and the field that was expected there."""

    at: int
    field: str


def column_of(line: bytes, at: int) -> int:
    """Return an offset's column, from 1. It counts characters, as editors do."""
    return len(line[:at].decode("utf-8", "surrogateescape")) + 1


@dataclass(frozen=True)
class Mismatch:
    """The first line that is not in a format.

    Parameters
    ----------
    format : str
        The format's name.
    line : int
        The line's number, from 1.
    text : bytes
        The line.
    offset : int
        Where the line stops to fit, in bytes.
    field : str
        The field that was expected there.
    """

    format: str
    line: int
    text: bytes
    offset: int
    field: str

    @property
    def column(self) -> int:
        """The offset's column in characters, from 1."""
        return column_of(self.text, self.offset)

    def __str__(self) -> str:
        return f"line {self.line:,} is not {self.format}: {self.field}, column {self.column}\n{self.excerpt}"

    @property
    def excerpt(self) -> str:
        """The line without secrets, and a caret under the offset."""
        return Quote(self.text, self.offset).excerpt()


@dataclass(eq=False, repr=False, slots=True)
class Records:
    """The records from a batch of lines, with a list per column, and the rejects among the lines."""

    numbers: list[int] = field(default_factory=list)
    urls: list[bytes] = field(default_factory=list)
    kept: list[tuple[bytes | None, ...]] = field(default_factory=list)  # per record, if input columns are kept
    rejects: list[tuple[int, bytes]] = field(default_factory=list)
    lines: int = 0
    empty: int = 0

    def add(self, number: int, url: bytes, kept: tuple[bytes | None, ...]) -> None:
        self.numbers.append(number)
        self.urls.append(url)
        self.kept.append(kept)

    def extend(self, more: Records) -> None:
        """Append the records of the next batch."""
        for name in ("numbers", "urls", "kept", "rejects"):
            getattr(self, name).extend(getattr(more, name))
        self.lines += more.lines
        self.empty += more.empty


@dataclass(frozen=True, eq=False)
class LogFormat:
    """A log format, from ``line_format`` or ``json_format``.

    Parameters
    ----------
    name : str
        The format's name.
    description : str
        What the lines are.
    make : callable
        Returns a new reader for an input.
    text : str
        A goaccess string that every line fits, or "".
    """

    name: str
    description: str
    make: Callable[[], LineFormat]
    text: str = ""


class LineFormat:
    """Reads an input's lines. Each input has a separate object, because some formats keep state between lines."""

    name = "URLS"
    # The format that was inferred from the lines.
    format_string = ""
    # The program whose formats a custom one is read as.
    dialect = ""
    details: tuple[str, ...] = ()
    # The input columns that are kept. None until a line names the columns; no record comes before that line.
    kept: tuple[PassthroughColumn, ...] | None = ()
    # The fields that hold request targets. All others hold URLs.
    targets: frozenset[str] = frozenset()

    # If a line has a single URL: the field that holds it, and its form.
    field = URL
    form = "url"

    def __init__(self, field: str = URL, form: str = "url") -> None:
        self.field, self.form = field, form
        if form == "request-target":
            self.targets = frozenset({field})

    def columns(self, by_request: bool) -> tuple[str, ...]:
        """Return the names of a row's detail columns."""
        return (*self.details, REFERER) if by_request and self.details else self.details

    def keep(self, wanted: tuple[str, ...]) -> None:
        """Choose the input columns to copy, by name or `*`, before any line is read. Raises LogError."""
        if wanted != (ALL,):
            raise SettingError(f"keep: the format {self.name} has no further fields")

    # True if lines are independent, so that the kernel reads whole blocks into columns. Else `read` reads them.
    reads_blocks = False

    def is_header(self, line: bytes) -> bool:
        """Return True for a line that names the fields in other lines."""
        return False

    def is_other_message(self, line: bytes) -> bool:
        """Return True for a reject that the format knows as another message, such as an object without a request."""
        return False

    def look_ahead(self, lines: Lines) -> None:
        """Determine the kept columns if the format is read in blocks. Called until the columns are known."""

    # True if a line can change how later lines are read. `changes_state` returns True for such a line.
    keeps_state = False

    def changes_state(self, line: bytes) -> bool:
        return False

    def parts(self, lines: Lines) -> Iterator[tuple[LineFormat, Lines]]:
        """Divide lines that are read in blocks where their format changes."""
        yield self, lines

    @property
    def records(self) -> str:
        """Say what a line of this format is or has, as the end of a sentence."""
        return f"is in the format {self.name}"

    def matches(self, line: bytes) -> bool:
        """Return True if the line is in the format. The lines come in order."""
        return False

    @property
    def detects(self) -> Callable[[bytes], bool]:
        """The function that tells whether a line is a sign of this format, for detection."""
        return self.matches

    def stop(self, line: bytes) -> Stop:
        """Return where a line that is not in the format stops to fit."""
        return Stop(0, "line")

    def read(self, lines: Lines) -> Records:
        raise NotImplementedError

    def finish(self) -> Records | None:
        """Return the records that the end of the input completes."""
        return None
