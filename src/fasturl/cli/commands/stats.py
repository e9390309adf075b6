"""`fasturl stats`: count URLs and requests."""

from __future__ import annotations

import json
import sys
from datetime import datetime
from typing import TYPE_CHECKING, Any

from fasturl._extras import is_installed
from fasturl.cli import options
from fasturl.cli.failure import TROUBLE
from fasturl.cli.inputs import CommandInputs
from fasturl.cli.outputs.sink import Standard, refuse_inputs
from fasturl.cli.summary import Row
from fasturl.cli.summary.tables import TABLES, TOTAL
from fasturl.cli.terminal import say
from fasturl.logs import columns
from fasturl.logs.formatted_inputs import InputOptions
from fasturl.logs.shown import visible

if TYPE_CHECKING:
    from fasturl.cli.summary.summary import By

SHOWN = tuple(TABLES)
_KEY_BYTES = 512  # shown of a key
_BAR_WIDTH = 12


@options.command(
    "fasturl stats --top 5 --by size access.log", "fasturl stats -t status_path -t finding access.log", grouped=True
)
@options.input_options
@options.selection_options
@options.routes_options
@options.standard_option
@options.top_option
@options.of_output(
    "-t --table tables NAME",
    f"Show only this table. Repeat it for more tables. Shown by default: {', '.join([TOTAL, *SHOWN])}.",
    multiple=True,
    type=[TOTAL, *TABLES],
)
@options.of_output(
    "--by",
    "Show and sort by the number of requests or URLs per key, or by the bytes sent that the log records.",
    type=["count", "size"],
    default="count",
)
@options.memory_option("the counts")
@options.timezone_option
@options.invalid_bytes_option
@options.of_output("--json as_json", "Write one JSON object instead of tables.", is_flag=True)
def command(
    source: InputOptions,
    quiet: bool,
    standard: columns.Standard,
    top: int,
    tables: tuple[str, ...],
    by: By,
    invalid_bytes: str,
    as_json: bool,
    **given: Any,
) -> int:
    """Count the URLs of a log or a list, and the requests of a log.

    Requests and referers are counted separately, exactly. FILES are read as `fasturl parse` reads them.
    """
    with options.needing_pyarrow("stats", "pyarrow.compute"):
        from fasturl.cli.summary.summary import summarize
    reading = CommandInputs(source, progress=not quiet)
    reading.ends_streams = True
    refuse_inputs(reading.sources)
    wanted = tuple(dict.fromkeys(tables)) or (TOTAL, *SHOWN)
    named = [name for name in wanted if name != TOTAL]
    counted = named + ["visitor"] * (TOTAL in wanted and "visitor" not in named)
    if {"domain", "referer_domain"} & {*tables} and not is_installed("publicsuffixlist"):
        say("registrable domains need publicsuffixlist: pip install 'fasturl[domains]'; hosts are counted instead")
    with summarize(
        reading, counted, command="stats", escapes=invalid_bytes == "escape", standards=(standard,), **given
    ) as summary:
        rows = {name: [] if name == TOTAL else summary.top(name, top, by=by) for name in wanted}
        totals = summary.totals() if TOTAL in wanted else {}
    out = Standard()
    if as_json:
        out.write(_as_json(totals, rows, by))
    else:
        if totals:
            rows[TOTAL] = [Row(name.encode(), number, number) for name, number in totals.items()]
        filled = {name: found for name, found in rows.items() if found}
        if not (out.is_terminal and _show_rich(filled, by)):
            out.write(_as_text(filled, by))
    for name in () if quiet else tables:
        if not rows[name]:
            lacks = "no row was read" if not summary.counts.urls else "no row has a value for it"
            say(f"the table {name} is empty: {lacks}")
    if not quiet:
        reading.say_formats()
    if reading.cut_short is not None:
        summary.counts.say_cut_short(f"{reading.cut_short.name}; the numbers cover the input up to this point")
        raise reading.cut_short
    return TROUBLE if reading.torn else 0


def _number(row: Row, by: By) -> int:
    return row.count if by == "count" or row.figures else row.size


def _figures(row: Row, by: By, form: str = "") -> str:
    """Return the number of a row, or its percentiles in seconds."""
    return " ".join(map(str, row.figures.values())) or format(_number(row, by), form)


def _as_json(totals: dict[str, Any], tables: dict[str, list[Row]], by: By) -> bytes:
    """Return one JSON object: the totals, and one object per table with its keys, the largest first."""
    members: dict[str, Any] = {**totals, "by": by}
    for name, rows in tables.items():
        if name != TOTAL:
            members[TABLES[name].member or name] = {
                row.key.decode("utf-8", "surrogateescape"): {"count": row.count, **row.figures}
                if row.figures
                else _number(row, by)
                for row in rows
            }
    return json.dumps(members, default=_plain).encode() + b"\n"


def _plain(value: datetime | bytes) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else f"{value:%Y-%m-%dT%H:%M}"


def _key_text(key: bytes) -> str:
    """Return a key on one line. A long key is truncated."""
    return visible(key if len(key) <= _KEY_BYTES else key[:_KEY_BYTES] + b"...")


def _as_text(tables: dict[str, list[Row]], by: By) -> bytes:
    lines = {name: [f"{_figures(row, by)}\t{_key_text(row.key)}\n" for row in rows] for name, rows in tables.items()}
    return "\n".join(f"{name}\n{''.join(each)}" for name, each in lines.items()).encode("utf-8", "surrogateescape")


def _show_rich(tables: dict[str, list[Row]], by: By) -> bool:
    """Print the tables with bars. Return False if rich is not installed."""
    try:
        from rich.bar import Bar
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ModuleNotFoundError:
        return False
    console = Console(file=sys.stdout)
    for name, rows in tables.items():
        table = Table(box=None, pad_edge=False, header_style="bold")
        heading = "count" if name == TOTAL else " ".join(rows[0].figures) or by
        table.add_column(heading, justify="right", no_wrap=True)
        if name != TOTAL:
            table.add_column("", width=_BAR_WIDTH, no_wrap=True)
        table.add_column(name, overflow="fold")
        largest = max(_number(row, by) for row in rows) or 1
        for row in rows:
            number = _number(row, by)
            if console.options.ascii_only:
                bar: Any = "#" * round(_BAR_WIDTH * number / largest)
            else:
                bar = Bar(size=1.0, begin=0, end=number / largest, width=_BAR_WIDTH)
            bars = [] if name == TOTAL else [bar]
            table.add_row(_figures(row, by, ","), *bars, Text(_key_text(row.key) or "(empty)"))
        console.print(table)
        console.print()
    return True
