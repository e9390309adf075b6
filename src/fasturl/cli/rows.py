"""Rows: the parts of each URL of some records, as tuples in the order of the output's columns.

Absent parts are None, empty ones b"". Everything a row says of a URL comes from the public `fasturl.parse_many`.
"""

from __future__ import annotations

from itertools import compress
from operator import itemgetter
from typing import TYPE_CHECKING

from fasturl import Finding, parse_many
from fasturl.cli.formats import Format, Records, Value

if TYPE_CHECKING:
    from fasturl import URL

WHERE = ("file", "line", "field")
PARTS = ("scheme", "netloc", "username", "password", "host", "port", "path", "query", "fragment")
VERDICT = ("valid", "findings", "error_offset")
URL_COLUMNS = (*WHERE, "url", *PARTS, *VERDICT)

Row = tuple[Value, ...]

_NAMED = [finding for finding in Finding if finding.name and "|" not in finding.name]


class _Names(dict[Finding, tuple[str, ...]]):
    """The names of a set of findings, in the order of their bits."""

    def __missing__(self, findings: Finding) -> tuple[str, ...]:
        names = tuple(str(finding.name) for finding in _NAMED if finding in findings)
        self[findings] = names
        return names


# As many keys as there are sets of findings in the data: dozens, at worst some thousands.
names_of = _Names()


def parse_records(records: Records, targets: frozenset[str]) -> list[URL]:
    """The records' URLs, parsed each in the form of its field."""
    urls, fields = records.urls, records.fields
    kinds = set(fields)
    if not kinds & targets:
        return list(parse_many(urls))
    if kinds <= targets:
        return list(parse_many(urls, form="request-target"))
    is_target = [field in targets for field in fields]
    as_target = parse_many(compress(urls, is_target), form="request-target")
    as_url = parse_many(compress(urls, [not yes for yes in is_target]))
    return [next(as_target) if yes else next(as_url) for yes in is_target]


def _port(url: URL) -> int | None:
    try:
        return url.port
    except ValueError:  # BAD_PORT says why, the netloc what stood there
        return None


_NO_NETLOC = (None, None, None, None, None)


def parts(url: URL) -> Row:
    """The nine parts, in the order of PARTS."""
    span = url.span
    netloc = span("netloc")
    if netloc is None:
        authority: Row = _NO_NETLOC
    else:
        host = span("host")
        authority = (
            url.netloc,
            url.username,
            url.password,
            None if host is None else url.text[host[0] : host[1]],
            _port(url),
        )
    return (
        url.scheme or None,
        *authority,
        url.path,
        url.query or (None if span("query") is None else b""),
        url.fragment or (None if span("fragment") is None else b""),
    )


class Layout:
    """Which columns go out, in which order, and how a row is made of a record."""

    def __init__(self, columns: tuple[str, ...], details: tuple[str, ...]) -> None:
        """`columns`: the names asked for, () for all that the format has; a name it does not have is a null column."""
        self.all = (*URL_COLUMNS, *details)
        self.columns = columns or self.all
        places = {name: place for place, name in enumerate(self.all)}
        missing = len(self.all)
        self._pick = None
        if columns:
            wanted = [places.get(name, missing) for name in columns]
            # itemgetter of one gives no tuple
            self._pick = itemgetter(*wanted) if len(wanted) > 1 else lambda row: (row[wanted[0]],)

    def rows(self, file: bytes, records: Records, urls: list[URL]) -> list[Row]:
        rows = [
            (
                file, number, field, text, *parts(url), url.valid, names_of[url.findings], url.error_offset, *detail,
            )
            for number, field, text, url, detail in zip(
                records.numbers, records.fields, records.urls, urls, records.details, strict=True
            )
        ]  # fmt: skip
        if self._pick is None:
            return rows
        return [self._pick((*row, None)) for row in rows]


def layout_for(fmt: Format, columns: tuple[str, ...]) -> Layout:
    return Layout(columns, fmt.details)
