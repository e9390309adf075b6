"""JSON lines with a mapping from columns to fields, or with a field that holds a line of another format."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from fasturl._quoted import quoted
from fasturl.logs.columns import DETAILS, REFERER, TARGET
from fasturl.logs.errors import LogError
from fasturl.logs.formats import jsonlines
from fasturl.logs.formats.catalog import make_format, named_format
from fasturl.logs.formats.jsonlines import get_field
from fasturl.logs.formats.kernel_logs import CommonLog
from fasturl.logs.formats.logtext import octets
from fasturl.logs.formats.records import FormatReader, LineFormat, LogFormat, Result
from fasturl.logs.formats.usual import ObjectLog
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


class MappedLog(ObjectLog):
    """JSON objects with a field for each column."""

    details = DETAILS

    def __init__(self, fields: dict[str, str]) -> None:
        super().__init__("JSON", needs=0, fields={column: (field,) for column, field in fields.items()})
        self._shown = " and ".join(visible(fields[name]) for name in (REQUEST, TARGET) if name in fields)

    @property
    def records(self) -> str:
        return f"is a JSON object with a string in its field {self._shown}"


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
