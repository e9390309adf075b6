"""`fasturl report`: write an HTML page with charts of a log."""

from __future__ import annotations

from datetime import tzinfo
from typing import Any

from fasturl.cli import options
from fasturl.cli.failure import TROUBLE, Failure
from fasturl.cli.inputs import CommandInputs
from fasturl.cli.outputs.sink import open_output, refuse_inputs
from fasturl.logs.columns import Standard
from fasturl.logs.formatted_inputs import InputOptions

_EXAMPLES = 3  # URLs shown per finding


@options.command(
    "fasturl report access.log -o report.html", "fasturl report --top 25 access.log -o top25.html", grouped=True
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
    "--docs URL", "Address of fasturl's pages: each finding then links to its own page. The report never fetches it."
)
@options.memory_option("DuckDB")
def command(
    source: InputOptions,
    quiet: bool,
    output: str | None,
    standard: Standard | None,
    top: int,
    zone: tzinfo | None,
    docs: str | None,
    **given: Any,
) -> int:
    """Make a page with charts of a log: requests over time, pages, visitors, and findings with examples.

    The page is one HTML file that needs no network and runs no script. It is light or dark as the reader's system is.
    Its numbers are those of `fasturl stats`. FILES are read as `fasturl parse` reads them.
    """
    if docs is not None and not docs.startswith(("https://", "http://", "file://", "/", "./", "../")):
        raise Failure("--docs: give an address, as https://… or a path that begins with /, ./ or ../")
    with options.needing_pyarrow("report"):
        from fasturl.cli.summary.summary import summarize
    try:
        import altair  # noqa: F401 - report a missing module before a log is read
        import publicsuffixlist  # noqa: F401
        import vl_convert  # noqa: F401

        from fasturl.cli.report.page import TABLES, Report, name_of
    except ModuleNotFoundError as error:
        raise Failure(f"fasturl report needs {error.name}: pip install 'fasturl[report]'") from None
    reading = CommandInputs(source, progress=not quiet)
    refuse_inputs(reading.sources, (output,))
    sink = open_output(output)
    try:
        if sink.is_terminal:
            raise Failure("a page is not for a terminal: name a file with --output")
        with summarize(
            reading,
            TABLES,
            command="report",
            examples=_EXAMPLES,
            zone=zone,
            standards=("rfc1738", "rfc3986") if standard is None else (standard,),
            **given,
        ) as summary:
            names = [each.name for each in reading.sources]
            formats = [f"{name_of(each.name)}: {reading.format_of(each)}" for each in reading.sources]
            page = Report(summary, names, top=top, torn=reading.broke_off, docs=docs, formats=formats, zone=zone)
            sink.write(page.html().encode())
        if reading.torn:
            sink.abandon()
        else:
            sink.commit()
    except BaseException:
        sink.abandon(keep=False)
        raise
    if not quiet:
        summary.counts.say()
        reading.say_formats()
    return TROUBLE if reading.torn else 0
