"""Group lines into jobs, and run jobs on threads.

A job collects several blocks of whole lines, and turns them into Arrow columns with views into the blocks. If a format
needs Python, lines become records first, on the thread that reads the input.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from fasturl.arrow.threads import Pool
from fasturl.logs.addresses import networks_of, visitors
from fasturl.logs.batches import plain_batch
from fasturl.logs.changes import AFTER, Changes, texts_of
from fasturl.logs.columns import (
    AGENT_COLUMNS,
    DIAGNOSTICS,
    ON_REQUEST,
    PRIVATE,
    REFERER,
    REFERER_COLUMNS,
    VISITOR,
    Standard,
)
from fasturl.logs.formats.catalog import UrlList
from fasturl.logs.formats.columnar import Column, TableRows
from fasturl.logs.formats.detection import SAMPLE
from fasturl.logs.formats.kernel_logs import CommonLog, ListLog
from fasturl.logs.formats.messages import Tally, no_line_fits, too_few_lines_fit
from fasturl.logs.formats.records import LineFormat, Records
from fasturl.logs.formatted_inputs import FormattedInputs
from fasturl.logs.inputs.lines import Lines, LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.units import (
    Raw,
    RowFilter,
    Unit,
    finish_unit,
    raw_from_list,
    raw_from_log,
    raw_from_records,
    raw_from_rows,
    raw_from_urls,
    texts_of_fields,
)

if TYPE_CHECKING:
    from fasturl.logs.routes import Routes

_UNIT_BYTES = 4 << 20
_DIAGNOSED = (*DIAGNOSTICS, *ON_REQUEST)
_OF_FINDINGS = frozenset((*_DIAGNOSED, *(f"{REFERER}_{name}" for name in _DIAGNOSED)))


@dataclass(eq=False, repr=False)
class Job:
    """A unit's input."""

    source: Source
    fmt: LineFormat
    columns: tuple[str, ...]
    by_request: bool
    diagnosed: bool = True
    standard: Standard = "rfc1738"
    batches: list[Lines] = field(default_factory=list)
    records: Records = field(default_factory=Records)
    rows: TableRows | None = None
    size: int = 0
    whole_lines: int = 0  # how many lines `batches` has
    text: list[Lines] = field(default_factory=list)  # the lines, if they are kept
    changes: Changes | None = None
    where: RowFilter | None = None
    routes: Routes | None = None
    # True if a user may wait for the result before more input arrives.
    is_awaited: bool = False
    trusted_proxies: str = PRIVATE

    @property
    def lines(self) -> int:
        return self.whole_lines + self.records.lines

    @property
    def is_empty(self) -> bool:
        return not (self.lines or self.records.rejects)

    def add_lines(self, lines: Lines) -> None:
        self.batches.append(lines)
        self.whole_lines += lines.count
        self.size += len(lines.data)

    def add_records(self, records: Records | None, size: int = 0) -> None:
        """Add records from lines with this many bytes. Rejects and kept columns hold memory too."""
        if records is not None:
            self.records.extend(records)
            self.size += size

    def run(self) -> Unit:
        """Read the lines into columns. Safe on any thread."""
        new = partial(Unit, self.source, self.fmt, routes=self.routes)
        unit = new(diagnosed=self.diagnosed, standard=self.standard, text=self.text)
        looked_at = self.columns if self.where is None else (*self.columns, *self.where.columns)
        raw = self._read(unit, looked_at)
        if VISITOR in looked_at:
            fields = raw.details.get("client"), raw.details.get("forwarded")
            if (found := visitors(*fields, networks_of(self.trusted_proxies))) is not None:
                raw.details[VISITOR] = found
        if self.where is not None:
            seen = finish_unit(new(diagnosed=False), raw, self.where.columns)
            finish_unit(unit, raw.take(self.where.rows(plain_batch(seen))), self.columns)
            unit.first = seen.first
            return unit
        if self.changes is None:
            return finish_unit(unit, raw, self.columns)
        if self.text:
            unit.texts = texts_of(raw)
        self.changes.drop(raw)
        before = replace(raw, details=dict(raw.details))
        if self.changes.keeps_findings:
            unit.unhidden = texts_of_fields(raw)
        self.changes.hide(raw)
        if self.text:
            unit.texts |= texts_of(raw, AFTER)
        self.changes.anonymize(raw)
        if not self.changes.keeps_findings or _have_same_urls(before, raw):
            return finish_unit(unit, raw, self.columns)
        found = finish_unit(unit, before, self.columns)
        shown = finish_unit(new(), raw, self.columns)
        found.columns |= {name: shown.columns[name] for name in found.columns if name not in _OF_FINDINGS}
        return found

    def _read(self, unit: Unit, looked_at: tuple[str, ...]) -> Raw:
        """Return the records as columns. Counts and rejects go to the unit."""
        fmt = self.fmt
        if isinstance(fmt, CommonLog):
            wanted = {name if name not in REFERER_COLUMNS else REFERER for name in looked_at}
            if VISITOR in wanted:
                wanted |= {"client", "forwarded"}
            if not wanted.isdisjoint(AGENT_COLUMNS):
                wanted.add("agent")
            if isinstance(fmt, ListLog):
                return raw_from_list(self.batches, fmt, unit, wanted, self.by_request)
            return raw_from_log(self.batches, fmt, unit, wanted, self.by_request)
        if isinstance(fmt, UrlList):
            return raw_from_urls(self.batches, fmt, unit)
        if isinstance(fmt, Column):
            assert self.rows is not None
            unit.has_lines, unit.lines = False, self.rows.count
            raw, unit.empty = raw_from_rows(self.rows, fmt)
            return raw
        unit.rejects, unit.lines, unit.empty = self.records.rejects, self.records.lines, self.records.empty
        return raw_from_records(self.records, fmt)


