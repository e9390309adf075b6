"""Columns of URLs into a column for each field: the same answers as ``fasturl.parse``, millions of rows a second.

The way of a column: anything that holds one → Arrow arrays → rows by the kernel, without the GIL and over threads →
columns that name the input's own octets. This module sizes and holds buffers; :mod:`fasturl._columns` fills them.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import lru_cache
from threading import Lock
from typing import Any, Literal

import pyarrow as pa

from fasturl import _columns
from fasturl._fastparse import parse as parse_one
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
from fasturl.arrow.copies import copied_array, encoded_array
from fasturl.arrow.threads import processors, run

__all__ = ["DEFAULT_FIELDS", "FIELDS", "parse", "parse_batches", "schema"]

FIELDS: tuple[str, ...] = _columns.NAMES
DEFAULT_FIELDS: tuple[str, ...] = tuple(name for name in FIELDS if name != "hostname")

_TYPES: dict[str, pa.DataType] = {name: pa.type_for_alias(kind) for name, kind, _ in _columns.FIELDS if kind != "text"}
_WIDTHS: dict[str, int] = {name: width for name, _, width in _columns.FIELDS}  # octets a row; 0 for a bit

# The values of columns that have none, shared by all small batches.
_ZEROS = pa.py_buffer(bytes(BATCH_ROWS * 16))


def schema(
    fields: Sequence[str] = DEFAULT_FIELDS,
    *,
    binary: bool = False,
    strings: Strings = "string",
    dictionary: Sequence[str] = (),
) -> pa.Schema:
    """The schema of what :func:`parse` gives for these fields.

    >>> schema(["host", "port"])
    host: string
    port: uint16
    """
    return _wanted(fields, strings, dictionary).schema(binary)


class _Wanted:
    """What a caller asks for: which fields, and in which types; made once, as columns may have few rows."""

    def __init__(self, names: tuple[str, ...], strings: Strings, numbered: frozenset[str]) -> None:
        self.names, self.numbered = names, numbered
        texts = [name for name in names if name not in _TYPES]
        # The kernel copies all texts or none; what is numbered need not be copied first.
        self.copied = texts if strings == "string" and set(texts) != numbered else []
        self.widths = [-1 if name in self.copied else _WIDTHS[name] for name in names]
        self._schemas = [self._new_schema(strings, binary) for binary in (False, True)]

    def _new_schema(self, strings: Strings, binary: bool) -> pa.Schema:
        text = string_type(binary, strings)
        numbered = pa.dictionary(pa.int32(), string_type(binary, "string"))
        kinds = {name: numbered if name in self.numbered else _TYPES.get(name, text) for name in self.names}
        return pa.schema(kinds)

    def schema(self, binary: bool) -> pa.Schema:
        return self._schemas[binary]

    def sizes(self, rows: int) -> list[int]:
        """The octets of the values and of the validity of each column; texts that are copied have theirs elsewhere."""
        bitmap = (rows + 7) // 8
        sizes: list[int] = []
        for width in self.widths:
            sizes += (0 if width < 0 else rows * width or bitmap, bitmap)
        return sizes


def _wanted(fields: Sequence[str], strings: Strings, dictionary: Sequence[str] = ()) -> _Wanted:
    if isinstance(fields, str):
        raise TypeError("fields must be a sequence of names, not one str")
    if isinstance(dictionary, str):
        raise TypeError("dictionary must be a sequence of names, not one str")
    given = exact_all(fields), exact(strings), exact_all(dictionary)
    try:
        return _known(*given)
    except TypeError:  # what cannot be hashed is no name
        return _new_wanted(*given)


def _new_wanted(names: tuple[str, ...], strings: Strings, dictionary: tuple[str, ...]) -> _Wanted:
    for name in names:
        if name not in FIELDS:
            raise ValueError(f"unknown field {name!r}: expected some of {', '.join(FIELDS)}")
    if len(set(names)) != len(names):
        raise ValueError("a field is named twice")
    for name in dictionary:
        if name not in names or name in _TYPES:
            raise ValueError(f"{name!r} cannot be a dictionary column: expected text fields that are asked for")
    return _Wanted(names, strings, frozenset(dictionary))


_known = lru_cache(maxsize=64)(_new_wanted)


class _Parsed:
    """One array being read: the memory of its columns, and what its tasks say."""

    def __init__(self, source: Rows, wanted: _Wanted, form: str) -> None:
        self.source = source
        self.rows = source.rows
        self.wanted = wanted
        self.form = form
        self.copies: list[tuple[int, int, dict[str, _columns.CopiedTexts]]] = []
        self.sizes = wanted.sizes(self.rows)
        self.memory = _columns.PooledBuffer(*self.sizes)
        self.output = _columns.OutputColumns(wanted.names, self.memory)
        self.nulls = dict.fromkeys(wanted.names, 0)
        self.opened: list[tuple[int, int, set[str]]] = []
        self.arenas: dict[int, bytes] = {}
        self.custom: list[int] = []
        self.lock = Lock()

    def run(self, start: int, end: int, task: int) -> None:
        """Read some rows. The tasks of one array number from 0."""
        copies = _columns.Copies(self.wanted.copied, end - start) if self.wanted.copied else None
        nulls, opened, octets, custom = _columns.parse_rows(
            self.source.column,
            self.output,
            request_target=self.form == "request-target",
            start=start,
            end=end,
            arena_buffer=len(self.source.named) + task,
            copies=copies,
        )
        with self.lock:
            if copies is not None:
                self.copies.append((start, end, copies.texts))
            self.opened.append((start, end, opened))
            for name, count in nulls.items():
                self.nulls[name] += count
            if octets is not None:
                self.arenas[task] = octets
            self.custom += [row for row, _ in custom]

    def ask_owners(self) -> None:
        """Correct findings, valid and error_offset of rows whose scheme has registered productions of its own: these
        are validated one by one."""
        for row in self.custom:
            url = parse_one(self.source.column.octets(row), form=self._form_of(row))
            self._put("findings", "I", row, int(url.findings))
            self._put("error_offset", "i", row, url.error_offset)
            self._put("valid", "I", row, url.valid)
        self.custom = []

    def _form_of(self, row: int) -> Any:
        targets = self.source.targets
        if targets is None:
            return self.form
        return "request-target" if targets[row >> 3] >> (row & 7) & 1 else "url"

    def _put(self, name: str, code: Literal["i", "I"], row: int, value: int | None) -> None:
        """Correct one cell of findings, valid or error_offset."""
        if name not in self.nulls:
            return
        place = 2 * self.wanted.names.index(name)
        values, validity = self._writable(place), self._writable(place + 1)
        if name == "valid":
            _set_bit(values, row, bool(value))
            return
        for start, end, opened in self.opened:
            if start <= row < end and name not in opened:
                _columns.zero_rows(self.output, name, start, end)
                opened.add(name)
        values.cast(code)[row] = value or 0
        if name == "error_offset":
            was_there = _set_bit(validity, row, value is not None)
            self.nulls[name] += was_there - (value is not None)

    def _writable(self, place: int) -> memoryview:
        start = self.memory.starts[place]
        whole = memoryview(self.memory)  # type: ignore[arg-type]  # the protocol has a name since 3.12 alone
        return whole[start : start + self.sizes[place]]

    def _buffer(self, place: int) -> pa.Buffer:
        return pa.foreign_buffer(self.memory.address + self.memory.starts[place], self.sizes[place], self.memory)

    def _values(self, name: str, place: int) -> pa.Buffer:
        """The values of a column. The kernel left those without any as they were: they are zeros for all to share."""
        unopened = [(start, end) for start, end, opened in self.opened if name not in opened]
        if len(unopened) == len(self.opened) and self.sizes[place] <= _ZEROS.size:
            return _ZEROS.slice(0, self.sizes[place])
        for start, end in unopened:
            _columns.zero_rows(self.output, name, start, end)
        return self._buffer(place)

    def result(self, binary: bool) -> list[pa.Array]:
        arenas = [pa.py_buffer(self.arenas.get(i, b"")) for i in range(max(self.arenas) + 1)] if self.arenas else []
        arrays = []
        for column, name in enumerate(self.wanted.names):
            nulls = self.nulls[name]
            bitmap = self._buffer(2 * column + 1) if nulls else None
            if name in self.wanted.copied:
                pieces = [(start, end, texts[name]) for start, end, texts in self.copies]
                array = copied_array(binary, bitmap, nulls, pieces)
            else:
                kind = _TYPES.get(name)
                named = [] if kind else [*self.source.named, *arenas]
                buffers = [bitmap, self._values(name, 2 * column), *named]
                array = pa.Array.from_buffers(kind or string_type(binary, "view"), self.rows, buffers, null_count=nulls)
            arrays.append(encoded_array(array) if name in self.wanted.numbered else array)
        return arrays


def _set_bit(bits: memoryview, row: int, value: bool) -> bool:
    """Set a bit of a bitmap, and say what it was."""
    octet, one = bits[row >> 3], 1 << (row & 7)
    bits[row >> 3] = octet | one if value else octet & ~one
    return bool(octet & one)


def _parse_arrays(
    arrays: list[pa.Array], kind: pa.DataType, wanted: _Wanted, form: str, threads: int | None
) -> list[pa.RecordBatch]:
    if form not in ("url", "request-target"):
        raise ValueError(f"form must be 'url' or 'request-target', not {form!r}")
    binary = is_binary(kind)
    target = wanted.schema(binary)
    pieces = list(plain_arrays(arrays))
    jobs = [_Parsed(rows, wanted, form) for rows, _ in pieces]
    run(jobs, threads)
    batches = []
    for job, (_, indices) in zip(jobs, pieces, strict=True):
        job.ask_owners()
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
    fields : of FIELDS, by default all but hostname. One that is not asked for costs nothing.
    form : "url" or "request-target", as for fasturl.parse
    threads : how many read at once; None takes all processors when there are rows enough for them
    strings : "string" copies texts, as string or binary; "view" gives string_view or binary_view, which name the
        input's own octets, keep them alive, and copy none
    dictionary : text fields that come as dictionary columns, each text once and its 32-bit number in each row, whatever
        `strings` is; the scheme of most columns is one of a few words
    Returns a RecordBatch, or a Table when the column came in chunks.
    An absent part is null, an empty one is "", a path is null only where the URL is; error_offset counts octets.
    Nothing is raised for content; TypeError for another column, ValueError for an unknown field, a text of over 2**30
    octets, or copies of over 2**31 - 1 octets in one array and field. Cost: O(octets); for a text field 4 octets a row
    and the texts, of views 16 octets a row. Source: as fasturl.parse.

    >>> parse(["http://h:80/a?b", None, "//h"], ["host", "port", "path", "query"]).to_pylist()[0]
    {'host': 'h', 'port': 80, 'path': '/a', 'query': 'b'}
    """
    arrays, kind, chunked = as_arrays(column)
    wanted = _wanted(fields, strings, dictionary)
    batches = _parse_arrays(arrays, kind, wanted, form, threads)
    if not chunked:
        return batches[0]
    return pa.Table.from_batches(batches, wanted.schema(is_binary(kind)))


