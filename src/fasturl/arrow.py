"""URLs by the column, from Arrow to Arrow: the same answers as ``fasturl.parse``, millions of rows a second.

The way of a column: anything that holds one → Arrow arrays → rows by the kernel, without the GIL and over threads →
columns that name the input's own octets. This module sizes and holds buffers; :mod:`fasturl._columns` fills them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, Literal

import pyarrow as pa
import pyarrow.compute as pc

from fasturl import _columns

__all__ = ["DEFAULT_FIELDS", "FIELDS", "parse", "parse_batches", "schema"]

FIELDS: tuple[str, ...] = _columns.NAMES
DEFAULT_FIELDS: tuple[str, ...] = tuple(name for name in FIELDS if name != "hostname")

BATCH_ROWS = 1 << 16  # output of one batch stays small enough for its memory to be used again by the next
_ROWS_A_THREAD = 1 << 15  # below this a thread costs more than it brings

Strings = Literal["view", "string"]

_PLAIN_TYPES: dict[str, pa.DataType] = {
    "port": pa.uint16(),
    "findings": pa.uint32(),
    "valid": pa.bool_(),
    "error_offset": pa.int32(),
}

_WIDTHS = {name: 16 for name in _columns.TEXT_NAMES} | {"port": 2, "findings": 4, "error_offset": 4}  # octets a row

_ZEROS = pa.py_buffer(bytes(BATCH_ROWS * 16))


def schema(fields: Sequence[str] = DEFAULT_FIELDS, *, binary: bool = False, strings: Strings = "view") -> pa.Schema:
    """The schema of what :func:`parse` gives for these fields.

    >>> schema(["host", "port"])
    host: string_view
    port: uint16
    """
    return _schema(tuple(_checked(fields)), binary, strings)


@lru_cache(maxsize=64)
def _schema(names: tuple[str, ...], binary: bool, strings: Strings) -> pa.Schema:
    if strings == "view":
        text = pa.binary_view() if binary else pa.string_view()
    else:
        text = pa.binary() if binary else pa.string()
    return pa.schema([(name, _PLAIN_TYPES.get(name, text)) for name in names])


def _checked(fields: Sequence[str]) -> list[str]:
    if isinstance(fields, str):
        raise TypeError("fields must be a sequence of names, not one str")
    names = list(fields)
    for name in names:
        if name not in FIELDS:
            raise ValueError(f"unknown field {name!r}: expected some of {', '.join(FIELDS)}")
    if len(set(names)) != len(names):
        raise ValueError("a field is named twice")
    return names


def _as_arrays(column: Any) -> tuple[list[pa.Array], pa.DataType, bool]:
    """The column as Arrow arrays of one type, and whether it came in chunks."""
    if isinstance(column, (pa.RecordBatch, pa.Table)):
        raise TypeError(f"expected one column, not a {type(column).__name__}")
    if not isinstance(column, (pa.Array, pa.ChunkedArray)):
        if hasattr(column, "__arrow_c_stream__"):
            column = pa.chunked_array(column)
        elif isinstance(column, (str, bytes)):
            raise TypeError("expected a column of URLs, not one URL")
        else:
            column = pa.array(column)
    chunked = isinstance(column, pa.ChunkedArray)
    return (list(column.chunks) if chunked else [column]), column.type, chunked


def _is_binary(kind: pa.DataType) -> bool:
    """Whether the column holds octets rather than text; TypeError when it holds neither."""
    if pa.types.is_dictionary(kind):
        return _is_binary(kind.value_type)
    if isinstance(kind, pa.BaseExtensionType):
        return _is_binary(kind.storage_type)
    if pa.types.is_run_end_encoded(kind):
        return _is_binary(kind.value_type)
    if kind in (pa.binary(), pa.large_binary(), pa.binary_view()) or pa.types.is_fixed_size_binary(kind):
        return True
    if kind in (pa.string(), pa.large_string(), pa.string_view(), pa.null()):
        return False
    raise TypeError(f"expected a column of strings or binary, not of {kind}")


def _plain(array: pa.Array) -> pa.Array:
    """The array in one of the layouts that the kernel reads; dictionaries are the caller's."""
    if isinstance(array, pa.ExtensionArray):
        array = array.storage
    if pa.types.is_run_end_encoded(array.type):
        array = pc.run_end_decode(array)
    if pa.types.is_null(array.type):
        return array.cast(pa.string())
    if pa.types.is_fixed_size_binary(array.type):
        return array.cast(pa.binary())
    return array


