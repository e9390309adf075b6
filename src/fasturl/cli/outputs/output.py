"""What becomes of units: text, the tables of columns, faults, or counts."""

from __future__ import annotations

from typing import Any

from fasturl.cli.outputs.sink import Sink
from fasturl.logs.formats.records import Kept
from fasturl.logs.inputs.source import Source
from fasturl.logs.pool import Pool
from fasturl.logs.units import Unit


class Output:
    """What the pipeline asks of an output. One that is not closed is abandoned."""

    unit_lines = 1 << 14  # how many make a unit
    kept: tuple[Kept, ...] = ()  # columns of the input that go out, too; the pipeline sets it before `columns_for`
    keeps_lines = False  # whether units are to have the lines that they are made of
    keep_unfinished = True  # whether what was written is of use when the run fails

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.pool = Pool(None, 0)  # for more work on threads; the pipeline sets it

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        """The columns of an input; Failure when it cannot follow the inputs before."""
        raise NotImplementedError

    def prepare(self, unit: Unit, only_valid: bool) -> Any:
        """Make of a unit what `write` takes; from any thread."""
        raise NotImplementedError

    def write(self, prepared: Any, octets: int) -> None:
        raise NotImplementedError

    def write_first(self, unit: Unit, rows: int, only_valid: bool) -> None:
        """Write the first rows of the unit that ends the run."""

    def write_long(self, source: Source, number: int) -> None:
        """A line was too long to be read."""

    def finish(self) -> None:
        """Write what is held."""

    def close(self) -> None:
        self.sink.commit()

    def abandon(self) -> None:
        self.sink.abandon(self.keep_unfinished)
