"""`fasturl stats`: what the URLs of some inputs are, in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fasturl.cli.failure import TROUBLE
from fasturl.cli.options import Size, examples, input_options, needing_pyarrow, octets_option
from fasturl.cli.outputs.places import refuse_inputs
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.reading import InputOptions, Reading
from fasturl.cli.summary.tables import ON_REQUEST, SHOWN, TABLES, TOTAL

if TYPE_CHECKING:
    from fasturl.cli.summary.shown import Section
    from fasturl.cli.summary.summary import By


@click.command(
    epilog=examples("fasturl stats --top 5 --by size access.log", "fasturl stats -t status_path -t finding access.log")
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
    type=click.Choice([TOTAL, *TABLES]),
    help=f"Show this table only; give it again for more of them. There are: {', '.join([TOTAL, *SHOWN])}; and, "
    f"made only when they are named: {', '.join(ON_REQUEST)}.",
)
@click.option(
    "--by",
    type=click.Choice(["count", "size"]),
    default="count",
    show_default=True,
    help="What is shown of each key: how many requests or URLs, or how many octets the log says were sent.",
)
@click.option(
    "--memory",
    metavar="SIZE",
    type=Size(1 << 40),
    default="1G",
    show_default=True,
    help="What the counts may hold in memory; more goes to a temporary directory. K, M and G are units.",
)
@octets_option
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of tables.")
def command(
    source: InputOptions,
    quiet: bool,
    top: int,
    tables: tuple[str, ...],
    by: By,
    memory: int,
    octets: str,
    as_json: bool,
) -> int:
    """Count what the URLs of a log or a list have, and what the log says of requests.

    Requests and referers are counted apart, exactly. FILES are read as `fasturl parse` reads them.
    """
    with needing_pyarrow("stats", "pyarrow.compute"):
        from fasturl.cli.summary.shown import as_object, show
        from fasturl.cli.summary.summary import summarized
    reading = Reading(source)
    # Of a stream there are numbers of what has come.
    reading.ends_streams = True
    refuse_inputs(reading.sources)
    wanted = tuple(dict.fromkeys(tables)) or (TOTAL, *SHOWN)
    named = [name for name in wanted if name != TOTAL]
    with summarized(reading, named, command="stats", memory=memory, escapes=octets == "escape") as summary:
        sections: list[Section] = [(name, summary.top(name, top, by=by)) for name in named]
        totals = summary.totals() if TOTAL in wanted else {}
    out = Standard()
    if as_json:
        out.write(as_object(totals, sections, by))
    else:
        show(out, totals, dict(sections), wanted, by)
    if reading.cut_short is not None:
        summary.counts.say_cut_short(f"{reading.cut_short.name}; the numbers are those of what had come")
        raise reading.cut_short
    return TROUBLE if reading.torn else 0
