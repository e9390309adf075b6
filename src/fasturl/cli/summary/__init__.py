"""The counts of `fasturl stats` and `fasturl report`.

    with summarize(inputs, TABLES, command="report", examples=3) as summary:
        summary.totals()                       # {"lines": ..., "urls": ..., "valid": ..., "referers": ..., ...}
        summary.top("path", 10, by="size")     # [Row(key="/a", count=7, size=1234), ...], the largest first
        summary.over_time("hour")              # [Moment(start, status_class, count, size), ...], by time
        summary.findings_over_time("day")      # [FoundThen(start, finding, count), ...]; referers=True for referers
        summary.examples("DOUBLE_ENCODED")     # [Example(file, line, url), ...]; referers=True for referers

Each row is a request of a log, or a URL of another input. Tables of requests (clients, statuses, hours, referers)
are empty for inputs that are not logs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from fasturl import Finding
from fasturl._findings import FINDING_NAMES
from fasturl.logs.columns import Standard


@dataclass(frozen=True)
class Row:
    """A key of a table. `size` is the sum of the bytes sent, 0 for inputs that are not logs.

    percentiles : of the durations, in seconds, to three significant digits, by name; empty in other tables
    """

    key: bytes
    count: int
    size: int
    percentiles: dict[str, float] = field(default_factory=dict)


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


# The finding of a URL that RFC 3986 does not derive, and its bit. It exists in counts only.
MALFORMED, MALFORMED_BIT = "malformed (RFC 3986)", 31
FINDING_BITS = {name: bit for bit, name in enumerate(FINDING_NAMES) if name} | {MALFORMED: MALFORMED_BIT}
# The findings that each standard counts. Both count hazards, which violate neither.
FINDINGS_OF: dict[Standard, int] = {
    "rfc1738": int(Finding.VIOLATIONS | Finding.HAZARDS),
    "rfc3986": int(Finding.HAZARDS) | 1 << MALFORMED_BIT,
}
