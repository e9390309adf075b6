"""`fasturl parse`, `stats` and `check`: units of lines are read, parsed and encoded on several threads, and counted and
written in the order of the input.

The way of a unit: its lines (this thread) → Arrow columns → text, a row group, faults or counts (any thread) → the
output (this thread, which hands what goes to a file to one that writes).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import Any

from fasturl.arrow.threads import processors
from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, LINE_TOO_LONG, TooMany
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.rejects import Rejects
from fasturl.cli.reading import Reading
from fasturl.cli.steps import Step
from fasturl.logs.changes import Changes
from fasturl.logs.formats.records import LineFormat
from fasturl.logs.inputs.lines import LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.jobs import make_jobs
from fasturl.logs.pool import Pool, workers
from fasturl.logs.rows import HAZARDS, SETS
from fasturl.logs.scans import finished
from fasturl.logs.shown import visible
from fasturl.logs.units import Unit


class _Limit:
    """--on-error and --max-errors over units."""

    def __init__(self, on_error: str, max_errors: int | None) -> None:
        self.skip = on_error == "skip"
        self._left = 0 if on_error == "fail" else max_errors

    @property
    def counts(self) -> bool:
        return self._left is not None

    def reject(self, source: Source, number: int) -> None:
        """Count a line that is rejected by itself; the failure, when it ends the run."""
        if self._left is None:
            return
        if not self._left:
            raise TooMany(f"{visible(source.name)}:{number}: {LINE_TOO_LONG}", BAD_URLS)
        self._left -= 1

    def apply(self, unit: Unit) -> tuple[TooMany | None, int]:
        """The failure that ends the run with this unit, and how many rows were before it; the later rejects are then
        left out."""
        if self._left is None:
            return None, unit.urls
        if unit.invalid + len(unit.rejects) <= self._left:
            self._left -= unit.invalid + len(unit.rejects)
            return None, unit.urls
        bad: list[tuple[int, int]] = [(number, -1) for number, _ in unit.rejects]
        numbers = unit.numbers.to_pylist()
        bad += [(numbers[row], row) for row, valid in enumerate(unit.valid.to_pylist()) if valid is False]
        bad.sort(key=lambda item: item[0])
        number, row = bad[self._left]
        if row < 0:
            what = "the line is not in the input's format"
        else:
            names = [name for name in SETS[unit.diagnostics["findings"][row].as_py()] if name not in HAZARDS]
            what = f"offset {unit.diagnostics['error_offset'][row].as_py()!r}: {', '.join(names)}"
        unit.rejects = [reject for reject in unit.rejects if reject[0] <= number]
        return TooMany(f"{visible(unit.source.name)}:{number}: {what}", BAD_URLS), bisect_left(numbers, number)


def run(
    reading: Reading,
    counts: Counts,
    out: Output,
    *,
    by_request: bool = False,
    on_error: str = "keep",
    max_errors: int | None = None,
    rejected: Rejects | None = None,
    steps: Sequence[Step] = (),
    changes: Changes | None = None,
) -> None:
    """Read everything and write it, a row a URL or `by_request`; `out` and `rejected` are the caller's to close.
    `changes` are made to the URLs; `steps` tell which rows stay and are counted, in their order.
    """
    limit = _Limit(on_error, max_errors)
    threads = processors(reading.options.threads)
    own: dict[Source, tuple[str, ...]] = {}

    def columns_for(source: Source, fmt: LineFormat) -> tuple[str, ...]:
        for step in steps:
            step.check(source, fmt)
        out.kept = fmt.kept
        columns = own[source] = out.columns_for(fmt.columns(by_request), visible(source.name))
        read = columns
        for step in reversed(steps):  # one looks at what those after it ask for
            read = tuple(dict.fromkeys((*read, *step.columns_for(read))))
        return read

    jobs = make_jobs(
        reading,
        columns_for,
        by_request=by_request,
        unit_lines=out.unit_lines,
        small=limit.counts,
        changes=changes,
        keep_lines=out.keeps_lines,
    )

    def work(unit: Unit) -> tuple[Unit, Any]:
        for step in steps:
            unit = step.apply(unit)
        if steps:
            unit.columns = {name: unit.columns[name] for name in own[unit.source]}
        return unit, out.prepare(unit, limit.skip)

    def take(unit: Unit, prepared: Any) -> None:
        counts.add_unit(unit.lines, unit.urls, unit.invalid, unit.empty, len(unit.rejects), unit.findings)
        failure, rows = limit.apply(unit)
        if failure is None:
            out.write(prepared, unit.octets)
        else:
            out.write_first(unit, rows, limit.skip)
        if rejected is not None:
            rejected.add_unit(unit)
        if failure is not None:
            raise failure

    def passed(source: Source, line: LongLine) -> None:
        if rejected is not None:
            rejected.add_piece(source, line)
        if line.ends:
            counts.add_unit(1, 0, 0, 0, 1, [])
            out.write_long(source, line.number)
            limit.reject(source, line.number)

    with workers(threads) as executor:
        out.pool = Pool(executor, threads)
        for _, made in finished(jobs, Pool(executor, threads), work, passed):
            take(*made)
        out.finish()
