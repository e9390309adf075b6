"""A run of `fasturl parse`: what the user asks for is looked at before anything is opened, and what ends it is told."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial

from fasturl.arrow.threads import processors
from fasturl.cli import pipeline
from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, TROUBLE, Failure, Interrupted, TooMany
from fasturl.cli.outputs.behind import Behind
from fasturl.cli.outputs.kinds import TABLES, TEXT, kind_for, open_output
from fasturl.cli.outputs.lines import TextOutput
from fasturl.cli.outputs.output import Output
from fasturl.cli.outputs.places import refuse_inputs, same_place
from fasturl.cli.outputs.rejects import Rejects
from fasturl.cli.outputs.tables import TableOutput
from fasturl.cli.outputs.template import Template
from fasturl.cli.reading import InputOptions, Reading
from fasturl.cli.steps import Between, Nulls, Only, Step
from fasturl.logs.changes import Changes, Redaction
from fasturl.logs.formats.records import REFERER
from fasturl.logs.rows import COLUMNS, REFERER_COLUMNS
from fasturl.logs.shown import visible
from fasturl.secrets import SECRET_KEYS

# The key that stands for all of SECRET_KEYS.
SECRETS = "secrets"


@dataclass
class Wanted:
    """What the options of `fasturl parse` say, beside those of reading."""

    quiet: bool
    output: str | None
    kind: str | None
    rows: str | None
    only: str | None
    fields: str | None
    template: str | None
    expression: str | None
    keep: tuple[str, ...]
    drop: tuple[str, ...]
    redact: tuple[str, ...]
    time_from: datetime | None
    time_to: datetime | None
    rejects: str | None
    rejects_format: str | None
    octets: str
    on_error: str
    max_errors: int | None
    verify: bool

    @property
    def by_request(self) -> bool:
        return self.rows != "url" and self.only is None

    @property
    def columns(self) -> tuple[str, ...]:
        """Those that are named; Failure for a name that is none."""
        if self.fields is None:
            return ()
        names = tuple(name.strip() for name in self.fields.split(","))
        for name in names:
            if name not in COLUMNS:
                raise Failure(f"--fields: there is no {visible(name)!r}; there are: {', '.join(COLUMNS)}")
        if len(set(names)) < len(names):
            raise Failure("--fields: a column is named twice")
        return names

    def check(self) -> None:
        """Failure for options that contradict each other."""
        if self.template is not None and (self.kind is not None or self.fields is not None or self.keep):
            raise Failure("--get writes its own lines: it goes with none of --to, --fields and --keep")
        if self.only is not None and self.rows == "request":
            raise Failure("--only is of rows by URL: a row by request has both; leave --rows away, or choose --fields")
        if not self.by_request and not {*self.columns}.isdisjoint((REFERER, *REFERER_COLUMNS)):
            raise Failure("--rows url: a referer has a row of its own, and no columns in others")
        if "" in (*self.drop, *self.redact):
            raise Failure("--drop and --redact: the name of a parameter is empty")
        if self.rejects is not None and same_place(self.rejects, self.output):
            raise Failure("--rejects and --output name the same file")
        if self.rejects is None and self.rejects_format is not None:
            raise Failure("--rejects-format: name the file with --rejects")

    @property
    def redaction(self) -> Redaction | None:
        keys = (key for name in self.redact for key in (SECRET_KEYS if name == SECRETS else (name,)))
        return Redaction(tuple(dict.fromkeys(keys))) if self.redact else None

    def steps(self, stack: ExitStack) -> list[Step]:
        """What is done with the rows, in its order."""
        steps: list[Step] = []
        if self.only is not None:
            steps.append(Only(self.only))
        if self.time_from is not None or self.time_to is not None:
            steps.append(Between(self.time_from, self.time_to))
        if self.on_error == "null":
            steps.append(Nulls())
        if self.expression is not None:
            from fasturl.cli.where import Where

            where = Where(self.expression, by_request=self.by_request)
            stack.callback(where.close)
            steps.append(where)
        return steps


class Run:
    """One run, whose outputs appear when all has gone well."""

    def __init__(self, source: InputOptions, wanted: Wanted) -> None:
        wanted.check()
        self._source = replace(source, keep=wanted.keep)
        self._wanted = wanted
        self._columns = wanted.columns
        # Told now, before there is anything to undo.
        self._template = Template(wanted.template) if wanted.template is not None else None
        self._kind = kind_for(wanted.output, wanted.kind) if self._template is None else TEXT[0]
        if wanted.octets == "surrogate" and self._kind in TABLES:
            raise Failure(f"--octets surrogate: {self._kind} holds UTF-8 only; take jsonl or csv")
        self._escapes = wanted.octets == "escape"
        self._redaction = wanted.redaction
        self._counts = Counts()

    def run(self) -> int:
        """Do it; the exit status."""
        with ExitStack() as stack:
            steps = self._wanted.steps(stack)
            reading = Reading(self._source)
            # A part of a table without its end is of no use, so what has come gets one.
            reading.ends_streams = self._kind in TABLES
            self._write(reading, steps)
        return self._ended(reading)

    def _write(self, reading: Reading, steps: list[Step]) -> None:
        wanted = self._wanted
        # Before anything is opened for writing.
        refuse_inputs(reading.sources, (wanted.output,) if wanted.rejects is None else (wanted.output, wanted.rejects))
        # The rejects first: nothing may fail any more once the table's file is made.
        rejected = self._rejects(reading) if wanted.rejects is not None else None
        out: Output | None = None
        try:
            out = self._output()
            pipeline.run(
                reading,
                self._counts,
                out,
                by_request=wanted.by_request,
                on_error=wanted.on_error,
                max_errors=wanted.max_errors,
                rejected=rejected,
                steps=steps,
                changes=Changes(wanted.drop, self._redaction) if wanted.drop or wanted.redact else None,
            )
            out.close()
            if rejected is not None:
                rejected.commit()
        except BaseException as error:
            if out is not None:
                out.abandon()
            if rejected is not None:
                rejected.abandon()
            self._say_cut_short(error)
            raise

    def _rejects(self, reading: Reading) -> Rejects:
        wanted = self._wanted
        kind = wanted.rejects_format or "lines"
        sink = open_output(wanted.rejects)
        return Rejects(sink, kind, reading.options.separator, escapes=self._escapes, redaction=self._redaction)

    def _output(self) -> Output:
        text = partial(
            TextOutput, kind=self._kind, columns=self._columns, template=self._template, escapes=self._escapes
        )
        sink = open_output(self._wanted.output)
        if sink.is_file and processors(self._source.threads) > 1:
            sink = Behind(sink)
        out = TableOutput(sink, self._kind, self._columns) if self._kind in TABLES else text(sink)
        if sink.is_terminal:
            self._source.progress = False
            if self._kind in TABLES:
                out.abandon()
                raise Failure(f"{self._kind} is not for a terminal: name a file with --output")
        return out

    def _say_cut_short(self, error: BaseException) -> None:
        """The counts of a run that a limit or a signal ended."""
        if isinstance(error, (TooMany, Interrupted)) and not self._wanted.quiet:
            self._counts.say()
            why = error.name if isinstance(error, Interrupted) else "--on-error or --max-errors"
            self._counts.say_cut_short(why)

    def _ended(self, reading: Reading) -> int:
        if not self._wanted.quiet:
            self._counts.say()
            reading.say_formats()
        if reading.cut_short is not None:
            # The signal that ended a stream, now that the table is in its place.
            if not self._wanted.quiet:
                why = f"{reading.cut_short.name}; the {self._kind} output is whole, with what had come"
                self._counts.say_cut_short(why)
            raise reading.cut_short
        if reading.torn:
            return TROUBLE
        return BAD_URLS if self._wanted.verify and self._counts.bad else 0
