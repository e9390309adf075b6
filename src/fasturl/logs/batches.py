"""Convert units to record batches of UTF-8 text, for Parquet and Arrow files and for computation."""

from __future__ import annotations

from functools import lru_cache

import pyarrow as pa

from fasturl import _columns
from fasturl._columns import PooledBuffer
from fasturl.arrow import compute as pc
from fasturl.arrow.copies import used_buffer
from fasturl.arrow.findings import finding_names
from fasturl.logs.columns import FINDINGS
from fasturl.logs.formats.times import time_of
from fasturl.logs.shown import escape_bytes
from fasturl.logs.units import NUMBERS, Unit, from_start

_TEXT = pa.string()
_BYTES = pa.binary()
_VIEWS = pa.binary_view()
_MOST_BYTES = (1 << 31) - 1 - _columns.COPY_SLACK  # Arrow's strings have 32-bit offsets
TIME = pa.timestamp("us", "UTC")
_WORDS = pa.dictionary(pa.int8(), pa.string())
_TYPES: dict[str, pa.DataType] = {
    **dict.fromkeys(("file", "field", "agent_name", "agent_operator", "agent_purpose"), _WORDS),
    **dict.fromkeys(FINDINGS, pa.list_(_WORDS)),
    "time": TIME,
    **NUMBERS,
}


def as_text(array: pa.Array, *, ascii_only: bool = False) -> pa.Array:
    r"""Return bytes as strings. A byte that is not UTF-8 becomes a percent escape.

    array : binary or binary_view, which is copied
    ascii_only : True if no byte is above 7F, which skips the check

    >>> as_text(pa.array([b"caf\xc3\xa9", b"caf\xe9", None])).to_pylist()
    ['caf\xe9', 'caf%E9', None]
    """
    raw = _copy(array)
    _, offsets, data = raw.buffers()
    if not ascii_only and data is not None and not _columns.is_ascii(data.address, data.size):
        bad = _columns.not_utf8(offsets.address, data.address, len(raw))
        if bad:
            mask = bytearray(len(raw))
            for row in bad:
                mask[row] = 1
            escaped = pa.array([escape_bytes(raw[row].as_py()) for row in bad], pa.binary())
            raw = pc.replace_with_mask(raw, pa.array(map(bool, mask), pa.bool_()), escaped)
    return pa.Array.from_buffers(_TEXT, len(raw), raw.buffers(), raw.null_count, raw.offset)


def _views(array: pa.Array) -> _columns.Views:
    """Return an unsliced view array's buffers."""
    validity, views, *data = array.buffers()
    bits = validity.address if array.null_count else 0
    # A column of nulls alone may have no data.
    return _columns.Views(views.address, bits, [buffer.address if buffer else 0 for buffer in data], len(array))


def _copy(array: pa.Array) -> pa.Array:
    """Return the values with offsets, as an unsliced array."""
    if array.type != _VIEWS or array.offset or not len(array):
        return from_start(array)
    views = _views(array)
    total = views.total()
    if total > _MOST_BYTES:
        raise pa.ArrowInvalid("the texts of a column take over 2**31 - 1 bytes")
    offsets, data = PooledBuffer(4 * (len(array) + 1)), PooledBuffer(total + _columns.COPY_SLACK)
    views.copy(offsets.address, data.address)
    validity = array.buffers()[0] if array.null_count else None
    buffers = [validity, used_buffer(offsets, 4 * (len(array) + 1)), used_buffer(data, total)]
    return pa.Array.from_buffers(_BYTES, len(array), buffers, array.null_count)


def as_times(column: pa.Array) -> pa.Array:
    """Convert RFC 3339 texts to timestamps. A time without a zone is UTC. Other text becomes null.

    >>> as_times(pa.array([b"2015-05-17T12:05:03+02:00", b"2015-05-17T10:05:03", b"yesterday"])).to_pylist()[2]
    """
    if column.type == _VIEWS and not column.offset and len(column):
        times = PooledBuffer(8 * len(column))
        if _views(column).times(times.address):
            validity = column.buffers()[0] if column.null_count else None
            buffers = [validity, used_buffer(times, 8 * len(column))]
            return pa.Array.from_buffers(TIME, len(column), buffers, column.null_count)
    return pa.array([time_of(text) for text in as_text(column).to_pylist()], TIME)


def _number_column(column: pa.Array, kind: pa.DataType) -> pa.Array:
    if column.type == kind:
        return column
    # Most inputs have valid URLs only, so no error has an offset: such a column needs no cast.
    return pa.nulls(len(column), kind) if column.null_count == len(column) else pc.cast(column, kind)


def _text_column(name: str, column: pa.Array, ascii_only: bool) -> pa.Array:
    if name in FINDINGS:
        return finding_names(column)
    if name == "time":
        return as_times(column)
    if name in NUMBERS:
        return _number_column(column, NUMBERS[name])
    if pa.types.is_dictionary(column.type):
        words = as_text(column.dictionary)
        return pa.DictionaryArray.from_arrays(column.indices, words)
    return as_text(column, ascii_only=ascii_only)


def text_batch(unit: Unit, only_valid: bool) -> pa.RecordBatch:
    """Return the unit's columns, for all rows or only for rows with a valid URL."""
    columns = [_text_column(name, column, unit.ascii_only) for name, column in unit.columns.items()]
    kinds = [
        _WORDS if pa.types.is_dictionary(column.type) else _TYPES.get(name, _TEXT)
        for name, column in zip(unit.columns, columns, strict=True)
    ]
    batch = pa.RecordBatch.from_arrays(columns, schema=pa.schema([*zip(unit.columns, kinds, strict=True)]))
    return batch.filter(unit.valid) if only_valid and unit.invalid else batch


@lru_cache(maxsize=64)
def plain_schema(columns: tuple[str, ...]) -> pa.Schema:
    """Return a schema without dictionaries."""
    types = {"time": TIME} | NUMBERS | dict.fromkeys(FINDINGS, pa.list_(pa.string()))
    return pa.schema([(name, types.get(name, pa.string())) for name in columns])


def plain(column: pa.Array | pa.ChunkedArray, kind: pa.DataType) -> pa.Array | pa.ChunkedArray:
    """Return the column without dictionaries."""
    if column.type == kind:
        return column
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([plain(chunk, kind) for chunk in column.chunks], kind)
    if not pa.types.is_list(kind):
        return column.cast(kind)
    offsets = column.offsets
    first = offsets[0].as_py()
    if first:
        offsets = pc.subtract(offsets, pa.scalar(first, pa.int32()))
    mask = column.is_null() if column.null_count else None
    return pa.ListArray.from_arrays(offsets, column.flatten().cast(kind.value_type), mask=mask)


def plain_batch(unit: Unit) -> pa.RecordBatch:
    """Return all rows of the unit without dictionaries."""
    batch = text_batch(unit, False)
    schema = plain_schema(tuple(unit.columns))
    columns = [plain(column, kind) for column, kind in zip(batch.columns, schema.types, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
