"""The counts of `fasturl stats` and `fasturl report`.

    reading = Reading(options)
    with summarize(reading, TABLES, command="report", examples=3) as summary:
        summary.totals()                       # {"lines": ..., "urls": ..., "valid": ..., "referers": ..., ...}
        summary.top("path", 10, by="size")     # [Row(key="/a", count=7, size=1234), ...], the largest first
        summary.over_time("hour")              # [Moment(start, status_class, count, size), ...], by time
        summary.findings_over_time("day")      # [FoundThen(start, finding, count), ...]; referers=True for referers
        summary.examples("DOUBLE_ENCODED")     # [Example(file, line, url), ...]; referers=True for referers

Each row is a request of a log, or a URL of another input. Tables of requests (clients, statuses, hours, referers)
are empty for inputs that are not logs.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from fasturl import Finding
from fasturl._findings import FINDING_NAMES
from fasturl.logs.columns import COLUMNS, REFERER, VALID_BY, Standard


@dataclass(frozen=True)
class Row:
    """A key of a table. `size` is the sum of the bytes sent, 0 for inputs that are not logs."""

    key: bytes
    count: int
    size: int


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


@dataclass(frozen=True)
class Durations:
    """Percentiles, in seconds, of the durations of a path template, to three significant digits."""

    key: bytes
    count: int
    p50: float
    p95: float
    p99: float


# The finding of a URL that RFC 3986 does not derive, and its bit. It exists in counts only.
MALFORMED, MALFORMED_BIT = "malformed (RFC 3986)", 31
FINDING_BITS = {name: bit for bit, name in enumerate(FINDING_NAMES) if name} | {MALFORMED: MALFORMED_BIT}
# The findings that each standard counts. Both count hazards, which violate neither.
FINDINGS_OF: dict[Standard, int] = {
    "rfc1738": int(Finding.VIOLATIONS | Finding.HAZARDS),
    "rfc3986": int(Finding.HAZARDS) | 1 << MALFORMED_BIT,
}

# Counted only if they are named.
ON_REQUEST = ("status_path", "page", "path_kind", "agent_kind", "attack", "domain", "referer_scheme", "referer_domain")

# Shown if no table is named, in this order.
SHOWN = ("finding", "status", "server_error", "not_found", "hour", "host", "path", "path_template", "duration",
         "first_segment", "extension", "static", "query_key", "method", "scheme", "client", "agent",
         "referer_finding", "referer_host")  # fmt: skip
TABLES = (*SHOWN, *ON_REQUEST)

# Counted per unit.
COUNTED = ("scheme", "host", "path", "query_key", "method", "client", "agent", "agent_kind", "status_path",
           "server_error", "not_found", "attack", "referer_host", "referer_scheme")  # fmt: skip
# The table of all lines, URLs and bytes.
TOTAL = "total"
# Names in JSON that differ from the table's name.
MEMBERS = {"finding": "findings", "referer_finding": "referer_findings"}
# Tables derived from the keys of another table.
DERIVED = {
    "path_template": "path",
    "first_segment": "path",
    "extension": "path",
    "page": "path",
    "static": "path",
    "path_kind": "path",
    "domain": "host",
    "referer_domain": "referer_host",
}
# Counted together, by hour, status and findings.
OF_MOMENTS = ("finding", "status", "hour", "referer_finding")

# The table of percentiles per path template. Its figures are not counts.
DURATION = "duration"
# Columns that may hold an attack.
ATTACKED = ("url", "referer", "agent", "user", "client", "vhost", "method", "protocol")

# Columns that a table reads, unless it reads the column of its own name.
_READ = {
    "host": ("host", "vhost"),
    "query_key": ("query",),
    "status_path": ("status", "path"),
    "server_error": ("status", "path"),
    "not_found": ("status", "path"),
    "attack": ATTACKED,
}
_ONLY_IN_LOGS = frozenset(
    ("vhost", "user", "protocol", DURATION, "time", "status", "method", "client", "agent", "agent_kind", "size")
)


def counted_tables(tables: tuple[str, ...]) -> tuple[str, ...]:
    """Return the tables to count per unit for these tables."""
    bases = {DERIVED.get(name, name) for name in tables}
    return tuple(name for name in COUNTED if name in bases)


def columns(
    tables: tuple[str, ...], standards: tuple[Standard, ...], *, of_log: bool, with_urls: bool
) -> tuple[str, ...]:
    """Return the columns of a unit to read; `with_urls` adds the URLs for examples."""
    names = [column for name in counted_tables(tables) for column in _READ.get(name, (name,))]
    names += ["path", DURATION] if DURATION in tables and DURATION in COLUMNS else []
    names += ["findings", *(("url",) if with_urls else ())]
    names += [VALID_BY[standard] for standard in standards if standard != "rfc1738"]
    if of_log:
        names += ["time", "status", "size", "referer_findings", *(("referer",) if with_urls else ())]
        names += [f"{REFERER}_{VALID_BY[standard]}" for standard in standards]
    wanted = [name for name in names if of_log or not (name in _ONLY_IN_LOGS or name.startswith("referer"))]
    return tuple(dict.fromkeys(wanted))
