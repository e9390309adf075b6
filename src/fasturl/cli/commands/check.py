"""`fasturl check`: each fault of each URL with its place, a line each, as compilers show them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import click

from fasturl import Finding
from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, TROUBLE
from fasturl.cli.options import examples, input_options, needing_pyarrow, octets_option
from fasturl.cli.outputs.places import refuse_inputs
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.reading import InputOptions, Reading


@click.command(epilog=examples("fasturl check urls.txt", "fasturl check --hazards --first access.log"))
@partial(input_options, names=("--log-format",))
@click.option("--hazards", is_flag=True, help="Show hazards too: what is dangerous in a URL that may be valid.")
@click.option(
    "--format",
    "kind",
    type=click.Choice(["text", "json", "github", "sarif"]),
    default="text",
    show_default=True,
    help="Lines for people, a JSON object a fault, annotations of GitHub's workflows, or one document of SARIF 2.1.0.",
)
@click.option("--json", "as_json", is_flag=True, help="The same as --format json.")
@octets_option
@click.option("--first", is_flag=True, help="Only the first fault of each URL.")
def command(
    source: InputOptions, quiet: bool, hazards: bool, kind: str, as_json: bool, octets: str, first: bool
) -> int:
    """Show what is wrong with each URL, and where.

    Prints FILE:LINE:COLUMN: FINDING: message; the column counts characters of the line from 1. Status 1 when any URL is
    invalid, or a line is in no format. FILES are read as `fasturl parse` reads them.
    """
    with needing_pyarrow("check"):
        from fasturl.cli import pipeline
        from fasturl.cli.outputs.faultforms import Form, GitHub, Json, Sarif, Text
        from fasturl.cli.outputs.faults import FaultOutput
    forms: dict[str, Callable[[], Form]] = {
        "text": Text,
        "json": partial(Json, escapes=octets == "escape"),
        "github": GitHub,
        "sarif": Sarif,
    }
    reading = Reading(source)
    refuse_inputs(reading.sources)
    counts = Counts()
    wanted = Finding.VIOLATIONS | Finding.HAZARDS if hazards else Finding.VIOLATIONS
    made = forms["json" if as_json else kind]()
    pipeline.run(reading, counts, FaultOutput(Standard(), made, wanted=wanted, first=first))
    if not quiet:
        counts.say()
    if reading.torn:
        return TROUBLE
    return BAD_URLS if counts.bad else 0
