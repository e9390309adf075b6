"""Each function of columns beside ClickHouse's function of the same job, on one core: nanoseconds a row.

    python -m bench.functions [--urls FILE] [--rows 1000 2000000] [--repeat 5] [--only NAME ...] [--update FILE]

Both have the column in memory in their own form before the clock starts, make their result in full, as texts that are
copied, and drop it. ClickHouse reads a Memory table and writes in the format Null. What ``fasturl`` gives as views is a
column of its own. Time is that of all the process's threads' CPU; figures are medians over the rounds. The floor is the
whole column, octets and offsets, copied by memcpy to one place; a part of it is less.
"""

from __future__ import annotations

import argparse
import ctypes
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from typing import Any

import pyarrow as pa

from bench import table
from bench.columns import BATCH, ClickHouse, Row, at_offset, load, measure, ours
from bench.measure import NotRelease, require_release

BEGIN = "<!-- functions: begin (written by python -m bench.functions --update) -->"
END = "<!-- functions: end -->"
TOGETHER = ["path", "query", "hostname"]


def floor(column: pa.Array, threads: int) -> None:
    """The octets and offsets of a column written to memory that stays."""
    target = _target(len(column), column.nbytes)
    first, last = at_offset(column, 0), at_offset(column, len(column))
    offsets, octets = column.buffers()[1:3]
    ctypes.memmove(target, octets.address + first, last - first)
    ctypes.memmove(target, offsets.address + 4 * column.offset, 4 * len(column))


_targets: dict[str, ctypes.Array[ctypes.c_char]] = {}


def _target(rows: int, octets: int) -> ctypes.Array[ctypes.c_char]:
    held = _targets.get("held")
    if held is None or len(held) < octets + 4 * rows:
        held = _targets["held"] = (ctypes.c_char * (2 * octets + 8 * max(rows, BATCH)))()
    return held


def _apart(column: pa.Array, **how: Any) -> None:
    from fasturl import arrow

    for name in TOGETHER:
        arrow.parse(column, [name], **how)


def _functions() -> list[tuple[str, Callable[..., Any], str]]:
    from fasturl import arrow

    def field(name: str) -> Callable[..., Any]:
        return lambda column, **how: arrow.parse(column, [name], **how)

    def of(function: Callable[..., Any], *given: Any, **fixed: Any) -> Callable[..., Any]:
        return lambda column, **how: function(column, *given, **fixed, **how)

    three = ["utm_source", "utm_medium", "utm_campaign"]
    return [
        ("scheme", field("scheme"), "protocol(u)"),
        ("hostname", field("hostname"), "domain(u)"),
        ("port", field("port"), "port(u)"),
        ("path", field("path"), "path(u)"),
        ("query", field("query"), "queryString(u)"),
        ("fragment", field("fragment"), "fragment(u)"),
        ("netloc", field("netloc"), "netloc(u)"),
        (
            "path, query and hostname",
            lambda column, **how: arrow.parse(column, TOGETHER, **how),
            "path(u), queryString(u), domain(u)",
        ),
        ("the same by three calls", _apart, "-"),
        ("path_and_query", of(arrow.path_and_query), "pathFull(u)"),
        ("query_and_fragment", of(arrow.query_and_fragment), "queryStringAndFragment(u)"),
        ("without www", of(arrow.without, "www"), "cutWWW(u)"),
        ("without query", of(arrow.without, "query"), "cutQueryString(u)"),
        ("without fragment", of(arrow.without, "fragment"), "cutFragment(u)"),
        ("without query, fragment", of(arrow.without, "query", "fragment"), "cutQueryStringAndFragment(u)"),
        ("public_suffix", of(arrow.public_suffix), "topLevelDomain(u)"),
        ("registrable_domain", of(arrow.registrable_domain), "cutToFirstSignificantSubdomain(u)"),
        ("subdomain", of(arrow.subdomain), "firstSignificantSubdomain(u)"),
        ("query_value", of(arrow.query_value, "utm_source"), "extractURLParameter(u, 'utm_source')"),
        ("query_names", of(arrow.query_names, decode=False), "extractURLParameterNames(u)"),
        ("query_pairs", of(arrow.query_pairs, decode=False), "extractURLParameters(u)"),
        ("drop_query, one", of(arrow.drop_query, "utm_source"), "cutURLParameter(u, 'utm_source')"),
        ("drop_query, three", of(arrow.drop_query, three), f"cutURLParameter(u, {three})"),
        ("path_prefixes", of(arrow.path_prefixes), "URLPathHierarchy(u)"),
        ("url_prefixes", of(arrow.url_prefixes), "URLHierarchy(u)"),
        ("quote", of(arrow.quote, ""), "encodeURLComponent(u)"),
        ("unquote", of(arrow.unquote), "decodeURLComponent(u)"),
        ("quote_plus", of(arrow.quote_plus), "encodeURLFormComponent(u)"),
        ("unquote_plus", of(arrow.unquote_plus), "decodeURLFormComponent(u)"),
        ("path_depth", of(arrow.path_depth), "-"),
        ("file_name", of(arrow.file_name), "-"),
        ("file_extension", of(arrow.file_extension), "-"),
        ("first_segment", of(arrow.first_segment), "-"),
        ("origin", of(arrow.origin), "-"),
        ("path_template", of(arrow.path_template), "-"),
        ("query_values, three", of(arrow.query_values, three), "-"),
        ("dedup_key", of(arrow.dedup_key), "-"),
        ("dedup_hash", of(arrow.dedup_hash), "-"),
        ("unquote_safe", of(arrow.unquote_safe), "-"),
        ("normalize", of(arrow.normalize), "-"),
        ("redact, one key", of(arrow.redact, "id"), "-"),
        ("join", lambda column, **how: arrow.join("http://example.com/a/b", column, **how), "-"),
        ("problems", of(arrow.problems), "-"),
        ("decompose, https", lambda column, threads, **how: arrow.decompose(column, "https"), "-"),
        ("equivalent to itself", lambda column, **how: arrow.equivalent(column, column, **how), "-"),
        (FLOOR, floor, "-"),
    ]


