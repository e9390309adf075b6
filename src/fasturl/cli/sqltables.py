"""What inputs hold as tables that DuckDB reads as a stream: only the columns that a query names are computed."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pyarrow as pa

from fasturl.arrow.threads import processors
from fasturl.cli.counts import Counts
from fasturl.cli.failure import Failure
from fasturl.cli.reading import InputOptions, Reading
from fasturl.logs.batches import as_text, plain_batch, plain_schema
from fasturl.logs.dataset import StreamedDataset
from fasturl.logs.formats.records import REFERER, LineFormat
from fasturl.logs.inputs.lines import LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.jobs import make_jobs
from fasturl.logs.pool import Pool, workers
from fasturl.logs.rows import COLUMNS, REFERER_COLUMNS
from fasturl.logs.scans import finished
from fasturl.logs.units import Unit, octets_array

_UNIT_LINES = 1 << 14
# The first is what a query gets that names none: it costs nothing.
REQUESTS = COLUMNS
URLS = tuple(name for name in COLUMNS if name not in (REFERER, *REFERER_COLUMNS))
_REJECTS = pa.schema([("file", pa.string()), ("line", pa.int64()), ("text", pa.string())])


class Inputs:
    """The inputs of a query. `torn` is whether one broke off; `failure` what went wrong in a scan, on any thread;
    `counts` the lines of the scan that came furthest."""

    def __init__(self, options: InputOptions) -> None:
        self._options = options
        self._first: Reading | None = Reading(options)
        self.sources = self._first.sources
        self.torn = False
        self.failure: BaseException | None = None
        self.counts = Counts()

    def _reading(self) -> Reading:
        reading, self._first = self._first, None
        if reading is None:
            if not all(source.is_file and source.path != "-" for source in self.sources):
                raise Failure("a stream can be read once: the query reads it twice, so name a file")
            reading = Reading(self._options)
        return reading

    def _scan(self, columns: tuple[str, ...], *, by_request: bool, rejects: bool) -> Iterator[pa.RecordBatch]:
        reading = self._reading()
        long_lines: list[tuple[str, int]] = []

        def columns_for(source: Source, fmt: LineFormat) -> tuple[str, ...]:
            return columns

        def passed(source: Source, line: LongLine) -> None:
            if line.ends:
                long_lines.append((source.name, line.number))

        jobs = make_jobs(reading, columns_for, by_request=by_request, unit_lines=_UNIT_LINES, diagnosed=False)
        made = _rejects_batch if rejects else plain_batch
        threads = processors(self._options.threads)
        lines = 0
        with workers(threads) as executor:
            for unit, batch in finished(jobs, Pool(executor, threads), made, passed):
                lines += unit.lines
                self.counts.lines = max(self.counts.lines, lines + len(long_lines))
                yield batch
        if rejects and long_lines:
            files, numbers = zip(*long_lines, strict=True)
            texts = pa.nulls(len(numbers), pa.string())
            yield pa.record_batch([_names(list(files)), pa.array(numbers, pa.int64()), texts], schema=_REJECTS)
        self.torn = self.torn or reading.torn

    def batches(self, columns: tuple[str, ...], *, by_request: bool, rejects: bool) -> Iterator[pa.RecordBatch]:
        """As `_scan`; what is raised is kept, as it comes out of DuckDB as something else."""
        try:
            yield from self._scan(columns, by_request=by_request, rejects=rejects)
        except GeneratorExit:
            raise
        except BaseException as error:
            self.failure = self.failure or error
            raise


def _names(names: list[str]) -> pa.Array:
    return as_text(octets_array([os.fsencode(name) for name in names]))


def _rejects_batch(unit: Unit) -> pa.RecordBatch:
    texts = as_text(octets_array([raw for _, raw in unit.rejects]))
    numbers = pa.array([number for number, _ in unit.rejects], pa.int64())
    return pa.record_batch([_names([unit.source.name] * len(numbers)), numbers, texts], schema=_REJECTS)


def schema_of(table: str) -> pa.Schema:
    if table == "rejects":
        return _REJECTS
    return plain_schema(REQUESTS if table == "requests" else URLS)


class Table(StreamedDataset):
    """One of the tables."""

    def __init__(self, inputs: Inputs, name: str) -> None:
        self._inputs = inputs
        self._by_request = name == "requests"
        self._is_rejects = name == "rejects"
        self._schema = schema_of(name)

    @property
    def schema(self) -> pa.Schema:
        return self._schema

    def batches(self, columns: list[str]) -> Iterator[pa.RecordBatch]:
        found = self._inputs.batches(
            () if self._is_rejects else tuple(columns), by_request=self._by_request, rejects=self._is_rejects
        )
        return (batch.select(columns) for batch in found) if self._is_rejects else found


TABLES = ("requests", "urls", "rejects")
