"""`fasturl check`: print one line per fault of each URL, with its place, as compilers do."""

from __future__ import annotations

from functools import partial

from fasturl import Finding
from fasturl.cli import options
from fasturl.cli.failure import BAD_URLS, TROUBLE
from fasturl.cli.inputs import CommandInputs, Counts
from fasturl.cli.outputs.sink import Standard, refuse_inputs
from fasturl.logs import columns
from fasturl.logs.formatted_inputs import InputOptions


@options.command("fasturl check urls.txt", "fasturl check --hazards --first access.log")
@partial(options.input_options, names="--log-format")
@options.of_output("--hazards", "Also show hazards, which leave a URL valid.", is_flag=True)
@options.of_output(
    "--format kind", "Write text for people, or one json object per fault.", type=["text", "json"], default="text"
)
@options.of_output("--json as_json", "Short for --format json.", is_flag=True)
@options.invalid_bytes_option
@options.standard_option
@options.of_output("--first", "Show only the first fault of each URL.", is_flag=True)
def command(
    source: InputOptions,
    quiet: bool,
    hazards: bool,
    kind: str,
    as_json: bool,
    invalid_bytes: str,
    standard: columns.Standard,
    first: bool,
) -> int:
    """Show each fault of each URL, and its place.

    Each line of output is FILE:LINE:COLUMN: FINDING: message. The column counts characters from 1. The status is 1 if a
    URL is invalid, or if a line does not match the format. FILES are read as `fasturl parse` reads them.
    """
    with options.needing_pyarrow("check"):
        from fasturl.cli import pipeline
        from fasturl.cli.outputs.faults import FaultOutput, Json, Text
    reading = CommandInputs(source, progress=not quiet)
    refuse_inputs(reading.sources)
    counts = Counts()
    wanted = Finding.VIOLATIONS | Finding.HAZARDS if hazards else Finding.VIOLATIONS
    form = Json(escapes=invalid_bytes == "escape") if as_json or kind == "json" else Text()
    faults = FaultOutput(Standard(), form, wanted=wanted, first=first, standard=standard)
    pipeline.run(reading, counts, faults, standard=standard)
    if not quiet:
        counts.say()
        reading.say_formats()
    if reading.torn:
        return TROUBLE
    return BAD_URLS if counts.bad else 0
