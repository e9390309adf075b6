"""Units as record batches of text, for those who know UTF-8 only: Parquet and Arrow files, and whoever computes."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from fasturl import _rowtext
from fasturl._columns import PooledBuffer
from fasturl.logs.formats.logtext import time_of
from fasturl.logs.rows import FINDING_NAMES, FINDINGS
from fasturl.logs.shown import escape_octets
from fasturl.logs.units import NUMBERS, Unit, octets_array, used_buffer

_TEXT = pa.string_view()
TIME = pa.timestamp("us", "UTC")
_WORDS = pa.dictionary(pa.int8(), pa.string())
_TYPES: dict[str, pa.DataType] = {
    **dict.fromkeys(("file", "field"), _WORDS),
    **dict.fromkeys(FINDINGS, pa.list_(_WORDS)),
    "time": TIME,
    **NUMBERS,
}
_FINDING_WORDS = octets_array([name.encode() for name in FINDING_NAMES]).cast(pa.string())


def as_text(array: pa.Array, *, ascii_only: bool = False) -> pa.Array:
    r"""Octets as text. These files hold UTF-8 only: another octet is written as its escape.

    ascii_only : when it is known that there are none above 7F, nothing is looked at and nothing is copied

    >>> as_text(pa.array([b"caf\xc3\xa9", b"caf\xe9", None])).to_pylist()
    ['caf\xe9', 'caf%E9', None]
    """
    if ascii_only and array.type == pa.binary_view():
        return pa.Array.from_buffers(_TEXT, len(array), array.buffers(), array.null_count, array.offset)
    octets = array.cast(pa.binary())
    if octets.offset:
        octets = pa.concat_arrays([octets, octets.slice(0, 0)])
    _, offsets, data = octets.buffers()
    if data is not None and not _rowtext.is_ascii(data.address, data.size):
        bad = _rowtext.not_utf8(offsets.address, data.address, len(octets))
        if bad:
            mask = bytearray(len(octets))
            for row in bad:
                mask[row] = 1
            escaped = pa.array([escape_octets(octets[row].as_py()) for row in bad], pa.binary())
            octets = pc.replace_with_mask(octets, pa.array(map(bool, mask), pa.bool_()), escaped)
    return octets.cast(pa.string()).cast(_TEXT)


def finding_names(bits: pa.Array) -> pa.Array:
    """Sets of findings as lists of their names."""
    rows = len(bits)
    offsets = PooledBuffer(4 * (rows + 1))
    capacity = rows + 64
    while True:
        values = PooledBuffer(capacity)
        used = _rowtext.finding_lists(bits.buffers()[1].address, rows, offsets.address, values.address, capacity)
        if used >= 0:
            break
        capacity *= 4
    numbers = pa.Array.from_buffers(pa.int8(), used, [None, used_buffer(values, used)])
    words = pa.DictionaryArray.from_arrays(numbers, _FINDING_WORDS)
    starts = pa.Array.from_buffers(pa.int32(), rows + 1, [None, used_buffer(offsets, 4 * (rows + 1))])
    return pa.ListArray.from_arrays(starts, words, mask=bits.is_null() if bits.null_count else None)


def as_times(column: pa.Array) -> pa.Array:
    """RFC 3339 as timestamps; those without a zone are UTC, what is no time is null.

    >>> as_times(pa.array([b"2015-05-17T12:05:03+02:00", b"2015-05-17T10:05:03", b"yesterday"])).to_pylist()[2]
    """
    texts = as_text(column).cast(pa.string())
    try:
        return texts.cast(TIME)
    except pa.ArrowInvalid:
        return pa.array([time_of(text) for text in texts.to_pylist()], TIME)


def _text_column(name: str, column: pa.Array, ascii_only: bool) -> pa.Array:
    if name in FINDINGS:
        return finding_names(column)
    if name == "time":
        return as_times(column)
    if name in NUMBERS:
        return column if column.type == NUMBERS[name] else column.cast(NUMBERS[name])
    if pa.types.is_dictionary(column.type):
        words = as_text(column.dictionary).cast(pa.string())
        return pa.DictionaryArray.from_arrays(column.indices, words)
    return as_text(column, ascii_only=ascii_only)


def text_batch(unit: Unit, only_valid: bool) -> pa.RecordBatch:
    """The unit's columns, or those of its rows whose URLs are valid."""
    schema = pa.schema([(name, _TYPES.get(name, _TEXT)) for name in unit.columns])
    columns = [_text_column(name, column, unit.ascii_only) for name, column in unit.columns.items()]
    batch = pa.RecordBatch.from_arrays(columns, schema=schema)
    if not (only_valid and unit.invalid):
        return batch
    # Arrow's filter knows no views.
    dense = pa.schema([(kind.name, pa.string() if kind.type == _TEXT else kind.type) for kind in schema])
    return batch.cast(dense).filter(unit.valid).cast(schema)


def plain_schema(columns: tuple[str, ...]) -> pa.Schema:
    """The types that all readers know."""
    types = {"time": TIME} | NUMBERS | dict.fromkeys(FINDINGS, pa.list_(pa.string()))
    return pa.schema([(name, types.get(name, pa.string())) for name in columns])


def plain(column: pa.Array | pa.ChunkedArray, kind: pa.DataType) -> pa.Array | pa.ChunkedArray:
    """The column without views and words by number."""
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
    """All rows of the unit."""
    batch = text_batch(unit, False)
    schema = plain_schema(tuple(unit.columns))
    columns = [plain(column, kind) for column, kind in zip(batch.columns, schema.types, strict=True)]
    return pa.RecordBatch.from_arrays(columns, schema=schema)
