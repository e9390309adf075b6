"""`fasturl parse` by columns, for the outputs that are made of columns: units are read, parsed and encoded on several
threads, and counted and written in the order of the input.

The way of a line: block → lines (this thread, as lines are cut with the interpreter's lock held) → a unit of lines → Arrow
columns → a row group → octets (any thread) → the file (this thread).
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from fasturl.cli.arrowfiles import GROUP_OCTETS, GROUP_ROWS, ArrowFile, ParquetFile, TableFile
from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, Failure, TooMany
from fasturl.cli.formats import Format, Log, Records
from fasturl.cli.reading import Reading
from fasturl.cli.rows import HAZARDS, Layout
from fasturl.cli.sink import Sink
from fasturl.cli.source import Source
from fasturl.cli.terminal import visible
from fasturl.cli.units import (
    FINDING_NAMES,
    Unit,
    finish_unit,
    new_unit,
    raw_from_array,
    raw_from_log,
    raw_from_records,
)

_UNIT_LINES = 1 << 14
_UNIT_OCTETS = 4 << 20
# More is a single line, which no column of text can hold.
_TOO_LONG = 1 << 30


def processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


@dataclass
class _Job:
    """What is known of a unit before it is read."""

    source: Source
    fmt: Format
    columns: tuple[str, ...]
    first: int = 0
    raw: list[bytes] = field(default_factory=list)
    clean: list[bytes] = field(default_factory=list)
    records: Records | None = None
    array: Any = None
    octets: int = 0

    def run(self) -> Unit:
        """Read it; from any thread."""
        unit = new_unit()
        if self.array is not None:
            raw, unit.empty = raw_from_array(self.first, self.array, self.fmt.column, self.fmt)  # type: ignore[attr-defined]
            unit.lines = len(self.array)
        elif self.records is not None:
            records = self.records
            raw = raw_from_records(records, self.fmt)
            unit.rejects, unit.empty, unit.lines = records.rejects, records.empty, records.lines
        else:
            assert isinstance(self.fmt, Log)
            raw = raw_from_log(self.clean, self.raw, self.first, self.fmt, unit)
            unit.lines = len(self.clean)
        return finish_unit(unit, raw, os.fsencode(self.source.name), self.columns)


class _Pool:
    """Work in order: `submit` hands a task out, `results` gives what is ready or must not wait longer."""

    def __init__(self, executor: ThreadPoolExecutor | None, ahead: int) -> None:
        self._executor = executor
        self._ahead = ahead
        self._waiting: deque[Future[Any]] = deque()

    def submit(self, work: Callable[[], Any]) -> Iterator[Any]:
        """Start a task; gives the results of earlier ones that are due."""
        if self._executor is None:
            yield work()
            return
        self._waiting.append(self._executor.submit(work))
        while self._waiting and (len(self._waiting) > self._ahead or self._waiting[0].done()):
            yield self._waiting.popleft().result()

    def rest(self) -> Iterator[Any]:
        while self._waiting:
            yield self._waiting.popleft().result()


class _Limit:
    """--on-error and --max-errors over units."""

    def __init__(self, on_error: str, max_errors: int | None) -> None:
        self.skip = on_error == "skip"
        self._left = 0 if on_error == "fail" else max_errors

    @property
    def counts(self) -> bool:
        return self._left is not None

    def apply(self, source: Source, unit: Unit) -> TooMany | None:
        """The failure that ends the run with this unit; its later rejects are then left out."""
        if self._left is None:
            return None
        if unit.invalid + len(unit.rejects) <= self._left:
            self._left -= unit.invalid + len(unit.rejects)
            return None
        bad: list[tuple[int, int]] = [(number, -1) for number, _ in unit.rejects]
        rows = pc.indices_nonzero(pc.invert(unit.valid)).to_pylist()
        bad += [(unit.numbers[row].as_py(), row) for row in rows[: self._left + 1]]
        bad.sort(key=lambda item: item[0])
        number, row = bad[self._left]
        if row < 0:
            what = "the line is not in the input's format"
        else:
            found = unit.verdicts["findings"][row].as_py()
            names = [
                name for bit, name in enumerate(FINDING_NAMES) if found >> bit & 1 and name not in HAZARDS
            ]
            what = f"offset {unit.verdicts['error_offset'][row].as_py()!r}: {', '.join(names)}"
        unit.rejects = [reject for reject in unit.rejects if reject[0] <= number]
        return TooMany(f"{visible(source.name)}:{number}: {what}", BAD_URLS)


class ColumnOutput:
    """Units gathered to groups of rows, encoded and written."""

    keep_unfinished = False  # a part of such a file is of no use to anyone

    def __init__(self, sink: Sink, kind: str, columns: tuple[str, ...]) -> None:
        self._sink = sink
        self._make = ParquetFile if kind == "parquet" else ArrowFile
        self._wanted = columns
        self._columns: tuple[str, ...] | None = None
        self._file: TableFile | None = None
        self._held: list[pa.RecordBatch] = []
        self._rows = 0
        self._octets = 0
        self.pool = _Pool(None, 0)

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        """The columns of an input; Failure when they are not those of the inputs before."""
        columns = Layout(self._wanted, details).columns
        if self._columns is None:
            self._columns = columns
            self._file = self._make(self._sink, columns)
        elif columns != self._columns:
            raise Failure(
                f"{name} has other columns than the input before it: name the --fields, or use two runs, or JSON lines"
            )
        return columns

    def write(self, batch: pa.RecordBatch, octets: int) -> None:
        self._held.append(batch)
        self._rows += batch.num_rows
        self._octets += octets
        while self._rows >= GROUP_ROWS:
            self._flush(GROUP_ROWS)
        if self._octets >= GROUP_OCTETS:
            self._flush(self._rows)

    def _flush(self, rows: int) -> None:
        file = self._file
        if file is None or not self._held:
            return
        table = pa.Table.from_batches(self._held)
        group, rest = table.slice(0, rows), table.slice(rows)
        self._held = rest.to_batches()
        self._octets = self._octets * rest.num_rows // max(1, self._rows)
        self._rows = rest.num_rows
        for encoded in self.pool.submit(lambda: file.encode(group)):
            file.write(encoded)

    def finish(self) -> None:
        """Write what is held."""
        if self._file is None:  # no input held a line: a table of no rows
            self._file = self._make(self._sink, Layout(self._wanted, ()).columns)
        if self._rows:
            self._flush(self._rows)
        for encoded in self.pool.rest():
            self._file.write(encoded)
        self._file.close()

    def close(self) -> None:
        self._sink.commit()

    def abandon(self) -> None:
        self._sink.abandon(self.keep_unfinished)


def _jobs(reading: Reading, out: ColumnOutput, small: bool) -> Iterator[_Job]:
    """Units of lines, each of one input. `small`: as they come, so that a limit ends the run early."""
    job: _Job | None = None
    for source, fmt, batch in reading.batches():
        columns = out.columns_for(fmt.details, visible(source.name))
        plain = isinstance(fmt, Log) and fmt.plain is not None
        if batch is None or not plain:
            if job is not None:
                yield job
                job = None
            made = _Job(source, fmt, columns)
            if batch is None:
                made.records = fmt.finish()
            elif hasattr(batch, "array"):
                made.first, made.array = batch.first, batch.array
            else:
                made.records = fmt.read(batch)  # type: ignore[arg-type]
            if made.array is not None or made.records is not None:
                yield made
            continue
        if job is None:
            job = _Job(source, fmt, columns, batch.first)
        job.raw += batch.raw
        job.clean += batch.clean
        job.octets += sum(map(len, batch.clean))
        if small or len(job.clean) >= _UNIT_LINES or job.octets >= _UNIT_OCTETS:
            yield job
            job = None
    if job is not None:
        yield job


def run_columns(
    reading: Reading,
    counts: Counts,
    on_error: str,
    max_errors: int | None,
    out: ColumnOutput,
    rejected: Sink | None,
    separator: bytes,
    threads: int,
) -> None:
    """Read everything and write it; `out` and `rejected` are the caller's to close."""
    limit = _Limit(on_error, max_errors)
    executor = ThreadPoolExecutor(threads) if threads > 1 else None
    units = _Pool(executor, threads)
    out.pool = _Pool(executor, threads)

    def take(source: Source, unit: Unit) -> None:
        counts.add_unit(unit.lines, unit.urls, unit.invalid, unit.empty, len(unit.rejects), unit.findings)
        failure = limit.apply(source, unit)
        if rejected is not None and unit.rejects:
            rejected.write(b"".join([raw + separator for _, raw in unit.rejects]))
        if failure is not None:
            raise failure
        batch = unit.batch
        if limit.skip and unit.invalid:
            batch = _only_valid(batch, unit.valid)
        if batch.num_rows:
            out.write(batch, unit.octets)

    try:
        for job in _jobs(reading, out, limit.counts):
            if job.octets >= _TOO_LONG:
                raise Failure(
                    f"{visible(job.source.name)}:{job.first}: a line of over 1 GiB goes into no columnar file"
                )
            for source, unit in units.submit(partial(_read, job)):
                take(source, unit)
        for source, unit in units.rest():
            take(source, unit)
        out.finish()
    finally:
        if executor is not None:
            executor.shutdown(cancel_futures=True)


def _read(job: _Job) -> tuple[Source, Unit]:
    return job.source, job.run()


def _only_valid(batch: pa.RecordBatch, valid: pa.Array) -> pa.RecordBatch:
    """The rows of valid URLs. Arrow's filter knows no views."""
    dense = pa.schema(
        [(kind.name, pa.string() if kind.type == pa.string_view() else kind.type) for kind in batch.schema]
    )
    return batch.cast(dense).filter(valid).cast(batch.schema)
