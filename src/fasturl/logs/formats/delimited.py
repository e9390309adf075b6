"""CSV and similar formats. The URL is a column. A quoted value may hold line ends, so a record may take several lines.

The reader is linear and lenient. A quote that opens no value is an ordinary byte. A stricter reader would stop there or
take the rest of the file as one value.
"""

from __future__ import annotations

import re

from fasturl._patterns import lazy_pattern
from fasturl._quoted import unknown
from fasturl.logs.errors import LogError, SettingError
from fasturl.logs.formats.evidence import LIKE_DATA, url_start
from fasturl.logs.formats.records import LineFormat, Records, column_number, keep_columns
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.shown import visible

_INSIDE = lazy_pattern(rb'[^"]*+(?:""[^"]*+)*+')
_HELD_AT_MOST = 64 << 20
# The memory of Python's objects per held line, besides its text.
_LINE_OVERHEAD = 200


class DelimitedTable(LineFormat):
    """A table whose URL column has a name, or a number from 1. A row without the column is a reject."""

    name = "CSV"

    def __init__(self, column: str, delimiter: bytes = b",", headers: bool = True, form: str = "url") -> None:
        if len(delimiter) != 1 or delimiter in b'"\r\n':
            raise SettingError("delimiter: it must be one byte, but not a quote or a line end")
        super().__init__(column, form)
        self._number = column_number(column)
        if self._number == 0:
            raise SettingError("column 0: the first column is 1")
        if self._number is None and not headers:
            raise SettingError(f"column {visible(column)}: without a header line, columns have no names: give a number")
        self._place = None if headers else self._number and self._number - 1
        self._wanted: tuple[str, ...] = ()
        self._has_names = headers
        self._kept_places: list[int] = []
        self._enough = (self._place or 0) + 1  # how many values of a record are needed
        self._delimiter = delimiter
        other = b"[^" + re.escape(delimiter) + b"]*+"
        self._value = re.compile(
            rb'(?:"([^"]*+(?:""[^"]*+)*+)"(' + other + rb")|(" + other + rb"))(?:(" + re.escape(delimiter) + rb")|\Z)"
        )
        # The lines of an unfinished record: number, raw, stripped.
        self._held: list[tuple[int, bytes, bytes]] = []
        self._bytes_held = 0
        self._open = False
        # A URL is sought with this pattern if the first line looks like data. None once a row has a URL.
        self._sought: re.Pattern[bytes] | None = None

    def _ends_open(self, line: bytes, is_open: bool) -> bool:
        """Return True if a quoted value continues after the end of the line."""
        at = 0
        while True:
            if is_open or line[at : at + 1] == b'"':
                inside = _INSIDE.match(line, at + (not is_open))
                at = inside.end() if inside else at
                if at == len(line):
                    return True
                is_open = False
                at += 1
            at = line.find(self._delimiter, at) + 1
            if not at:
                return False

    def keep(self, wanted: tuple[str, ...]) -> None:
        self._wanted = wanted
        self.kept = None

    def _set_kept(self, names: list[str]) -> None:
        """Find the columns to keep, now that all column names are known."""
        if not self._wanted:
            return
        assert self._place is not None
        first = {name: place for place, name in reversed([*enumerate(names)])}
        numbers = {str(place): name for place, name in enumerate(names, 1) if str(place) not in first}
        wanted = tuple(numbers.get(name, name) for name in self._wanted)
        own = names[self._place] if self._place < len(names) else None
        kept = self.kept = keep_columns(wanted, names, own)
        self._kept_places = [first[each.source] for each in kept]
        self._enough = max([self._place, *self._kept_places]) + 1

    def _values(self, record: bytes, enough: int | None = None) -> list[bytes | None]:
        """Return the values. A value without any text and quotes is None."""
        values: list[bytes | None] = []
        for match in self._value.finditer(record):
            quoted, after, bare, delimiter = match.groups()
            values.append(bare or None if quoted is None else quoted.replace(b'""', b'"') + after)
            if delimiter is None or len(values) == enough:
                break
        return values

    def _read_header(self, record: bytes) -> None:
        names = [value or b"" for value in self._values(record)]
        wanted = self.field.encode("utf-8", "surrogateescape")
        if wanted in names:
            self._place = names.index(wanted)
        elif self._number is not None:
            self._place = self._number - 1
            own = names[self._place] if self._place < len(names) else b""
            if own.startswith(b"/") or b"://" in own:
                raise self._no_header()
            if any(map(LIKE_DATA.match, names)):
                self._sought = url_start()
        else:
            what = unknown("column", self.field, map(visible, names[:50]))
            raise LogError(str(what), settings=("column", "delimiter"))
        self._enough = self._place + 1
        self._set_kept([name.decode("utf-8", "surrogateescape") for name in names])

    def _no_header(self) -> LogError:
        return LogError(
            f"column {self._number}: the first line has data instead of column names", settings=("headers",)
        )

    def _take_record(self, records: Records) -> None:
        held, self._held, self._bytes_held = self._held, [], 0
        first, raw, record = held[0]
        if len(held) > 1:
            # The line ends, with their carriage returns, belong to the value.
            raw = b"\n".join(line for _, line, _ in held)
            record = b"\n".join([line for _, line, _ in held[:-1]] + [held[-1][2]])
        if self._place is None:
            self._read_header(record)
            return
        if self._wanted and not self._has_names:
            self._has_names = True
            self._set_kept([str(place) for place in range(1, len(self._values(record)) + 1)])
        values = self._values(record, self._enough)
        if len(values) <= self._place:
            records.rejects.append((first, raw))
        elif not (url := values[self._place]):
            records.empty += 1
        else:
            kept = tuple([values[place] if place < len(values) else None for place in self._kept_places])
            if self._sought is not None and self._sought.match(url):
                self._sought = None
            records.add(first, url, kept)

    def _reject_held(self, records: Records) -> None:
        records.rejects.extend((number, raw) for number, raw, _ in self._held)
        self._held, self._bytes_held, self._open = [], 0, False

    def read(self, lines: Lines) -> Records:
        records = Records()
        records.lines = lines.count
        for at, line in enumerate(lines.stripped):
            if not line and not self._open:
                records.empty += 1
                continue
            self._held.append((lines.first + at, lines.raw[at], line))
            self._bytes_held += len(line) + _LINE_OVERHEAD
            if self._open or b'"' in line:
                self._open = self._ends_open(line, self._open)
            if not self._open:
                self._take_record(records)
            elif len(self._held) > 1 and self._bytes_held > _HELD_AT_MOST:
                self._reject_held(records)
        return records

    def finish(self) -> Records | None:
        if self._sought is not None:
            raise self._no_header()
        if not self._held:
            return None
        records = Records()
        self._reject_held(records)
        return records
