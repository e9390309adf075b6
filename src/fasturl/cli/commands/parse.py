"""`fasturl parse`: URLs or an access log in, a table of parts out."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import click

from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, TROUBLE, Failure, Interrupted, TooMany
from fasturl.cli.options import examples, input_options, needing_pyarrow
from fasturl.cli.outputs.kinds import KINDS, TABLES, TEXT, kind_for, open_output
from fasturl.cli.outputs.places import refuse_inputs, same_place
from fasturl.cli.outputs.template import Template
from fasturl.cli.reading import InputOptions, Reading
from fasturl.logs.formats.records import REFERER
from fasturl.logs.rows import COLUMNS, REFERER_COLUMNS
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl.cli.outputs.output import Output
    from fasturl.cli.where import Where


@click.command(
    epilog=examples(
        "fasturl parse access.log -o urls.parquet --rejects rejects.log",
        "fasturl parse -F host,path,valid,findings urls.txt",
    )
)
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
@click.option(
    "--rows",
    type=click.Choice(["request", "url"]),
    default="request",
    show_default=True,
    help="Of a log: a row a request, whose referer is a column, or a row for each URL, which a field tells apart.",
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
    "--where",
    "expression",
    metavar="EXPR",
    help="Write the rows for which this is true, an expression of DuckDB's SQL over the columns: 'status >= 500'.",
)
@click.option(
    "--rejects",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Keep here, octet for octet, the lines that are not in the format.",
)
@click.option(
    "--octets",
    type=click.Choice(["escape", "surrogate"]),
    default="escape",
    show_default=True,
    help="How an octet that cannot be UTF-8 is written: %E9, or so that it can be read back (docs/cli.md).",
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
@click.option("--verify", is_flag=True, help="Status 1 when any URL is invalid or any line rejected.")
def command(
    source: InputOptions,
    quiet: bool,
    output: str | None,
    kind: str | None,
    rows: str,
    fields: str | None,
    template: str | None,
    expression: str | None,
    rejects: str | None,
    octets: str,
    on_error: str,
    max_errors: int | None,
    verify: bool,
) -> int:
    """Turn URLs or an access log into a table of parts.

    FILES hold one URL a line, or an access log, plain or compressed (.gz .bz2 .xz .zst); - or none is
    standard input. A row goes out for each request or URL: its parts, whether it is valid, what was found and where the
    first fault is.
    """
    columns = _column_names(fields)
    _check_columns(rows, columns, own_lines=template is not None, kind=kind)
    if rejects is not None and same_place(rejects, output):
        raise Failure("--rejects and --output name the same file")
    # Told now, before there is anything to undo.
    compiled = Template(template) if template is not None else None
    kind = kind_for(output, kind) if compiled is None else TEXT[0]
    _check_octets(octets, kind)
    with needing_pyarrow("parse"):
        from fasturl.cli import pipeline
        from fasturl.cli.outputs.lines import TextOutput
        from fasturl.cli.outputs.tables import TableOutput
    where = None if expression is None else _where(expression, by_request=rows == "request")
    reading = Reading(source)
    # A part of a table without its end is of no use, so what has come gets one.
    reading.ends_streams = kind in TABLES
    # Before anything is opened for writing.
    refuse_inputs(reading.sources, (output,) if rejects is None else (output, rejects))
    counts = Counts()
    # The rejects first: nothing may fail any more once the table's file is made.
    rejected = open_output(rejects) if rejects is not None else None
    out: Output | None = None
    text = partial(TextOutput, kind=kind, columns=columns, template=compiled, escapes=octets == "escape")
    try:
        sink = open_output(output)
        out = TableOutput(sink, kind, columns) if kind in TABLES else text(sink)
        if sink.is_terminal:
            source.progress = False
            if kind in TABLES:
                raise Failure(f"{kind} is not for a terminal: name a file with --output")
        pipeline.run(
            reading,
            counts,
            out,
            by_request=rows == "request",
            on_error=on_error,
            max_errors=max_errors,
            rejected=rejected,
            where=where,
        )
        out.close()
        if rejected is not None:
            rejected.commit()
    except BaseException as error:
        if out is not None:
            out.abandon()
        if rejected is not None:
            rejected.abandon()
        if not quiet:
            _say_cut_short(counts, error)
        raise
    if not quiet:
        counts.say()
        reading.say_formats()
    _end_stream(reading, counts, kind, quiet)
    if reading.torn:
        return TROUBLE
    return BAD_URLS if verify and counts.bad else 0


def _check_octets(octets: str, kind: str) -> None:
    if octets == "surrogate" and kind in TABLES:
        raise Failure(f"--octets surrogate: {kind} holds UTF-8 only; take jsonl or csv")


def _end_stream(reading: Reading, counts: Counts, kind: str, quiet: bool) -> None:
    """Raise the signal that ended a stream, now that the table is in its place."""
    if reading.cut_short is None:
        return
    if not quiet:
        counts.say_cut_short(f"{reading.cut_short.name}; the {kind} output is whole, with what had come")
    raise reading.cut_short


def _say_cut_short(counts: Counts, error: BaseException) -> None:
    """The counts of a run that a limit or a signal ended."""
    if isinstance(error, (TooMany, Interrupted)):
        counts.say()
        counts.say_cut_short(error.name if isinstance(error, Interrupted) else "--on-error or --max-errors")


def _where(expression: str, *, by_request: bool) -> Where:
    with needing_pyarrow("parse"):
        from fasturl.cli.where import Where
    where = Where(expression, by_request=by_request)
    click.get_current_context().call_on_close(where.close)
    return where


def _check_columns(rows: str, columns: tuple[str, ...], *, own_lines: bool, kind: str | None) -> None:
    if own_lines and (kind is not None or columns):
        raise Failure("--get writes its own lines: it goes with neither --to nor --fields")
    if rows == "url" and not {*columns}.isdisjoint((REFERER, *REFERER_COLUMNS)):
        raise Failure("--rows url: a referer has a row of its own, and no columns in others")


def _column_names(fields: str | None) -> tuple[str, ...]:
    if fields is None:
        return ()
    names = tuple(name.strip() for name in fields.split(","))
    known = COLUMNS
    for name in names:
        if name not in known:
            raise Failure(f"--fields: there is no {visible(name)!r}; there are: {', '.join(known)}")
    if len(set(names)) < len(names):
        raise Failure("--fields: a column is named twice")
    return names
