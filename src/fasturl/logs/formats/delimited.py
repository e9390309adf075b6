"""CSV and its kin: the URL is one column. A quoted value may hold line ends, so a record may take several
lines.

Read octet by octet in linear time, and forgiving: a quote that opens no value is an octet like any other,
where a stricter reader would stop or, worse, swallow the rest of the file.
"""

from __future__ import annotations

import re

from fasturl.logs.errors import LogError
from fasturl.logs.formats.keeping import keep_columns
from fasturl.logs.formats.records import LineFormat, Records
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.shown import visible

_INSIDE = re.compile(rb'[^"]*+(?:""[^"]*+)*+')
_HELD_AT_MOST = 64 << 20


class Delimited(LineFormat):
    """`--column NAME` or `--column N` (from 1). A row without that column is rejected, an empty value is
    counted.
    """

    name = "CSV"

    def __init__(self, column: str, delimiter: bytes = b",", headers: bool = True, form: str = "url") -> None:
        if len(delimiter) != 1 or delimiter in b'"\r\n':
            raise LogError("--delimiter: give one octet that is no quote and no line end")
        self._column = column
        self._number = int(column) if column.isascii() and column.isdigit() else None
        if self._number == 0:
            raise LogError("--column 0: columns are counted from 1")
        if self._number is None and not headers:
            raise LogError(f"--column {visible(column)}: without a header line, give a number")
        self._place = None if headers else self._number and self._number - 1
        self._wanted: tuple[str, ...] = ()
        self._has_names = headers
        self._kept_places: list[int] = []
        self._enough = (self._place or 0) + 1  # values of a record that are looked at
        self._delimiter = delimiter
        other = b"[^" + re.escape(delimiter) + b"]*+"
        self._value = re.compile(
            rb'(?:"([^"]*+(?:""[^"]*+)*+)"(' + other + rb")|(" + other + rb"))(?:(" + re.escape(delimiter) + rb")|\Z)"
        )
        if form == "request-target":
            self.targets = frozenset({column})
        # The lines of a record that has not ended: number, raw, stripped.
        self._held: list[tuple[int, bytes, bytes]] = []
        self._octets_held = 0
        self._open = False

    def _ends_open(self, line: bytes, is_open: bool) -> bool:
        """Whether a quoted value goes on past the end of the line."""
        at = 0
        while True:
            if not is_open:
                if line[at : at + 1] == b'"':
                    is_open = True
                    at += 1
                else:
                    at = line.find(self._delimiter, at) + 1
                    if not at:
                        return False
                    continue
            inside = _INSIDE.match(line, at)
            at = inside.end() if inside else at
            if at == len(line):
                return True
            is_open = False
            at = line.find(self._delimiter, at + 1) + 1
            if not at:
                return False

    def keep(self, wanted: tuple[str, ...]) -> None:
        self._wanted = wanted

    def _keep_of(self, names: list[str]) -> None:
        """Now that the names of the columns are known, or how many there are."""
        if not self._wanted:
            return
        assert self._place is not None
        numbers = {str(place): name for place, name in enumerate(names, 1) if str(place) not in names}
        wanted = tuple(numbers.get(name, name) for name in self._wanted)
        own = names[self._place] if self._place < len(names) else None
        self.kept = keep_columns(wanted, names, own)
        self._kept_places = [names.index(kept.source) for kept in self.kept]
        self._enough = max(self._place, *self._kept_places, self._place) + 1

    def _values(self, record: bytes, enough: int | None = None) -> list[bytes | None]:
        """The values, None for one that is nothing between the delimiters."""
        values: list[bytes | None] = []
        for match in self._value.finditer(record):
            quoted, after, bare, delimiter = match.groups()
            values.append(bare or None if quoted is None else quoted.replace(b'""', b'"') + after)
            if delimiter is None or len(values) == enough:
                break
        return values

    def _read_header(self, record: bytes) -> None:
        names = [value or b"" for value in self._values(record)]
        wanted = self._column.encode("utf-8", "surrogateescape")
        if wanted in names:
            self._place = names.index(wanted)
        elif self._number is not None:
            self._place = self._number - 1
        else:
            listed = ", ".join(visible(name) for name in names[:50])
            what = f"there is no column {visible(self._column)}; there are: {listed}"
            raise LogError(what, "--column NAME or --delimiter CHAR")
        self._enough = self._place + 1
        self._keep_of([name.decode("utf-8", "surrogateescape") for name in names])

    def _take_record(self, records: Records) -> None:
        held, self._held, self._octets_held = self._held, [], 0
        first, raw, record = held[0]
        if len(held) > 1:
            # What stood between the lines belongs to the value, a carriage return included.
            raw = b"\n".join(line for _, line, _ in held)
            record = b"\n".join([line for _, line, _ in held[:-1]] + [held[-1][2]])
        if self._place is None:
            self._read_header(record)
            return
        if self._wanted and not self._has_names:
            self._has_names = True
            self._keep_of([str(place) for place in range(1, len(self._values(record)) + 1)])
        values = self._values(record, self._enough)
        if len(values) <= self._place:
            records.rejects.append((first, raw))
        elif not values[self._place]:
            records.empty += 1
        else:
            kept = tuple([values[place] if place < len(values) else None for place in self._kept_places])
            records.add(first, self._column, values[self._place], kept=kept)

    def _reject_held(self, records: Records) -> None:
        records.rejects.extend((number, raw) for number, raw, _ in self._held)
        self._held, self._octets_held, self._open = [], 0, False

    def read(self, lines: Lines) -> Records:
        records = Records()
        records.lines = lines.count
        for at, line in enumerate(lines.stripped):
            if not line and not self._open:
                records.empty += 1
                continue
            self._held.append((lines.first + at, lines.raw[at], line))
            self._octets_held += len(line)
            if self._open or b'"' in line:
                self._open = self._ends_open(line, self._open)
            if not self._open:
                self._take_record(records)
            elif len(self._held) > 1 and self._octets_held > _HELD_AT_MOST:
                self._reject_held(records)
        return records

    def finish(self) -> Records | None:
        if not self._held:
            return None
        records = Records()
        self._reject_held(records)
        return records
