"""The pipeline of `fasturl parse`, `stats` and `check`: reads, parses and encodes units of lines on several threads.

Units are counted and written in the order of the input. The main thread cuts the input into units of lines. Any thread
turns a unit into Arrow columns, and these into text, a row group, faults or counts. The main thread writes the result.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from fasturl.arrow import compute as pc
from fasturl.arrow.threads import Pool, processors, workers
from fasturl.cli.failure import BAD_URLS, LINE_TOO_LONG, BadInput, Failure
from fasturl.cli.inputs import CommandInputs, Counts
from fasturl.cli.outputs.output import Output, Step
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.batches import as_times
from fasturl.logs.changes import Changes, changed_quotes
from fasturl.logs.columns import HAZARDS, SETS, Standard
from fasturl.logs.formats.messages import reason
from fasturl.logs.formats.records import LineFormat
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.inputs.lines import LongLine
from fasturl.logs.inputs.source import Source
from fasturl.logs.jobs import make_jobs, run_in_order
from fasturl.logs.shown import visible
from fasturl.logs.units import Unit

if TYPE_CHECKING:
    from fasturl.cli.outputs.rejects import Rejects


def _first_failure(unit: Unit) -> tuple[BadInput | None, int]:
    """Return the failure of the first invalid URL or rejected line, and the number of rows before it.

    Later rejects are removed from the unit.
    """
    if not unit.invalid and not unit.rejects:
        return None, unit.urls
    bad: list[tuple[int, int]] = [(number, -1) for number, _ in unit.rejects]
    numbers = unit.numbers.to_pylist()
    bad += [(numbers[row], row) for row, valid in enumerate(unit.valid.to_pylist()) if valid is False]
    number, row = min(bad, key=lambda item: item[0])
    if row < 0:
        raw = next(raw for at, raw in unit.rejects if at == number).removesuffix(b"\r")
        what = reason(unit.fmt.name, raw, unit.fmt.stop(raw))
    else:
        names = [name for name in SETS[unit.diagnostics["findings"][row].as_py()] if name not in HAZARDS]
        what = f"offset {unit.diagnostics['error_offset'][row].as_py()!r}: {', '.join(names)}"
    unit.rejects = [reject for reject in unit.rejects if reject[0] <= number]
    return BadInput(f"{visible(unit.source.name)}:{number}: {what}", BAD_URLS), bisect_left(numbers, number)


def run(
    reading: CommandInputs,
    counts: Counts,
    out: Output,
    *,
    by_request: bool = False,
    on_error: str = "keep",
    rejected: Rejects | None = None,
    steps: Sequence[Step] = (),
    changes: Changes | None = None,
    standard: Standard = "rfc1738",
    shown: int | None = None,
    diagnosed: bool = True,
) -> None:
    """Read all inputs and write one row per URL, or one per request if `by_request`.

    `changes` apply to the URLs before they are parsed. `steps` apply in their order to the rows; rows that they remove
    are not counted. A URL is invalid by the `standard`. `out` has the first `shown` kept columns.
    Without `diagnosed`, invalid URLs are not counted, and nothing is parsed that no column needs.
    The caller closes `out` and `rejected`.
    """
    reading.changes = changes
    only_valid, fails = on_error == "skip", on_error == "fail"
    threads = processors(reading.options.threads)
    written: dict[Source, tuple[str, ...]] = {}

    def columns_for(source: Source, fmt: LineFormat) -> tuple[str, ...]:
        out.kept = fmt.kept and fmt.kept[:shown]
        columns = written[source] = out.columns_for(fmt.columns(by_request), visible(source.name))
        for step in reversed(steps):  # a step also reads what later steps read
            columns = tuple(dict.fromkeys((*columns, *step.columns_for(columns))))
        return columns

    jobs = make_jobs(
        reading,
        columns_for,
        by_request=by_request,
        unit_lines=out.unit_lines,
        small=fails,
        changes=changes,
        keep_lines=out.keeps_lines,
        standard=standard,
        diagnosed=diagnosed,
    )

    def work(unit: Unit) -> tuple[Unit, Any]:
        for step in steps:
            unit = step.apply(unit)
        if steps:
            unit.columns = {name: unit.columns[name] for name in written[unit.source]}
            unit.kept = dict([*unit.kept.items()][:shown])
        return unit, out.prepare(unit, only_valid)

    def take(unit: Unit, prepared: Any) -> None:
        counts.add_unit(unit)
        failure, rows = _first_failure(unit) if fails else (None, unit.urls)
        if failure is None:
            out.write(prepared, unit.size)
        else:
            out.write_first(unit, rows)
        if rejected is not None:
            rejected.add_unit(unit)
        if failure is not None:
            raise failure

    def on_long_line(source: Source, line: LongLine) -> None:
        if rejected is not None:
            rejected.add_piece(source, line)
        if line.ends:
            counts.add_long_line()
            if source in reading.tallies:
                reading.tallies[source].lines += 1
            out.write_long(source, line.number)
            if fails:
                raise BadInput(f"{visible(source.name)}:{line.number}: {LINE_TOO_LONG}", BAD_URLS)

    with workers(threads) as executor, changed_quotes(changes):
        out.pool = Pool(executor, threads)
        allow = fails or rejected is not None or reading.options.allow_rejects
        pool = Pool(executor, threads)
        for _, result in run_in_order(jobs, pool, work, on_long_line, reading.tallies, allow_rejects=allow):
            take(*result)
        out.finish()


class _Last(Output):
    """The time of the last request, in microseconds since 1970."""

    unit_lines = 1 << 16
    microseconds: int | None = None

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        return ("time",) if details else ()

    def prepare(self, unit: Unit, only_valid: bool) -> int | None:
        if "time" not in unit.columns:
            return None
        last: int | None = pc.max(as_times(unit.columns["time"]).cast("int64")).as_py()
        return last

    def write(self, prepared: int | None, size: int) -> None:
        known = [each for each in (self.microseconds, prepared) if each is not None]
        self.microseconds = max(known, default=None)


def last_time(source: InputOptions, option: str, changes: Changes | None) -> datetime:
    """Return the time of the last request in the inputs, from which `--time-from -1h` counts back, in one pass.

    Raise Failure for a pipe, and for inputs without times.

    option : the option that asks, with its value
    changes : to what messages quote
    """
    reading = CommandInputs(source)
    if not all(each.can_be_read_again for each in reading.sources):
        raise Failure(f"{option} counts from the last request, which a pipe has not sent yet: name a file")
    found = _Last(Sink())
    with changed_quotes(changes):
        run(reading, Counts(), found, by_request=True, diagnosed=False)
    if found.microseconds is None:
        raise Failure(f"{option} counts from the last request, and no request has a time")
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=found.microseconds)
