"""The names of the output columns, in order, and of the findings."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Literal

from fasturl import Finding
from fasturl._columns import NAMES

if TYPE_CHECKING:
    from fasturl.logs.inputs.source import Source

Standard = Literal["rfc1738", "rfc3986"]
# The column that says whether a URL is valid, per standard.
VALID_BY: dict[Standard, str] = {"rfc1738": "valid_rfc1738", "rfc3986": "valid_rfc3986"}

# The details of a request, in the order of the output's columns.
DETAILS = ("client", "user", "time", "method", "protocol", "status", "size", "agent", "vhost")
# More details, of formats that have them.
EXTRAS = ("duration", "request_length", "forwarded", "request_id", "cache_status")
# The fields of a log or list that hold URLs.
TARGET, REFERER, URL = "target", "referer", "url"
WHERE = ("file", "line", "field")
DIAGNOSTICS = ("valid_rfc1738", "findings", "error_offset")
# No default columns: each costs time that most readers do not want to spend.
ON_REQUEST = ("valid_rfc3986",)
_OTHERS = (*DIAGNOSTICS, *ON_REQUEST, "finding_bits", "hostname", "host_kind", "address_scope", "port")
_PARTS = [name for name in NAMES if name not in _OTHERS]
_PARTS.insert(_PARTS.index("host") + 1, "port")
PARTS = tuple(_PARTS)
URL_COLUMNS = (*WHERE, "url", *PARTS, *DIAGNOSTICS)
# The parts of the referer, with one row per request.
REFERER_COLUMNS = tuple(f"{REFERER}_{name}" for name in (*PARTS, *DIAGNOSTICS, *ON_REQUEST))
# Computed from the agent, on request.
AGENT_COLUMNS = ("agent_bot", "agent_name", "agent_operator", "agent_purpose")
# Computed from the path, if routes are given.
ROUTE = "route"
# Computed from the client and the forwarded addresses, on request.
VISITOR = "visitor"
# The networks of proxies that no visitor is in, by default.
PRIVATE = "10.0.0.0/8,172.16.0.0/12,192.168.0.0/16,100.64.0.0/10,127.0.0.0/8,169.254.0.0/16,::1/128,fc00::/7,fe80::/10"
COLUMNS = (*URL_COLUMNS, *ON_REQUEST, *DETAILS, *EXTRAS, *AGENT_COLUMNS, VISITOR, REFERER, *REFERER_COLUMNS)
# What each column holds, except the parts of the referer.
MEANINGS = {
    "file": "the input; - is standard input",
    "line": "the number of the line, from 1",
    "field": "target or referer, if each URL has a row; else url, or the name of the column or JSON field",
    "url": "the URL as it is written; of a request its target",
    "scheme": "the text before the first colon, such as http",
    "netloc": "user, password, host and port together",
    "username": "the user in the URL",
    "password": "the password in the URL",
    "host": "the host without brackets and port, as it is written",
    "port": "the port as a number, if the URL names one",
    "path": "the path, not decoded",
    "query": "the text after ?, not decoded",
    "fragment": "the text after #, not decoded",
    "valid_rfc1738": "true if the URL is valid by RFC 1738",
    "findings": "the names of the URL's findings (`fasturl help findings`)",
    "error_offset": "the byte at which the first violation starts, from 0",
    "valid_rfc3986": "true if the URL is valid by RFC 3986",
    "client": "the address or host that sent the request",
    "user": "the user that the server names",
    "time": "the time of the request, in UTC",
    "method": "the method, such as GET",
    "protocol": "the protocol, such as HTTP/1.1",
    "status": "the status of the response, such as 404",
    "size": "the bytes of the response that the log counts",
    "agent": "the user agent as it calls itself",
    "vhost": "the virtual host",
    "duration": "the seconds that the request took",
    "request_length": "the bytes of the request",
    "forwarded": "the list of forwarded addresses, as it is written",
    "request_id": "the request's identifier",
    "cache_status": "what the cache did, such as HIT",
    "agent_bot": "true for a robot",
    "agent_name": "the robot's name",
    "agent_operator": "who runs the robot",
    "agent_purpose": "why the robot asks: search, training, user, ai, preview, monitor, tool or crawler",
    VISITOR: "the last forwarded address outside --trusted-proxies, or the client",
    ROUTE: "the route of the path, if --routes is given",
    REFERER: "the page that led to the request, as the client says",
}
FINDINGS = frozenset(("findings", f"{REFERER}_findings"))

_NAMED = list(Finding)
HAZARDS = frozenset(str(finding.name) for finding in _NAMED if finding & Finding.HAZARDS)


class _Names(dict[int, tuple[str, ...]]):
    """Maps bits to the findings' names in bit order."""

    def __missing__(self, bits: int) -> tuple[str, ...]:
        names = tuple(str(finding.name) for finding in _NAMED if bits & finding)
        self[bits] = names
        return names


# One key per set of findings in the data: dozens, at worst some thousands.
SETS = _Names()


def columns_of(
    wanted: tuple[str, ...], details: tuple[str, ...], before: tuple[str, ...] = (), keys: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the wanted columns, or else the default columns of an input with these details.

    keys : the columns that the inputs' paths name
    before : the previous input's columns. A log gets the same columns as a log before it, so that logs in several
        formats make a table.
    The referer's parts are not among the default columns.
    """
    if before and not wanted and bool(details) == (DETAILS[0] in before):
        return before
    # With one row per request, each row is a target.
    return wanted or (*(name for name in URL_COLUMNS if name != "field" or REFERER not in details), *details, *keys)


def keys_of(sources: Iterable[Source]) -> tuple[str, ...]:
    """Return the column names that only the inputs' paths give, and not the lines or URLs."""
    return tuple(dict.fromkeys(name for source in sources for name in source.keys if name not in COLUMNS))
