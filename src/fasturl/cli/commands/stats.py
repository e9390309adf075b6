"""`fasturl stats`: count URLs and requests."""

from __future__ import annotations

import re
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from fasturl import SECRET_KEYS
from fasturl._extras import is_installed, pip_install
from fasturl._quoted import quoted
from fasturl.cli import options
from fasturl.cli.failure import TROUBLE, Failure
from fasturl.cli.inputs import CommandInputs, Counts
from fasturl.cli.outputs.sink import Standard, refuse_inputs
from fasturl.cli.summary import Row
from fasturl.cli.summary.tables import PROBE, STEPS, TABLES, TOTAL
from fasturl.cli.terminal import say
from fasturl.logs import columns
from fasturl.logs.formatted_inputs import InputOptions

if TYPE_CHECKING:
    from fasturl.cli.summary.summary import By

_ALL = "all"
_OVERVIEW = ("server_error", "duration")
_COVERED = "the numbers cover"
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_FIGURES = tuple(dict.fromkeys(name for table in TABLES.values() for name in table.figures if name != "client"))


@options.command("fasturl stats access.log", "fasturl stats -t server_error -t not_found access.log")
@options.input_options
@options.selection_options
@options.anonymize_option
@options.routes_options
@options.of_output(
    "--key",
    "Count by route, or by path, in the tables of routes. Routes are learned, or those in --routes FILE.",
    type=["route", "path"],
    default="route",
)
@options.standard_option
@options.top_option
@options.of_output(
    "-t --table tables NAME",
    "Show this table, such as route, status, path or client. all shows every table. You can repeat -t. The tables are "
    f"{', '.join([TOTAL, *TABLES])}.",
    multiple=True,
    type=[_ALL, TOTAL, *TABLES],
)
@options.of_output(
    "--by",
    "Count requests or URLs (count), or bytes sent (size). The table shows this number, and is sorted by it.",
    type=["count", "size"],
    default="count",
)
@options.of_output(
    "--sort",
    "Sort by another column of the table, such as p95.",
    type=["count", "size", *_FIGURES],
)
@options.compare_option
@options.of_output("--every INTERVAL", "Print one line per interval, such as 10s or 1m.")
@options.memory_option("the counts")
@options.timezone_option
@options.invalid_bytes_option
@options.of_output("--json as_json", "Write one JSON object.", is_flag=True)
def command(
    source: InputOptions,
    quiet: bool,
    standard: columns.Standard,
    top: int,
    tables: tuple[str, ...],
    by: By,
    sort: str | None,
    compared: tuple[str, str] | None,
    every: str | None,
    invalid_bytes: str,
    as_json: bool,
    **given: Any,
) -> int:
    """Count the requests of a log, or the URLs of a list.

    Without -t, you get an overview: errors, routes that fail, and routes that take most time. Requests and referers are
    counted separately and exactly. FILES are read as `fasturl parse` reads them.
    """
    if compared is not None and (tables or every or sort):
        raise Failure("--compare has its own table, so it cannot be used with --table, --sort or --every")
    if every is not None and (tables or as_json or sort):
        raise Failure("--every prints lines, so it cannot be used with --table, --sort or --json")
    with options.needing_pyarrow("stats", "pyarrow.compute"):
        from fasturl.cli.summary import text
        from fasturl.cli.summary.summary import summarize
    given |= {"command": "stats", "escapes": invalid_bytes == "escape", "standards": (standard,)}
    if every is not None:
        return _follow(source, quiet, _interval(every), given)
    if compared is not None:
        return _compare(source, quiet, compared, top, as_json, given)
    reading = CommandInputs(source, progress=not quiet)
    reading.ends_streams = True
    refuse_inputs(reading.sources)
    wanted = tuple(dict.fromkeys(tables))
    robots = is_installed("crawleruseragents")
    if _ALL in wanted:
        skipped = {*STEPS} - {"hour"} | (set() if robots else {"agent_purpose", "agent_name"})
        wanted = (TOTAL, *(name for name in TABLES if name not in skipped))
    _check_sort(sort, wanted or ("duration",))
    if {"domain", "referer_domain"} & {*tables} and not is_installed("publicsuffixlist"):
        say(f"hosts are counted, because registrable domains need publicsuffixlist: {pip_install('domains')}")
    counted = wanted or (TOTAL, *_OVERVIEW, "host", *(("agent_purpose",) if robots else ()))
    out = Standard()
    with summarize(reading, (*counted, *(("visitor",) if TOTAL in counted else ())), **given) as summary:
        names = [name for name in wanted or _OVERVIEW if name != TOTAL]
        if not (wanted or as_json):
            told, rows = text.overview(summary, sort, given["zone"], out.is_terminal), {}
        else:
            rows = {name: summary.top(name, top, by=by, sort=sort) for name in names}
            totals = summary.totals() if TOTAL in counted else {}
            more = {} if wanted else text.overview_members(summary)
            told = _tables_text({**totals, **more}, rows, by, as_json, out.is_terminal)
        out.write(told.encode("utf-8", "surrogateescape"))
    for name in () if quiet else tables:
        if not rows.get(name, True):
            lacks = "no row was read" if not summary.counts.urls else "no row has a value for it"
            say(f"the table {name} is empty: {lacks}")
    return reading.end(summary.counts, _COVERED, quiet=quiet)


