"""Records: what every format of input makes of its lines.

A record is one request, or one URL of an input that is no log: where it stood and what the log says around it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from fasturl.logs.errors import LogError
from fasturl.logs.inputs.lines import Lines

# What a log tells about a request, in the order of the output's columns.
DETAILS = ("client", "user", "time", "method", "protocol", "status", "size", "agent", "vhost")
Value = bytes | str | int | bool | tuple[str, ...] | None
Detail = tuple[Value, ...]

TARGET, REFERER, URL = "target", "referer", "url"
ALL = "*"  # of the columns to keep


class Kept(NamedTuple):
    """A column of an input that goes out with the rest: its name there, and here, and its Arrow type, None for text."""

    source: str
    name: str
    type: Any = None


class Records:
    """The records of some lines, column by column, and what became of the other lines."""

    __slots__ = ("details", "empty", "fields", "kept", "lines", "numbers", "referers", "rejects", "urls")

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.fields: list[str] = []
        self.urls: list[bytes | None] = []
        self.referers: list[bytes | None] = []
        self.details: list[Detail] = []
        self.kept: list[tuple[bytes | None, ...]] = []  # of each record, when columns are kept
        self.rejects: list[tuple[int, bytes]] = []
        self.lines = 0
        self.empty = 0

    def add(
        self,
        number: int,
        field: str,
        url: bytes | None,
        detail: Detail = (),
        referer: bytes | None = None,
        kept: tuple[bytes | None, ...] = (),
    ) -> None:
        """One URL by the name of its field; a request with its referer, either of which may be absent."""
        self.numbers.append(number)
        self.fields.append(field)
        self.urls.append(url)
        self.referers.append(referer)
        self.details.append(detail)
        self.kept.append(kept)

    def by_url(self) -> Records:
        """The same with a record for each URL."""
        one_each = Records()
        rows = zip(self.numbers, self.fields, self.urls, self.details, self.referers, self.kept, strict=True)
        for number, field, url, detail, referer, kept in rows:
            if url is not None:
                one_each.add(number, field, url, detail, kept=kept)
            if referer is not None:
                one_each.add(number, REFERER, referer, detail, kept=kept)
        return one_each

    def extend(self, more: Records) -> None:
        """Add the records of the lines that follow."""
        for name in ("numbers", "fields", "urls", "referers", "details", "kept", "rejects"):
            getattr(self, name).extend(getattr(more, name))
        self.lines += more.lines
        self.empty += more.empty


class LineFormat:
    """How lines of one input are read. One object an input: some formats carry state from line to line."""

    name = "URLS"
    details: tuple[str, ...] = ()
    # The columns that are kept beside those, once the first lines are read.
    kept: tuple[Kept, ...] = ()
    # Which fields hold what an HTTP request line holds; all others hold URLs.
    targets: frozenset[str] = frozenset()

    def columns(self, by_request: bool) -> tuple[str, ...]:
        """What there is to say of a row but its URL."""
        return (*self.details, REFERER) if by_request and self.details else self.details

    def keep(self, wanted: tuple[str, ...]) -> None:
        """Columns of the input that go out, by name or `*`; before any line is read. LogError where there are none."""
        if wanted != (ALL,):
            raise LogError(f"--keep: what {self.records} has no columns beside those of the output")

    # Whether each line stands by itself and whole blocks are read to columns at once; else `read` is asked.
    reads_blocks = False

    # Whether a line may tell how those after it are read; `changes_state` says which.
    keeps_state = False

    def changes_state(self, line: bytes) -> bool:
        return False

    @property
    def records(self) -> str:
        """What a line must be or have, for people."""
        return f"is in the format {self.name}"

    def matches(self, line: bytes) -> bool:
        """Whether the line is in the format, for one who looks for it; asked of the lines in their order."""
        return False

    def read(self, lines: Lines) -> Records:
        raise NotImplementedError

    def finish(self) -> Records | None:
        """What is left when the input has ended."""
        return None
