"""`fasturl check`: each fault of each URL with its place, a line each, as compilers show them."""

from __future__ import annotations

from functools import partial

import click

from fasturl import Finding
from fasturl.cli.counts import Counts
from fasturl.cli.failure import BAD_URLS, TROUBLE
from fasturl.cli.options import examples, input_options, needing_pyarrow
from fasturl.cli.outputs.places import refuse_inputs
from fasturl.cli.outputs.sink import Standard
from fasturl.cli.reading import InputOptions, Reading


@click.command(epilog=examples("fasturl check urls.txt", "fasturl check --hazards --first access.log"))
@partial(input_options, names=("--log-format",))
@click.option("--hazards", is_flag=True, help="Show hazards too: what is dangerous in a URL that may be valid.")
@click.option("--json", "as_json", is_flag=True, help="A JSON object a fault, for programs.")
@click.option("--first", is_flag=True, help="Only the first fault of each URL.")
def command(source: InputOptions, quiet: bool, hazards: bool, as_json: bool, first: bool) -> int:
    """Show what is wrong with each URL, and where.

    Prints FILE:LINE:OFFSET: FINDING: message; the offset counts octets of the URL from 0. Status 1 when any
    URL is invalid, or a line is in no format. FILES are read as `fasturl parse` reads them.
    """
    with needing_pyarrow("check"):
        from fasturl.cli import pipeline
        from fasturl.cli.outputs.faults import FaultOutput
    reading = Reading(source)
    refuse_inputs(reading.sources)
    counts = Counts()
    wanted = Finding.VIOLATIONS | Finding.HAZARDS if hazards else Finding.VIOLATIONS
    pipeline.run(reading, counts, FaultOutput(Standard(), wanted=wanted, first=first, as_json=as_json))
    if not quiet:
        counts.say()
    if reading.torn:
        return TROUBLE
    return BAD_URLS if counts.bad else 0
