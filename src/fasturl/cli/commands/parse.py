"""`fasturl parse`: URLs or an access log in, a table of parts out."""

from __future__ import annotations

import importlib
import os
from types import ModuleType
from typing import TYPE_CHECKING

import click

from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, TROUBLE, Failure, TooMany
from fasturl.cli.formats.records import DETAILS
from fasturl.cli.inputs.reading import InputOptions, Reading
from fasturl.cli.options import input_options
from fasturl.cli.outputs.kinds import KINDS, TABLES, TEXT, kind_for
from fasturl.cli.outputs.sink import Sink, open_sink
from fasturl.cli.outputs.template import Template
from fasturl.cli.rows import URL_COLUMNS
from fasturl.cli.terminal import is_terminal, visible

if TYPE_CHECKING:
    from fasturl.cli.pipeline import Output


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
    help="How many threads parse and encode; else as many as there are processors.",
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
    # Told now, before there is anything to undo.
    compiled = Template(template) if template is not None else None
    kind = kind_for(output, kind) if compiled is None else TEXT[0]
    to_terminal = output in (None, "-") and is_terminal(1)
    if to_terminal and kind in TABLES:
        raise Failure(f"{kind} is not for a terminal: name a file with --output")
    source.progress = source.progress and not to_terminal
    pipeline = _pipeline()
    reading = Reading(source)
    counts = Counts()
    # The rejects first: nothing may fail any more once the table's file is made.
    rejected = open_sink(rejects) if rejects is not None else None
    out: Output | None = None
    separator = b"\0" if source.null_separated else b"\n"
    try:
        out = _output(open_sink(output, text=kind in TEXT), kind, columns, compiled)
        pipeline.run(
            *(reading, counts, on_error, max_errors, out, rejected, separator),
            threads=threads or pipeline.processors(),
        )
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


def _pipeline() -> ModuleType:
    try:
        return importlib.import_module("fasturl.cli.pipeline")
    except ModuleNotFoundError as error:
        if error.name is None or not error.name.startswith("pyarrow"):
            raise
        raise Failure("fasturl parse needs pyarrow: pip install 'fasturl[cli]'") from None


def _output(sink: Sink, kind: str, columns: tuple[str, ...], template: Template | None) -> Output:
    if kind in TABLES:
        from fasturl.cli.outputs.tables import TableOutput

        return TableOutput(sink, kind, columns)
    from fasturl.cli.outputs.lines import TextOutput

    return TextOutput(sink, kind, columns, template)


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