def _have_same_urls(one: Raw, other: Raw) -> bool:
    pairs = [(one.urls, other.urls)]
    if REFERER in one.details:
        pairs.append((one.details[REFERER], other.details[REFERER]))
    return all(a.cast(pa.binary()).equals(b.cast(pa.binary())) for a, b in pairs)


@dataclass(eq=False, repr=False)
class OversizedLine:
    """A piece of a line that is too long, in order among the jobs."""

    source: Source
    line: LongLine


def make_jobs(
    reading: FormattedInputs,
    columns_for: Callable[[Source, LineFormat], tuple[str, ...]],
    *,
    by_request: bool,
    unit_lines: int,
    small: bool = False,
    changes: Changes | None = None,
    keep_lines: bool = False,
    diagnosed: bool = True,
    standard: Standard = "rfc1738",
    where: RowFilter | None = None,
) -> Iterator[Job | OversizedLine]:
    """Yield jobs, each with lines from a single input, and lines that are too long.

    columns_for : returns an input's columns
    small : True to yield each batch at once, so that a limit ends the run early
    changes : applied to the URLs
    keep_lines : True if units keep the lines
    diagnosed : True if units count invalid URLs
    standard : the standard by which a URL is invalid
    where : selects the units' rows, in runs without changes
    """
    new = partial(
        Job,
        by_request=by_request,
        changes=changes,
        diagnosed=diagnosed,
        standard=standard,
        where=where,
        routes=reading.options.routes,
        trusted_proxies=reading.options.trusted_proxies or PRIVATE,
    )
    job: Job | None = None
    before: Job | None = None
    for source, fmt, batch in reading.batches():
        if isinstance(batch, LongLine):
            if before is not None and before.source is source:
                # This line ends an unfinished record.
                job = job or new(source, before.fmt, before.columns)
                job.add_records(job.fmt.finish())
                if not job.is_empty:
                    yield job
                job = None
            yield OversizedLine(source, batch)
            continue
        assert fmt is not None
        # A format that may keep state between lines is read here, in order. It may know its columns only then.
        records = fmt.finish() if batch is None else None
        if isinstance(batch, Lines) and not fmt.reads_blocks:
            records = fmt.read(batch)
        if isinstance(batch, TableRows):
            yield new(source, fmt, columns_for(source, fmt), rows=batch)
            continue
        is_new = job is not None and job.fmt is not fmt
        if isinstance(batch, Lines) and fmt.reads_blocks and fmt.kept is None:
            is_new = True  # the lines of a job hold no record as long as the columns are unknown
            fmt.look_ahead(batch)
        if is_new and job is not None:
            if not job.is_empty:
                yield job
            job = None
        # The columns of a format that is read in blocks are known before reading, and never change.
        if job is None or not fmt.reads_blocks:
            columns = columns_for(source, fmt)
        if job is None:
            job = before = new(source, fmt, columns)
        if keep_lines and batch is not None:
            job.text.append(batch)
        if batch is not None and fmt.reads_blocks:
            job.add_lines(batch)
        else:
            job.add_records(records, 0 if batch is None else len(batch.data))
        job.is_awaited = source.keeps_waiting()
        if small or batch is None or job.is_awaited or job.lines >= unit_lines or job.size >= _UNIT_BYTES:
            if not job.is_empty:
                yield job
            job = None