def parse_mixed(array: pa.Array, fields: Sequence[str], targets: pa.Buffer) -> pa.RecordBatch:
    """Read a column of both forms: of targets a bit a row, set for a request target. For an array of a plain layout, on
    one thread; else as :func:`parse`.

    >>> parse_mixed(pa.array(["//h/p", "//h/p"]), ["host", "path"], pa.py_buffer(b"\\x01")).to_pylist()
    [{'host': None, 'path': '//h/p'}, {'host': 'h', 'path': '/p'}]
    """
    if targets.size * 8 < len(array):
        raise ValueError("targets must have a bit for each row")
    wanted = _wanted(fields, "view")
    job = _Parsed(Rows(array, targets=targets), wanted, "url")
    job.run(0, job.rows, 0)
    job.ask_owners()
    binary = is_binary(array.type)
    return pa.RecordBatch.from_arrays(job.result(binary), schema=wanted.schema(binary))


def parse_batches(
    source: Iterable[Any],
    fields: Sequence[str] = DEFAULT_FIELDS,
    *,
    form: str = "url",
    threads: int | None = 1,
    strings: Strings = "string",
    dictionary: Sequence[str] = (),
    batch_rows: int = BATCH_ROWS,
) -> Iterator[pa.RecordBatch]:
    """Read a stream of columns in constant memory: each column of any kind that :func:`parse` takes, each batch given
    back of at most batch_rows rows, in order.

    threads : how many batches are read at once; None takes all processors. As many are held, and one more.

    >>> [batch.num_rows for batch in parse_batches([["http://a", "http://b"], ["http://c"]], ["host"])]
    [2, 1]
    """
    wanted = _wanted(fields, strings, dictionary)
    pieces = _pieces(source, batch_rows)
    if threads == 1:
        for piece, kind in pieces:
            yield from _parse_arrays([piece], kind, wanted, form, 1)
        return
    threads = processors(threads)
    with ThreadPoolExecutor(threads) as pool:
        ahead: deque[Future[list[pa.RecordBatch]]] = deque()
        try:
            for piece, kind in pieces:
                ahead.append(pool.submit(_parse_arrays, [piece], kind, wanted, form, 1))
                if len(ahead) > threads:
                    yield from ahead.popleft().result()
            while ahead:
                yield from ahead.popleft().result()
        finally:
            for future in ahead:
                future.cancel()


def _pieces(source: Iterable[Any], batch_rows: int) -> Iterator[tuple[pa.Array, pa.DataType]]:
    for column in source:
        arrays, kind, _ = as_arrays(column)
        for array in arrays:
            for start in range(0, len(array), batch_rows):
                yield array.slice(start, batch_rows), kind
