"""The columns of the output, in its order, and the names of findings."""

from __future__ import annotations

from fasturl import Finding
from fasturl._columns import NAMES
from fasturl.logs.formats.records import DETAILS, REFERER

WHERE = ("file", "line", "field")
DIAGNOSTICS = ("valid", "findings", "error_offset")
_PARTS = [name for name in NAMES if name not in (*DIAGNOSTICS, "hostname", "port")]
_PARTS.insert(_PARTS.index("host") + 1, "port")
PARTS = tuple(_PARTS)
URL_COLUMNS = (*WHERE, "url", *PARTS, *DIAGNOSTICS)
# Of the referer, in rows by request.
REFERER_COLUMNS = tuple(f"{REFERER}_{name}" for name in (*PARTS, *DIAGNOSTICS))
COLUMNS = (*URL_COLUMNS, *DETAILS, REFERER, *REFERER_COLUMNS)
FINDINGS = frozenset(("findings", f"{REFERER}_findings"))

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


def columns_of(wanted: tuple[str, ...], details: tuple[str, ...]) -> tuple[str, ...]:
    """The columns that go out: those asked for, or those that an input with these details has. The referer's parts are
    asked for.
    """
    # Of rows by request each is the target.
    return wanted or (*(name for name in URL_COLUMNS if name != "field" or REFERER not in details), *details)
