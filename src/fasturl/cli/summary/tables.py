"""The tables of a summary: their names, and what each needs of a unit."""

from __future__ import annotations

# Of every input.
OF_URLS = ("finding", "scheme", "host", "path", "path_template", "first_segment", "extension", "query_key")
# Of what a log says of requests.
OF_REQUESTS = ("status", "hour", "method", "client", "agent")
OF_REFERERS = ("referer_finding", "referer_host")
# Made only when they are asked for by name.
ON_REQUEST = ("status_path", "domain", "referer_scheme", "referer_domain")

# Those that are shown when none is named, in this order, and the others.
SHOWN = ("finding", "status", "hour", "host", "path", "path_template", "first_segment", "extension", "query_key",
         "method", "scheme", "client", "agent", "referer_finding", "referer_host")  # fmt: skip
TABLES = (*SHOWN, *ON_REQUEST)

# The tables that are counted unit by unit.
COUNTED = ("scheme", "host", "path", "query_key", "method", "client", "agent", "status_path", "referer_host",
           "referer_scheme")  # fmt: skip
# The counts of lines, URLs and octets as a whole.
TOTAL = "total"
# What a table is called in JSON, where it is not its own name.
MEMBERS = {"finding": "findings", "referer_finding": "referer_findings"}
# Those that come from another one, each of whose keys is looked at once.
DERIVED = {
    "path_template": "path",
    "first_segment": "path",
    "extension": "path",
    "domain": "host",
    "referer_domain": "referer_host",
}
# Those that are counted by hour, status and findings together.
OF_MOMENTS = ("finding", "status", "hour", "referer_finding")

# The columns that each looks at, in a log and elsewhere.
_READ = {
    "host": ("host", "vhost"),
    "query_key": ("query",),
    "status_path": ("status", "path"),
}
_ONLY_IN_LOGS = frozenset(("vhost", "time", "status", "method", "client", "agent", "size"))


def counted(tables: tuple[str, ...]) -> tuple[str, ...]:
    """Those that are to be counted unit by unit to answer for these tables."""
    bases = {DERIVED.get(name, name) for name in tables}
    return tuple(name for name in COUNTED if name in bases)


def columns(tables: tuple[str, ...], *, of_log: bool, with_urls: bool) -> tuple[str, ...]:
    """The columns of a unit that are looked at; `with_urls` for examples."""
    names = [column for name in counted(tables) for column in _READ.get(name, (name,))]
    names += ["findings", *(("url",) if with_urls else ())]
    if of_log:
        names += ["time", "status", "size", "referer_valid", "referer_findings", *(("referer",) if with_urls else ())]
    wanted = [name for name in names if of_log or not (name in _ONLY_IN_LOGS or name.startswith("referer"))]
    return tuple(dict.fromkeys(wanted))
