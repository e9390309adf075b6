"""Parse a column of URLs into one column per field, with the same answers as ``fasturl.parse``.

The data flow: any object that holds a column → Arrow arrays → rows in the kernel, without the GIL and on threads →
columns. This module sizes and holds the buffers; :mod:`fasturl._columns` fills them.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from threading import Lock
from typing import Any

import pyarrow as pa

from fasturl import _columns
from fasturl._fastparse import is_request_target
from fasturl._quoted import quoted, unknown
from fasturl.arrow import compute as pc
from fasturl.arrow.columns_in import (
    BATCH_ROWS,
    Rows,
    Strings,
    as_arrays,
    exact,
    exact_all,
    is_binary,
    plain_arrays,
    spread,
    string_type,
)
from fasturl.arrow.copies import TextsInOrder, copied_array, encoded_array
from fasturl.arrow.findings import finding_names
from fasturl.arrow.threads import Pool, processors, run, workers

FIELDS: tuple[str, ...] = (*_columns.NAMES, "findings")
_ON_REQUEST = ("hostname", "host_kind", "address_scope", "valid_rfc3986", "findings")
DEFAULT_FIELDS: tuple[str, ...] = tuple(name for name in FIELDS if name not in _ON_REQUEST)

_TYPES: dict[str, pa.DataType] = {name: pa.type_for_alias(kind) for name, kind, _ in _columns.FIELDS if kind != "text"}
_TYPES["findings"] = pa.list_(pa.string())
_WIDTHS: dict[str, int] = {name: width for name, _, width in _columns.FIELDS}  # bytes per row; 0 for a bit

# Shared by the columns of small batches in which no row has a value.
_ZEROS = pa.py_buffer(bytes(BATCH_ROWS * 16))


def schema(
    fields: Sequence[str] = DEFAULT_FIELDS,
    *,
    binary: bool = False,
    strings: Strings = "string",
    dictionary: Sequence[str] = (),
) -> pa.Schema:
    """Return the schema of the batches that :func:`parse` makes for these fields.

    >>> schema(["host", "port"])
    host: string
    port: uint16
    """
    return _fields_of(fields, strings, dictionary).schema(binary)


class _FieldSet:
    """The fields that a caller wants, with their types. Cached, because a column may have few rows."""

    def __init__(self, names: tuple[str, ...], strings: Strings, numbered: frozenset[str]) -> None:
        self.given, self.numbered = names, numbered
        # The kernel writes sets of bits, from which result() makes lists.
        names = tuple(dict.fromkeys("finding_bits" if name == "findings" else name for name in names))
        self.names = names
        texts = [name for name in names if name not in _TYPES]
        # The kernel copies all texts or none. Dictionary columns need no copy before they are encoded.
        self.copied = texts if strings == "string" and set(texts) != numbered else []
        self.widths = [-1 if name in self.copied else _WIDTHS[name] for name in names]
        self._schemas = [self._new_schema(strings, binary) for binary in (False, True)]

    def _new_schema(self, strings: Strings, binary: bool) -> pa.Schema:
        text = string_type(binary, strings)
        numbered = pa.dictionary(pa.int32(), string_type(binary, "string"))
        kinds = {name: numbered if name in self.numbered else _TYPES.get(name, text) for name in self.given}
        return pa.schema(kinds)

    def schema(self, binary: bool) -> pa.Schema:
        return self._schemas[binary]

    def sizes(self, rows: int) -> list[int]:
        """Return the bytes of the values and the validity of each column. Copied texts have other buffers."""
        bitmap = (rows + 7) // 8
        sizes: list[int] = []
        for width in self.widths:
            sizes += (0 if width < 0 else rows * width or bitmap, bitmap)
        return sizes


def _fields_of(fields: Sequence[str], strings: Strings, dictionary: Sequence[str] = ()) -> _FieldSet:
    if isinstance(fields, str):
        raise TypeError("fields must be a sequence of names, not one str")
    if isinstance(dictionary, str):
        raise TypeError("dictionary must be a sequence of names, not one str")
    given = exact_all(fields), exact(strings), exact_all(dictionary)
    try:
        return _known_field_set(*given)
    except TypeError:  # an unhashable name: the check below names it
        return _new_field_set(*given)


def _new_field_set(names: tuple[str, ...], strings: Strings, dictionary: tuple[str, ...]) -> _FieldSet:
    for name in names:
        if name not in FIELDS:
            raise unknown("field", name, FIELDS)
    if len(set(names)) != len(names):
        raise ValueError("a field is named twice")
    for name in dictionary:
        if name not in names or name in _TYPES:
            raise ValueError(f"{quoted(name)} cannot be a dictionary column: expected text fields that are asked for")
    return _FieldSet(names, strings, frozenset(dictionary))


_known_field_set = lru_cache(maxsize=64)(_new_field_set)


class _Parsed:
    """One array that is being parsed: the memory of its columns, and the results of its tasks."""

    def __init__(self, source: Rows, wanted: _FieldSet, request_target: bool) -> None:
        self.source = source
        self.rows = source.rows
        self.wanted = wanted
        self.request_target = request_target
        # With one or two copied columns, appending the pieces of threads would cost as much as threads save.
        copied = len(wanted.copied)
        self.weight = 10 + 4 * copied if copied != 1 and copied != 2 else 0
        self.texts = TextsInOrder(self.rows, len(wanted.copied))
        self.sizes = wanted.sizes(self.rows)
        self.memory = _columns.PooledBuffer(*self.sizes)
        self.output = _columns.OutputColumns(wanted.names, self.memory)
        self.nulls = dict.fromkeys(wanted.names, 0)
        self.opened: list[tuple[int, int, set[str]]] = []
        self.arenas: dict[int, bytes] = {}
        self.has_wide_host = False
        self.lock = Lock()

    def run(self, start: int, end: int, task: int) -> None:
        """Parse rows [start, end). task : the number of the task among those of this array, from 0"""
        copies = None
        if self.wanted.copied:
            copies = _columns.Copies(self.wanted.copied, end - start, self.texts.spaces(end - start))
        nulls, opened, data, has_wide_host = _columns.parse_rows(
            self.source.column,
            self.output,
            request_target=self.request_target,
            start=start,
            end=end,
            arena_buffer=len(self.source.named) + task,
            copies=copies,
        )
        if copies is not None:
            self.texts.add(start, end, list(copies.texts.values()))
        with self.lock:
            self.opened.append((start, end, opened))
            self.has_wide_host |= has_wide_host
            for name, count in nulls.items():
                self.nulls[name] += count
            if data is not None:
                self.arenas[task] = data

    def _buffer(self, place: int) -> pa.Buffer:
        return pa.foreign_buffer(self.memory.address + self.memory.starts[place], self.sizes[place], self.memory)

    def _values(self, name: str, place: int) -> pa.Buffer:
        """Return the values of a column. Fill blocks that the kernel skipped with zeros."""
        unopened = [(start, end) for start, end, opened in self.opened if name not in opened]
        if len(unopened) == len(self.opened) and self.sizes[place] <= _ZEROS.size:
            return _ZEROS.slice(0, self.sizes[place])
        for start, end in unopened:
            _columns.zero_rows(self.output, name, start, end)
        return self._buffer(place)

    def result(self, binary: bool) -> list[pa.Array]:
        arenas = [pa.py_buffer(self.arenas.get(i, b"")) for i in range(max(self.arenas) + 1)] if self.arenas else []
        texts = dict(zip(self.wanted.copied, self.texts.columns(), strict=True))
        arrays = []
        for column, name in enumerate(self.wanted.names):
            nulls = self.nulls[name]
            bitmap = self._buffer(2 * column + 1) if nulls else None
            if name in self.wanted.copied:
                array = copied_array(binary, bitmap, nulls, texts[name], self.rows)
            else:
                kind = _TYPES.get(name)
                named = [] if kind else [*self.source.named, *arenas]
                buffers = [bitmap, self._values(name, 2 * column), *named]
                array = pa.Array.from_buffers(kind or string_type(binary, "view"), self.rows, buffers, null_count=nulls)
            if name == "hostname" and self.has_wide_host and not binary:
                array = _lower_hosts(array)
            arrays.append(encoded_array(array) if name in self.wanted.numbered else array)
        if self.wanted.given == self.wanted.names:
            return arrays
        found = dict(zip(self.wanted.names, arrays, strict=True))
        if "findings" in self.wanted.given:
            found["findings"] = finding_names(found["finding_bits"]).cast(_TYPES["findings"])
        return [found[name] for name in self.wanted.given]


def _lower_hosts(hosts: pa.Array) -> pa.Array:
    """Lower the case of all characters, up to the zone of an address, as urllib does. The kernel lowers A to Z."""
    from fasturl._readings import lowered

    texts = hosts if hosts.type == pa.string() else hosts.cast(pa.binary_view()).cast(pa.binary()).view(pa.string())
    is_wide = pc.invert(pc.string_is_ascii(texts))
    data = texts.view(pa.binary())  # a malformed column may hold bytes that are no UTF-8
    lower = pa.array([lowered(host.as_py()) for host in data.filter(is_wide)], pa.binary())
    found = pc.replace_with_mask(data, is_wide, lower).view(pa.string())
    return found if hosts.type == pa.string() else found.cast(hosts.type)


def _parse_arrays(
    arrays: list[pa.Array], kind: pa.DataType, wanted: _FieldSet, form: str, threads: int | None, first: int = 0
) -> list[pa.RecordBatch]:
    request_target = is_request_target(form)
    binary = is_binary(kind)
    target = wanted.schema(binary)
    pieces = list(plain_arrays(arrays, first))
    jobs = [_Parsed(rows, wanted, request_target) for rows, _ in pieces]
    run(jobs, threads)
    batches = []
    for job, (_, indices) in zip(jobs, pieces, strict=True):
        columns = job.result(binary)
        if indices is not None:
            columns = [spread(column, indices) for column in columns]
        batches.append(pa.RecordBatch.from_arrays(columns, schema=target))
    return batches


def parse(
    column: Any,
    fields: Sequence[str] = DEFAULT_FIELDS,
    *,
    form: str = "url",
    threads: int | None = None,
    strings: Strings = "string",
    dictionary: Sequence[str] = (),
) -> pa.RecordBatch | pa.Table:
    """Read a column of URLs into a column for each field.

    column : a pyarrow Array or ChunkedArray, anything with Arrow's PyCapsule interface, a NumPy array or a sequence;
        strings or binary in any layout. Nulls stay null in every field.
    fields : names from FIELDS, by default all but hostname, host_kind, address_scope, valid_rfc3986 and
        findings. A field that you leave out costs nothing.
    form : "url" or "request-target", as for fasturl.parse
    threads : how many threads parse; None uses all processors if the column has enough rows
    strings : "string" copies texts, as string or binary; "view" returns string_view or binary_view, which point into
        the input's buffers and keep them alive
    dictionary : text fields to return as dictionary columns with 32-bit indices, whatever `strings` is. The scheme of
        most columns is one of a few words.
    Returns a RecordBatch, or a Table if the column has chunks.
    An absent part is null, and an empty one is "". A path is null only if the URL is null. error_offset counts bytes.
    Raises: TypeError for another kind of column; ValueError for an unknown field, a text over 2**30 bytes, or copies
        over 2**31 - 1 bytes in one array and field. No content raises.
    Cost: O(bytes). A text field takes 4 bytes per row plus the texts, or 16 bytes per row for views.
    Source: RFC 1738 sections 2 to 5, as for fasturl.parse.

    >>> parse(["http://h:80/a?b", None, "//h"], ["host", "port", "path", "query"]).to_pylist()[0]
    {'host': 'h', 'port': 80, 'path': '/a', 'query': 'b'}
    """
    arrays, kind, chunked = as_arrays(column)
    wanted = _fields_of(fields, strings, dictionary)
    batches = _parse_arrays(arrays, kind, wanted, form, threads)
    if not chunked:
        return batches[0]
    return pa.Table.from_batches(batches, wanted.schema(is_binary(kind)))


def parse_mixed(array: pa.Array, fields: Sequence[str], targets: pa.Buffer) -> pa.RecordBatch:
    """Parse an array that holds both forms, like :func:`parse`, on one thread.

    array : of a plain layout, not a dictionary; targets : one bit per row, set if the row is a request target

    >>> parse_mixed(pa.array(["//h/p", "//h/p"]), ["host", "path"], pa.py_buffer(b"\\x01")).to_pylist()
    [{'host': None, 'path': '//h/p'}, {'host': 'h', 'path': '/p'}]
    """
    if targets.size * 8 < len(array):
        raise ValueError("targets must have a bit for each row")
    wanted = _fields_of(fields, "view")
    job = _Parsed(Rows(array, targets=targets), wanted, False)
    job.run(0, job.rows, 0)
    binary = is_binary(array.type)
    return pa.RecordBatch.from_arrays(job.result(binary), schema=wanted.schema(binary))


def parse_batches(
    source: Iterable[Any],
    fields: Sequence[str] = DEFAULT_FIELDS,
    *,
    form: str = "url",
    threads: int | None = None,
    strings: Strings = "string",
    dictionary: Sequence[str] = (),
    batch_rows: int = BATCH_ROWS,
) -> Batches:
    """Parse a stream of columns in constant memory, into batches of at most batch_rows rows, in order.

    source : an iterable of columns, each of a kind that :func:`parse` takes, or one column of pyarrow
    threads : how many batches are parsed at once; None uses all processors. One more batch is held in memory. With more
        than one thread, the iterator raises RuntimeError in a process forked from its own.
    Returns: an iterator of batches, which libraries of data frames also read as one stream (`__arrow_c_stream__`).

    >>> [batch.num_rows for batch in parse_batches([["http://a", "http://b"], ["http://c"]], ["host"])]
    [2, 1]
    >>> pa.table(parse_batches(pa.chunked_array([["http://a"], ["http://b"]]), ["host"]))["host"].to_pylist()
    ['a', 'b']
    """
    wanted = _fields_of(fields, strings, dictionary)
    return Batches(_batches(_pieces(source, batch_rows), wanted, form, threads), wanted)


class Batches(Iterator[pa.RecordBatch]):
    """The batches of :func:`parse_batches`, once. Safe on one thread at a time."""

    def __init__(self, batches: Generator[pa.RecordBatch, None, None], wanted: _FieldSet) -> None:
        self._batches = batches
        self._wanted = wanted

    def __next__(self) -> pa.RecordBatch:
        return next(self._batches)

    def close(self) -> None:
        """End the iteration, and its threads."""
        self._batches.close()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the rest as a stream of the Arrow C interface. It reads the first batch, which has the schema."""
        first = next(self._batches, None)
        found = self._wanted.schema(False) if first is None else first.schema
        rest = self._batches if first is None else chain([first], self._batches)
        return pa.RecordBatchReader.from_batches(found, rest).__arrow_c_stream__(requested_schema)


def _batches(
    pieces: Iterator[tuple[pa.Array, pa.DataType, int]], wanted: _FieldSet, form: str, threads: int | None
) -> Generator[pa.RecordBatch, None, None]:
    if threads == 1:
        for piece, kind, first in pieces:
            yield from _parse_arrays([piece], kind, wanted, form, 1, first)
        return
    threads = processors(threads)
    with workers(threads) as executor:
        pool = Pool(executor, threads)
        for piece, kind, first in pieces:
            for batches in pool.submit(partial(_parse_arrays, [piece], kind, wanted, form, 1, first)):
                yield from batches
        for batches in pool.rest():
            yield from batches


def _pieces(source: Iterable[Any], batch_rows: int) -> Iterator[tuple[pa.Array, pa.DataType, int]]:
    """Yield the arrays of at most batch_rows rows, their type, and the number of the first row."""
    first = 0
    if isinstance(source, (pa.Array, pa.ChunkedArray)):
        source = [source]
    for column in source:
        arrays, kind, _ = as_arrays(column)
        for array in arrays:
            for start in range(0, len(array), batch_rows):
                yield array.slice(start, batch_rows), kind, first + start
            first += len(array)
