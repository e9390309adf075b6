"""Convert findings in a column from bits to names."""

from __future__ import annotations

from array import array
from itertools import accumulate

import pyarrow as pa

from fasturl import _columns
from fasturl._findings import FINDING_NAMES
from fasturl.arrow.copies import used_buffer

# An array of Python objects would import pandas where it is installed.
_WORDS = pa.StringArray.from_buffers(
    len(FINDING_NAMES),
    pa.py_buffer(array("i", accumulate(map(len, FINDING_NAMES), initial=0))),
    pa.py_buffer("".join(FINDING_NAMES).encode()),
)


def finding_names(bits: pa.Array) -> pa.ListArray:
    """Convert each row's bits to a list with the findings' names, as a dictionary. Nulls stay null.

    >>> finding_names(pa.array([0x10010, 0, None], pa.uint32())).to_pylist()
    [['UNSAFE', 'PASSWORD'], [], None]
    """
    rows = len(bits)
    offsets = _columns.PooledBuffer(4 * (rows + 1))
    capacity = rows + 64
    while True:
        values = _columns.PooledBuffer(capacity)
        address = bits.buffers()[1].address + 4 * bits.offset
        used = _columns.finding_lists(address, rows, offsets.address, values.address, capacity)
        if used >= 0:
            break
        capacity *= 4
    numbers = pa.Array.from_buffers(pa.int8(), used, [None, used_buffer(values, used)])
    words = pa.DictionaryArray.from_arrays(numbers, _WORDS)
    starts = pa.Array.from_buffers(pa.int32(), rows + 1, [None, used_buffer(offsets, 4 * (rows + 1))])
    return pa.ListArray.from_arrays(starts, words, mask=bits.is_null() if bits.null_count else None)
