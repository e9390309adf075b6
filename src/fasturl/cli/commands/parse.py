"""`fasturl parse`: URLs or an access log in, a table of parts out."""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import TYPE_CHECKING, Any

import click

from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, TROUBLE, Failure, TooMany
from fasturl.cli.formats import DETAILS, Format, Records
from fasturl.cli.options import input_options
from fasturl.cli.reading import InputOptions, Reading
from fasturl.cli.rows import FINDINGS, HAZARDS, LINE, OFFSET, URL_COLUMNS, VALID, Layout, Row, make_rows
from fasturl.cli.sink import Sink, open_sink
from fasturl.cli.source import Source
from fasturl.cli.template import compile_template
from fasturl.cli.terminal import is_terminal, visible
from fasturl.cli.writers import COLUMNAR, KINDS, WRITERS, Writer, kind_for

if TYPE_CHECKING:
    from collections.abc import Callable

    from fasturl.cli.columnar import ColumnOutput


class _Output:
    """Rows by way of a writer, or lines by way of a template."""

    def __init__(self, sink: Sink, kind: str, template: str | None, columns: tuple[str, ...]) -> None:
        self._sink = sink
        self._columns = columns
        self._kind = kind
        self._layout: Layout | None = None
        self._details: tuple[str, ...] | None = None
        self._template = template
        self._line: Callable[[Row], bytes] | None = None
        self._writer: Writer | None = None if template is not None else WRITERS[kind](sink)
        if template is not None:
            # Told now, before there is anything to undo.
            compile_template(template, (*URL_COLUMNS, *DETAILS))
        self.keep_unfinished = self._writer is None or self._writer.readable_early

    def _lay_out(self, details: tuple[str, ...], name: str) -> Layout:
        if self._layout is not None and details == self._details:
            return self._layout
        layout = Layout(self._columns, details)
        if self._writer is None:
            # A template may name a log's details in any input: they are absent there.
            layout = Layout((*URL_COLUMNS, *DETAILS), details)
            self._line = compile_template(self._template or "", layout.columns)
        elif self._layout is None or self._writer.mixed:
            self._writer.start(layout.columns)
        elif layout.columns != self._layout.columns:
            raise Failure(
                f"{name} has other columns than the input before it: name the --fields, or use two runs, or JSON lines"
            )
        self._layout, self._details = layout, details
        return layout

    def write(self, source: Source, fmt: Format, rows: list[Row]) -> None:
        layout = self._lay_out(fmt.details, visible(source.name))
        rows = layout.apply(rows)
        if self._writer is not None:
            self._writer.write(rows)
        elif self._line is not None and rows:
            line = self._line
            self._sink.write(b"".join([line(row) + b"\n" for row in rows]))

    def close(self) -> None:
        if self._writer is not None:
            if self._layout is None:  # no input held a line: a table of no rows
                self._writer.start(Layout(self._columns, ()).columns)
            self._writer.close()
        self._sink.commit()

    def abandon(self) -> None:
        self._sink.abandon(self.keep_unfinished)


class _Limit:
    """--on-error and --max-errors: which rows go out, and when enough is enough."""

    def __init__(self, on_error: str, max_errors: int | None) -> None:
        self._skip = on_error == "skip"
        self._left = 0 if on_error == "fail" else max_errors

    def apply(self, source: Source, records: Records, rows: list[Row]) -> tuple[list[Row], TooMany | None]:
        """The rows that go out, and the failure that then ends the run."""
        failure = None
        if self._left is not None:
            failure, last = self._count(source, records, rows)
            if failure is not None:
                rows = [row for row in rows if row[LINE] < last]  # type: ignore[operator]
                records.rejects = [reject for reject in records.rejects if reject[0] <= last]
        if self._skip:
            rows = [row for row in rows if row[VALID]]
        return rows, failure

    def _count(self, source: Source, records: Records, rows: list[Row]) -> tuple[TooMany | None, int]:
        assert self._left is not None
        bad: list[tuple[Any, Row | None]] = [(number, None) for number, _ in records.rejects]
        bad += [(row[LINE], row) for row in rows if not row[VALID]]
        if len(bad) <= self._left:
            self._left -= len(bad)
            return None, 0
        bad.sort(key=lambda item: item[0])
        number, row = bad[self._left]
        if row is None:
            what = "the line is not in the input's format"
        else:
            names: Any = row[FINDINGS]
            what = f"offset {row[OFFSET]!r}: {', '.join(name for name in names if name not in HAZARDS)}"
        return TooMany(f"{visible(source.name)}:{number}: {what}", BAD_URLS), number


