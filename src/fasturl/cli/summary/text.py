"""Counts as text for people and programs: the overview, tables, charts of blocks, and JSON."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from datetime import datetime, tzinfo
from typing import Any

from fasturl.cli.inputs import plural
from fasturl.cli.summary import Change, Row
from fasturl.cli.summary.summary import By, Summary
from fasturl.cli.summary.tables import PERCENTILES, STEPS, TABLES, TOTAL
from fasturl.logs.shown import visible

_KEY_BYTES = 512  # shown of a key
_BAR_WIDTH = 12
_WORST = 5  # routes in the overview
_MOMENTS = 50  # a terminal shows more as a chart only


def key_text(key: bytes) -> str:
    """Return a key on one line. A long key is truncated."""
    return visible(key if len(key) <= _KEY_BYTES else key[:_KEY_BYTES] + b"...")


def number_of(row: Row, by: By) -> int:
    return row.count if by == "count" or row.figures else row.size


def _cell(name: str, value: Any) -> str:
    if value is None:
        return "-"
    if name == "share":
        return f"{value:.2%}"
    if isinstance(value, datetime):
        return value.isoformat(" ")[:16]
    return f"{value:.6g}" if isinstance(value, float) else key_text(value) if isinstance(value, bytes) else str(value)


def _cells(rows: Sequence[Row], by: By, names: Iterable[str] | None = None) -> tuple[list[str], list[list[str]]]:
    """Return the names of the columns before the key that have values, and the text of each."""
    names = rows[0].figures if names is None else names
    shown = [name for name in names if any(row.figures[name] is not None for row in rows)]
    cells = [[str(number_of(row, by)), *(_cell(name, row.figures[name]) for name in shown)] for row in rows]
    return ["count" if rows[0].figures else by, *shown], cells


def _aligned(lines: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines with columns of one width, the last one as it is."""
    widths = [max(map(len, column)) for column in zip(*(line[:-1] for line in lines), strict=True)]
    return ["  ".join([*map(str.rjust, line[:-1], widths), line[-1]]) for line in lines]


def tables_as_text(tables: dict[str, list[Row]], by: By) -> str:
    """Return tables whose columns are separated by tabs, the key last."""
    texts = []
    for name, rows in tables.items():
        head, cells = _cells(rows, by)
        lines = [[*cell, key_text(row.key)] for cell, row in zip(cells, rows, strict=True)]
        texts.append("".join("\t".join(line) + "\n" for line in ([*head, name] if rows[0].figures else [name], *lines)))
    return "\n".join(texts)


def tables_on_terminal(tables: dict[str, list[Row]], by: By) -> str:
    """Return tables with aligned columns, bars, and charts of times."""
    texts = []
    for name, rows in tables.items():
        head, cells = _cells(rows, by)
        lines = [[*head, "" if name == TOTAL else " " * _BAR_WIDTH, name]]
        largest = max(number_of(row, by) for row in rows) or 1
        for cell, row in zip(cells, rows, strict=True):
            bar = _blocks()[-1] * round(_BAR_WIDTH * number_of(row, by) / largest)
            key = key_text(row.key) or "(empty)"
            lines.append([*cell, "" if name == TOTAL else bar.ljust(_BAR_WIDTH), key])
        shown = chart(rows) if name in STEPS else []
        if not shown or len(rows) <= _MOMENTS:
            shown += _aligned(lines)
        texts.append("".join(f"{line}\n" for line in shown))
    return "\n".join(texts)


def _blocks() -> str:
    """Return what draws a bar, the smallest first."""
    encoding = (sys.stdout.encoding or "").lower().replace("-", "") if sys.stdout else ""
    return "▁▂▃▄▅▆▇█" if encoding == "utf8" else ".:-=+*%#"


