"""JSON lines with a mapping from columns to fields, or with a field that holds a line of another format."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from fasturl._accesslog import ObjectTemplate
from fasturl._quoted import quoted
from fasturl.logs.columns import DETAILS, REFERER, TARGET
from fasturl.logs.errors import LogError
from fasturl.logs.formats.catalog import make_format, named_format
from fasturl.logs.formats.jsonlines import json_stop
from fasturl.logs.formats.kernel_logs import CommonLog
from fasturl.logs.formats.logtext import octets
from fasturl.logs.formats.mismatch import Stop
from fasturl.logs.formats.records import LogFormat
from fasturl.logs.formats.usual import ObjectLog
from fasturl.logs.shown import visible

LINE, REQUEST, QUERY = "line", "request", "query"
NAMES = (TARGET, REQUEST, QUERY, REFERER, *DETAILS, LINE)


def json_format(fields: Mapping[str, str], *, line: str | LogFormat | None = None) -> LogFormat:
    """Return a format of JSON lines, one object per request, for `read` and `parse_lines`.

    fields : the field of each column; `a.b` for a nested field. The first value of a list is taken. `request` is a
        whole request line, which is split. `query` is appended to `target`. `line` alone is a field that holds a line
        of a log, as containers wrap it.
    line : the format of that line, by its name, spelled or made; COMBINED by default
    Raises LogError for an unknown column, and for a mapping without a request.

    >>> json_format({"target": "request.uri", "status": "status"}).name
    'JSON'
    """
    for name in fields:
        if name not in NAMES:
            raise LogError(f"the mapping: there is no {quoted(name)}; there are: {', '.join(NAMES)}")
    if LINE in fields:
        if len(fields) > 1:
            raise LogError("the mapping: line is all that is mapped: it holds the rest")
        held = partial(_nested_log, named_format(line or "COMBINED"), fields[LINE])
        held()
        return LogFormat("JSON", "JSON objects that hold lines", held)
    if line is not None:
        raise LogError("the mapping: a format is that of a line: map line=FIELD")
    if not {TARGET, REQUEST} & set(fields):
        raise LogError("the mapping: no field of it holds a request: map target=FIELD or request=FIELD")
    return LogFormat("JSON", "JSON objects with fields that are mapped", partial(MappedLog, dict(fields)))


class MappedLog(ObjectLog):
    """JSON objects with a field for each column."""

    details = DETAILS

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__("JSON", needs=0, fields={column: (field,) for column, field in fields.items()})
        self._shown = " and ".join(visible(fields[name]) for name in (REQUEST, TARGET) if name in fields)

    @property
    def records(self) -> str:
        return f"is a JSON object with a string in its field {self._shown}"

    def place(self, line: bytes) -> Stop:
        return json_stop(line, self._shown)


def _nested_log(line: str | LogFormat, field: str) -> CommonLog:
    """Return a reader of JSON objects with a field that holds a line of this format."""
    fmt = make_format(line)
    if not isinstance(fmt, CommonLog):
        raise LogError(f"the mapping: a line inside is in the format of a log, not {fmt.name}")
    fmt.what = f"is a JSON object whose field {visible(field)} holds a line that {fmt.records}"
    fmt.behind("JSON", ObjectTemplate([(TARGET, octets(field), 0)], [], "json", 0, True)).name = "JSON"
    return fmt
