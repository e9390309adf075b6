"""`fasturl stats`: what the URLs of some inputs are, in numbers."""

from __future__ import annotations

import json
import sys

import click

from fasturl.cli.counts import Counts
from fasturl.cli.failure import TROUBLE
from fasturl.cli.options import examples, input_options, needing_pyarrow
from fasturl.cli.outputs.places import refuse_inputs
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.reading import InputOptions, Reading
from fasturl.logs.shown import visible

_TOTAL, _FINDING = "total", "finding"
_TABLES = (_TOTAL, _FINDING, "scheme", "host", "path", "method", "status", "status_path")


@click.command(
    epilog=examples("fasturl stats --top 5 access.log", "fasturl stats -t status_path -t finding access.log")
)
@input_options
@click.option(
    "--top",
    metavar="N",
    type=click.IntRange(min=1),
    default=10,
    show_default=True,
    help="Rows of each table.",
)
@click.option(
    "-t",
    "--table",
    "tables",
    metavar="NAME",
    multiple=True,
    type=click.Choice(_TABLES),
    help="Show this table only; give it again for more of them. status_path, the paths that were requested by the "
    f"status of the answer, is made only so. There are: {', '.join(_TABLES)}.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
def command(source: InputOptions, quiet: bool, top: int, tables: tuple[str, ...], as_json: bool) -> int:
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
    tallies = TallyOutput(out, by_status="status_path" in tables)
    pipeline.run(reading, counts, tallies)
    found = {name: tally.top(top) for name, tally in tallies.tallies.items()}
    exact = all(tally.exact for tally in tallies.tallies.values())
    if as_json:
        whole = {**counts.as_dict(), **{name: dict(rows) for name, rows in found.items()}, "exact": exact}
        out.write(json.dumps(_only(whole, tables)).encode() + b"\n")
    elif not (out.is_terminal and _rich(_sections(counts, found, tables), exact)):
        out.write(_plain(_sections(counts, found, tables), exact).encode("utf-8", "surrogateescape"))
    return TROUBLE if reading.torn else 0


def _only(whole: dict[str, object], wanted: tuple[str, ...]) -> dict[str, object]:
    """The members of the JSON object that belong to the tables that were asked for."""
    table_of = {"findings": _FINDING, **{name: name for name in _TABLES}}
    kept = {*wanted, "exact"} if wanted else {*_TABLES, "exact"}
    return {name: value for name, value in whole.items() if name in kept or table_of.get(name, _TOTAL) in kept}


# A table's name, and its rows: a key, and how often it stands.
Sections = list[tuple[str, list[tuple[str, int]]]]


def _sections(counts: Counts, found: dict[str, list[tuple[str, int]]], wanted: tuple[str, ...]) -> Sections:
    """The tables that have rows, in the order in which they were asked for."""
    totals = [(name, int(str(value))) for name, value in counts.as_dict().items() if name != "findings"]
    sections = {_TOTAL: totals, _FINDING: counts.findings.most_common(), **found}
    return [(name, sections[name]) for name in wanted or sections if sections[name]]


_ROUGH = "the rarer keys were forgotten on the way: hosts and paths may be undercounted"


def _plain(sections: Sections, exact: bool) -> str:
    """Tables for a pipe: a heading, and `count TAB key` lines. Controls in keys are made visible: a key is
    one line.
    """
    lines = []
    for name, rows in sections:
        lines.append(f"{name}\n" + "".join(f"{number}\t{visible(key)}\n" for key, number in rows))
    if not exact:
        lines.append(_ROUGH + "\n")
    return "\n".join(lines)


def _rich(sections: Sections, exact: bool) -> bool:
    """Tables for a person; False when rich is not there."""
    try:
        from rich.console import Console
        from rich.table import Table
        from rich.text import Text
    except ModuleNotFoundError:
        return False
    console = Console(file=sys.stdout)
    for name, rows in sections:
        table = Table("count", name, title_justify="left")
        table.columns[0].justify = "right"
        table.columns[1].overflow = "fold"
        for key, number in rows:
            table.add_row(f"{number:,}", Text(visible(key)))
        console.print(table)
    if not exact:
        console.print(_ROUGH)
    return True
