"""A run of `fasturl parse`. All options are checked before any output is opened."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from typing import TYPE_CHECKING

import pyarrow as pa

from fasturl._quoted import unknown
from fasturl.arrow import compute as pc
from fasturl.arrow.threads import processors
from fasturl.cli import pipeline
from fasturl.cli.failure import ALL_FIELDS, BAD_URLS, TROUBLE, BadInput, Failure, Interrupted
from fasturl.cli.imports import arrow_module
from fasturl.cli.inputs import CommandInputs, Counts, plural
from fasturl.cli.options import Selection
from fasturl.cli.outputs.lines import TextOutput
from fasturl.cli.outputs.output import Output, Step, WriteBehind
from fasturl.cli.outputs.sink import (
    LOG,
    TABLE_AS_LOG,
    TABLES,
    is_json_lines,
    kind_for,
    open_output,
    refuse_inputs,
    same_place,
)
from fasturl.cli.outputs.template import Template
from fasturl.cli.terminal import complain
from fasturl.logs.columns import AGENT_COLUMNS, COLUMNS, PARTS, REFERER, REFERER_COLUMNS, ROUTE
from fasturl.logs.formats.records import ALL
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.units import Unit

if TYPE_CHECKING:
    from fasturl.cli.outputs.loglines import LogOutput
    from fasturl.cli.outputs.rejects import Rejects

_REFERER_PARTS = tuple(f"{REFERER}_{name}" for name in PARTS)
_REFERER_VALID = f"{REFERER}_valid_rfc1738"


class NullParts(Step):
    """`--on-error null`: set the parts of invalid URLs to null."""

    def columns_for(self, columns: tuple[str, ...]) -> tuple[str, ...]:
        return () if {*columns}.isdisjoint(REFERER_COLUMNS) else (_REFERER_VALID,)

    def apply(self, unit: Unit) -> Unit:
        if unit.invalid:
            _null_parts(unit, PARTS, unit.valid)
        if _REFERER_VALID in unit.columns:
            _null_parts(unit, _REFERER_PARTS, unit.columns[_REFERER_VALID])
        return unit


def _null_parts(unit: Unit, names: tuple[str, ...], valid: pa.Array) -> None:
    """Set the columns to null where `valid` is not true. Replaces bitmaps only: Arrow cannot compute with views."""
    for name in names:
        if name in unit.columns:
            column = unit.columns[name]
            bits = pc.and_(column.is_valid(), pc.fill_null(valid, False))
            # The columns of a unit are never slices, so their buffers start at the first row.
            buffers = [bits.buffers()[1], *column.buffers()[1:]]
            unit.columns[name] = pa.Array.from_buffers(column.type, len(column), buffers)


@dataclass(eq=False, repr=False)
class Run:
    """One run, with the options of `fasturl parse`. Its outputs appear when it succeeds."""

    source: InputOptions
    quiet: bool
    fields: str | None
    template: str | None
    rows: str
    selection: Selection
    anonymize: str | None
    output: str | None
    kind: str | None
    invalid_bytes: str
    on_error: str
    verify: bool
    rejects: str | None

    def __post_init__(self) -> None:
        self.by_request = self.rows == "request"
        self._check()
        self._columns = self._named_columns()
        self._template = Template(self.template) if self.template is not None else None
        self._kind = kind_for(self.output, self.kind) if self._template is None else "jsonl"
        if self._kind == LOG and self.source.column is not None:
            raise Failure(TABLE_AS_LOG)
        if self.invalid_bytes == "surrogate" and self._kind in TABLES:
            raise Failure(f"--invalid-bytes surrogate: {self._kind} can only contain UTF-8: write jsonl or csv")
        self._escapes = self.invalid_bytes == "escape"
        computing = self.source.keep, self.anonymize, self.selection.hides, self.selection.condition
        if any(computing) or self._kind == LOG or not {*self._columns}.isdisjoint(AGENT_COLUMNS):
            arrow_module("pyarrow.compute")  # else a cast imports it, and NumPy with it
        self._changes = self.selection.changes(anonymize=self.anonymize)
        self._counts = Counts()
        self._log: LogOutput | None = None

    def _named_columns(self) -> tuple[str, ...]:
        """Return the names in `--fields`. Raise Failure for an unknown name."""
        if self.fields is None:
            return ()
        names = tuple(name.strip() for name in self.fields.split(","))
        for name in names:
            if name not in COLUMNS and (name != ROUTE or self.source.routes is None):
                raise Failure(f"--fields: {unknown('column', name, COLUMNS, ALL_FIELDS)}")
        if len(set(names)) < len(names):
            raise Failure("--fields: a column is named twice")
        return names

    def _check(self) -> None:
        """Raise Failure for options that contradict each other."""
        if self.template is not None and (self.kind is not None or self.fields is not None or self.source.keep):
            raise Failure("--get writes its own lines, so it cannot be used with --to, --fields or --keep")
        if self.kind == LOG and (self.fields is not None or self.source.keep or not self.by_request):
            raise Failure("--to log writes whole lines, so it cannot be used with --fields, --keep or --rows url")
        if not self.by_request and not {*self._named_columns()}.isdisjoint((REFERER, *REFERER_COLUMNS)):
            raise Failure("--rows url: a referer has its own row, so it has no columns in other rows")
        if self.rejects is not None and same_place(self.rejects, self.output):
            raise Failure("--rejects and --output name the same file")

    def run(self) -> int:
        """Run, and return the exit status."""
        with ExitStack() as stack:
            reading = CommandInputs(self.source, progress=not self.quiet)
            steps: list[Step] = [NullParts()] if self.on_error == "null" else []
            steps += self.selection.steps(stack, "parse", reading, by_request=self.by_request)
            # A table needs its footer, so a signal must end the input and not the run.
            reading.ends_streams = self._kind in TABLES
            self._write(reading, steps)
        return self._status(reading)

    def _write(self, reading: CommandInputs, steps: list[Step]) -> None:
        refuse_inputs(reading.sources, (self.output,) if self.rejects is None else (self.output, self.rejects))
        # The rejects come first: nothing may fail between the creation of the table's file and the run.
        rejected = self._rejects(reading)
        out: Output | None = None
        try:
            out = self._output(reading)
            pipeline.run(
                reading,
                self._counts,
                out,
                by_request=self.by_request,
                on_error=self.on_error,
                rejected=rejected,
                steps=steps,
                changes=self._changes,
                shown=None if ALL in self.source.keep else len(dict.fromkeys(self.source.keep)),
            )
            out.sink.end(torn=reading.torn)
            if rejected is not None:
                rejected.sink.end(torn=reading.torn)
        except BaseException as error:
            if out is not None:
                out.abandon()
            if rejected is not None:
                rejected.sink.abandon()
            if isinstance(error, (BadInput, Interrupted)) and not self.quiet:
                self._counts.say()
                self._counts.say_cut_short(error.name if isinstance(error, Interrupted) else "--on-error")
            raise

    def _rejects(self, reading: CommandInputs) -> Rejects | None:
        if self.rejects is None:
            return None
        from fasturl.cli.outputs.rejects import Rejects

        return Rejects(
            open_output(self.rejects),
            reading.options.separator,
            as_json=is_json_lines(self.rejects),
            escapes=self._escapes,
            changes=self._changes,
        )

    def _output(self, reading: CommandInputs) -> Output:
        sink = open_output(self.output)
        if sink.is_file and processors(self.source.threads) > 1:
            sink = WriteBehind(sink)
        out: Output
        # Each run needs one kind of output.
        if self._kind == LOG:
            from fasturl.cli.outputs.loglines import LogOutput

            out = self._log = LogOutput(sink, self._changes)
        elif self._kind in TABLES:
            from fasturl.cli.outputs.tablefiles import TableOutput

            out = TableOutput(sink, self._kind, self._columns)
        else:
            out = TextOutput(sink, self._kind, self._columns, self._template, escapes=self._escapes)
        if sink.is_terminal:
            reading.progress = False
            if self._kind in TABLES:
                out.abandon()
                raise Failure(f"{self._kind} cannot be written to a terminal: name a file with --output")
        return out

    def _status(self, reading: CommandInputs) -> int:
        if not self.quiet:
            self._counts.say()
            reading.say_formats()
        if reading.cut_short is not None:
            if not self.quiet:
                name = reading.cut_short.name
                self._counts.say_cut_short(f"{name}; the {self._kind} output is complete up to this point")
            raise reading.cut_short
        if self._log is not None and self._log.withheld:
            count = plural(self._log.withheld, "line")
            complain(f"{count} not written: fasturl could not locate a URL that it had to change")
            return TROUBLE
        if reading.torn:
            return TROUBLE
        return BAD_URLS if self.verify and self._counts.bad else 0
