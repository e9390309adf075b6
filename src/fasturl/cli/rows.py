"""Rows: the parts of each URL of some records, as tuples in the order of the output's columns.

Absent parts are None, empty ones b"". What a row says of a URL is what `fasturl.parse` says.
"""

from __future__ import annotations

from operator import itemgetter

from fasturl import Finding
from fasturl._rows import url_rows
from fasturl.cli.formats import Format, Records, Value

WHERE = ("file", "line", "field")
PARTS = ("scheme", "netloc", "username", "password", "host", "port", "path", "query", "fragment")
VERDICT = ("valid", "findings", "error_offset")
URL_COLUMNS = (*WHERE, "url", *PARTS, *VERDICT)

# Places in a row. The log's details, where there are any, follow.
LINE, FIELD, TEXT, SCHEME, HOST, PATH, QUERY, VALID, FINDINGS, OFFSET = (
    URL_COLUMNS.index(name)
    for name in (
        "line",
        "field",
        "url",
        "scheme",
        "host",
        "path",
        "query",
        "valid",
        "findings",
        "error_offset",
    )
)
DETAILS_START = len(URL_COLUMNS)

Row = tuple[Value, ...]

_NAMED = [finding for finding in Finding if finding.value.bit_count() == 1]
HAZARDS = frozenset(str(finding.name) for finding in _NAMED if finding & Finding.HAZARDS)


class _Names(dict[int, tuple[str, ...]]):
    """The names of a set of findings, in the order of their bits."""

    def __missing__(self, bits: int) -> tuple[str, ...]:
        names = tuple(str(finding.name) for finding in _NAMED if bits & finding)
        self[bits] = names
        return names


# As many keys as there are sets of findings in the data: dozens, at worst some thousands.
_names = _Names()


def make_rows(file: bytes, fmt: Format, records: Records) -> list[Row]:
    """A row for each record, each URL read in the form of its field."""
    return url_rows(file, records.numbers, records.fields, records.urls, records.details, fmt.targets, _names)


class Layout:
    """Which columns go out, and in which order."""

    def __init__(self, wanted: tuple[str, ...], details: tuple[str, ...]) -> None:
        """`wanted`: the columns asked for, () for all that the input has; one that it has not is a null
        column.
        """
        had = (*URL_COLUMNS, *details)
        self.columns = wanted or had
        self._all = self.columns == had
        places = [had.index(name) if name in had else len(had) for name in self.columns]
        self._pick = itemgetter(*places, len(had))

    def apply(self, rows: list[Row]) -> list[Row]:
        if self._all:
            return rows
        pick = self._pick  # of one place more, so that it gives a tuple for one column too
        return [pick((*row, None))[:-1] for row in rows]
