"""JSON lines with a mapping from columns to fields, or with a field that holds a line of another format."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from fasturl._accesslog import split_request
from fasturl._quoted import quoted
from fasturl.logs.columns import DETAILS, REFERER, TARGET
from fasturl.logs.errors import LogError
from fasturl.logs.formats import jsonlines
from fasturl.logs.formats.catalog import make_format, named_format
from fasturl.logs.formats.jsonlines import JsonLog, get_field, json_time
from fasturl.logs.formats.kernel_logs import CommonLog
from fasturl.logs.formats.logtext import octets
from fasturl.logs.formats.records import Detail, FormatReader, LineFormat, LogFormat, Result
from fasturl.logs.inputs.lines import Lines
from fasturl.logs.shown import visible

LINE, REQUEST, QUERY = "line", "request", "query"
NAMES = (TARGET, REQUEST, QUERY, REFERER, *DETAILS, LINE)


def json_format(fields: Mapping[str, str], *, line: str | LogFormat | None = None) -> LogFormat:
    """Return a format of JSON lines, one object per request, for `read` and `parse_lines`.

    fields : the field of each column; `a.b` for a nested field. The first value of a list is taken. `request` is a
        whole request line, which is split. `query` is appended to `target`. `line` alone is a field that holds a line
        of a common, combined or custom format, as containers wrap it.
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
        fmt = make_format(named_format(line or "COMBINED"))
        inner = fmt.as_inner()
        if inner is None:
            raise LogError(f"the mapping: a line inside is in a common, combined or custom format, not {fmt.name}")
        return LogFormat("JSON", "JSON objects that hold lines", partial(WrappedLog, inner, fields[LINE]))
    if line is not None:
        raise LogError("the mapping: a format is that of a line: map line=FIELD")
    if not {TARGET, REQUEST} & set(fields):
        raise LogError("the mapping: no field of it holds a request: map target=FIELD or request=FIELD")
    return LogFormat("JSON", "JSON objects with fields that are mapped", partial(MappedLog, dict(fields)))


class _Fields:
    """Look up the values of an object by column."""

    def __init__(self, fields: dict[str, str]) -> None:
        self._paths = [(name, field, field.split(".")) for name, field in fields.items()]

    def of(self, entry: Any) -> dict[str, Any]:
        found = {name: get_field(entry, field, path) for name, field, path in self._paths}
        return {name: value[0] if isinstance(value, list) and value else value for name, value in found.items()}


def _text(value: Any) -> bytes | None:
    """Return a string or a number as bytes, or None for an empty string, a hyphen and other types."""
    if isinstance(value, str):
        return octets(value) if value not in ("", "-") else None
    return str(value).encode() if type(value) in (int, float) else None


def _integer(value: Any) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= 20:
        return int(value)
    return value if type(value) is int and value >= 0 else None


class MappedLog(JsonLog):
    """JSON objects with a field for each column."""

    name = "JSON"

    def __init__(self, fields: dict[str, str]) -> None:
        self._fields = _Fields(fields)
        self._shown = " and ".join(visible(fields[name]) for name in (REQUEST, TARGET) if name in fields)

    @property
    def records(self) -> str:
        return f"is a JSON object with a string in its field {self._shown}"

    def _request(self, entry: Any) -> tuple[bytes | None, Detail, bytes | None] | None:
        get = self._fields.of(entry)
        method, protocol = _text(get.get("method")), _text(get.get("protocol"))
        request, target = get.get(REQUEST), get.get(TARGET)
        if isinstance(request, str) and request:
            method, uri, protocol = split_request(octets(request))
        elif isinstance(target, str):
            uri, query = octets(target), _text(get.get(QUERY))
            if query is not None:
                uri = (uri or b"") + (b"" if query.startswith(b"?") else b"?") + query
        else:
            return None
        detail = (
            *(_text(get.get("client")), _text(get.get("user")), json_time(get.get("time")), method, protocol),
            *(_integer(get.get("status")), _integer(get.get("size")), _text(get.get("agent")), _text(get.get("vhost"))),
        )
        return uri, detail, _text(get.get(REFERER))


class WrappedLog(LineFormat):
    """JSON objects with a field that holds a line in the format `inner`."""

    name = "JSON"
    details = DETAILS
    targets = frozenset({TARGET})
    reads_blocks = True

    def __init__(self, inner: CommonLog, field: str) -> None:
        self.inner = inner
        self._field = field
        self._path = field.split(".")

    def read_with(self, reader: FormatReader[Result]) -> Result:
        return reader.read_wrapped(self)

    @property
    def records(self) -> str:
        return f"is a JSON object whose field {visible(self._field)} holds a line that {self.inner.records}"

    def keep(self, wanted: tuple[str, ...]) -> None:
        """Choose columns of the inner line."""
        self.inner.keep(wanted)
        self.kept = self.inner.kept

    def _line(self, line: bytes) -> bytes | None:
        value = get_field(jsonlines.load(line), self._field, self._path)
        # Containers write the line's end too.
        text = octets(value).removesuffix(b"\n").removesuffix(b"\r") if isinstance(value, str) else b""
        return None if not text or b"\n" in text else text

    def matches(self, line: bytes) -> bool:
        inner = self._line(line)
        return inner is not None and self.inner.matches(inner)

    def unwrap(self, lines: Lines) -> tuple[Lines, list[int]]:
        """Return the inner lines, and the indices of the objects without one. Those lines are empty."""
        found = [self._line(line) if line else b"" for line in lines.stripped]
        unwrapped = Lines(lines.first, b"".join([(line or b"") + b"\n" for line in found]))
        unwrapped.start = 0
        return unwrapped, [at for at, line in enumerate(found) if line is None]
