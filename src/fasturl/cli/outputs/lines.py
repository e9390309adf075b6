"""JSON lines, CSV and template lines. Any thread makes the text of a unit.

Columns of `--keep` are written in tables with their types, in text as JSON values.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import compress
from typing import Any

import pyarrow as pa

from fasturl import _columns
from fasturl._findings import FINDING_NAMES
from fasturl.arrow import compute as pc
from fasturl.cli.failure import BAD_URLS, Failure
from fasturl.cli.outputs.output import ColumnOutput
from fasturl.cli.outputs.sink import CSV_SAFE, Sink
from fasturl.cli.outputs.template import Absent, Template
from fasturl.logs.batches import as_text
from fasturl.logs.columns import FINDINGS, SETS, columns_of
from fasturl.logs.formats.records import PassthroughColumn
from fasturl.logs.shown import escape_bytes, visible
from fasturl.logs.units import NUMBERS, Unit, bytes_array

_VIEWS = pa.binary_view()
_BYTES = pa.binary()
# Types the text writer supports directly, and types it widens to them.
_KINDS = {
    pa.bool_(): "bits",
    pa.int16(): "int16",
    pa.int32(): "int32",
    pa.int64(): "int64",
    pa.uint16(): "uint16",
    pa.uint64(): "uint64",
}
_WIDER = {pa.int8(): pa.int64(), pa.uint8(): pa.int64(), pa.uint32(): pa.int64()}


def kept_schema(kept: tuple[PassthroughColumn, ...]) -> pa.Schema:
    """Return the fields of the columns in a table."""
    return pa.schema([(one.name, pa.string() if one.type is None else one.type) for one in kept])


def with_kept(batch: pa.RecordBatch, unit: Unit, schema: pa.Schema, only_valid: bool) -> pa.RecordBatch:
    """Return the batch of a unit, or of its valid rows, with the kept columns appended."""
    columns = batch.columns
    for field in schema:
        column = unit.kept[field.name]
        if field.type == pa.string():
            column = as_text(column)
        columns.append(column.filter(unit.valid) if only_valid and unit.invalid else column)
    return pa.RecordBatch.from_arrays(columns, schema=pa.schema([*batch.schema, *schema]))


def as_written(column: pa.Array, csv: bool) -> tuple[str, pa.Array]:
    """Return a kind and a column for _columns.

    Texts become views, and numbers stay numbers. Any other value becomes text in CSV, a JSON value in JSON.
    """
    kind = column.type
    if kind == _BYTES:
        return "texts", column.cast(_VIEWS)
    wide = _WIDER.get(kind, kind)
    if wide in _KINDS:
        return _KINDS[wide], column.cast(wide)
    if pa.types.is_temporal(kind) and not (pa.types.is_duration(kind) or pa.types.is_interval(kind)):
        return "texts", _times(column).cast(_BYTES).cast(_VIEWS)
    if pa.types.is_null(kind):
        return "nothing", column
    texts = [None if value is None else _json(value) for value in python_values(column)]
    there = bytes_array([text for text in texts if text is not None])
    values = there if len(there) == len(texts) else pa.array(texts, _BYTES)
    # A number must not become text: csv-safe would change a negative one.
    is_number = pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return "texts" if csv and not is_number else "written", values.cast(_VIEWS)


def _times(column: pa.Array) -> pa.Array:
    """Return the times as RFC 3339 text, or null for another year than 1 to 9999. Times with a zone are in UTC."""
    kind = column.type
    if pa.types.is_timestamp(kind) and kind.tz:
        column = column.cast(pa.timestamp(kind.unit, "UTC"))
    texts = pc.replace_substring(column.cast(pa.string()), " ", "T", max_replacements=1)
    return pc.if_else(pc.match_substring_regex(texts, "^(?:0000-|[^0-9]|[0-9]{5})"), None, texts)


def python_values(column: pa.Array) -> list[Any]:
    """Return the values as `to_pylist` does, or None for a time that no type of Python has."""
    try:
        return list(column.to_pylist())
    except OverflowError:
        half = len(column) // 2
        return [*python_values(column.slice(0, half)), *python_values(column.slice(half))] if half else [None]


def json_value(value: Any) -> Any:
    """Return a value that json can write: times as RFC 3339, and values of unknown types as text."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    if isinstance(value, pa.MonthDayNano):
        return _interval(value.months, value.days, value.nanoseconds // 1000)
    if isinstance(value, timedelta):
        return _interval(0, value.days, value.seconds * 1_000_000 + value.microseconds)
    if isinstance(value, dict):
        return {str(key): json_value(each) for key, each in value.items()}
    if isinstance(value, (list, tuple)):
        return [json_value(each) for each in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)


def _interval(months: int, days: int, micro: int) -> str:
    """Return an interval as text that DuckDB reads.

    >>> _interval(1, -2, 3_500_000)
    '1 months -2 days 00:00:03.500000'
    """
    seconds, fraction = divmod(abs(micro), 1_000_000)
    clock = f"{'-' if micro < 0 else ''}{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"
    clock += f".{fraction:06}" if fraction else ""
    parts = [f"{months} months"] * bool(months) + [f"{days} days"] * bool(days) + [clock] * bool(micro)
    return " ".join(parts) or clock


def _json(value: Any) -> bytes | None:
    """Return the value as JSON. A value that JSON cannot express, such as infinity, is null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Decimal):
        return format(value, "f").encode()
    import json  # for columns that are copied only

    try:
        text = json.dumps(json_value(value), separators=(",", ":"), allow_nan=False)
    except ValueError:  # infinity further in
        text = json.dumps(str(value))
    return text.encode()


def _name_pieces(before: bytes, name: str) -> list[bytes]:
    """Return the text before a value in JSON, in pieces of at most BEFORE_MAX bytes."""
    start = before + _columns.value(name.encode("utf-8", "surrogateescape")) + b":"
    return [start[at : at + _columns.BEFORE_MAX] for at in range(0, len(start), _columns.BEFORE_MAX)]


# A column for _columns.Columns, which describes the fields.
_Spec = tuple[bytes, str, int, int, int, tuple[int, ...], tuple[bytes, ...]]


def _words(values: list[bytes], csv: bool, escapes: bool = False, csv_safe: bool = False) -> tuple[bytes, ...]:
    return tuple(_columns.value(word, csv=csv, escapes=escapes, csv_safe=csv_safe) for word in values)


_PLAIN_FINDINGS = [name.encode() for name in FINDING_NAMES]
_FINDINGS = {True: tuple(_PLAIN_FINDINGS), False: _words(_PLAIN_FINDINGS, csv=False)}


def _own_as_written(
    name: str, column: pa.Array, csv: bool, escapes: bool, csv_safe: bool
) -> tuple[str, pa.Array, tuple[bytes, ...]]:
    """Return the kind of one of the unit's own columns, the column as it is written, and its words."""
    if name in FINDINGS:
        return "sets", column, _FINDINGS[csv]
    if column.type == pa.float64():
        return *as_written(column, csv), ()
    if name in NUMBERS:
        return _KINDS[column.type], column, ()
    if pa.types.is_dictionary(column.type):
        return "words", column, _words(column.dictionary.to_pylist(), csv, escapes, csv_safe)
    return "texts", column, ()


def _values_spec(before: bytes, kind: str, column: pa.Array, words: tuple[bytes, ...]) -> _Spec:
    buffers = column.buffers()
    validity = buffers[0].address if column.null_count and buffers[0] is not None else 0
    if column.null_count == len(column):
        return before, "nothing", validity, column.offset, 0, (), ()
    data = tuple(0 if buffer is None else buffer.address for buffer in buffers[2:])
    return before, kind, validity, column.offset, buffers[1].address, data, words


def _together(specs: list[_Spec], csv: bool) -> list[_Spec]:
    """Merge columns that hold no value into the column after them."""
    found: list[_Spec] = []
    waiting = b""
    for spec in specs:
        before, kind = spec[:2]
        piece = before + b"null" if kind == "nothing" and not csv else before
        if waiting and len(waiting) + len(piece) > _columns.BEFORE_MAX:
            found.append((waiting, "before", 0, 0, 0, (), ()))
            waiting = b""
        if kind == "nothing" and len(piece) <= _columns.BEFORE_MAX:
            waiting += piece
        else:
            found.append((waiting + before, *spec[1:]))
            waiting = b""
    if waiting:
        found.append((waiting, "before", 0, 0, 0, (), ()))
    return found


def _compiled_rows(unit: Unit, rows: int, only_valid: bool, csv: bool, escapes: bool, csv_safe: bool) -> Any:
    """Return the first rows of a unit as JSON lines or CSV."""
    # The arrays stay alive until the lines are made: specs hold addresses only.
    written = [(name, *_own_as_written(name, column, csv, escapes, csv_safe)) for name, column in unit.columns.items()]
    written += [(name, *as_written(column, csv), ()) for name, column in unit.kept.items()]
    specs: list[_Spec] = []
    before = b"" if csv else b"{"
    for name, kind, column, words in written:
        *first, last = [before] if csv else _name_pieces(before, name)
        specs += [(piece, "before", 0, 0, 0, (), ()) for piece in first]
        specs.append(_values_spec(last, kind, column, words))
        before = b","
    keep = unit.valid.buffers()[1].address if only_valid and unit.invalid else 0
    lines = _columns.Columns(_together(specs, csv))
    escapes = escapes and not unit.ascii_only
    return lines.lines(end=rows, keep=keep, csv=csv, escapes=escapes, csv_safe=csv_safe)


def _by_template(
    template: Template, unit: Unit, rows: int, only_valid: bool, escapes: bool
) -> tuple[bytes, Failure | None]:
    """Return the lines before the first row that lacks a required field, and the failure of that row."""
    values: list[list[Any]] = [unit.numbers.slice(0, rows).to_pylist()]
    for name in template.columns_for(unit.fmt.details):
        column = unit.columns[name]
        listed = column.slice(0, rows).to_pylist()
        values.append([bits if bits is None else SETS[bits] for bits in listed] if name in FINDINGS else listed)
    numbered: Iterable[tuple[Any, ...]] = zip(*values, strict=True)
    if only_valid and unit.invalid:
        numbered = compress(numbered, unit.valid.to_pylist())
    lines: list[bytes] = []
    failure: Failure | None = None
    for number, *row in numbered:
        try:
            lines.append(template.line(tuple(row)) + b"\n")
        except Absent as absent:
            what = f"no {absent}, which the template must have"
            failure = Failure(f"{visible(unit.source.name)}:{number}: {what}", BAD_URLS)
            break
    text = b"".join(lines)
    # Decoding can yield bytes beyond ASCII, even from a unit in ASCII.
    return escape_bytes(text) if escapes and not text.isascii() else text, failure


class TextOutput(ColumnOutput):
    """Writes text. The whole rows written before a failure are kept."""

    unit_lines = 1 << 13

    def __init__(
        self, sink: Sink, kind: str, columns: tuple[str, ...], template: Template | None, *, escapes: bool
    ) -> None:
        super().__init__(sink, columns)
        self._escapes = escapes  # write bytes that are not UTF-8 as %E9
        self._csv = kind in ("csv", CSV_SAFE)
        self._csv_safe = kind == CSV_SAFE
        self._template = template

    def columns_for(self, details: tuple[str, ...], name: str) -> tuple[str, ...]:
        if self._template is not None:
            return tuple(dict.fromkeys(self._template.columns_for(details)))
        return super().columns_for(details, name) if self._csv else columns_of(self._wanted, details)

    def start(self, columns: tuple[str, ...], kept: tuple[PassthroughColumn, ...]) -> None:
        names = [name.encode("utf-8", "surrogateescape") for name in (*columns, *(one.name for one in kept))]
        self.sink.write(b",".join(_words(names, csv=True, escapes=self._escapes, csv_safe=self._csv_safe)) + b"\n")

    def prepare(self, unit: Unit, only_valid: bool) -> tuple[Any, Failure | None]:
        return self._lines(unit, unit.urls, only_valid)

    def _lines(self, unit: Unit, rows: int, only_valid: bool) -> tuple[Any, Failure | None]:
        if self._template is not None:
            return _by_template(self._template, unit, rows, only_valid, self._escapes)
        return _compiled_rows(unit, rows, only_valid, self._csv, self._escapes, self._csv_safe), None

    def write(self, prepared: tuple[Any, Failure | None], size: int) -> None:
        text, failure = prepared
        if len(text):
            self.sink.write(memoryview(text))
        if failure is not None:
            raise failure

    def write_first(self, unit: Unit, rows: int) -> None:
        self.write(self._lines(unit, rows, only_valid=False), 0)

    def finish(self) -> None:
        if self._csv:
            super().finish()
