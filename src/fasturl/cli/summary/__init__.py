"""The counts of `fasturl stats` and `fasturl report`.

    with summarize(inputs, TABLES, command="report", examples=3) as summary:
        summary.totals()                       # {"lines": ..., "urls": ..., "valid": ..., "referers": ..., ...}
        summary.top("path", 10, by="size")     # [Row(key=b"/a", count=7, size=1234), ...], the largest first
        summary.top("server_error", 5)         # [Row(b"/users/{n}", count=7, size=..., figures={"share": 0.2, ...})]
        summary.top("probe", 5)                # [Row(b"/.env", count=9, size=..., figures={"clients": 2, ...}), ...]
        summary.top("minute", None)            # [Row(b"2026-01-05 14:03", 60, ..., figures={"server_errors": 7, ...})]
        summary.by_route.durations()           # {"p50": 0.06, "p95": 0.16, "p99": 0.3, "seconds": 24802.4}, of all
        compare(old.by_route, new.by_route, 9) # [Change(b"/users/{n}", worse=12.0, old={...}, new={...}), ...]
        summary.step(120)                      # the finest of STEPS with at most 120 moments: "minute", "5min", ...
        summary.over_time("hour")              # [Moment(start, status_class, count, size), ...], by time
        summary.findings_over_time("day")      # [FoundThen(start, finding, count), ...]; referers=True for referers
        summary.examples("DOUBLE_ENCODED")     # [Example(file, line, url), ...]; referers=True for referers

Each row is a request of a log, or a URL of another input. Tables of requests (clients, statuses, hours, referers)
are empty for inputs that are not logs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any, Literal

from fasturl import Finding
from fasturl._findings import FINDING_NAMES
from fasturl.logs.columns import Standard

Key = Literal["route", "path"]  # what the requests by route are counted by
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Row:
    """A key of a table. `size` is the sum of the bytes sent, 0 for inputs that are not logs.

    figures : the table's further columns by name, in the order of `Table.figures`, None if nothing is known:
        requests, server_errors (5xx), client_errors (4xx), not_found (404): numbers of requests
        share : the count's share of the requests, from 0 to 1
        p50, p95, p99 : percentiles of the durations, in seconds, to three significant digits
        seconds : the sum of the durations
        first, last : the minutes of the first and last request that `count` counts, of the summary's zone
        clients, client : the number of visitors, and the one with most requests
    """

    key: bytes
    count: int
    size: int
    figures: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Change:
    """A route in two summaries. `old` and `new` have requests, share (of 5xx) and p95, as in `Row.figures`.

    worse : at least so many requests of the new one are bad beyond the old one's rates. It is the larger number: of
        requests with status 5xx, or of those that take longer than the old p95
    """

    key: bytes
    worse: float
    old: dict[str, Any]
    new: dict[str, Any]


@dataclass(frozen=True)
class Moment:
    """Requests of one time. `start` is None without a time; `status_class` is 1 to 5, or None for any other status."""

    start: datetime | None
    status_class: int | None
    count: int
    size: int


@dataclass(frozen=True)
class FoundThen:
    start: datetime | None
    finding: str
    count: int


@dataclass(frozen=True)
class Example:
    """A URL with a finding: at most 2,048 bytes, without its secrets, not escaped."""

    file: str
    line: int
    url: bytes


def time_of(minute: int | None) -> datetime | None:
    """Return the time of a minute since 1970."""
    try:
        return None if minute is None else EPOCH + timedelta(minutes=minute)
    except OverflowError:  # a zone can lead out of the years that datetime supports
        return None


# The finding of a URL that RFC 3986 does not derive, and its bit. It exists in counts only.
MALFORMED, MALFORMED_BIT = "malformed (RFC 3986)", 31
FINDING_BITS = {name: bit for bit, name in enumerate(FINDING_NAMES) if name} | {MALFORMED: MALFORMED_BIT}
# The findings that each standard counts. Both count hazards, which violate neither.
FINDINGS_OF: dict[Standard, int] = {
    "rfc1738": int(Finding.VIOLATIONS | Finding.HAZARDS),
    "rfc3986": int(Finding.HAZARDS) | 1 << MALFORMED_BIT,
}
