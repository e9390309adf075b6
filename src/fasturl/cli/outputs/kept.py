"""`--keep`: columns of the input that are also written, in tables with their types, in text as JSON values."""

from __future__ import annotations

import json
import math
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any

import pyarrow as pa

from fasturl import _columns
from fasturl.arrow import compute as pc
from fasturl.logs.batches import as_text
from fasturl.logs.formats.records import PassthroughColumn
from fasturl.logs.units import Unit, octets_array

_VIEWS = pa.binary_view()
_OCTETS = pa.binary()
# Types the text writer supports directly, and types it widens to them.
_AS_THEY_ARE = (pa.bool_(), pa.int16(), pa.int32(), pa.int64(), pa.uint16(), pa.uint64())
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


def as_written(column: pa.Array, csv: bool) -> tuple[str | None, pa.Array]:
    """Return a kind and a column for _columns. The kind is None if the type implies it.

    Texts become views, and numbers stay numbers. Any other value becomes text in CSV, a JSON value in JSON.
    """
    kind = column.type
    if kind == _OCTETS:
        return "texts", column.cast(_VIEWS)
    if kind in _AS_THEY_ARE or kind in _WIDER:
        return None, column.cast(_WIDER.get(kind, kind))
    if pa.types.is_temporal(kind) and not pa.types.is_duration(kind):
        return "texts", _times(column).cast(_OCTETS).cast(_VIEWS)
    if pa.types.is_null(kind):
        return "nothing", column
    texts = [None if value is None else _json(value) for value in column.to_pylist()]
    there = octets_array([text for text in texts if text is not None])
    values = there if len(there) == len(texts) else pa.array(texts, _OCTETS)
    # A number must not become text: csv-safe would change a negative one.
    is_number = pa.types.is_floating(kind) or pa.types.is_decimal(kind)
    return "texts" if csv and not is_number else "written", values.cast(_VIEWS)


def _times(column: pa.Array) -> pa.Array:
    """Return the times as RFC 3339 text. Times with a zone are in UTC."""
    kind = column.type
    if pa.types.is_timestamp(kind) and kind.tz:
        column = column.cast(pa.timestamp(kind.unit, "UTC"))
    return pc.replace_substring(column.cast(pa.string()), " ", "T", max_replacements=1)


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
    try:
        text = json.dumps(json_value(value), separators=(",", ":"), allow_nan=False)
    except ValueError:  # infinity further in
        text = json.dumps(str(value))
    return text.encode()


def name_pieces(before: bytes, name: str) -> list[bytes]:
    """Return the text before a value in JSON, in pieces of at most BEFORE_MAX bytes."""
    start = before + _columns.value(name.encode("utf-8", "surrogateescape")) + b":"
    return [start[at : at + _columns.BEFORE_MAX] for at in range(0, len(start), _columns.BEFORE_MAX)]
