"""Build arrays from texts that the kernel copied, or encoded as a dictionary."""

from __future__ import annotations

import pyarrow as pa

from fasturl import _columns
from fasturl._columns import PooledBuffer
from fasturl.arrow.columns_in import string_type

__all__ = ["copied_array", "encoded_array"]

_EMPTY = pa.py_buffer(b"")
_MOST_OCTETS = (1 << 31) - 1  # Arrow's string type has 32-bit offsets


def copied_array(
    binary: bool, validity: pa.Buffer | None, nulls: int, pieces: list[tuple[int, int, _columns.CopiedTexts]]
) -> pa.Array:
    """Return one array with the texts of all rows.

    validity, nulls : one bit per row, and the number of nulls; None and 0 if there are none
    pieces : (first row, row after the last, texts) in any order. The first row is a multiple of 64.

    >>> copied_array(False, None, 0, []).type
    DataType(string)
    """
    kind = string_type(binary, "string")
    if len(pieces) == 1:
        _, rows, texts = pieces[0]
        return pa.Array.from_buffers(kind, rows, [validity, *_buffers_of(texts, rows)], null_count=nulls)
    arrays = []
    for start, end, texts in sorted(pieces, key=lambda piece: piece[0]):
        bits = None if validity is None else validity.slice(start // 8, (end - start + 7) // 8)
        arrays.append(pa.Array.from_buffers(kind, end - start, [bits, *_buffers_of(texts, end - start)]))
    if sum(array.buffers()[2].size for array in arrays) > _MOST_OCTETS:
        raise ValueError("the texts of one array take over 2**31 - 1 octets: give chunks, or take strings='view'")
    return pa.concat_arrays(arrays) if arrays else pa.array([], kind)


def _buffers_of(texts: _columns.CopiedTexts, rows: int) -> tuple[pa.Buffer, pa.Buffer]:
    """Return the offsets and the bytes, without the unwritten rest of their memory."""
    octets = texts.octets
    return (
        pa.foreign_buffer(texts.offsets.address, (rows + 1) * 4, texts.offsets),
        _EMPTY if octets is None else pa.foreign_buffer(octets.address, texts.used, octets),
    )


def encoded_array(texts: pa.Array) -> pa.Array:
    """Return a column of texts or views as a dictionary column. Requires an unsliced array.

    >>> encoded_array(pa.array(["http", "ftp", None, "http"])).indices.to_pylist()
    [0, 1, None, 0]
    """
    binary = texts.type in (pa.binary(), pa.binary_view())
    kind = string_type(binary, "string")
    validity, *others = texts.buffers()
    views, offsets, octets = (None, *others) if texts.type == kind else (others[0], None, None)
    numbers = PooledBuffer(4 * len(texts))
    places = [buffer.address if buffer else 0 for buffer in (views, offsets, octets, validity)]
    words = _columns.encode_words(places[0], places[1], places[2], places[3], len(texts), numbers.address)
    if words is None:
        return texts.cast(kind).dictionary_encode()
    data = pa.foreign_buffer(numbers.address, 4 * len(texts), numbers)
    indices = pa.Array.from_buffers(pa.int32(), len(texts), [validity, data])
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.binary()).cast(kind))
