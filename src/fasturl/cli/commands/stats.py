"""`fasturl stats`: what the URLs of some inputs are, in numbers."""

from __future__ import annotations

import json
import sys

import click

from fasturl.cli.counts import Counts
from fasturl.cli.failure import TROUBLE
from fasturl.cli.options import input_options, needing_pyarrow
from fasturl.cli.outputs.places import refuse_inputs
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.reading import InputOptions, Reading
from fasturl.logs.shown import visible


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
    with needing_pyarrow("stats"):
        from fasturl.cli import pipeline
        from fasturl.cli.outputs.tallies import TallyOutput
    reading = Reading(source)
    refuse_inputs(reading.sources)
    counts = Counts()
    out = Standard()
    tallies = TallyOutput(out)
    pipeline.run(reading, counts, tallies)
    found = {name: tally.top(top) for name, tally in tallies.tallies.items()}
    exact = all(tally.exact for tally in tallies.tallies.values())
    if as_json:
        whole = {**counts.as_dict(), **{name: dict(rows) for name, rows in found.items()}, "exact": exact}
        out.write(json.dumps(whole).encode() + b"\n")
    elif not (out.is_terminal and _rich(counts, found, exact)):
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