def chart(rows: list[Row]) -> list[str]:
    """Return a chart of times: requests, and errors in rows of their own."""
    width = max(20, min(shutil.get_terminal_size().columns, 120) - 30)
    times = [datetime.fromisoformat(row.key.decode()) for row in rows]
    span = max((times[-1] - times[0]).total_seconds(), 1)
    lines = []
    for name in ("requests", "server_errors", "client_errors"):
        bars = [0] * width
        for row, time in zip(rows, times, strict=True):
            place = int((time - times[0]).total_seconds() * (width - 1) / span)
            bars[place] += row.count if name == "requests" else row.figures[name]
        if largest := max(bars):
            blocks = _blocks()
            drawn = "".join(blocks[(len(blocks) * bar - 1) // largest] if bar else " " for bar in bars)
            lines.append(f"{name.replace('_', ' '):>13}  {drawn}  {sum(bars):,}")
    ends = [rows[place].key.decode() for place in (0, -1)]
    return [*lines, f"{'':13}  {ends[0]}{ends[1]:>{width - len(ends[0])}}"]


def overview(summary: Summary, sort: str | None, zone: tzinfo | None, on_terminal: bool) -> str:
    """Return the counts of a log or of URLs in at most 25 lines."""
    totals = summary.totals()
    lines = []
    if summary.has_log:
        lines += [_of_period(summary, totals, zone), _of_statuses(summary, totals)]
    else:
        lines.append(f"{plural(totals['urls'], 'URL')}: {totals['valid']:,} valid, {totals['invalid']:,} invalid")
        for name in ("host", "finding"):
            if rows := summary.top(name, _WORST):
                lines += tables_as_text({name: rows}, "count").splitlines()
    for name, figures, head in (
        ("server_error", ("share", "p95", "first", "last"), "5xx"),
        ("duration", ("seconds", *PERCENTILES), "requests"),
    ):
        if rows := summary.top(name, _WORST, sort=sort if name == "duration" else None):
            names, cells = _cells(rows, "count", figures)
            table = [[*cell, key_text(row.key) or "(empty)"] for cell, row in zip(cells, rows, strict=True)]
            lines += [*(("",) if name == "duration" else ()), *_aligned([[head, *names[1:], "route"], *table])]
    if peak := summary.peak():
        lines += ["", *(chart(summary.top(summary.step(120), None)) if on_terminal else ())]
        failed = peak.figures["server_errors"]
        lines.append(f"peak at {peak.key.decode()}: {plural(peak.count, 'request')} in a minute, {failed:,} with 5xx")
    if summary.has_log:
        robots = summary.robots()
        lines.append("robots: not counted without fasturl[agents]" if robots is None else f"robots: {robots:.1%}")
    lines.append(f"{totals['rejected']:,} of {plural(totals['lines'], 'line')} rejected")
    return "\n".join([*lines, ""])


def overview_members(summary: Summary) -> dict[str, Any]:
    """Return what the overview shows beside totals and tables, for JSON."""
    peak = summary.peak()
    return {
        "period": summary.period and [time.isoformat() for time in summary.period],
        "durations": summary.by_route.durations(),
        "peak": peak and {"minute": peak.key, "count": peak.count, **peak.figures},
        "robots": summary.robots(),
    }


def _of_period(summary: Summary, totals: dict[str, Any], zone: tzinfo | None) -> str:
    period = "no times"
    if summary.period is not None:
        first, last = (time if zone is None else time.astimezone(zone) for time in summary.period)
        period = f"{first.isoformat(' ')[:19]} to {last.isoformat(' ')[:19]} {zone or 'UTC'}"
    who = f"{plural(totals['urls'], 'request')}, {plural(totals['visitors'], 'visitor')}"
    return f"{period}: {who}, {size_text(totals['size'])}"


def _of_statuses(summary: Summary, totals: dict[str, Any]) -> str:
    urls = totals["urls"] or 1
    errors = ((name, totals[key]) for name, key in (("5xx", "server_errors"), ("4xx", "client_errors")))
    statuses = ", ".join(f"{name} {count:,} ({count / urls:.2%})" for name, count in errors)
    durations = summary.by_route.durations()
    known = [f"{name} {durations[name]:g} s" for name in PERCENTILES if durations[name] is not None]
    return f"{statuses if summary.top('status', 1) else 'no statuses'}; {', '.join(known) or 'no durations'}"


SIZES = tuple((1000, unit) for unit in ("kB", "MB", "GB", "TB", "PB"))


def scaled(number: float, unit: str, larger_units: Iterable[tuple[int, str]]) -> tuple[float, str]:
    """Return a number in the largest unit of which it is at least 1. A unit has its length in units before it."""
    for length, larger in larger_units:
        if number < length:
            break
        number, unit = number / length, larger
    return number, unit


def size_text(size: int) -> str:
    """
    >>> size_text(12), size_text(1_250_000), size_text(200_000_000)
    ('12 bytes', '1.2 MB', '200 MB')
    """
    number, unit = scaled(size, "bytes", SIZES)
    return f"{number:,.{int(number < 10 and unit != 'bytes')}f} {unit}"


def as_json(members: dict[str, Any], tables: dict[str, list[Row]], by: By) -> str:
    """Return one JSON object: the members, and one object per table with its keys, the largest first."""
    import json

    members = {**members, "by": by}
    for name, rows in tables.items():
        members[TABLES[name].member or name] = {
            row.key.decode("utf-8", "surrogateescape"): {"count": row.count, **row.figures}
            if TABLES[name].figures
            else number_of(row, by)
            for row in rows
        }
    return json.dumps(members, default=_plain) + "\n"


def _plain(value: datetime | bytes) -> str:
    return value.decode("utf-8", "surrogateescape") if isinstance(value, bytes) else value.isoformat()[:16]


def compared_as_text(changes: list[Change], on_terminal: bool) -> str:
    lines = [
        ["worse", *(f"{when} {name}" for name in ("requests", "share", "p95") for when in ("old", "new")), "route"]
    ]
    for change in changes:
        pairs = ((name, side[name]) for name in ("requests", "share", "p95") for side in (change.old, change.new))
        lines.append([f"{change.worse:g}", *(_cell(*pair) for pair in pairs), key_text(change.key)])
    return "".join(f"{line}\n" for line in (_aligned(lines) if on_terminal else map("\t".join, lines)))
