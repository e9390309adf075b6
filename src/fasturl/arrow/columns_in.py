"""Anything that holds a column → Arrow arrays → the addresses of their rows, and threads to share the rows."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Literal, Protocol

import pyarrow as pa
import pyarrow.compute as pc

from fasturl import _columns

__all__ = [
    "BATCH_ROWS",
    "Rows",
    "Strings",
    "as_arrays",
    "is_binary",
    "plain",
    "processors",
    "run",
    "spread",
    "string_type",
]

BATCH_ROWS = 1 << 16  # output of one batch stays small enough for its memory to be used again by the next
_ROWS_A_THREAD = 1 << 15  # below this a thread costs more than it brings

Strings = Literal["view", "string"]


def as_arrays(column: Any) -> tuple[list[pa.Array], pa.DataType, bool]:
    """The column as Arrow arrays of one type, and whether it came in chunks.

    >>> as_arrays(["http://h", None])[1:]
    (DataType(string), False)
    """
    if isinstance(column, (pa.Table, pa.RecordBatch)):
        column = _only(column.columns, column)
    elif not isinstance(column, (pa.Array, pa.ChunkedArray)):
        if isinstance(column, (str, bytes, bytearray, memoryview)):
            raise TypeError(f"expected a column, not one {type(column).__name__}")
        if hasattr(column, "__arrow_c_stream__"):
            column = pa.chunked_array(column)
        elif hasattr(column, "__arrow_c_array__") or not isinstance(column, Iterable):
            column = pa.array(column)
        else:
            column = pa.array(column, from_pandas=hasattr(column, "dtype"))
    chunked = isinstance(column, pa.ChunkedArray)
    arrays = list(column.chunks) if chunked else [column]
    kind = column.type
    if pa.types.is_struct(kind) and kind.num_fields == 1:  # a result of one column, as DuckDB gives it
        kind = kind.field(0).type
        arrays = [array.flatten()[0] for array in arrays]
    return arrays, kind, chunked


def _only(columns: list[Any], table: Any) -> Any:
    if len(columns) != 1:
        raise TypeError(f"expected one column, not a {type(table).__name__} of {len(columns)}")
    return columns[0]


def is_binary(kind: pa.DataType) -> bool:
    """Whether the column holds octets rather than text; TypeError when it holds neither.

    >>> is_binary(pa.large_binary()), is_binary(pa.dictionary(pa.int8(), pa.string()))
    (True, False)
    """
    if isinstance(kind, pa.BaseExtensionType):
        return is_binary(kind.storage_type)
    if pa.types.is_dictionary(kind) or pa.types.is_run_end_encoded(kind):
        return is_binary(kind.value_type)
    if kind in (pa.binary(), pa.large_binary(), pa.binary_view()) or pa.types.is_fixed_size_binary(kind):
        return True
    if kind in (pa.string(), pa.large_string(), pa.string_view(), pa.null()):
        return False
    raise TypeError(f"expected a column of strings or binary, not of {kind}")


def string_type(binary: bool, strings: Strings) -> pa.DataType:
    """The type of columns that come out.

    >>> string_type(True, "view")
    DataType(binary_view)
    """
    if strings == "view":
        return pa.binary_view() if binary else pa.string_view()
    if strings == "string":
        return pa.binary() if binary else pa.string()
    raise ValueError(f"strings must be 'view' or 'string', not {strings!r}")


def plain(array: pa.Array) -> tuple[pa.Array, pa.Array | None]:
    """The array in one of the layouts that the kernel reads, each different text once where the layout says so; and, if
    it does, which of them each row has.

    >>> plain(pa.array(["a", "b", "a"]).dictionary_encode())[1].to_pylist()
    [0, 1, 0]
    """
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    if pa.types.is_run_end_encoded(array.type):
        start = array.find_physical_offset()
        values = array.values.slice(start, array.find_physical_length())
        ends = pc.min_element_wise(pc.subtract(array.run_ends.slice(start, len(values)), array.offset), len(array))
        numbers = pa.array(range(len(values)), pa.int64())
        runs = pa.RunEndEncodedArray.from_arrays(ends.cast(array.type.run_end_type), numbers)
        inner, indices = plain(values)
        rows = pc.run_end_decode(runs)
        return inner, rows if indices is None else indices.take(rows)
    if pa.types.is_dictionary(array.type):
        inner, indices = plain(array.dictionary)
        return inner, array.indices if indices is None else indices.take(array.indices)
    if pa.types.is_null(array.type):
        return array.cast(pa.string()), None
    if pa.types.is_fixed_size_binary(array.type):
        return array.cast(pa.binary()), None
    return array, None


def spread(array: pa.Array, indices: pa.Array | None) -> pa.Array:
    """What each row has of an array without repeats. Arrow's take knows no views, but it knows 16 octets a row.

    >>> spread(pa.array(["a", "b"], pa.string_view()), pa.array([1, None, 0])).to_pylist()
    ['b', None, 'a']
    """
    if indices is None:
        return array
    if array.type not in (pa.string_view(), pa.binary_view()):
        return array.take(indices)
    validity, views, *named = array.buffers()
    octets = pa.Array.from_buffers(pa.binary(16), len(array), [validity, views], offset=array.offset).take(indices)
    if octets.offset:
        octets = pa.concat_arrays([octets, octets.slice(0, 0)])
    return pa.Array.from_buffers(array.type, len(octets), [*octets.buffers(), *named])


class Rows:
    """One array of a plain layout, to be read by the kernel. Keeps its buffers alive."""

    def __init__(self, array: pa.Array, targets: pa.Buffer | None = None) -> None:
        """targets : a bit a row that says whether it is read as a request target, for columns that hold both forms"""
        self.rows = len(array)
        self.array = array
        self.inputs = array.buffers()
        self.targets = targets
        self.source, self.named = self._source()

    def _source(self) -> tuple[_columns.Source, list[pa.Buffer]]:
        """Where the kernel reads, and the buffers that its views name by number."""
        kind, inputs = self.array.type, self.inputs
        validity = inputs[0].address if inputs[0] is not None and self.array.null_count else 0
        targets = self.targets.address if self.targets is not None else 0
        where = (self.array.offset, self.rows, validity, inputs[1].address if inputs[1] is not None else 0)
        if kind in (pa.string_view(), pa.binary_view()):
            named = inputs[2:]
            return _columns.Source("views", *where, 0, tuple(buffer.address for buffer in named), targets), named
        layout = "offsets32" if kind in (pa.string(), pa.binary()) else "offsets64"
        data = inputs[2] if inputs[2] is not None else pa.py_buffer(b"")
        window = 1 << _columns.WINDOW_BITS
        named = [
            data.slice(at, min(2 * window - 1, data.size - at)) for at in range(0, max(data.size, 1), window)
        ]
        return _columns.Source(layout, *where, data.address, (), targets), named


class _Job(Protocol):
    rows: int

    def run(self, start: int, end: int, task: int) -> None: ...


def processors(threads: int | None) -> int:
    """How many threads to use: as many as asked for, or as there are processors for this process.

    >>> processors(3)
    3
    """
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if threads < 1:
        raise ValueError("threads must be at least 1")
    return threads


def run(jobs: list[Any], threads: int | None) -> None:
    """Have each job do all its rows, divided among threads at multiples of 64.

    >>> run([], threads=2)
    """
    checked: list[_Job] = jobs
    total = sum(job.rows for job in checked)
    threads = max(1, min(processors(threads), total // _ROWS_A_THREAD))
    if threads == 1:
        for job in checked:
            job.run(0, job.rows, 0)
        return
    share = max(_ROWS_A_THREAD, -(-total // (threads * 4))) + 63 & ~63
    with ThreadPoolExecutor(threads) as pool:
        tasks = [
            pool.submit(job.run, start, min(start + share, job.rows), number)
            for job in checked
            for number, start in enumerate(range(0, job.rows, share))
        ]
        for task in tasks:
            task.result()