@click.command()
@input_options
@click.option(
    "-o",
    "--output",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Where the table goes; - or nothing is standard output. A file appears when it is complete.",
)
@click.option(
    "--to",
    "kind",
    type=click.Choice(KINDS),
    help="The output's format; else FILE's suffix tells it, else jsonl.",
)
@click.option("-F", "--fields", metavar="NAMES", help="The columns to write, in this order, divided by commas.")
@click.option(
    "-g",
    "--get",
    "template",
    metavar="TEMPLATE",
    help="Write a line a URL instead: '{host} {port} {query:key}'; {:path} is not decoded.",
)
@click.option(
    "--rejects",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Keep here, octet for octet, the lines that are not in the format.",
)
@click.option(
    "--on-error",
    type=click.Choice(["keep", "skip", "fail"]),
    default="keep",
    show_default=True,
    help="What becomes of an invalid URL: its row is written, left out, or ends the run with status 1.",
)
@click.option(
    "--max-errors",
    metavar="N",
    type=click.IntRange(min=0),
    help="End with status 1 when more than N URLs are invalid or lines rejected.",
)
@click.option(
    "--threads",
    metavar="N",
    type=click.IntRange(min=1),
    help="How many threads parse and compress Parquet and Arrow files; else as many as there are processors.",
)
@click.option("--verify", is_flag=True, help="Status 1 when any URL is invalid or any line rejected.")
def command(
    source: InputOptions,
    quiet: bool,
    output: str | None,
    kind: str | None,
    fields: str | None,
    template: str | None,
    rejects: str | None,
    on_error: str,
    max_errors: int | None,
    threads: int | None,
    verify: bool,
) -> int:
    """Turn URLs or an access log into a table of parts.

    FILES hold one URL a line, or an access log, plain or compressed (.gz .bz2 .xz .zst); - or none is
    standard input. A row goes out for each URL: its parts, whether it is valid, what was found and where the
    first fault is.
    """
    columns = _column_names(fields)
    if template is not None and (kind is not None or columns):
        raise Failure("--get writes its own lines: it goes with neither --to nor --fields")
    if rejects is not None and _same_place(rejects, output):
        raise Failure("--rejects and --output name the same file")
    kind = kind_for(output, kind)
    text = template is not None or kind in ("jsonl", "csv")
    to_terminal = output in (None, "-") and is_terminal(1)
    if to_terminal and not text:
        raise Failure(f"{kind} is not for a terminal: name a file with --output")
    source.progress = source.progress and not to_terminal
    columnar = _columnar(kind) if kind in COLUMNAR and template is None else None
    reading = Reading(source)
    counts = Counts()
    limit = _Limit(on_error, max_errors)
    # The rejects first: nothing may fail any more once the table's file is made.
    rejected = open_sink(rejects) if rejects is not None else None
    out: _Output | ColumnOutput | None = None
    separator = b"\0" if source.null_separated else b"\n"
    try:
        if columnar is not None:
            out = columnar.ColumnOutput(open_sink(output, text=text), kind, columns)
            columnar.run_columns(
                *(reading, counts, on_error, max_errors, out, rejected, separator),
                threads=threads or columnar.processors(),
            )
        else:
            out = _Output(open_sink(output, text=text), kind, template, columns)
            _run(reading, counts, limit, out, rejected, separator)
        out.close()
        if rejected is not None:
            rejected.commit()
    except BaseException as error:
        if out is not None:
            out.abandon()
        if rejected is not None:
            rejected.abandon()
        if not quiet and isinstance(error, TooMany):
            counts.say()
        raise
    if not quiet:
        counts.say()
    if reading.torn:
        return TROUBLE
    return BAD_URLS if verify and counts.bad else 0


def _columnar(kind: str) -> ModuleType:
    try:
        return importlib.import_module("fasturl.cli.columnar")
    except ModuleNotFoundError as error:
        if error.name not in ("pyarrow", "pyarrow.parquet"):
            raise
        raise Failure(f"writing {kind} needs pyarrow: pip install 'fasturl[arrow]'") from None


def _run(
    reading: Reading, counts: Counts, limit: _Limit, out: _Output, rejected: Sink | None, separator: bytes
) -> None:
    for source, fmt, records in reading.records():
        rows = make_rows(os.fsencode(source.name), fmt, records)
        counts.add_lines(records)
        counts.add_rows(rows)
        rows, failure = limit.apply(source, records, rows)
        out.write(source, fmt, rows)
        if rejected is not None and records.rejects:
            rejected.write(b"".join([raw + separator for _, raw in records.rejects]))
        if failure is not None:
            raise failure


def _column_names(fields: str | None) -> tuple[str, ...]:
    if fields is None:
        return ()
    names = tuple(name.strip() for name in fields.split(","))
    known = (*URL_COLUMNS, *DETAILS)
    for name in names:
        if name not in known:
            raise Failure(f"--fields: there is no {visible(name)!r}; there are: {', '.join(known)}")
    if len(set(names)) < len(names):
        raise Failure("--fields: a column is named twice")
    return names


def _same_place(path: str, other: str | None) -> bool:
    if path == "-" or other in (None, "-"):
        return path == "-" and other in (None, "-")
    return os.path.realpath(path) == os.path.realpath(str(other))
