"""The tables of `fasturl stats` and `fasturl report`, one row each, in the order of `stats`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from fasturl.logs.columns import ON_REQUEST, REFERER, URL_COLUMNS, VALID_BY, Standard

# The table of all lines, URLs and bytes.
TOTAL = "total"
# What is counted: the names of the tables that are no choice of a user.
MOMENTS, REQUESTS, FAILURES, DURATIONS, PROBES = "moments", "requests", "failures", "durations", "probes"
# The steps of time, in minutes.
STEPS = {"minute": 1, "5min": 5, "15min": 15, "hour": 60, "day": 1440}
# Columns that may hold an attack.
ATTACKED = ("url", "referer", "agent", "user", "client", "vhost", "method", "protocol")
# What makes the keys of a table of the columns that it reads, or of the keys of its base.
_Rule = Literal["", "host", "status_path", "query_key", "attack",
                "template", "page", "static", "first_segment", "extension", "domain"]  # fmt: skip
Section = Literal["", "findings", "failed", "latency", "probes", "pages", "who", "answers", "rest"]


@dataclass(frozen=True)
class Table:
    """A table of keys with their counts and, of a log, their bytes.

    reads : the columns of a unit from which `rule` makes the keys, by default the one of the table's name
    base : the table from whose keys `rule` makes these instead
    of_moments : True for a table that is counted by minute, status and findings instead
    figures : further columns. A table with `sort` counts requests by route, and is sorted by this figure
    member : of a table of findings, their column, and the table's name in JSON
    section, place, title, heading : of the table in the report, and what its keys are
    """

    name: str
    rule: _Rule = ""
    reads: tuple[str, ...] = ()
    base: str = ""
    of_moments: bool = False
    figures: tuple[str, ...] = ()
    sort: str = ""
    member: str = ""
    section: Section = ""
    place: int = 0
    title: str = ""
    heading: str = ""


PERCENTILES = ("p50", "p95", "p99")
_WHEN = ("first", "last")
PROBE, AGENT_PURPOSE = "probe", "agent_purpose"
_OF_ERRORS = ("requests", "share", *PERCENTILES, "seconds", *_WHEN)
_moments = partial(Table, of_moments=True)
TABLES = {table.name: table for table in (
    Table("server_error", sort="server_errors", figures=_OF_ERRORS,
          section="failed", title="Routes that failed", heading="route"),
    Table("not_found", sort="not_found", figures=_OF_ERRORS,
          section="probes", title="Routes with some 404", heading="route"),
    Table("duration", sort="seconds", figures=(*PERCENTILES, "seconds"),
          section="latency", title="Time per route", heading="route"),
    Table("route", sort="requests", figures=("server_errors", "not_found", *PERCENTILES, "seconds"),
          section="pages", place=2, title="Routes", heading="route"),
    Table(PROBE, figures=("clients", "client", *_WHEN),
          section="probes", title="Paths that only get 404", heading="path"),
    *(_moments(name, figures=("server_errors", "client_errors")) for name in STEPS),
    _moments("finding", member="findings", section="findings"),
    _moments("status", section="answers", place=1, title="Statuses", heading="status"),
    _moments("hour_of_day", section="rest", place=2, title="Hours of the day", heading="hour"),
    Table("status_path", "status_path", reads=("status", "path")),
    Table("host", "host", reads=("host", "vhost"), section="answers", place=3, title="Hosts", heading="host"),
    Table("path"),
    Table("path_template", "template", base="path"),
    Table("first_segment", "first_segment", base="path"),
    Table("extension", "extension", base="path",
          section="rest", place=3, title="Kinds of files", heading="extension"),
    Table("page", "page", base="path", section="pages", place=1, title="Pages", heading="path"),
    Table("static", "static", base="path", section="rest", place=1, title="Static files", heading="path"),
    Table("query_key", "query_key", reads=("query",), section="rest", place=4, title="Query keys", heading="name"),
    Table("method", section="answers", place=2, title="Methods", heading="method"),
    Table("scheme", section="answers", place=4, title="Schemes", heading="scheme"),
    Table("visitor", section="who", place=3, title="Visitors", heading="last forwarded address, or client"),
    Table("client"),
    Table("agent", section="who", place=6, title="Agents", heading="as they call themselves"),
    Table(AGENT_PURPOSE, section="who", place=4, title="Robots", heading="purpose"),
    Table("agent_name", section="who", place=5, title="Robots by name", heading="name"),
    Table("attack", "attack", reads=ATTACKED, section="findings"),
    Table("domain", "domain", base="host"),
    _moments("referer_finding", member="referer_findings", section="findings"),
    Table("referer_host", "host"),
    Table("referer_scheme"),
    Table("referer_domain", "domain", base="referer_host",
          section="who", place=2, title="Referrers", heading="registrable domain"),
)}  # fmt: skip


def by_route(names: tuple[str, ...]) -> bool:
    """Return True if one of these tables counts requests by route."""
    return any(TABLES[name].sort or name == PROBE for name in names)


def counted_tables(names: tuple[str, ...]) -> list[Table]:
    """Return the tables to count per unit for these tables, without those of routes and moments."""
    tables = [table for name in names if not ((table := TABLES[name]).of_moments or table.sort or name == PROBE)]
    return [TABLES[name] for name in dict.fromkeys(table.base or table.name for table in tables)]


def columns(
    tables: tuple[str, ...], standards: tuple[Standard, ...], *, of_log: bool, findings: bool, with_urls: bool
) -> tuple[str, ...]:
    """Return the columns of a unit to read; `with_urls` adds the URLs for examples."""
    names = [column for table in counted_tables(tables) for column in table.reads or (table.name,)]
    names += [*(("findings",) if findings else ()), *(("url",) if with_urls else ())]
    names += [VALID_BY[standard] for standard in standards if standard != "rfc1738" and findings]
    if by_route(tables):
        names += ["path", "duration", *(("visitor",) if PROBE in tables else ())]
    if of_log:
        names += ["time", "status", "size", *((REFERER,) if with_urls else ())]
        if findings:
            names += [f"{REFERER}_{name}" for name in ("findings", *(VALID_BY[standard] for standard in standards))]
    return tuple(name for name in dict.fromkeys(names) if of_log or name in (*URL_COLUMNS, *ON_REQUEST))


def tables_of(section: Section) -> list[Table]:
    """Return the tables of a section of the report, in their order."""
    return sorted((table for table in TABLES.values() if table.section == section), key=lambda table: table.place)
