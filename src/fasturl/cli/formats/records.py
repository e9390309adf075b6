"""Records: what every format of input makes of its lines.

A record is one URL, where it stood (line, field) and what the log says around it.
"""

from __future__ import annotations

from operator import itemgetter

from fasturl.cli.inputs.lines import Lines

# What a log tells about a request, in the order of the output's columns.
DETAILS = ("client", "user", "time", "method", "protocol", "status", "size", "agent", "vhost")
Value = bytes | str | int | bool | tuple[str, ...] | None
Detail = tuple[Value, ...]

TARGET, REFERER, URL = "target", "referer", "url"


class Records:
    """The records of some lines, column by column, and what became of the other lines."""

    __slots__ = ("details", "empty", "fields", "lines", "numbers", "rejects", "urls")

    def __init__(self) -> None:
        self.numbers: list[int] = []
        self.fields: list[str] = []
        self.urls: list[bytes] = []
        self.details: list[Detail] = []
        self.rejects: list[tuple[int, bytes]] = []
        self.lines = 0
        self.empty = 0

    def add(self, number: int, field: str, url: bytes, detail: Detail = ()) -> None:
        self.numbers.append(number)
        self.fields.append(field)
        self.urls.append(url)
        self.details.append(detail)

    def drop_longer(self, most: int) -> None:
        """Make rejects of the URLs of `most` octets and more."""
        for at in reversed([at for at, url in enumerate(self.urls) if len(url) >= most]):
            self.rejects.append((self.numbers[at], self.urls[at]))
            for column in (self.numbers, self.fields, self.urls, self.details):
                del column[at]
        self.rejects.sort(key=itemgetter(0))


class Format:
    """How lines of one input are read. One object an input: some formats carry state from line to line."""

    name = "URLS"
    details: tuple[str, ...] = ()
    # Which fields hold what an HTTP request line holds; all others hold URLs.
    targets: frozenset[str] = frozenset()

    @property
    def is_plain(self) -> bool:
        """Whether each line stands by itself, and whole batches of them can be read as columns."""
        return False

    def read(self, lines: Lines) -> Records:
        raise NotImplementedError

    def finish(self) -> Records | None:
        """What is left when the input has ended."""
        return None
