"""`fasturl parse`: units of lines are read, parsed and encoded on several threads, and counted and written in the order
of the input.

The way of a line: a block of whole lines (this thread) → a unit of blocks → Arrow columns, which name the octets of the
blocks → text, or a row group, as octets (any thread) → the file (this thread). Formats that carry state from line to
line are read to records on this thread too.
"""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from operator import itemgetter
from typing import Any, Protocol

from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, TooMany
from fasturl.cli.formats.catalog import Log, UrlList
from fasturl.cli.formats.records import Format, Records
from fasturl.cli.formats.tables import TableRows
from fasturl.cli.inputs.lines import Lines
from fasturl.cli.inputs.reading import Reading
from fasturl.cli.inputs.source import Source
from fasturl.cli.outputs.sink import Sink
from fasturl.cli.pool import Pool
from fasturl.cli.rows import HAZARDS, SETS
from fasturl.cli.terminal import visible
from fasturl.cli.units import (
    Unit,
    finish_unit,
    new_unit,
    raw_from_array,
    raw_from_log,
    raw_from_records,
    raw_from_urls,
)

_UNIT_OCTETS = 4 << 20
# No column holds as long a text.
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
    batches: list[Lines] = field(default_factory=list)
    records: Records | None = None
    array: Any = None
    octets: int = 0
    too_long: list[tuple[int, bytes]] = field(default_factory=list)
    # Whether someone may look at what becomes of it before more of the input comes.
    is_awaited: bool = False

    @property
    def lines(self) -> int:
        return sum(lines.count for lines in self.batches) if self.records is None else self.records.lines

    def add_lines(self, lines: Lines) -> None:
        if len(lines.octets) >= _TOO_LONG:
            lines, longer = lines.without_longer(_TOO_LONG)
            self.too_long += longer
        self.batches.append(lines)
        self.octets += len(lines.octets)

    def add_records(self, records: Records) -> None:
        octets = sum(map(len, records.urls))
        if octets >= _TOO_LONG:
            records.drop_longer(_TOO_LONG)
        self.octets += octets
        if self.records is None:
            self.records = records
            return
        for name in ("numbers", "fields", "urls", "details", "rejects"):
            getattr(self.records, name).extend(getattr(records, name))
        self.records.lines += records.lines
        self.records.empty += records.empty

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
            if isinstance(self.fmt, Log):
                raw = raw_from_log(self.batches, self.fmt, unit)
            else:
                assert isinstance(self.fmt, UrlList)
                raw = raw_from_urls(self.batches, self.fmt, unit)
            # They stood as empty lines.
            unit.empty -= len(self.too_long)
            unit.rejects = sorted(unit.rejects + self.too_long, key=itemgetter(0))
        return finish_unit(unit, raw, os.fsencode(self.source.name), self.columns)


class _Limit:
    """--on-error and --max-errors over units."""

    def __init__(self, on_error: str, max_errors: int | None) -> None:
        self.skip = on_error == "skip"
        self._left = 0 if on_error == "fail" else max_errors

    @property
    def counts(self) -> bool:
        return self._left is not None

    def apply(self, source: Source, unit: Unit) -> tuple[TooMany | None, int]:
        """The failure that ends the run with this unit, and how many rows were before it; the later rejects are then
        left out."""
        if self._left is None:
            return None, unit.urls
        if unit.invalid + len(unit.rejects) <= self._left:
            self._left -= unit.invalid + len(unit.rejects)
            return None, unit.urls
        bad: list[tuple[int, int]] = [(number, -1) for number, _ in unit.rejects]
        numbers = unit.numbers.to_pylist()
        bad += [(numbers[row], row) for row, valid in enumerate(unit.valid.to_pylist()) if not valid]
        bad.sort(key=lambda item: item[0])
        number, row = bad[self._left]
        if row < 0:
            what = "the line is not in the input's format"
        else:
            names = [name for name in SETS[unit.verdicts["findings"][row].as_py()] if name not in HAZARDS]
            what = f"offset {unit.verdicts['error_offset'][row].as_py()!r}: {', '.join(names)}"
        unit.rejects = [reject for reject in unit.rejects if reject[0] <= number]
        return TooMany(f"{visible(source.name)}:{number}: {what}", BAD_URLS), bisect_left(numbers, number)


class Output(Protocol):
    """What becomes of units: text, or the tables of columns. One that is not closed is abandoned."""

    unit_lines: int  # how many make a unit
    pool: Pool  # for more work on threads

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        """The columns of an input; Failure when it cannot follow the inputs before."""

    def prepare(self, unit: Unit, only_valid: bool) -> Any:
        """Make of a unit what `write` takes; from any thread."""

    def write(self, prepared: Any, octets: int) -> None: ...

    def write_first(self, unit: Unit, rows: int, only_valid: bool) -> None:
        """Write the first rows of the unit that ends the run."""

    def finish(self) -> None:
        """Write what is held."""

    def close(self) -> None: ...
    def abandon(self) -> None: ...


def _jobs(reading: Reading, out: Output, small: bool) -> Iterator[_Job]:
    """Units of lines, each of one input. `small`: as they come, so that a limit ends the run early."""
    job: _Job | None = None
    for source, fmt, batch in reading.batches():
        columns = out.columns_for(fmt.details, visible(source.name))
        if isinstance(batch, TableRows):
            yield _Job(source, fmt, columns, batch.first, array=batch.array)
            continue
        if job is None:
            job = _Job(source, fmt, columns, batch.first if batch is not None else 0)
        if batch is not None and fmt.is_plain:
            job.add_lines(batch)
        else:
            # A format that may carry state from line to line: read here, in their order.
            records = fmt.read(batch) if batch is not None else fmt.finish()
            if records is not None:
                job.add_records(records)
        job.is_awaited = source.keeps_waiting()
        if small or batch is None or job.is_awaited or job.lines >= out.unit_lines or job.octets >= _UNIT_OCTETS:
            if job.lines or job.records is not None:
                yield job
            job = None


def run(
    reading: Reading,
    counts: Counts,
    on_error: str,
    max_errors: int | None,
    out: Output,
    rejected: Sink | None,
    separator: bytes,
    threads: int,
) -> None:
    """Read everything and write it; `out` and `rejected` are the caller's to close."""
    limit = _Limit(on_error, max_errors)
    executor = ThreadPoolExecutor(threads) if threads > 1 else None
    units = Pool(executor, threads)
    out.pool = Pool(executor, threads)

    def work(job: _Job) -> tuple[Source, Unit, Any]:
        unit = job.run()
        return job.source, unit, out.prepare(unit, limit.skip)

    def take(source: Source, unit: Unit, prepared: Any) -> None:
        counts.add_unit(unit.lines, unit.urls, unit.invalid, unit.empty, len(unit.rejects), unit.findings)
        failure, rows = limit.apply(source, unit)
        if failure is None:
            out.write(prepared, unit.octets)
        else:
            out.write_first(unit, rows, limit.skip)
        if rejected is not None and unit.rejects:
            rejected.write(b"".join([raw + separator for _, raw in unit.rejects]))
        if failure is not None:
            raise failure

    try:
        for job in _jobs(reading, out, limit.counts):
            for done in units.submit(partial(work, job)):
                take(*done)
            if job.is_awaited:
                for done in units.rest():
                    take(*done)
        for done in units.rest():
            take(*done)
        out.finish()
    finally:
        if executor is not None:
            executor.shutdown(cancel_futures=True)
