"""Units of work: from the lines of inputs to what any thread may read to columns.

The way of a line: a block of whole lines → a unit of blocks → Arrow columns, which name the octets of the blocks.
Formats that need Python are read to records before that, on the thread that reads the lines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial

from fasturl.logs.changes import Changes
from fasturl.logs.detection import SAMPLE
from fasturl.logs.errors import LogError
from fasturl.logs.formats.catalog import UrlList
from fasturl.logs.formats.clf import CommonLog
from fasturl.logs.formats.mapped import WrappedLog
from fasturl.logs.formats.records import REFERER, LineFormat, Records
from fasturl.logs.formats.tables import TableRows
from fasturl.logs.inputs.lines import Lines, LongLine
from fasturl.logs.inputs.reading import Reading
from fasturl.logs.inputs.source import Source
from fasturl.logs.rows import REFERER_COLUMNS
from fasturl.logs.shown import visible
from fasturl.logs.units import Raw, Unit, finish_unit, raw_from_log, raw_from_records, raw_from_rows, raw_from_urls

_UNIT_OCTETS = 4 << 20


@dataclass
class Job:
    """What is known of a unit before it is read."""

    source: Source
    fmt: LineFormat
    columns: tuple[str, ...]
    by_request: bool
    diagnosed: bool = True  # as of a unit
    batches: list[Lines] = field(default_factory=list)
    records: Records = field(default_factory=Records)
    rows: TableRows | None = None
    octets: int = 0
    whole_lines: int = 0  # of batches
    text: list[Lines] = field(default_factory=list)  # the lines, when they are kept
    changes: Changes | None = None
    # Whether someone may look at what becomes of it before more of the input comes.
    is_awaited: bool = False

    @property
    def lines(self) -> int:
        return self.whole_lines + self.records.lines

    @property
    def is_empty(self) -> bool:
        return not (self.lines or self.records.rejects)

    def add_lines(self, lines: Lines) -> None:
        self.batches.append(lines)
        self.whole_lines += lines.count
        self.octets += len(lines.octets)

    def add_records(self, records: Records | None) -> None:
        if records is not None:
            self.records.extend(records)
            self.octets += sum(len(url) for url in records.urls if url is not None)

    def run(self) -> Unit:
        """Read it; from any thread."""
        unit = Unit(self.source, self.fmt, diagnosed=self.diagnosed, text=self.text)
        if self.rows is not None:
            raw, unit.empty = raw_from_rows(self.rows, self.fmt)
            unit.lines = self.rows.count
        elif isinstance(self.fmt, CommonLog):
            raw = raw_from_log(self.batches, self.fmt, unit, self._wanted(), self.by_request)
        elif isinstance(self.fmt, WrappedLog):
            raw = self._raw_unwrapped(self.fmt, unit)
        elif isinstance(self.fmt, UrlList):
            raw = raw_from_urls(self.batches, self.fmt, unit)
        else:
            records = self.records
            raw = raw_from_records(records, self.fmt, self.by_request)
            unit.rejects, unit.empty, unit.lines = records.rejects, records.empty, records.lines
        if self.changes is not None:
            self.changes.apply(raw)
        return finish_unit(unit, raw, self.columns)

    def _wanted(self) -> set[str]:
        return {name if name not in REFERER_COLUMNS else REFERER for name in self.columns}

    def _raw_unwrapped(self, fmt: WrappedLog, unit: Unit) -> Raw:
        """The lines that objects hold; what is rejected is the object."""
        batches, bad = [], []
        whole: dict[int, bytes] = {}
        for lines in self.batches:
            unwrapped, places = fmt.unwrap(lines)
            batches.append(unwrapped)
            bad += [lines.first + place for place in places]
            whole |= dict(enumerate(lines.raw, lines.first))
        raw = raw_from_log(batches, fmt.inner, unit, self._wanted(), self.by_request)
        numbers = sorted([*bad, *(number for number, _ in unit.rejects)])
        unit.rejects = [(number, whole[number]) for number in numbers]
        unit.empty -= len(bad)
        return raw


@dataclass
class Passing:
    """A piece of a line that is too long, which waits for the units before it."""

    source: Source
    line: LongLine


def make_jobs(
    reading: Reading,
    columns_for: Callable[[Source, LineFormat], tuple[str, ...]],
    *,
    by_request: bool,
    unit_lines: int,
    small: bool = False,
    changes: Changes | None = None,
    keep_lines: bool = False,
    diagnosed: bool = True,
) -> Iterator[Job | Passing]:
    """Units of lines, each of one input, and lines that are too long. `small`: as they come, so that a limit ends
    the run early. `changes` are made to the URLs. `keep_lines`: units have the lines that they are made of.
    `diagnosed`: somebody counts what is invalid.
    """
    new = partial(Job, by_request=by_request, changes=changes, diagnosed=diagnosed)
    job: Job | None = None
    before: Job | None = None
    for source, fmt, batch in reading.batches():
        if isinstance(batch, LongLine):
            if before is not None and before.source is source:
                # The record that this line belongs to ends here.
                job = job or new(source, before.fmt, before.columns)
                job.add_records(job.fmt.finish())
                if not job.is_empty:
                    yield job
                job = None
            yield Passing(source, batch)
            continue
        assert fmt is not None
        # A format that may carry state from line to line is read here, in their order; it may know its columns then.
        records = fmt.finish() if batch is None else None
        if isinstance(batch, Lines) and not fmt.reads_blocks:
            records = fmt.read(batch)
        if isinstance(batch, TableRows):
            yield new(source, fmt, columns_for(source, fmt), rows=batch)
            continue
        # Of what is read in blocks they are known before it is read, and the same for all of it.
        if job is None or not fmt.reads_blocks:
            columns = columns_for(source, fmt)
        if job is None:
            job = before = new(source, fmt, columns)
        if keep_lines and batch is not None:
            job.text.append(batch)
        if batch is not None and fmt.reads_blocks:
            job.add_lines(batch)
        else:
            job.add_records(records)
        job.is_awaited = source.keeps_waiting()
        if small or batch is None or job.is_awaited or job.lines >= unit_lines or job.octets >= _UNIT_OCTETS:
            if not job.is_empty:
                yield job
            job = None


class Beginnings:
    """Tells an input that is not in its format at all from one that has rejects: LogError when the first lines are
    rejects, every one of them.
    """

    def __init__(self) -> None:
        self._seen: dict[Source, int] = {}

    def check(self, unit: Unit) -> None:
        """Units come in the order of their input."""
        seen = self._seen.get(unit.source, 0)
        self._seen[unit.source] = seen + unit.lines
        if seen < SAMPLE <= seen + unit.lines and unit.rejects and (unit.first or SAMPLE + 1) > SAMPLE:
            what = f"none of its first {SAMPLE:,} lines {unit.fmt.records}"
            raise LogError(f"{visible(unit.source.name)}: {what}: name the format that it has", "--log-format NAME")
        if unit.first is not None:
            self._seen[unit.source] = SAMPLE