# These have no way to give views, and take no ``strings``.
FLOOR = "floor: the column copied"
NUMBERS = {"path_depth", "dedup_hash", "problems", "decompose, https", "equivalent to itself", FLOOR}


def rows_of(only: Sequence[str]) -> list[tuple[str, list[Row]]]:
    """For each function ours with copies, ours with views, and ClickHouse's."""
    try:
        click: ClickHouse | None = ClickHouse()
    except ImportError as error:
        table.show([f"ClickHouse: skipped, {error}"])
        click = None
    found = []
    for name, call, words in _functions():
        if only and name not in only:
            continue
        copied = {} if name in NUMBERS else {"strings": "string"}
        rows = [Row(name, "copies", ours(lambda c, threads, call=call, how=copied: call(c, threads=threads, **how)))]
        if copied:
            rows.append(
                Row(name, "views", ours(lambda c, threads, call=call: call(c, threads=threads, strings="view")))
            )
        if click is not None and words != "-":
            rows.append(Row(name, words, click.call(words)))
        found.append((name, rows))
    return found


Times = dict[str, dict[str, float]]


def times_of(found: list[tuple[str, list[Row]]]) -> Times:
    """For each function the nanoseconds a row of each way to do it."""
    return {name: {row.label: median(row.ns) for row in rows if row.ns} for name, rows in found}


def lines_of(times: dict[int, Times]) -> list[str]:
    """The table: all ways with the most rows, and copies with fewer."""
    *fewer, most = sorted(times)
    lines = []
    for name, ways in times[most].items():
        cells = [times[rows][name].get("copies") for rows in fewer] + [ways.get("copies"), ways.get("views")]
        shown = ["–" if cell is None else f"{cell:.1f}" for cell in cells]
        theirs = next((label for label in ways if label not in ("copies", "views")), None)
        if theirs is None or "copies" not in ways:
            lines.append([name, *shown, "–", "–", "–"])
        else:
            ratio = table.times(ways[theirs] / ways["copies"])
            lines.append([name, *shown, f"`{theirs}`", f"{ways[theirs]:.1f}", ratio])
    head = ["function", *(f"copies, {rows:,} rows" for rows in fewer), "copies", "views", "ClickHouse", "its ns"]
    return table.grid([*head, "fasturl is"], lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.functions", description=(__doc__ or "").split(": ")[0])
    parser.add_argument("--urls", metavar="FILE", help="a file of URLs, one a line (.gz too); default: made up")
    parser.add_argument("--rows", type=int, nargs="+", default=[1_000, 2_000_000])
    parser.add_argument("--repeat", type=int, default=5, help="rounds; default 5")
    parser.add_argument("--only", nargs="+", metavar="NAME", default=[], help="some of the functions")
    parser.add_argument("--update", metavar="FILE", type=Path, help="paste the table between a file's markers")
    options = parser.parse_args(arguments)
    try:
        require_release()
    except NotRelease as error:
        print(f"python -m bench.functions: {error}", file=sys.stderr)
        return 2
    texts = load(options.urls)
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    mean = sum(map(len, texts)) / len(texts)
    table.show([f"{table.cpu()}, {cores} cores; {len(texts):,} URLs of {mean:.0f} characters; {options.repeat} rounds"])
    found = rows_of(options.only)
    times = {}
    for count in options.rows:
        measure([row for _, rows in found for row in rows], texts, count, 1, options.repeat)
        times[count] = times_of(found)
    lines = lines_of(times)
    table.show(["", f"ns a row of CPU time, {max(options.rows):,} rows where no other number stands", "", *lines])
    for _, rows in found:
        table.show([f"{row.operation}, {row.label}: skipped, {row.skipped}" for row in rows if row.skipped])
    if options.update:
        table.paste(options.update, "\n".join(lines), BEGIN, END)
    return 0


if __name__ == "__main__":
    sys.exit(main())
