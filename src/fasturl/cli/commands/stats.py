"""`fasturl stats`: what the URLs of some inputs are, in numbers."""

from __future__ import annotations

import json
import sys
from collections import Counter
from typing import Any

import click

from fasturl.cli.counts import Counts
from fasturl.cli.failure import TROUBLE
from fasturl.cli.formats.records import DETAILS, Format
from fasturl.cli.inputs.reading import InputOptions, Reading
from fasturl.cli.options import input_options
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.rows import DETAILS_START, FIELD, HOST, PATH, SCHEME, Row, make_rows
from fasturl.cli.terminal import is_terminal, visible

_STATUS = DETAILS_START + DETAILS.index("status")
_METHOD = DETAILS_START + DETAILS.index("method")
_KEYS_AT_MOST = 1 << 18
_KEY_LENGTH = 512


class Tally:
    """Counts by key in bounded memory: when there are too many keys, the rarer half is forgotten."""

    def __init__(self) -> None:
        self.counts: Counter[bytes] = Counter()
        self.exact = True

    def add(self, keys: list[bytes]) -> None:
        if max(map(len, keys), default=0) > _KEY_LENGTH:
            keys = [key if len(key) <= _KEY_LENGTH else key[:_KEY_LENGTH] + b"..." for key in keys]
        self.counts.update(keys)
        if len(self.counts) > _KEYS_AT_MOST:
            self.counts = Counter(dict(self.counts.most_common(_KEYS_AT_MOST // 2)))
            self.exact = False

    def top(self, count: int) -> list[tuple[str, int]]:
        # By count, and then by name: two runs over the same input print the same.
        best = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))[:count]
        return [(key.decode("utf-8", "surrogateescape"), number) for key, number in best]


class _Tables:
    def __init__(self) -> None:
        self.tables = {name: Tally() for name in ("scheme", "host", "path", "method", "status")}

    def add(self, rows: list[Row], fmt: Format) -> None:
        tables = self.tables
        tables["scheme"].add(_column(rows, SCHEME))
        tables["host"].add([host.lower() for host in _column(rows, HOST) if host])
        tables["path"].add(_column(rows, PATH))
        if fmt.details:
            # Once a line: a referer has the same details as its target.
            requests = [row for row in rows if row[FIELD] in fmt.targets]
            tables["method"].add(_column(requests, _METHOD))
            tables["status"].add(_column(requests, _STATUS))


def _column(rows: list[Row], place: int) -> list[bytes]:
    return [_octets(row[place]) for row in rows if row[place] is not None]


def _octets(value: Any) -> bytes:
    return value if isinstance(value, bytes) else str(value).encode()


@click.command()
@input_options
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Rows of each table.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
def command(source: InputOptions, quiet: bool, top: int, as_json: bool) -> int:
    """Count schemes, hosts, paths, methods, statuses and findings.

    FILES are read as `fasturl parse` reads them.
    """
    reading = Reading(source)
    counts = Counts()
    tables = _Tables()
    for _, fmt, records in reading.records():
        rows = make_rows(b"", fmt, records)
        counts.add_lines(records)
        counts.add_rows(rows)
        tables.add(rows, fmt)
    found = {name: tally.top(top) for name, tally in tables.tables.items()}
    exact = all(tally.exact for tally in tables.tables.values())
    out = Standard()
    if as_json:
        whole = {**counts.as_dict(), **{name: dict(rows) for name, rows in found.items()}, "exact": exact}
        out.write(json.dumps(whole).encode() + b"\n")
    elif not (is_terminal(1) and _rich(counts, found, exact)):
        out.write(_plain(counts, found, exact).encode("utf-8", "surrogateescape"))
    return TROUBLE if reading.torn else 0


def _sections(counts: Counts, found: dict[str, list[tuple[str, int]]]) -> list[tuple[str, list[tuple[str, int]]]]:
    totals = [(name, int(str(value))) for name, value in counts.as_dict().items() if name != "findings"]
    sections = [("total", totals), ("finding", counts.findings.most_common()), *found.items()]
    return [(name, rows) for name, rows in sections if rows]


_ROUGH = "the rarer keys were forgotten on the way: hosts and paths may be undercounted"


def _plain(counts: Counts, found: dict[str, list[tuple[str, int]]], exact: bool) -> str:
    """Tables for a pipe: a heading, and `count TAB key` lines. Controls in keys are made visible: a key is
    one line.
    """
    lines = []
    for name, rows in _sections(counts, found):
        lines.append(f"{name}\n" + "".join(f"{number}\t{visible(key)}\n" for key, number in rows))
    if not exact:
        lines.append(_ROUGH + "\n")
    return "\n".join(lines)


def _rich(counts: Counts, found: dict[str, list[tuple[str, int]]], exact: bool) -> bool:
    """Tables for a person; False when rich is not there."""
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ModuleNotFoundError:
        return False
    console = Console(file=sys.stdout)
    for name, rows in _sections(counts, found):
        table = Table("count", name, title_justify="left")
        table.columns[0].justify = "right"
        table.columns[1].overflow = "fold"
        for key, number in rows:
            table.add_row(f"{number:,}", Text(visible(key)))
        console.print(table)
    if not exact:
        console.print(_ROUGH)
    return True
