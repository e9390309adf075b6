"""`fasturl parse`: turn URLs or an access log into a table of parts."""

from __future__ import annotations

from typing import Any

import click

from fasturl.cli import options
from fasturl.cli.outputs.sink import CSV_SAFE, KINDS, LOG


@options.command(
    "fasturl parse access.log -o urls.parquet --rejects rejects.log",
    "fasturl parse -F host,path,valid_rfc1738,findings urls.txt",
    grouped=True,
)
@options.input_options
@options.of_columns("-F --fields NAMES", "Write these columns, in this order, separated by commas.")
@options.of_columns(
    "-g --get template TEMPLATE", "Write one line per row instead: '{host} {port} {query:key}'. {:path} is not decoded."
)
@options.of_columns(
    "--keep COLUMN", "Also write this column or field of the input; '*' stands for all of them.", multiple=True
)
@options.of_rows(
    "--rows",
    "Rows of a log: one per request, with the referer as a column, or one per URL, with a column field "
    "(target or referer).",
    type=["request", "url"],
    default="request",
)
@options.selection_options
@options.routes_options
@options.anonymize_option
@options.output_option("the table")
@options.of_output(
    "--to kind",
    "The output's format. By default FILE's suffix names it, else jsonl. csv-safe is for a spreadsheet: "
    "it writes ' before each text that would be a formula (docs/cli.md). log is the lines of the input, with "
    "--drop, --redact and --anonymize-client applied, and every other byte as it is.",
    type=[*KINDS, CSV_SAFE, LOG],
)
@options.invalid_bytes_option
@options.of_errors(
    "--on-error",
    "Write the row of an invalid URL, write it without the URL's parts, skip it, or end the run with status 1.",
    type=["keep", "null", "skip", "fail"],
    default="keep",
)
@options.of_errors("--verify", "End with status 1 if any URL is invalid or any line is rejected.", is_flag=True)
@options.of_errors(
    "--rejects FILE",
    "Keep the lines that are not in the format, byte for byte; in a FILE.jsonl as objects with file, line, "
    "reason and bytes.",
    type=click.Path(allow_dash=True),
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
