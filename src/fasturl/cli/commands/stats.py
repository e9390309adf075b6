"""`fasturl stats`: count URLs and requests."""

from __future__ import annotations

import json
import sys
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

import click

from fasturl._extras import is_installed
from fasturl.cli import options
from fasturl.cli.failure import TROUBLE
from fasturl.cli.inputs import InputOptions, Reading
from fasturl.cli.outputs.sink import Standard, refuse_inputs
from fasturl.cli.summary import DURATION, MEMBERS, ON_REQUEST, SHOWN, TABLES, TOTAL, Row
from fasturl.cli.terminal import say
from fasturl.logs import columns
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl.cli.summary import Durations
    from fasturl.cli.summary.summary import By

    AnyRow = Row | Durations

_KEY_BYTES = 512  # shown of a key
_BAR_WIDTH = 12
_HEADINGS = {TOTAL: "count", DURATION: "p50 p95 p99"}


@click.command(
    cls=options.GroupedCommand,
    epilog=options.examples(
        "fasturl stats --top 5 --by size access.log", "fasturl stats -t status_path -t finding access.log"
    ),
)
@options.input_options
@options.selection_options
@options.standard_option
@options.top_option
@click.option(
    "-t",
    "--table",
    "tables",
    metavar="NAME",
    multiple=True,
    type=click.Choice([TOTAL, *TABLES]),
    help=f"Show only this table. Repeat it for more tables. Shown by default: {', '.join([TOTAL, *SHOWN])}. "
    f"Only by name: {', '.join(ON_REQUEST)}.",
)
@click.option(
    "--by",
    type=click.Choice(["count", "size"]),
    default="count",
    help="Show and sort by the number of requests or URLs per key, or by the bytes sent that the log records.",
)
@options.memory_option("the counts")
@options.timezone_option
@options.invalid_bytes_option
@click.option("--json", "as_json", is_flag=True, help="Write one JSON object instead of tables.")
def command(
    source: InputOptions,
    quiet: bool,
    selection: options.Selection,
    standard: columns.Standard,
    top: int,
    tables: tuple[str, ...],
    by: By,
    memory: int,
    zone: tzinfo | None,
    invalid_bytes: str,
    as_json: bool,
) -> int:
    """Count the URLs of a log or a list, and the requests of a log.

    Requests and referers are counted separately, exactly. FILES are read as `fasturl parse` reads them.
    """
    with options.needing_pyarrow("stats", "pyarrow.compute"):
        from fasturl.cli.summary.summary import summarize
    reading = Reading(source)
    reading.ends_streams = True
    refuse_inputs(reading.sources)
    wanted = tuple(dict.fromkeys(tables)) or (TOTAL, *SHOWN)
    named = [name for name in wanted if name != TOTAL]
    counted = named + ["client"] * (TOTAL in wanted and "client" not in named)
    if {"domain", "referer_domain"} & {*tables} and not is_installed("publicsuffixlist"):
        say("registrable domains need publicsuffixlist: pip install 'fasturl[domains]'; hosts are counted instead")
    with summarize(
        reading,
        counted,
        command="stats",
        selection=selection,
        memory=memory,
        escapes=invalid_bytes == "escape",
        zone=zone,
        standards=(standard,),
    ) as summary:
        rows: dict[str, list[AnyRow]] = {
            name: [*(summary.durations(top) if name == DURATION else summary.top(name, top, by=by))] for name in named
        }
        totals = summary.totals() if TOTAL in wanted else {}
    out = Standard()
    if as_json:
        out.write(_as_json(totals, rows, by))
    else:
        filled = [name for name in wanted if (totals if name == TOTAL else rows[name])]
        if not (out.is_terminal and _show_rich(totals, rows, filled, by)):
            out.write(_as_text(totals, rows, filled, by))
    if not quiet:
        reading.say_formats()
    if reading.cut_short is not None:
        summary.counts.say_cut_short(f"{reading.cut_short.name}; the numbers cover the input up to this point")
        raise reading.cut_short
    return TROUBLE if reading.torn else 0


def _number(row: AnyRow, by: By) -> int:
    return row.count if by == "count" or not isinstance(row, Row) else row.size


def _figures(row: AnyRow, by: By, form: str = "d") -> str:
    """Return the number of a row, or its percentiles in seconds."""
    return format(_number(row, by), form) if isinstance(row, Row) else f"{row.p50:g} {row.p95:g} {row.p99:g}"


def _as_value(row: AnyRow, by: By) -> Any:
    if isinstance(row, Row):
        return _number(row, by)
    return {"count": row.count, "p50": row.p50, "p95": row.p95, "p99": row.p99}


def _as_json(totals: dict[str, Any], tables: dict[str, list[AnyRow]], by: By) -> bytes:
    """Return one JSON object: the totals, and one object per table with its keys, the largest first."""
    members: dict[str, Any] = {**totals, "by": by}
    for name, rows in tables.items():
        keys = {row.key.decode("utf-8", "surrogateescape"): _as_value(row, by) for row in rows}
        members[MEMBERS.get(name, name)] = keys
    return json.dumps(members).encode() + b"\n"


def _key_text(key: bytes) -> str:
    """Return a key on one line. A long key is truncated."""
    return visible(key if len(key) <= _KEY_BYTES else key[:_KEY_BYTES] + b"...")


def _as_text(totals: dict[str, Any], tables: dict[str, list[AnyRow]], filled: list[str], by: By) -> bytes:
    texts = []
    for name in filled:
        if name == TOTAL:
            lines = [f"{number}\t{each}\n" for each, number in totals.items()]
        else:
            lines = [f"{_figures(row, by)}\t{_key_text(row.key)}\n" for row in tables[name]]
        texts.append(f"{name}\n" + "".join(lines))
    return "\n".join(texts).encode("utf-8", "surrogateescape")


def _show_rich(totals: dict[str, Any], tables: dict[str, list[AnyRow]], filled: list[str], by: By) -> bool:
    """Print the tables with bars. Return False if rich is not installed."""
    try:
        from rich.bar import Bar
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ModuleNotFoundError:
        return False
    console = Console(file=sys.stdout)
    for name in filled:
        table = Table(box=None, pad_edge=False, header_style="bold")
        table.add_column(_HEADINGS.get(name, by), justify="right", no_wrap=True)
        if name == TOTAL:
            table.add_column(name)
            for each, number in totals.items():
                table.add_row(f"{number:,}", each)
        else:
            table.add_column("", width=_BAR_WIDTH, no_wrap=True)
            table.add_column(name, overflow="fold")
            largest = max(_number(row, by) for row in tables[name]) or 1
            for row in tables[name]:
                number = _number(row, by)
                if console.options.ascii_only:
                    bar: Any = "#" * round(_BAR_WIDTH * number / largest)
                else:
                    bar = Bar(size=1.0, begin=0, end=number / largest, width=_BAR_WIDTH)
                table.add_row(_figures(row, by, ",d"), bar, Text(_key_text(row.key) or "(empty)"))
        console.print(table)
        console.print()
    return True