def _check_sort(sort: str | None, names: tuple[str, ...]) -> None:
    """Raise Failure for a column that a table does not have."""
    for name in () if sort is None else names:
        there = [
            "count",
            *(() if name in (TOTAL, PROBE, *STEPS) else ("size",)),
            *(() if name == TOTAL else TABLES[name].figures),
        ]
        if sort not in there:
            raise Failure(f"--sort {sort}: the table {name} has no such column; it has {', '.join(there)}")


def _tables_text(totals: dict[str, Any], rows: dict[str, list[Row]], by: By, as_json: bool, on_terminal: bool) -> str:
    from fasturl.cli.summary import text

    if as_json:
        return text.as_json(totals, rows, by)
    of_totals = {TOTAL: [Row(name.encode(), number, number) for name, number in totals.items()]} if totals else {}
    filled = {name: found for name, found in {**of_totals, **rows}.items() if found}
    return (text.tables_on_terminal if on_terminal else text.tables_as_text)(filled, by)


def _interval(text: str) -> int:
    found = re.fullmatch(r"([1-9][0-9]{0,5})([smh])", text, re.ASCII)
    if found is None:
        raise Failure(f"--every: {quoted(text)} is not an interval such as 10s, 1m or 1h")
    return int(found[1]) * _SECONDS[found[2]]


def _follow(source: InputOptions, quiet: bool, seconds: int, given: dict[str, Any]) -> int:
    """Print a line per interval until the input ends."""
    from fasturl.cli import pipeline
    from fasturl.cli.summary.live import Live, timer

    reading = CommandInputs(source)
    reading.ends_streams = True
    selection = given["selection"]
    live, counts = Live(Standard(), given["zone"]), Counts()
    with ExitStack() as stack:
        steps = selection.steps(stack, "stats", reading)
        changes = selection.changes(always=SECRET_KEYS, anonymize=given["anonymize"])
        stack.enter_context(timer(seconds, live))
        pipeline.run(reading, counts, live, by_request=True, steps=steps, changes=changes, shown=0, diagnosed=False)
    return reading.end(counts, _COVERED, quiet=quiet)


def _compare(
    source: InputOptions, quiet: bool, compared: tuple[str, str], top: int, as_json: bool, given: dict[str, Any]
) -> int:
    """Print the routes that got worse between two files, or two windows of time."""
    from fasturl.cli.summary import text
    from fasturl.cli.summary.routes import compare
    from fasturl.cli.summary.summary import summarize

    parts = options.compared_parts(source, given.pop("selection"), compared, given["zone"], given["anonymize"])
    readings = [CommandInputs(inputs) for inputs, _ in parts]
    with ExitStack() as stack:
        summaries = []
        for reading, (_, selected) in zip(readings, parts, strict=True):
            refuse_inputs(reading.sources)
            summaries.append(stack.enter_context(summarize(reading, ("server_error",), selection=selected, **given)))
        old, new = (summary.by_route for summary in summaries)
        changes = compare(old, new, top)
    out = Standard()
    found = {each.key.decode("utf-8", "surrogateescape"): {"worse": each.worse, "old": each.old, "new": each.new}
             for each in changes}  # fmt: skip
    shown = (
        text.as_json({"compare": found}, {}, "count") if as_json else text.compared_as_text(changes, out.is_terminal)
    )
    out.write(shown.encode("utf-8", "surrogateescape"))
    for reading in () if quiet else {each.options.paths: each for each in readings}.values():
        reading.say_formats()
    return TROUBLE if any(reading.torn for reading in readings) else 0
