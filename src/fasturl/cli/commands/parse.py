"""`fasturl parse`: URLs or an access log in, a table of parts out."""

from __future__ import annotations

from typing import Any

import click

from fasturl.cli.options import MOMENT, examples, input_options, needing_pyarrow, octets_option
from fasturl.cli.outputs.kinds import KINDS
from fasturl.cli.reading import InputOptions


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
    help="Of a log: a row a request, whose referer is a column (the default), or a row for each URL, which a field "
    "tells apart.",
)
@click.option(
    "--only",
    type=click.Choice(["target", "referer"]),
    help="Of a log's rows by URL those of this field; --rows url goes without saying.",
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
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="Carry this column or field of the input through, beside those of the output; '*' is all of them.",
)
@click.option(
    "--drop",
    metavar="NAME",
    multiple=True,
    help="Leave these parameters of queries away before the URLs are parsed; * stands for any characters: 'utm_*'.",
)
@click.option(
    "--redact",
    metavar="KEY",
    multiple=True,
    help="Write *** for passwords and for the values of parameters with this name; secrets stands for well-known ones "
    "(docs/cli.md).",
)
@click.option(
    "--where",
    "expression",
    metavar="EXPR",
    help="Write the rows for which this is true, an expression of DuckDB's SQL over the columns: 'status >= 500'.",
)
@click.option(
    "--time-from",
    metavar="TIME",
    type=MOMENT,
    help="Of a log: only requests of this time or later, as 2015-05-17T10:05:00Z or a date; UTC when it names no zone.",
)
@click.option("--time-to", metavar="TIME", type=MOMENT, help="Of a log: only requests before this time.")
@click.option(
    "--rejects",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Keep here, octet for octet, the lines that are not in the format.",
)
@click.option(
    "--rejects-format",
    type=click.Choice(["lines", "jsonl"]),
    help="How rejects are kept: as lines (the default), or as JSON lines with file, line, reason and octets.",
)
@octets_option
@click.option(
    "--on-error",
    type=click.Choice(["keep", "null", "skip", "fail"]),
    default="keep",
    show_default=True,
    help="What becomes of an invalid URL: its row is written, written without the URL's parts, left out, or ends the "
    "run with status 1.",
)
@click.option(
    "--max-errors",
    metavar="N",
    type=click.IntRange(min=0),
    help="End with status 1 when more than N URLs are invalid or lines rejected.",
)
@click.option("--verify", is_flag=True, help="Status 1 when any URL is invalid or any line rejected.")
def command(source: InputOptions, quiet: bool, **options: Any) -> int:
    """Turn URLs or an access log into a table of parts.

    FILES hold one URL a line, or an access log, plain or compressed (.gz .bz2 .xz .zst); - or none is
    standard input. A row goes out for each request or URL: its parts, whether it is valid, what was found and where the
    first fault is.
    """
    with needing_pyarrow("parse"):
        from fasturl.cli.parsing import Run, Wanted
    return Run(source, Wanted(quiet=quiet, **options)).run()