_FLOOR_SECONDS = 2.0  # after this time, the lines of a stream that came decide
Held = tuple[Unit, Any] | OversizedLine


class FormatCheck:
    """Counts the lines that fit in each input. Raises LogError for an input with no or too few such lines.

    allow : True to accept more rejects than records among the first SAMPLE lines in an input

    The lines' results are held until enough lines fit.
    """

    def __init__(self, tallies: dict[Source, Tally], allow: bool) -> None:
        self._tallies = tallies
        self._allow = allow
        self._source: Source | None = None  # the input whose results are held
        self._held: list[Held] = []
        self._deadline = 0.0

    def add(self, entry: Held) -> Iterator[Held]:
        """Check the next unit or line, in input order, and yield what is decided."""
        source = entry.source if isinstance(entry, OversizedLine) else entry[0].source
        if source is not self._source:
            yield from self.decide()
            self._source, self._deadline = source, time.monotonic() + _FLOOR_SECONDS
        if not isinstance(entry, OversizedLine):
            self._check(entry[0])
        self._held.append(entry)
        tally = self._tallies.get(source)
        if self._allow or (tally is not None and (tally.is_decided or tally.lines_read >= SAMPLE)):
            yield from self.decide()

    def wait(self) -> Iterator[Held]:
        """Decide if no more input arrives in time."""
        seconds = max(self._deadline - time.monotonic(), 0)
        if self._held and self._source is not None and self._source.keeps_waiting(seconds):
            yield from self.decide()

    def decide(self) -> Iterator[Held]:
        """Yield what is held, unless most held lines are rejects."""
        tally = self._tallies.get(self._source) if self._source is not None else None
        if tally is not None and not (self._allow or tally.is_decided):
            tally.is_decided = True
            if tally.fits and tally.rejected_first * 2 > min(tally.lines, SAMPLE):
                assert self._source is not None
                raise too_few_lines_fit(self._source.name, tally, min(tally.lines, SAMPLE))
        held, self._held = self._held, []
        yield from held

    def _check(self, unit: Unit) -> None:
        tally = self._tallies.setdefault(unit.source, Tally(unit.fmt))
        tally.lines += unit.lines - unit.empty - unit.header
        tally.add_rejects(unit.rejects, SAMPLE)
        tally.lines_read += unit.lines
        tally.fits += unit.records
        # In a unit with more than SAMPLE lines, only the first SAMPLE lines count.
        fits = tally.fits and (unit.records < tally.fits or (unit.first or 0) <= SAMPLE)
        if not fits and unit.rejects and tally.lines >= SAMPLE:
            raise no_line_fits(unit.source.name, tally, SAMPLE)

    def check_end(self) -> None:
        """Check all inputs after the last line."""
        for source, tally in self._tallies.items():
            if tally.lines and not tally.fits and tally.rejects:
                raise no_line_fits(source.name, tally, tally.lines)


def run_in_order(
    jobs: Iterable[Job | OversizedLine],
    units: Pool,
    work: Callable[[Unit], Any],
    passed: Callable[[Source, LongLine], None] | None = None,
    tallies: dict[Source, Tally] | None = None,
    *,
    allow_rejects: bool = False,
) -> Iterator[tuple[Unit, Any]]:
    """Run jobs on threads and yield each unit with the result of `work`, in input order.

    passed : called with each line that is too long, after the units before it
    tallies, allow_rejects : for FormatCheck, or None to skip the check
    """
    check = None if tallies is None else FormatCheck(tallies, allow_rejects)

    def run(job: Job) -> tuple[Unit, Any]:
        unit = job.run()
        return unit, work(unit)

    def decided(done: Iterable[Held]) -> Iterator[tuple[Unit, Any]]:
        for each in done:
            if not isinstance(each, OversizedLine):
                yield each
            elif passed is not None:
                passed(each.source, each.line)

    def checked(done: Iterable[Held]) -> Iterator[tuple[Unit, Any]]:
        yield from decided(done if check is None else (one for each in done for one in check.add(each)))

    for job in jobs:
        if isinstance(job, OversizedLine):
            if passed is not None:
                yield from checked(units.rest())
                # The bytes are for the file of rejects, with which nothing is held.
                kept = job.line.data if allow_rejects or check is None else b""
                line = LongLine(job.line.number, kept, job.line.ends)
                yield from checked([OversizedLine(job.source, line)])
            continue
        yield from checked(units.submit(partial(run, job)))
        if job.is_awaited:
            yield from checked(units.rest())
            if check is not None:
                yield from decided(check.wait())
    yield from checked(units.rest())
    if check is not None:
        yield from decided(check.decide())
        check.check_end()
