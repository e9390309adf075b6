"""The output of `fasturl check`, one line per fault: text or JSON lines.

Only URLs with findings are searched for the places of their faults. Memory does not grow with the number of faults.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from itertools import islice
from json import dumps as _json
from operator import itemgetter
from typing import Literal

import pyarrow as pa

from fasturl import SECRET_KEYS, Finding, _columns, redact
from fasturl._fastparse import Findings
from fasturl._findings import FINDING_NAMES
from fasturl.arrow.columns_in import spread
from fasturl.cli.failure import LINE_TOO_LONG
from fasturl.cli.imports import arrow_module
from fasturl.cli.outputs.located import KeptLines, Place
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.columns import REFERER, TARGET, Standard
from fasturl.logs.inputs.source import Source
from fasturl.logs.shown import escape_bytes, visible
from fasturl.logs.units import Unit

_REJECTED = "REJECTED"
# Length up to which each fault in JSON repeats its URL. A longer URL is written with its first fault only, else the
# output would grow with the square of the URL's length.
_MAX_REPEATED = 2048

Fault = tuple[int, int, int, str]  # start, end, bit number, message


class Text:
    """The lines of faults for people."""

    has_places = True

    def lines(
        self, file: str, number: int, field: str, url: bytes, place: Place | None, faults: Iterator[Fault]
    ) -> Iterator[str]:
        """Yield the line of each fault of a URL."""
        line, which = f"{visible(file)}:{number}", f"{field}: " if field in (TARGET, REFERER) else ""
        for start, _, bit, message in faults:
            column = 1 if place is None else place.column(start)
            yield f"{line}:{column}: {FINDING_NAMES[bit]}: {which}{message}\n"

    def rejection(self, file: str, number: int, message: str) -> str:
        return f"{visible(file)}:{number}:1: {_REJECTED}: {message}\n"


class Json(Text):
    """One object per fault, with offsets in the URL. If `escapes`, bytes that are not UTF-8 are written as `%E9`."""

    has_places = False

    def __init__(self, *, escapes: bool) -> None:
        self._escapes = escapes

    def lines(
        self, file: str, number: int, field: str, url: bytes, place: Place | None, faults: Iterator[Fault]
    ) -> Iterator[str]:
        told = (escape_bytes(url) if self._escapes else url).decode("utf-8", "surrogateescape")
        before = _json({"file": file, "line": number, "field": field})[:-1]
        after = f', "url": {_json(told)}}}\n'
        for start, end, bit, message in faults:
            which = f'"finding": "{FINDING_NAMES[bit]}", "message": {_json(message)}'
            yield f'{before}, "offset": {start}, "end": {end}, {which}{after}'
            if len(told) > _MAX_REPEATED:
                after = "}\n"

    def rejection(self, file: str, number: int, message: str) -> str:
        told = {"file": file, "line": number, "field": "", "finding": _REJECTED, "message": message}
        return f"{_json(told)}\n"


_CHUNK = 1 << 18  # bytes of text per write
_FAULTS_AT_ONCE = 1 << 10  # faults of one URL that are held


class FaultOutput(Output):
    """The output. `wanted` are the findings to show; if `first`, only the first fault of each URL is shown.

    By RFC 3986, the violations are those of that standard.
    """

    def __init__(self, sink: Sink, form: Text, *, wanted: Finding, first: bool, standard: Standard) -> None:
        super().__init__(sink)
        self._form = form
        self._wanted = int(wanted)  # an int: the operators of an enumeration are slow
        self._first = first
        self._is_3986 = standard == "rfc3986"
        self._of_1738 = self._wanted & int(Finding.HAZARDS) if self._is_3986 else self._wanted
        self.keeps_lines = form.has_places

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        return ("field", "url")

    def prepare(self, unit: Unit, only_valid: bool) -> tuple[bytes, Iterator[bytes]]:
        chunks = self._chunks(unit)
        return next(chunks, b""), chunks

    def write(self, prepared: tuple[bytes, Iterator[bytes]], size: int) -> None:
        first, rest = prepared
        if first:
            self.sink.write(first)
        for chunk in rest:
            self.sink.write(chunk)

    def write_long(self, source: Source, number: int) -> None:
        line = self._form.rejection(source.name, number, LINE_TOO_LONG)
        self.sink.write(line.encode("utf-8", "surrogateescape"))

    def _chunks(self, unit: Unit) -> Iterator[bytes]:
        """Yield the text of a unit in chunks, in the order of its lines."""
        lines: list[str] = []
        size = 0
        for line in self._lines(unit):
            lines.append(line)
            size += len(line)
            if size >= _CHUNK:
                yield "".join(lines).encode("utf-8", "surrogateescape")
                lines.clear()
                size = 0
        if lines:
            yield "".join(lines).encode("utf-8", "surrogateescape")

    def _lines(self, unit: Unit) -> Iterator[str]:
        rejects = ((number, "", None) for number, _ in sorted(unit.rejects))
        message = f"the line is not in the format {unit.fmt.name}"
        name = unit.source.name
        kept = KeptLines(unit.text)
        for number, field, url in merge(self._rows(unit), rejects, key=itemgetter(0)):
            if url is None:
                yield self._form.rejection(name, number, message)
                continue
            line = kept.line(number)
            place = None if line is None else Place(line, url, field)
            faults = self._findings(url, "request-target" if field in unit.fmt.targets else "url")
            yield from self._form.lines(name, number, field, redact(url, SECRET_KEYS), place, faults)

    def _rows(self, unit: Unit) -> Iterator[tuple[int, str, bytes]]:
        """Return (line, field, URL) of the rows with a wanted finding."""
        rows: list[int] = []
        if any(1 << bit & self._of_1738 for _, bit, _ in unit.findings):
            address = unit.diagnostics["findings"].buffers()[1].address
            rows = _columns.rows_with_findings(address, unit.urls, self._of_1738)
        if self._is_3986 and unit.invalid:
            broken = [row for row, valid in enumerate(unit.valid.to_pylist()) if valid is False]
            rows = sorted({*rows, *broken}) if rows else broken
        if not rows:
            return iter(())
        fields = unit.columns["field"]
        names = [name.decode("utf-8", "surrogateescape") for name in fields.dictionary.to_pylist()]
        numbers, indices = _values(unit.numbers, "q"), _values(fields.indices, "b")
        arrow_module("pyarrow.compute")  # `spread` imports it
        urls = spread(unit.columns["url"], pa.array(rows, pa.int64())).cast(pa.large_binary())
        _, offsets, data = urls.buffers()
        ends, text = memoryview(offsets).cast("q"), memoryview(data or b"")
        return (
            (numbers[row], names[indices[row]], bytes(text[ends[at] : ends[at + 1]])) for at, row in enumerate(rows)
        )

    def _findings(self, url: bytes, form: Literal["url", "request-target"]) -> Iterator[Fault]:
        """Yield (start, end, bit number, message) of each wanted finding of a URL."""
        found = _in_batches(Findings(url, form, self._of_1738))
        if self._is_3986:
            found = merge(_in_batches(Findings(url, form, self._wanted, standard="rfc3986")), found)
        yield from islice(found, 1 if self._first else None)


def _in_batches(findings: Findings) -> Iterator[Fault]:
    while batch := findings.take(_FAULTS_AT_ONCE):
        yield from batch


def _values(column: pa.Array, code: Literal["b", "q"]) -> memoryview[int]:
    """Return the numbers of a column without nulls, without an object for each number."""
    data: memoryview[int] = memoryview(column.buffers()[1])
    return data.cast(code)[column.offset : column.offset + len(column)]
