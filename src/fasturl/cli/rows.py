"""Rows: the parts of each URL of some records, as tuples in the order of the output's columns.

Absent parts are None, empty ones b"". What a row says of a URL is what `fasturl.parse` says.
"""

from __future__ import annotations

from fasturl import Finding
from fasturl._rows import url_rows
from fasturl.cli.formats.records import Format, Records, Value

WHERE = ("file", "line", "field")
PARTS = ("scheme", "netloc", "username", "password", "host", "port", "path", "query", "fragment")
VERDICT = ("valid", "findings", "error_offset")
URL_COLUMNS = (*WHERE, "url", *PARTS, *VERDICT)

# Places in a row. The log's details, where there are any, follow.
LINE, FIELD, TEXT, SCHEME, HOST, PATH, VALID, FINDINGS = map(
    URL_COLUMNS.index, ("line", "field", "url", "scheme", "host", "path", "valid", "findings")
)
DETAILS_START = len(URL_COLUMNS)

Row = tuple[Value, ...]

_NAMED = [finding for finding in Finding if finding.value.bit_count() == 1]
HAZARDS = frozenset(str(finding.name) for finding in _NAMED if finding & Finding.HAZARDS)
# By the number of their bit; there are bits without one.
FINDING_NAMES = [""] * (_NAMED[-1].value.bit_length())
for _finding in _NAMED:
    FINDING_NAMES[_finding.value.bit_length() - 1] = str(_finding.name)


class _Names(dict[int, tuple[str, ...]]):
    """The names of a set of findings, in the order of their bits."""

    def __missing__(self, bits: int) -> tuple[str, ...]:
        names = tuple(str(finding.name) for finding in _NAMED if bits & finding)
        self[bits] = names
        return names


# As many keys as there are sets of findings in the data: dozens, at worst some thousands.
SETS = _Names()


def make_rows(file: bytes, fmt: Format, records: Records) -> list[Row]:
    """A row for each record, each URL read in the form of its field."""
    return url_rows(file, records.numbers, records.fields, records.urls, records.details, fmt.targets, SETS)


def columns_of(wanted: tuple[str, ...], details: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that go out: those asked for, or all that an input with these details has."""
    return wanted or (*URL_COLUMNS, *details)
