"""The page of two summaries: what got worse, by route."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import Any

from fasturl.cli.report import markup
from fasturl.cli.report.markup import exact, faint, line, safe, seconds_text, share
from fasturl.cli.summary.routes import compare
from fasturl.cli.summary.summary import Summary

TABLES = ("route",)
_ARROW = "\N{NO-BREAK SPACE}\N{RIGHTWARDS ARROW} "
_NOTHING = "\N{EN DASH}"


def comparison(
    summaries: Sequence[Summary], names: Sequence[str], zone: tzinfo | None, top: int, formats: list[str], torn: bool
) -> str:
    """Return the page of an old and a new summary with `TABLES`; the further arguments are those of Report."""
    old, new = summaries
    was, is_ = (safe(name) for name in names)
    title = f"{is_} compared with {was}"
    head = "".join(
        faint(f"<b>{name}</b>: {markup.period(summary, zone) or 'no request with a time'}")
        for name, summary in ((was, old), (is_, new))
    )
    changes = compare(old.by_route, new.by_route, top)
    most = max((change.worse for change in changes), default=0) or 1
    lines = _line("all routes", _whole(old), _whole(new))
    for change in changes:
        lines += _line(safe(change.key), change.old, change.new, change.worse, change.worse / most)
    told = faint(
        "Sorted by <i>worse</i>: how many requests more than at the old rates got a status of 5xx, or took longer than "
        "the old p95."
    )
    heads = ("", "route"), ("", "requests"), ("", "5xx"), ("", "p95"), ("worse", "worse")
    table = markup.html_table("compared", "Routes, what got worse first", heads, lines)
    body = f"<header><h1>{title}</h1>{head}</header>\n<main>{markup.TORN if torn else ''}{told}{table}</main>\n"
    return markup.document(title, body + markup.foot(summaries, top, zone, formats))


def _whole(summary: Summary) -> dict[str, Any]:
    """Return the figures of all requests of a summary."""
    totals = summary.totals()
    failed = totals.get("server_errors", 0) / max(totals["urls"], 1)
    return {"requests": totals["urls"], "share": failed, "p95": summary.by_route.durations()["p95"]}


def _line(key: str, old: dict[str, Any], new: dict[str, Any], worse: float | None = None, bar: float = 0) -> str:
    ways: dict[str, Any] = {"requests": exact, "share": lambda part: share(part, 1), "p95": seconds_text}
    cells: list[markup.Cell] = []
    for name, way in ways.items():
        there = [each[name] is not None and each["requests"] > 0 for each in (old, new)]
        shown = [way(each[name]) if is_there else _NOTHING for each, is_there in zip((old, new), there, strict=True)]
        is_bad = name != "requests" and there[1] and new[name] > (old[name] if there[0] else 0)
        cells.append((f"both {'bad' if is_bad and bar else ''}", _ARROW.join(shown)))
    return line(key, [*cells, ("worse", "" if worse is None else exact(round(worse)))], bar)
