"""The tables of `fasturl stats` and `fasturl report`, one row each, in the order of `stats`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Literal

from fasturl.logs.columns import ON_REQUEST, REFERER, ROUTE, URL_COLUMNS, VALID_BY, Standard

# The table of all lines, URLs and bytes.
TOTAL = "total"
# The table of percentiles per path template. Its figures are not counts.
DURATION = "duration"
# Columns that may hold an attack.
ATTACKED = ("url", "referer", "agent", "user", "client", "vhost", "method", "protocol")
# What makes the keys of a table of the columns that it reads, or of the keys of its base.
_Rule = Literal["", "host", "status_path", "query_key", "attack", "duration",
                "template", "page", "static", "first_segment", "extension", "domain"]  # fmt: skip
Section = Literal["", "findings", "errors", "durations", "pages", "who", "answers"]


@dataclass(frozen=True)
class Table:
    """A table of keys with their counts and, of a log, their bytes.

    reads : the columns of a unit from which `rule` makes the keys, by default the one of the table's name
    base : the table from whose keys `rule` makes these instead
    moment : the key in SQL, of a table that is counted by hour, status and findings instead
    statuses : the first and last status of the requests that count, or None for all
    merges : True to show only a key that several keys of the base have
    order : the order of the rows in SQL, if it does not depend on what is shown
    on_request : True if `stats` shows the table only if it is named
    member : the name in JSON, if it is another one
    section, place, title, heading : of the table in the report, and what its keys are
    """

    name: str
    rule: _Rule = ""
    reads: tuple[str, ...] = ()
    base: str = ""
    moment: str = ""
    statuses: tuple[int, int] | None = None
    merges: bool = False
    order: str = ""
    on_request: bool = False
    member: str = ""
    section: Section = ""
    place: int = 0
    title: str = ""
    heading: str = ""

    @property
    def of_referers(self) -> bool:
        return self.name.startswith(REFERER)


_OF_STATUS = ("status", "path")
_named = partial(Table, on_request=True)
TABLES = {table.name: table for table in (
    Table("finding", moment="name", member="findings", section="findings"),
    Table("status", moment="status::VARCHAR", section="answers", place=1, title="Statuses", heading="status"),
    Table("server_error", reads=_OF_STATUS, statuses=(500, 599),
          section="errors", place=1, title="Paths that failed", heading="path, status 5xx"),
    Table("not_found", reads=_OF_STATUS, statuses=(404, 404),
          section="errors", place=2, title="Paths that were not found", heading="path, status 404"),
    Table("hour", moment="printf('%02d', (hour % 24 + 24) % 24)", order="key",
          section="who", place=1, title="Hours of the day", heading="hour"),
    Table("host", "host", reads=("host", "vhost"), section="answers", place=3, title="Hosts", heading="host"),
    Table("path"),
    Table("path_template", "template", base="path"),
    Table("duration", "duration", reads=("duration", "path"), order="n DESC, key", section="durations"),
    Table("first_segment", "first_segment", base="path"),
    Table("extension", "extension", base="path",
          section="pages", place=4, title="Kinds of files", heading="extension"),
    Table("static", "static", base="path", section="pages", place=3, title="Static files", heading="path"),
    Table("query_key", "query_key", reads=("query",), section="pages", place=5, title="Query keys", heading="name"),
    Table("method", section="answers", place=2, title="Methods", heading="method"),
    Table("scheme", section="answers", place=4, title="Schemes", heading="scheme"),
    Table("visitor", section="who", place=3, title="Visitors", heading="last forwarded address, or client"),
    Table("agent", section="who", place=6, title="Agents", heading="as they call themselves"),
    Table("referer_finding", moment="name", member="referer_findings", section="findings"),
    Table("referer_host", "host"),
    _named("client"),
    _named("status_path", "status_path", reads=_OF_STATUS),
    _named("page", "page", base="path", section="pages", place=1, title="Pages", heading="path"),
    _named("path_kind", "template", base="path", merges=True,
           section="pages", place=2, title="Kinds of pages", heading="paths that differ in {n} and the like"),
    _named(ROUTE),
    _named("agent_purpose", section="who", place=4, title="Robots", heading="purpose"),
    _named("agent_name", section="who", place=5, title="Robots by name", heading="name"),
    _named("attack", "attack", reads=ATTACKED, section="findings"),
    _named("domain", "domain", base="host"),
    _named("referer_scheme"),
    _named("referer_domain", "domain", base="referer_host",
           section="who", place=2, title="Referrers", heading="registrable domain"),
)}  # fmt: skip
SHOWN = tuple(name for name, table in TABLES.items() if not table.on_request)
ON_REQUEST_ONLY = tuple(name for name, table in TABLES.items() if table.on_request)


def counted_tables(names: tuple[str, ...]) -> list[Table]:
    """Return the tables to count per unit for these tables."""
    tables = [TABLES[name] for name in names if not TABLES[name].moment]
    return [TABLES[name] for name in dict.fromkeys(table.base or table.name for table in tables)]


def columns(
    tables: tuple[str, ...], standards: tuple[Standard, ...], *, of_log: bool, with_urls: bool
) -> tuple[str, ...]:
    """Return the columns of a unit to read; `with_urls` adds the URLs for examples."""
    names = [column for table in counted_tables(tables) for column in table.reads or (table.name,)]
    names += ["findings", *(("url",) if with_urls else ())]
    names += [VALID_BY[standard] for standard in standards if standard != "rfc1738"]
    if of_log:
        names += ["time", "status", "size", "referer_findings", *((REFERER,) if with_urls else ())]
        names += [f"{REFERER}_{VALID_BY[standard]}" for standard in standards]
    return tuple(name for name in dict.fromkeys(names) if of_log or name in (*URL_COLUMNS, *ON_REQUEST, ROUTE))


def tables_of(section: Section) -> list[Table]:
    """Return the tables of a section of the report, in their order."""
    return sorted((table for table in TABLES.values() if table.section == section), key=lambda table: table.place)