class _Rows:
    """One array being read: its source, the buffers of its columns, and what its tasks say."""

    def __init__(self, array: pa.Array, fields: list[str], request_target: bool) -> None:
        self.rows = len(array)
        self.array = array
        self.fields = fields
        self.request_target = request_target
        self.inputs = array.buffers()
        self.source, self.named = self._source()
        self.buffers = self._room()
        self.sink = _columns.Sink(
            {name: (values.address, validity.address) for name, (values, validity) in self.buffers.items()}
        )
        self.nulls = dict.fromkeys(fields, 0)
        self.opened: list[tuple[int, int, set[str]]] = []
        self.arenas: dict[int, bytes] = {}
        self.custom: list[tuple[int, int]] = []

    def _source(self) -> tuple[_columns.Source, list[pa.Buffer]]:
        """Where the kernel reads, and the buffers that its views name by number."""
        kind, inputs = self.array.type, self.inputs
        validity = inputs[0].address if inputs[0] is not None and self.array.null_count else 0
        where = (self.array.offset, self.rows, validity, inputs[1].address if inputs[1] is not None else 0)
        if kind in (pa.string_view(), pa.binary_view()):
            named = inputs[2:]
            return _columns.Source("views", *where, 0, tuple(buffer.address for buffer in named)), named
        layout = "offsets32" if kind in (pa.string(), pa.binary()) else "offsets64"
        data = inputs[2] if inputs[2] is not None else pa.py_buffer(b"")
        window = 1 << _columns.WINDOW_BITS
        named = [
            data.slice(at, min(2 * window - 1, data.size - at)) for at in range(0, max(data.size, 1), window)
        ]
        return _columns.Source(layout, *where, data.address, ()), named

    def _room(self) -> dict[str, tuple[pa.Buffer, pa.Buffer]]:
        """The values and the validity of each column, all in one room."""
        bitmap = -(-self.rows // 512) * 64  # of whole words, and the next one aligned to 64 octets
        lines = -(-self.rows // 64) * 64
        sizes = [lines * _WIDTHS[name] if name in _WIDTHS else bitmap for name in self.fields]
        room = pa.py_buffer(_columns.Room(sum(sizes) + bitmap * len(sizes)))
        buffers = {}
        at = 0
        for name, size in zip(self.fields, sizes, strict=True):
            buffers[name] = (room.slice(at, size), room.slice(at + size, bitmap))
            at += size + bitmap
        return buffers

    def run(self, start: int, end: int, task: int) -> None:
        """Read some rows. The tasks of one array number from 0."""
        nulls, opened, octets, custom = _columns.parse_rows(
            self.source,
            self.sink,
            request_target=self.request_target,
            start=start,
            end=end,
            arena_buffer=len(self.named) + task,
        )
        self.opened.append((start, end, opened))
        for name, count in nulls.items():
            self.nulls[name] += count
        if octets is not None:
            self.arenas[task] = octets
        self.custom += custom

    def _values(self, name: str) -> pa.Buffer:
        """The values of a column. The kernel left those without any as they were: they are zeros for all to share."""
        values = self.buffers[name][0]
        unopened = [(start, end) for start, end, opened in self.opened if name not in opened]
        if len(unopened) == len(self.opened) and values.size <= _ZEROS.size:
            return _ZEROS.slice(0, values.size)
        for start, end in unopened:
            _columns.zero_rows(self.sink, name, start, end)
        return values

    def result(self, binary: bool, strings: Strings) -> list[pa.Array]:
        view = pa.binary_view() if binary else pa.string_view()
        arenas = [pa.py_buffer(self.arenas.get(i, b"")) for i in range(max(self.arenas, default=-1) + 1)]
        arrays = []
        for name in self.fields:
            values, validity = self._values(name), self.buffers[name][1]
            bitmap = validity if self.nulls[name] else None
            kind = _PLAIN_TYPES.get(name, view)
            named = [] if name in _PLAIN_TYPES else [*self.named, *arenas]
            array = pa.Array.from_buffers(kind, self.rows, [bitmap, values, *named], null_count=self.nulls[name])
            if strings == "string" and kind == view:
                array = array.cast(pa.binary() if binary else pa.string())
            arrays.append(array)
        return arrays


def _run(jobs: list[_Rows], threads: int | None) -> None:
    """Divide the rows of all arrays among threads, at multiples of 64."""
    total = sum(job.rows for job in jobs)
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    elif threads < 1:
        raise ValueError("threads must be at least 1")
    threads = max(1, min(threads, total // _ROWS_A_THREAD))
    if threads == 1:
        for job in jobs:
            job.run(0, job.rows, 0)
        return
    share = max(_ROWS_A_THREAD, -(-total // (threads * 4))) + 63 & ~63
    with ThreadPoolExecutor(threads) as pool:
        tasks = [
            pool.submit(job.run, start, min(start + share, job.rows), number)
            for job in jobs
            for number, start in enumerate(range(0, job.rows, share))
        ]
        for task in tasks:
            task.result()


def _parse_arrays(
    arrays: list[pa.Array], kind: pa.DataType, names: list[str], form: str, threads: int | None, strings: Strings
) -> list[pa.RecordBatch]:
    if form not in ("url", "request-target"):
        raise ValueError(f"form must be 'url' or 'request-target', not {form!r}")
    if strings not in ("view", "string"):
        raise ValueError(f"strings must be 'view' or 'string', not {strings!r}")
    binary = _is_binary(kind)
    target = _schema(tuple(names), binary, strings)
    dictionary = pa.types.is_dictionary(kind)
    jobs = [_Rows(_plain(a.dictionary if dictionary else a), names, form == "request-target") for a in arrays]
    _run(jobs, threads)
    batches = []
    for job, array in zip(jobs, arrays, strict=True):
        columns = job.result(binary, strings)
        if dictionary:
            columns = [pc.take(column, array.indices) for column in columns]
        batches.append(pa.RecordBatch.from_arrays(columns, schema=target))
    return batches


def parse(
    column: Any,
    fields: Sequence[str] = DEFAULT_FIELDS,
    *,
    form: str = "url",
    threads: int | None = None,
    strings: Strings = "view",
) -> pa.RecordBatch | pa.Table:
    """Read a column of URLs into a column for each field.

    column : a pyarrow Array or ChunkedArray, anything with Arrow's PyCapsule interface, a NumPy array or a sequence;
        strings or binary in any layout. Nulls stay null in every field.
    fields : of FIELDS, by default all but hostname. One that is not asked for costs nothing.
    form : "url" or "request-target", as for fasturl.parse
    threads : how many read at once; None takes all processors when there are rows enough for them
    strings : "view" names the input's own octets, which it keeps alive, and copies none; "string" copies
    Returns a RecordBatch, or a Table when the column came in chunks. Text gives string_view, binary gives binary_view.
    An absent part is null, an empty one is "", a path is null only where the URL is; error_offset counts octets.
    Nothing is raised for content; TypeError for another column, ValueError for an unknown field or a text of over 2**30
    octets. Cost: O(octets); 16 octets a row and text field. Source: as fasturl.parse.

    >>> parse(["http://h:80/a?b", None, "//h"], ["host", "port", "path", "query"]).to_pylist()[0]
    {'host': 'h', 'port': 80, 'path': '/a', 'query': 'b'}
    """
    arrays, kind, chunked = _as_arrays(column)
    batches = _parse_arrays(arrays, kind, _checked(fields), form, threads, strings)
    if not chunked:
        return batches[0]
    return pa.Table.from_batches(batches, schema(fields, binary=_is_binary(kind), strings=strings))


def parse_batches(
    source: Iterable[Any],
    fields: Sequence[str] = DEFAULT_FIELDS,
    *,
    form: str = "url",
    threads: int | None = 1,
    strings: Strings = "view",
    batch_rows: int = BATCH_ROWS,
) -> Iterator[pa.RecordBatch]:
    """Read a stream of columns in constant memory: each column of any kind that :func:`parse` takes, each batch given
    back of at most batch_rows rows, in order.

    >>> [batch.num_rows for batch in parse_batches([["http://a", "http://b"], ["http://c"]], ["host"])]
    [2, 1]
    """
    names = _checked(fields)
    for column in source:
        arrays, kind, _ = _as_arrays(column)
        for array in arrays:
            for start in range(0, len(array), batch_rows):
                piece = array.slice(start, batch_rows)
                yield from _parse_arrays([piece], kind, names, form, threads, strings)
