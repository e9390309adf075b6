"""Parse a column of URLs into a column for each field, with the same answers as ``fasturl.parse``.

The data flow: any object that holds a column → Arrow arrays → rows in the kernel, without the GIL and on threads →
columns. This module sizes and holds the buffers, which ``fasturl._columns`` fills.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Sequence
from functools import lru_cache, partial
from itertools import chain
from threading import Lock
from typing import Any

import pyarrow as pa

from fasturl import _columns
from fasturl._docstrings import documented
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


class _FieldSet:
    """Requested fields with types. Cached, because a column may have few rows."""

    def __init__(self, names: tuple[str, ...], strings: Strings, numbered: frozenset[str]) -> None:
        self.given, self.numbered = names, numbered
        # The kernel writes sets of bits, from which result() makes lists.
        names = tuple(dict.fromkeys("finding_bits" if name == "findings" else name for name in names))
        self.names = names
        texts = [name for name in names if name not in _TYPES]
        # The kernel copies all texts or none. Dictionary columns need no copy before they are encoded.
        self.copied = texts if strings == "string" and set(texts) != numbered else []
        self.widths = [-1 if name in self.copied else _WIDTHS[name] for name in names]
        self.schemas = [self._schema(strings, binary) for binary in (False, True)]  # for text, and for bytes

    def _schema(self, strings: Strings, binary: bool) -> pa.Schema:
        text = string_type(binary, strings)
        numbered = pa.dictionary(pa.int32(), string_type(binary, "string"))
        kinds = {name: numbered if name in self.numbered else _TYPES.get(name, text) for name in self.given}
        return pa.schema(kinds)

    def sizes(self, rows: int) -> list[int]:
        """Return each column's bytes for values and validity. Copied texts have other buffers."""
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
    """An array in progress, with memory for the columns and with the tasks' results."""

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
        """Parse rows [start, end). task : the task's number in this array, from 0"""
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
    target = wanted.schemas[binary]
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

    Name the fields that you need, because a field that you leave out costs nothing. No content raises an error. When a
    URL is malformed, you get the same parts as from ``fasturl.parse``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    fields : sequence of str, optional
        Names from ``FIELDS``. By default, you get all fields except hostname, host_kind, address_scope, valid_rfc3986
        and findings.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.
    dictionary : sequence of str, default ()
        Text fields to return as dictionary columns, with 32-bit indices. Choose fields with few distinct texts, for
        example the scheme.

    Returns
    -------
    pyarrow.RecordBatch or pyarrow.Table
        A Table when the column has chunks. If a part is absent, you get null. If it is empty, you get "". A path is
        null only when the URL is null. ``error_offset`` counts bytes, even in text.

    Raises
    ------
    TypeError
        If the column holds neither text nor bytes.
    ValueError
        If a field is unknown, if a text has more than ``2**30`` bytes, or if the copies for one array and field have
        more than ``2**31 - 1`` bytes.

    See Also
    --------
    parse_batches : Read a stream, or a large column, in constant memory.

    Notes
    -----
    Time: linear, about 40 ns per URL for the default fields on a single thread. Memory: for each text field, 4 bytes
    per row and the texts, or 16 bytes per row for views. Source: RFC 1738 sections 2 to 5.

    Examples
    --------
    >>> parse(["http://h:80/a?b", None, "//h"], ["host", "port", "path", "query"]).to_pylist()[0]
    {'host': 'h', 'port': 80, 'path': '/a', 'query': 'b'}
    """
    arrays, kind, chunked = as_arrays(column)
    wanted = _fields_of(fields, strings, dictionary)
    batches = _parse_arrays(arrays, kind, wanted, form, threads)
    if not chunked:
        return batches[0]
    return pa.Table.from_batches(batches, wanted.schemas[is_binary(kind)])


@documented(parse)
def schema(
    fields: Sequence[str] = DEFAULT_FIELDS,
    *,
    binary: bool = False,
    strings: Strings = "string",
    dictionary: Sequence[str] = (),
) -> pa.Schema:
    """Return the schema that ``parse`` returns for these fields, without reading a column.

    Parameters
    ----------
    binary : bool
        True for a column of bytes.

    Returns
    -------
    pyarrow.Schema
        A field for each name, in your order.

    Raises
    ------
    ValueError
        If a field is unknown, or if you name a field twice.

    Examples
    --------
    >>> schema(["host", "port"])
    host: string
    port: uint16
    """
    return _fields_of(fields, strings, dictionary).schemas[binary]


def parse_mixed(array: pa.Array, fields: Sequence[str], targets: pa.Buffer) -> pa.RecordBatch:
    """Parse an array that holds URLs and request targets, on the calling thread.

    array, targets : an array in a plain layout, and a bit per row that is set if the row is a request target

    >>> parse_mixed(pa.array(["//h/p", "//h/p"]), ["host", "path"], pa.py_buffer(b"\\x01")).to_pylist()
    [{'host': None, 'path': '//h/p'}, {'host': 'h', 'path': '/p'}]
    """
    if targets.size * 8 < len(array):
        raise ValueError("targets must have a bit for each row")
    wanted = _fields_of(fields, "view")
    job = _Parsed(Rows(array, targets=targets), wanted, False)
    job.run(0, job.rows, 0)
    binary = is_binary(array.type)
    return pa.RecordBatch.from_arrays(job.result(binary), schema=wanted.schemas[binary])


@documented(parse)
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
    """Parse a stream of columns in constant memory, into batches in order.

    Use it when the URLs do not fit into memory, or for a large column. When you drop a batch before you take the next,
    the memory is used again.

    Parameters
    ----------
    source : iterable of columns
        Columns that ``parse`` can read, or a single pyarrow column.
    threads : int, optional
        The number of batches to parse at once. By default, all processors work. Another batch is held in memory.
    batch_rows : int
        The maximum number of rows per batch.

    Returns
    -------
    Batches
        An iterator of pyarrow.RecordBatch. Dataframe libraries can also read it as a stream, for example
        ``pl.DataFrame(batches)``.

    Notes
    -----
    With more than one thread, the iterator belongs to your process. After a fork, it raises RuntimeError in the child.

    Examples
    --------
    >>> [batch.num_rows for batch in parse_batches([["http://a", "http://b"], ["http://c"]], ["host"])]
    [2, 1]
    >>> pa.table(parse_batches(pa.chunked_array([["http://a"], ["http://b"]]), ["host"]))["host"].to_pylist()
    ['a', 'b']
    """
    wanted = _fields_of(fields, strings, dictionary)
    return Batches(_batches(_pieces(source, batch_rows), wanted, form, threads), wanted)


class Batches(Iterator[pa.RecordBatch]):
    """Batches from ``parse_batches``, for one pass by one thread at a time."""

    def __init__(self, batches: Generator[pa.RecordBatch, None, None], wanted: _FieldSet) -> None:
        self._batches = batches
        self._wanted = wanted

    def __next__(self) -> pa.RecordBatch:
        return next(self._batches)

    def close(self) -> None:
        """Stop the iteration and end the threads."""
        self._batches.close()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the remaining batches as an Arrow C stream. To learn the schema, read the first batch."""
        first = next(self._batches, None)
        found = self._wanted.schemas[False] if first is None else first.schema
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
    """Yield arrays with at most batch_rows rows, the type, and the first row's number."""
    first = 0
    if isinstance(source, (pa.Array, pa.ChunkedArray)):
        source = [source]
    for column in source:
        arrays, kind, _ = as_arrays(column)
        for array in arrays:
            for start in range(0, len(array), batch_rows):
                yield array.slice(start, batch_rows), kind, first + start
            first += len(array)
