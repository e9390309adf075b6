"""The time of the last request of files, from which `--time-from -1h` counts back."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from fasturl.arrow import compute as pc
from fasturl.cli import pipeline
from fasturl.cli.failure import Failure
from fasturl.cli.inputs import CommandInputs, Counts
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.batches import as_times
from fasturl.logs.changes import Changes, changed_quotes
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.units import Unit


class _Last(Output):
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
    """Return the latest time in the inputs, in one pass. Raise Failure for a pipe, and for inputs without times.

    option : the option that asks, with its value
    changes : to what messages quote
    """
    reading = CommandInputs(source)
    if not all(each.can_be_read_again for each in reading.sources):
        raise Failure(f"{option} counts from the last request, which a pipe has not sent yet: name a file")
    found = _Last(Sink())
    with changed_quotes(changes):
        pipeline.run(reading, Counts(), found, by_request=True, diagnosed=False)
    if found.microseconds is None:
        raise Failure(f"{option} counts from the last request, and no request has a time")
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=found.microseconds)
