"""The base classes of outputs and of steps before them, and a sink that writes on a thread of its own."""

from __future__ import annotations

from collections import deque
from functools import partial
from typing import Any

from fasturl.arrow.threads import Pool, Task, Workers
from fasturl.cli.failure import Failure
from fasturl.cli.outputs.sink import Sink
from fasturl.logs.columns import columns_of
from fasturl.logs.formats.records import PassthroughColumn
from fasturl.logs.inputs.source import Source
from fasturl.logs.units import Unit

_BYTES_AHEAD = 16 << 20  # limit of the bytes that wait for the write under way


class Step:
    """A change to each unit between reading and writing. `names` are the columns that the step reads."""

    names: tuple[str, ...] = ()

    def columns_for(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        """Return the columns that the step reads when `columns` are written."""
        return self.names

    def apply(self, unit: Unit) -> Unit:
        """Return the unit after the step. Called from any thread."""
        raise NotImplementedError


class Output:
    """A destination of units: text, tables, faults or counts. The caller ends or abandons its sink."""

    unit_lines = 1 << 14  # lines per unit
    # Columns of the input that are also written; None until a line has named them. The pipeline sets it.
    kept: tuple[PassthroughColumn, ...] | None = ()
    keeps_lines = False  # True if units need the lines that they were read from
    keep_unfinished = True  # True if the output of a failed run is of use

    def __init__(self, sink: Sink) -> None:
        self.sink = sink
        self.pool = Pool(None, 0)  # for further work on threads; the pipeline sets it

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        """Return the columns to read of an input. Raise Failure if it cannot follow the inputs before it."""
        raise NotImplementedError

    def prepare(self, unit: Unit, only_valid: bool) -> Any:
        """Return the argument of `write` for a unit. Called from any thread."""
        raise NotImplementedError

    def write(self, prepared: Any, size: int) -> None:
        raise NotImplementedError

    def write_first(self, unit: Unit, rows: int) -> None:
        """Write the first rows of the unit that ends the run."""

    def write_long(self, source: Source, number: int) -> None:
        """Report a line that was too long to read."""

    def finish(self) -> None:
        """Write the data that is held."""

    def abandon(self) -> None:
        self.sink.abandon(self.keep_unfinished)


class ColumnOutput(Output):
    """An output whose rows have the same columns in each input: `wanted`, or if none is named, those of the first."""

    def __init__(self, sink: Sink, wanted: tuple[str, ...]) -> None:
        super().__init__(sink)
        self._wanted = wanted
        self._columns: tuple[tuple[str, ...], tuple[PassthroughColumn, ...]] | None = None
        self._untold: tuple[str, ...] = ()  # columns of an input whose columns to keep are unknown yet

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        columns = columns_of(self._wanted, details, self._columns[0] if self._columns is not None else ())
        if self.kept is None:
            self._untold = columns
        elif self._columns is None:
            self._columns = columns, self.kept
            self.start(columns, self.kept)
        elif (columns, self.kept) != self._columns:
            raise Failure(
                f"{name} has other columns than the input before it: name the --fields, run twice, or write --to jsonl"
            )
        return columns

    def start(self, columns: tuple[str, ...], kept: tuple[PassthroughColumn, ...]) -> None:
        """Begin to write rows of these columns."""
        raise NotImplementedError

    def finish(self) -> None:
        if self._columns is None:  # no input held a record: write an empty table
            self.start(self._untold or columns_of(self._wanted, ()), ())


class WriteBehind(Sink):
    """A sink that writes to another sink on its own thread, in order. Written buffers must not change afterwards.

    A later write or `commit` raises the error of a failed write; nothing is written after it. For files only: a run
    would wait at its end for the reader of a pipe.
    """

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self.is_terminal, self.is_file = sink.is_terminal, sink.is_file
        self._thread = Workers(1)
        self._waiting: deque[tuple[Task, int]] = deque()
        self._size = 0
        self._failed = False

    def _write(self, data: bytes | memoryview) -> None:
        if self._failed:
            return
        try:
            self._sink.write(data)
        except BaseException:
            self._failed = True
            raise

    def write(self, data: bytes | memoryview) -> None:
        self._waiting.append((self._thread.submit(partial(self._write, data)), len(data)))
        self._size += len(data)
        while self._waiting and (self._waiting[0][0].done or (self._size > _BYTES_AHEAD and len(self._waiting) > 1)):
            done, length = self._waiting.popleft()
            self._size -= length
            done.result()

    def commit(self) -> None:
        for done, _ in self._waiting:
            done.result()
        self._thread.close()
        self._sink.commit()

    def abandon(self, keep: bool = True) -> None:
        # The buffers hold whole rows, so they are written before the sink is abandoned.
        for done, _ in self._waiting:
            done.wait()
        self._thread.close()
        self._sink.abandon(keep)
