"""The tables of a summary: for a person on a terminal with bars, in a pipe by tabs, for programs as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

from fasturl.cli.outputs.sink import Standard
from fasturl.cli.summary.summary import By, Row
from fasturl.cli.summary.tables import MEMBERS, TOTAL
from fasturl.logs.shown import visible

Section = tuple[str, list[Row]]

_KEY_AT_MOST = 512
_BAR = 12


def _number(row: Row, by: By) -> int:
    return row.count if by == "count" else row.size


def as_object(totals: dict[str, int], sections: list[Section], by: By) -> bytes:
    """One JSON object: the totals, and of each table an object of its keys, the largest first."""
    told: dict[str, Any] = {**totals, "by": by}
    for name, rows in sections:
        found = {row.key.decode("utf-8", "surrogateescape"): _number(row, by) for row in rows}
        told[MEMBERS.get(name, name)] = found
    return json.dumps(told).encode() + b"\n"


def _shown(key: bytes) -> str:
    """A key on one line; of a long one its beginning."""
    return visible(key if len(key) <= _KEY_AT_MOST else key[:_KEY_AT_MOST] + b"...")


def show(out: Standard, totals: dict[str, int], tables: dict[str, list[Row]], wanted: tuple[str, ...], by: By) -> None:
    """The tables that have rows, in the order in which they are wanted."""
    filled = [name for name in wanted if (totals if name == TOTAL else tables[name])]
    if out.is_terminal and _show_rich(totals, tables, filled, by):
        return
    texts = []
    for name in filled:
        if name == TOTAL:
            lines = [f"{number}\t{each}\n" for each, number in totals.items()]
        else:
            lines = [f"{_number(row, by)}\t{_shown(row.key)}\n" for row in tables[name]]
        texts.append(f"{name}\n" + "".join(lines))
    out.write("\n".join(texts).encode("utf-8", "surrogateescape"))


def _show_rich(totals: dict[str, int], tables: dict[str, list[Row]], filled: list[str], by: By) -> bool:
    """Tables with bars; False when rich is not there."""
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
        table.add_column(by if name != TOTAL else "count", justify="right", no_wrap=True)
        if name == TOTAL:
            table.add_column(name)
            for each, number in totals.items():
                table.add_row(f"{number:,}", each)
        else:
            table.add_column("", width=_BAR, no_wrap=True)
            table.add_column(name, overflow="fold")
            largest = max(_number(row, by) for row in tables[name]) or 1
            for row in tables[name]:
                number = _number(row, by)
                if console.options.ascii_only:
                    bar: Any = "#" * round(_BAR * number / largest)
                else:
                    bar = Bar(size=1.0, begin=0, end=number / largest, width=_BAR)
                table.add_row(f"{number:,}", bar, Text(_shown(row.key) or "(empty)"))
        console.print(table)
        console.print()
    return True
