"""`fasturl parse`: turn URLs or an access log into a table of parts."""

from __future__ import annotations

from typing import Any

import click

from fasturl.cli import options
from fasturl.cli.outputs.sink import CSV_SAFE, KINDS, LOG


@options.command(
    "fasturl parse access.log -o urls.parquet --rejects rejects.log",
    "fasturl parse -F host,path,valid_rfc1738,findings urls.txt",
)
@options.input_options
@options.of_output(
    "-F --fields NAMES",
    "Write these columns, separated by commas. They have this order. `fasturl help fields` lists them.",
)
@options.of_output(
    "-g --get template TEMPLATE",
    "Write one line per row: '{host} {port} {query:key}'. {path} is decoded, and {:path} is not.",
)
@options.of_output(
    "--keep COLUMN", "Also write this column or field of the input. '*' stands for all of them.", multiple=True
)
@options.of_rows(
    "--rows",
    "Make one row per request of a log, or per URL. With url, the column field tells targets from referers.",
    type=["request", "url"],
    default="request",
)
@options.selection_options
@options.routes_options
@options.anonymize_option
@options.output_option("the table")
@options.of_output(
    "--to kind",
    f"Write {', '.join([*KINDS, CSV_SAFE])} or {LOG}. By default FILE's suffix names the format, or else it is jsonl. "
    "csv-safe is for a spreadsheet: it writes ' before each text that would be a formula. log writes the lines of the "
    "input, with --drop, --redact and --anonymize-client applied, and every other byte as it is.",
    type=[*KINDS, CSV_SAFE, LOG],
)
@options.invalid_bytes_option
@options.of_errors(
    "--on-error",
    "For an invalid URL: keep, null, skip or fail. These write the row, write it without the URL's parts, leave it "
    "out, or end the run with status 1.",
    type=["keep", "null", "skip", "fail"],
    default="keep",
)
@options.of_errors("--verify", "End with status 1 if a URL is invalid or a line rejected.", is_flag=True)
@options.of_errors(
    "--rejects FILE",
    "Write the lines that do not fit the format to FILE. They are written byte for byte, or to a FILE.jsonl as objects "
    "with file, line, reason and bytes.",
    type=click.Path(allow_dash=True),
)
def command(**given: Any) -> int:
    """Turn URLs or an access log into a table of parts.

    FILES can be lists with one URL per line, or access logs. You can compress them (.gz .bz2 .xz .zst). If you name no
    file, or -, standard input is read. You get a row for each request or URL, with the parts, the findings, the offset
    of the first violation, and whether the URL is valid.
    """
    with options.needing_pyarrow("parse"):
        from fasturl.cli.parsing import Run
    return Run(**given).run()
