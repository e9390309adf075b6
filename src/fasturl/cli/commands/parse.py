"""`fasturl parse`: turn URLs or an access log into a table of parts."""

from __future__ import annotations

from typing import Any

import click

from fasturl.cli import options
from fasturl.cli.options import option
from fasturl.cli.outputs.sink import CSV_SAFE, KINDS, LOG


@click.command(
    cls=options.GroupedCommand,
    epilog=options.examples(
        "fasturl parse access.log -o urls.parquet --rejects rejects.log",
        "fasturl parse -F host,path,valid_rfc1738,findings urls.txt",
    ),
)
@options.input_options
@option("Columns", "-F", "--fields", metavar="NAMES", help="Write these columns, in this order, separated by commas.")
@option(
    "Columns",
    "-g",
    "--get",
    "template",
    metavar="TEMPLATE",
    help="Write one line per row instead: '{host} {port} {query:key}'. {:path} is not decoded.",
)
@option(
    "Columns",
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="Also write this column or field of the input; '*' stands for all of them.",
)
@option(
    "Rows",
    "--rows",
    type=click.Choice(["request", "url"]),
    default="request",
    help="Rows of a log: one per request, with the referer as a column, or one per URL, with a column field "
    "(target or referer).",
)
@options.selection_options
@option(
    "Texts",
    "--anonymize-client",
    "anonymize",
    metavar="HOW",
    help="Write addresses as networks, /16 or /24 (of IPv6 /48), or as keyed hashes, hash:FILE with a secret key.",
)
@options.output_option("the table")
@click.option(
    "--to",
    "kind",
    type=click.Choice([*KINDS, CSV_SAFE, LOG]),
    help="The output's format. By default FILE's suffix names it, else jsonl. csv-safe is for a spreadsheet: "
    "it writes ' before each text that would be a formula (docs/cli.md). log is the lines of the input, with "
    "--drop, --redact and --anonymize-client applied, and every other byte as it is.",
)
@options.invalid_bytes_option
@option(
    "Errors",
    "--on-error",
    type=click.Choice(["keep", "null", "skip", "fail"]),
    default="keep",
    help="Write the row of an invalid URL, write it without the URL's parts, skip it, or end the run with status 1.",
)
@option("Errors", "--verify", is_flag=True, help="End with status 1 if any URL is invalid or any line is rejected.")
@option(
    "Errors",
    "--rejects",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Keep the lines that are not in the format, byte for byte; in a FILE.jsonl as objects with file, line, "
    "reason and bytes.",
)
def command(**given: Any) -> int:
    """Turn URLs or an access log into a table of parts.

    FILES hold one URL per line, or an access log, plain or compressed (.gz .bz2 .xz .zst). - or no file is standard
    input. Each request or URL becomes one row: its parts, whether it is valid, its findings, and the offset of the
    first violation.
    """
    with options.needing_pyarrow("parse"):
        from fasturl.cli.parsing import Run
    return Run(**given).run()
