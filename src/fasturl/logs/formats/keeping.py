"""Which columns of an input go out beside the URL and what a log says, and by which names."""

from __future__ import annotations

from collections.abc import Sequence

from fasturl.logs.errors import LogError
from fasturl.logs.formats.logtext import octets
from fasturl.logs.formats.records import ALL, Kept
from fasturl.logs.rows import COLUMNS
from fasturl.logs.shown import escape_octets, visible

_SHOWN_AT_MOST = 50


def keep_columns(wanted: tuple[str, ...], there: Sequence[str], own: str | None) -> tuple[Kept, ...]:
    """The columns that are wanted of those that are there; `*` is each of them but `own`, that of the URL.

    One that has the name of an output column, or of one kept before, gets `input_` before it; octets that are no UTF-8
    are escapes. LogError for a name that is not there.

    >>> [kept.name for kept in keep_columns(("*",), ["id", "path", "u"], "u")]
    ['id', 'input_path']
    """
    found: dict[str, None] = {}
    for name in wanted:
        if name == ALL:
            found |= dict.fromkeys(each for each in there if each != own)
        elif name in there:
            found[name] = None
        else:
            listed = ", ".join(visible(each) for each in there[:_SHOWN_AT_MOST]) or "none"
            raise LogError(f"there is no column {visible(name)} to keep; there are: {listed}", "--keep NAME")
    names: set[str] = set(COLUMNS)
    kept = []
    for source in found:
        name = escape_octets(octets(source)).decode()
        while not name or name in names:
            name = f"input_{name}"
        names.add(name)
        kept.append(Kept(source, name))
    return tuple(kept)
