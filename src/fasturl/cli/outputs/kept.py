"""Columns of an input that go out as they came in (`--keep`): their types in tables, their values as text."""

from __future__ import annotations

import json
import math
from decimal import Decimal
from typing import Any

import pyarrow as pa

from fasturl import _rowtext
from fasturl.arrow import compute as pc
from fasturl.cli.outputs.results import said
from fasturl.logs.batches import as_text
from fasturl.logs.formats.records import Kept
from fasturl.logs.units import Unit, octets_array

_VIEWS = pa.binary_view()
_OCTETS = pa.binary()
# Those that text has kinds of its own for, and those that become them.
_AS_THEY_ARE = (pa.bool_(), pa.int16(), pa.int32(), pa.int64(), pa.uint16(), pa.uint64())
_WIDER = {pa.int8(): pa.int64(), pa.uint8(): pa.int64(), pa.uint32(): pa.int64()}


def kept_schema(kept: tuple[Kept, ...]) -> pa.Schema:
    """What they are in a table."""
    return pa.schema([(one.name, pa.string() if one.type is None else one.type) for one in kept])


def with_kept(batch: pa.RecordBatch, unit: Unit, schema: pa.Schema, only_valid: bool) -> pa.RecordBatch:
    """The batch of a unit, or of its valid rows, with the columns that are kept."""
    for field in schema:
        column = unit.kept[field.name]
        if field.type == pa.string():
            column = as_text(column)
        if only_valid and unit.invalid:
            column = column.filter(unit.valid)
        batch = batch.append_column(field, column)
    return batch


def as_written(column: pa.Array, csv: bool) -> tuple[str | None, pa.Array]:
    """The column as _rowtext takes it, and its kind where the type does not tell it: texts are views, numbers numbers,
    all else is text, or in JSON a value of JSON."""
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
    return "texts" if csv else "written", values.cast(_VIEWS)


def _times(column: pa.Array) -> pa.Array:
    """As RFC 3339 has them: times with a zone in UTC."""
    kind = column.type
    if pa.types.is_timestamp(kind) and kind.tz:
        column = column.cast(pa.timestamp(kind.unit, "UTC"))
    return pc.replace_substring(column.cast(pa.string()), " ", "T", max_replacements=1)


def _json(value: Any) -> bytes | None:
    """The value as JSON; what JSON has no word for, as infinity, is null."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Decimal):
        return format(value, "f").encode()
    try:
        text = json.dumps(said(value), separators=(",", ":"), allow_nan=False)
    except ValueError:  # infinity further in
        text = json.dumps(str(value))
    return text.encode()


def name_pieces(before: bytes, name: str) -> list[bytes]:
    """What stands before a value in JSON, in pieces of the length that _rowtext takes."""
    start = before + _rowtext.value(name.encode("utf-8", "surrogateescape")) + b":"
    return [start[at : at + _rowtext.BEFORE_MAX] for at in range(0, len(start), _rowtext.BEFORE_MAX)]
