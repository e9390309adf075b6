"""`fasturl report`: write an HTML page with charts of a log."""

from __future__ import annotations

from contextlib import ExitStack
from datetime import tzinfo
from typing import Any

from fasturl._extras import pip_install
from fasturl.cli import options
from fasturl.cli.failure import TROUBLE, Failure
from fasturl.cli.inputs import CommandInputs
from fasturl.cli.outputs.sink import open_output, refuse_inputs
from fasturl.logs.columns import Standard
from fasturl.logs.formatted_inputs import InputOptions

_EXAMPLES = 3  # URLs shown per finding


@options.command(
    "fasturl report access.log -o report.html",
    "fasturl report --compare 10:00..10:05 10:05..10:10 access.log -o new.html",
)
@options.input_options
@options.selection_options
@options.anonymize_option
@options.output_option("the page")
@options.of_output(
    "--standard",
    "Show the violations of this standard only. By default the page shows those of both.",
    type=["rfc1738", "rfc3986"],
)
@options.top_option
@options.timezone_option
@options.of_output(
    "--docs URL",
    "Link each finding to its page below this address of fasturl's documentation. The report never fetches it.",
)
@options.compare_option
@options.memory_option("DuckDB")
def command(
    source: InputOptions,
    quiet: bool,
    output: str | None,
    standard: Standard | None,
    top: int,
    zone: tzinfo | None,
    docs: str | None,
    compared: tuple[str, str] | None,
    selection: options.Selection,
    **given: Any,
) -> int:
    """Make a page with charts of a log.

    The page shows what failed and when, latency, traffic, probes, and findings with examples. It is a single HTML file
    that needs no network and no script. It is light or dark when the reader's system is. The numbers are the same as in
    `fasturl stats`. FILES are read as `fasturl parse` reads them.
    """
    if docs is not None and not docs.startswith(("https://", "http://", "file://", "/", "./", "../")):
        raise Failure("--docs: expected an address such as https://…, or a path that starts with /, ./ or ../")
    with options.needing_pyarrow("report"):
        from fasturl.cli.summary.summary import summarize
    try:
        import altair  # noqa: F401 - report a missing module before a log is read
        import publicsuffixlist  # noqa: F401
        import vl_convert  # noqa: F401

        from fasturl.cli.report.markup import name_of
        from fasturl.cli.report.page import COMPARED_TABLES, TABLES, Report, comparison
    except ModuleNotFoundError as error:
        raise Failure(f"fasturl report needs {error.name}: {pip_install('report')}") from None
    parts = [(source, selection)]
    if compared is not None:
        parts = options.compared_parts(source, selection, compared, zone, given["anonymize"])
    readings = [CommandInputs(part, progress=not quiet) for part, _ in parts]
    refuse_inputs([each for reading in readings for each in reading.sources], (output,))
    sink = open_output(output)
    try:
        if sink.is_terminal:
            raise Failure("a page cannot be written to a terminal: name a file with --output")
        with ExitStack() as stack:
            given |= {"zone": zone, "standards": ("rfc1738", "rfc3986") if standard is None else (standard,)}
            given |= {"command": "report", "examples": _EXAMPLES if compared is None else 0}
            wanted = TABLES if compared is None else COMPARED_TABLES
            summaries = [
                stack.enter_context(summarize(reading, wanted, selection=selected, **given))
                for reading, (_, selected) in zip(readings, parts, strict=True)
            ]
            named = {each.name: reading.format_of(each) for reading in readings for each in reading.sources}
            formats = [f"{name_of(name)}: {found}" for name, found in named.items()]
            told: Any = {"top": top, "torn": any(each.broke_off for each in readings), "formats": formats, "zone": zone}
            if compared is None:
                page = Report(summaries[0], [*named], docs=docs, **told).html()
            else:
                page = comparison(summaries, [name_of(name) for name in compared], **told)
            sink.write(page.encode())
        torn = any(reading.torn for reading in readings)
        sink.end(torn=torn)
    except BaseException:
        sink.abandon(keep=False)
        raise
    for reading, summary in zip(readings, () if quiet else summaries, strict=False):
        summary.counts.say()
        reading.say_formats()
    return TROUBLE if torn else 0
