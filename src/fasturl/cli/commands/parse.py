"""`fasturl parse`: turn URLs or an access log into a table of parts."""

from __future__ import annotations

import click

from fasturl.cli.inputs import InputOptions
from fasturl.cli.options import (
    INPUT_NAMES,
    ROW_NAMES,
    TEXT_NAMES,
    GroupedCommand,
    csv_safe_option,
    examples,
    input_options,
    needing_pyarrow,
    octets_option,
    output_option,
    selection_options,
)
from fasturl.cli.outputs.kinds import KINDS, LOG, csv_safe_kind
from fasturl.cli.selection import Selection


class _Parse(GroupedCommand):
    groups = {  # noqa: RUF012
        "Input": INPUT_NAMES,
        "Columns": ("--fields", "--get", "--keep"),
        "Rows": ("--rows", *ROW_NAMES),
        "Texts": (*TEXT_NAMES, "--anonymize-client"),
        "Output": ("--output", "--to", "--csv-safe", "--octets", "--quiet", "--help"),
        "Errors": ("--on-error", "--verify", "--rejects"),
    }


@click.command(
    cls=_Parse,
    epilog=examples(
        "fasturl parse access.log -o urls.parquet --rejects rejects.log",
        "fasturl parse -F host,path,valid,findings urls.txt",
    ),
)
@input_options
@click.option("-F", "--fields", metavar="NAMES", help="Write these columns, in this order, separated by commas.")
@click.option(
    "-g",
    "--get",
    "template",
    metavar="TEMPLATE",
    help="Write one line per row instead: '{host} {port} {query:key}'. {:path} is not decoded.",
)
@click.option(
    "--keep",
    metavar="COLUMN",
    multiple=True,
    help="Also write this column or field of the input; '*' stands for all of them.",
)
@click.option(
    "--rows",
    type=click.Choice(["request", "url"]),
    default="request",
    show_default=True,
    help="Rows of a log: one per request, with the referer as a column, or one per URL, with a column field "
    "(target or referer).",
)
@selection_options
@click.option(
    "--anonymize-client",
    "anonymize",
    metavar="HOW",
    help="Write addresses as networks, /16 or /24 (of IPv6 /48), or as keyed hashes, hash:FILE with a secret key.",
)
@output_option("the table")
@click.option(
    "--to",
    "kind",
    type=click.Choice([*KINDS, LOG]),
    help="The output's format. By default FILE's suffix names it, else jsonl. log is the lines of the input, with "
    "--drop, --redact and --anonymize-client applied, and every other byte as it is.",
)
@csv_safe_option
@octets_option
@click.option(
    "--on-error",
    type=click.Choice(["keep", "null", "skip", "fail"]),
    default="keep",
    show_default=True,
    help="Write the row of an invalid URL, write it without the URL's parts, skip it, or end the run with status 1.",
)
@click.option("--verify", is_flag=True, help="End with status 1 if any URL is invalid or any line is rejected.")
@click.option(
    "--rejects",
    metavar="FILE",
    type=click.Path(allow_dash=True),
    help="Keep the lines that are not in the format, byte for byte; in a FILE.jsonl as objects with file, line, "
    "reason and octets.",
)
def command(
    source: InputOptions,
    quiet: bool,
    fields: str | None,
    template: str | None,
    keep: tuple[str, ...],
    rows: str,
    selection: Selection,
    anonymize: str | None,
    output: str | None,
    kind: str | None,
    csv_safe: bool,
    octets: str,
    on_error: str,
    verify: bool,
    rejects: str | None,
) -> int:
    """Turn URLs or an access log into a table of parts.

    FILES hold one URL per line, or an access log, plain or compressed (.gz .bz2 .xz .zst). - or no file is standard
    input. Each request or URL becomes one row: its parts, whether it is valid, its findings, and the offset of the
    first violation.
    """
    with needing_pyarrow("parse"):
        from fasturl.cli.parsing import ParseOptions, Run
    options = ParseOptions(
        quiet=quiet,
        fields=fields,
        template=template,
        keep=keep,
        rows=rows,
        selection=selection,
        anonymize=anonymize,
        output=output,
        kind=csv_safe_kind(output, kind) if csv_safe else kind,
        octets=octets,
        on_error=on_error,
        verify=verify,
        rejects=rejects,
    )
    return Run(source, options).run()
