"""Jobs that turn a column of URLs into numbers, lists, structs or problems; and `problems` and `equivalent`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Generic, Literal, TypeVar

import pyarrow as pa

from fasturl import _columns, _functions
from fasturl._fastparse import is_request_target
from fasturl.arrow.columns_in import Rows, as_arrays, is_binary, new_buffers, pair_columns, plain_arrays, spread
from fasturl.arrow.copies import TextsInOrder, copied_array, joined_texts
from fasturl.arrow.threads import run

_MOST_ITEMS = (1 << 31) - 1  # Arrow counts the items of lists in 32 bits


_Job = TypeVar("_Job", bound="CopiedLists | Lists | Numbers | Problems | Values")


class Numbers:
    """A number or a bit for each row of an array.

    second, gather : what the function of `_columns` takes after the column, rows or work, and the function

    >>> from fasturl.arrow.columns_in import plain_arrays
    >>> [(rows, _)] = plain_arrays([pa.array(["/a/b", None])])
    >>> job = Numbers(rows, _functions._depths(), pa.uint32())
    >>> job.run(0, 2, 0)
    >>> job.result().to_pylist()
    [2, None]
    """

    def __init__(
        self,
        source: Rows,
        second: Rows | _functions.Gather,
        kind: pa.DataType,
        *,
        gather: Callable[..., int] = _columns.gather_numbers,
        weight: int = 10,
    ) -> None:
        self.kept, self.column, self.rows, self.kind = (source, second), source.column, source.rows, kind
        self.second = second.column if isinstance(second, Rows) else second
        self.gather, self.weight = gather, weight
        (self.numbers, self.validity), _ = new_buffers((self.rows * kind.bit_width + 7) // 8, (self.rows + 7) // 8)
        self.nulls = 0
        self.lock = Lock()

    def run(self, start: int, end: int, task: int) -> None:
        where = self.validity.address, self.numbers.address
        nulls = self.gather(self.column, self.second, *where, start=start, end=end)
        with self.lock:
            self.nulls += nulls

    def result(self) -> pa.Array:
        validity = self.validity if self.nulls else None
        return pa.Array.from_buffers(self.kind, self.rows, [validity, self.numbers], null_count=self.nulls)


class Values:
    """One struct per row: the raw values of some names in the query, as views of the input."""

    weight = 10

    def __init__(self, source: Rows, work: _functions.Gather, count: int) -> None:
        self.column, self.rows, self.work, self.named = source.column, source.rows, work, source.named
        bits = (self.rows + 7) // 8
        (self.validity, *self.bits), _ = new_buffers(*[bits] * (count + 1))
        self.nulls = [0] * (count + 1)
        self.lock = Lock()
        self._prepare()

    def _prepare(self) -> None:
        self.views = [new_buffers(self.rows * 16)[0][0] for _ in self.bits]

    def _gather(self, start: int, end: int) -> tuple[int, ...]:
        where = [(views.address, bits.address) for views, bits in zip(self.views, self.bits, strict=True)]
        return _columns.gather_value_views(self.column, self.work, self.validity.address, where, start=start, end=end)

    def run(self, start: int, end: int, task: int) -> None:
        nulls = self._gather(start, end)
        with self.lock:
            self.nulls = [before + more for before, more in zip(self.nulls, nulls, strict=True)]

    def _child(self, number: int, validity: pa.Buffer | None, nulls: int, kind: pa.DataType) -> pa.Array:
        buffers = [validity, self.views[number], *self.named]
        return pa.Array.from_buffers(kind, self.rows, buffers, null_count=nulls)

    def children(self, kind: pa.DataType) -> list[pa.Array]:
        """Return one array per name. kind : the Arrow type of the texts"""
        return [
            self._child(number, bits if nulls else None, nulls, kind)
            for number, (bits, nulls) in enumerate(zip(self.bits, self.nulls[1:], strict=True))
        ]

    def result(self, kind: pa.DataType, values: list[pa.Array]) -> pa.Array:
        """Return the structs, built of the finished children."""
        validity = self.validity if self.nulls[0] else None
        return pa.Array.from_buffers(kind, self.rows, [validity], null_count=self.nulls[0], children=values)


class CopiedValues(Values):
    """One struct per row: the values of some names in the query, decoded and copied."""

    weight = 0

    def _prepare(self) -> None:
        self.texts = TextsInOrder(self.rows, len(self.bits))

    def _gather(self, start: int, end: int) -> tuple[int, ...]:
        texts = [_columns.CopiedTexts(end - start, space) for space in self.texts.spaces(end - start)]
        where = [(copied, bits.address) for copied, bits in zip(texts, self.bits, strict=True)]
        nulls = _columns.gather_values(self.column, self.work, where, self.validity.address, start=start, end=end)
        self.texts.add(start, end, texts)
        return nulls

    def _child(self, number: int, validity: pa.Buffer | None, nulls: int, kind: pa.DataType) -> pa.Array:
        return copied_array(kind == pa.binary(), validity, nulls, self.texts.columns()[number], self.rows)


_Child = TypeVar("_Child", "_columns.PooledBuffer", "_columns.CopiedTexts")


class _Items(Generic[_Child]):
    """One list per row. Each child is one column of the items, such as the names or the values of pairs."""

    weight = 10

    def __init__(self, source: Rows) -> None:
        self.column, self.rows, self.named = source.column, source.rows, source.named
        (self.offsets, self.validity), _ = new_buffers((self.rows + 1) * 4, (self.rows + 7) // 8)
        self.nulls = 0
        self.pieces: list[tuple[int, int, int, Sequence[_Child | None]]] = []
        self.lock = Lock()

    def _gather(self, start: int, end: int) -> tuple[int, int, Sequence[_Child | None]]:
        """Return the number of null rows, the number of items, and the children. A child that nobody wants is None."""
        raise NotImplementedError

    def run(self, start: int, end: int, task: int) -> None:
        nulls, items, children = self._gather(start, end)
        with self.lock:
            self.nulls += nulls
            self.pieces.append((start, end, items, children))

    def in_order(self) -> list[list[tuple[int, int, _Child]]]:
        """Return the pieces of each child, in the order of the rows: (first item, past the last item, memory)."""
        found: list[list[tuple[int, int, _Child]]] = [[] for _ in self.pieces[0][3]]
        base = 0
        for start, end, items, children in sorted(self.pieces, key=lambda piece: piece[0]):
            if base:
                _columns.shift_offsets(self.offsets.address, start=start, end=end, base=base)
            for column, child in zip(found, children, strict=True):
                if child is not None:
                    column.append((base, base + items, child))
            base += items
            if base > _MOST_ITEMS:
                raise ValueError("an array has more items than offsets can name: read it in slices")
        self.pieces.clear()
        return [column for column in found if column]

    def result(self, items: pa.Array, kind: pa.DataType) -> pa.Array:
        """Return the lists. items : the finished children; kind : the Arrow type of the lists"""
        buffers = [self.validity if self.nulls else None, self.offsets]
        return pa.Array.from_buffers(kind, self.rows, buffers, null_count=self.nulls, children=[items])


class _FixedItems(_Items["_columns.PooledBuffer"]):
    """Lists whose children have a fixed width in bytes."""

    def __init__(self, source: Rows, widths: tuple[int, ...]) -> None:
        """widths : bytes per item of each child; 0 for a child that nobody wants"""
        super().__init__(source)
        self.widths = widths

    def _fill(self, start: int, end: int, allocate: Callable[[int], Any]) -> tuple[int, int]:
        raise NotImplementedError

    def _gather(self, start: int, end: int) -> tuple[int, int, Sequence[_columns.PooledBuffer | None]]:
        taken: list[list[_columns.PooledBuffer | None]] = []

        def allocate(items: int) -> tuple[int, ...]:
            taken.append([_columns.PooledBuffer(items * width) if width else None for width in self.widths])
            return tuple(0 if memory is None else memory.address for memory in taken[-1])

        nulls, items = self._fill(start, end, allocate)
        return nulls, items, taken[-1]

    def items_of(self, kinds: Sequence[pa.DataType]) -> list[pa.Array]:
        """Return the wanted children for the items of all rows, in order."""
        found = []
        wanted = [(width, kind) for width, kind in zip(self.widths, kinds, strict=True) if width]
        for pieces, (width, kind) in zip(self.in_order(), wanted, strict=True):
            named = self.named if kind in (pa.string_view(), pa.binary_view()) else []
            arrays = []
            for first, last, memory in pieces:
                values = pa.foreign_buffer(memory.address, (last - first) * width, memory)
                arrays.append(pa.Array.from_buffers(kind, last - first, [None, values, *named]))
            found.append(arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays))
        return found


class Lists(_FixedItems):
    """Lists of texts, or of pairs of texts, as views of the input."""

    def __init__(self, source: Rows, work: _functions.Gather, wanted: tuple[bool, bool]) -> None:
        """wanted : (True to list the names, True to list the values)"""
        super().__init__(source, (16 * wanted[0], 16 * wanted[1]))
        self.work = work

    def _fill(self, start: int, end: int, allocate: Callable[[int], Any]) -> tuple[int, int]:
        return _columns.gather_list_views(
            self.column, self.work, self.validity.address, self.offsets.address, start=start, end=end, allocate=allocate
        )

    def children(self, kind: pa.DataType) -> list[pa.Array]:
        """Return the items of all rows, in order: names, values, or both. kind : the Arrow type of the views"""
        return self.items_of([kind, kind])


class CopiedLists(_Items["_columns.CopiedTexts"]):
    """Lists of texts, or of pairs of texts, copied and, if the work says so, decoded."""

    weight = 0

    def __init__(self, source: Rows, work: _functions.Gather, wanted: tuple[bool, bool]) -> None:
        """wanted : (True to list the names, True to list the values)"""
        super().__init__(source)
        self.work, self.wanted = work, wanted

    def _gather(self, start: int, end: int) -> tuple[int, int, Sequence[_columns.CopiedTexts | None]]:
        names, values = (_columns.CopiedTexts(end - start) if wanted else None for wanted in self.wanted)
        where = self.validity.address, self.offsets.address
        nulls, items = _columns.gather_lists(self.column, self.work, names, values, *where, start=start, end=end)
        return nulls, items, (names, values)

    def children(self, kind: pa.DataType) -> list[pa.Array]:
        """Return the items of all rows, in order: names, values, or both. kind : the Arrow type of the texts"""
        return [copied_array(kind == pa.binary(), None, 0, *joined_texts(pieces)) for pieces in self.in_order()]


class Problems(_FixedItems):
    """Lists of problems: finding, start and end, in bytes."""

    weight = 60

    KIND = pa.struct([("finding", pa.uint32()), ("start", pa.int32()), ("end", pa.int32())])

    def __init__(self, source: Rows, form: Any) -> None:
        super().__init__(source, (4, 4, 4))
        self.form = form

    def _fill(self, start: int, end: int, allocate: Callable[[int], Any]) -> tuple[int, int]:
        where = self.validity.address, self.offsets.address
        return _columns.gather_problems(self.column, *where, form=self.form, start=start, end=end, allocate=allocate)

    def lists(self) -> pa.Array:
        found = self.items_of([field.type for field in self.KIND])
        return self.result(pa.StructArray.from_arrays(found, fields=list(self.KIND)), pa.list_(self.KIND))


def gather(
    column: tuple[list[pa.Array], pa.DataType, bool],
    start: Callable[[Rows], _Job],
    finish: Callable[[_Job], pa.Array],
    target: pa.DataType,
    threads: int | None,
) -> pa.Array | pa.ChunkedArray:
    """Run one job per array of a column of any layout, and return their results as one array.

    start : makes the job of an array; finish : makes its result. Dictionary and run-end layouts run on their distinct
    texts, and the results are spread over the rows.
    """
    arrays, kind, chunked = column
    is_binary(kind)  # or TypeError
    pieces = list(plain_arrays(arrays))
    jobs = [start(rows) for rows, _ in pieces]
    run(jobs, threads)
    results = [spread_nested(finish(job), indices) for job, (_, indices) in zip(jobs, pieces, strict=True)]
    return pa.chunked_array(results, target) if chunked else results[0]


def spread_nested(array: pa.Array, indices: pa.Array | None) -> pa.Array:
    """Spread an array over rows. Unlike `spread`, accept lists and structs of views, which Arrow's take refuses."""
    if indices is None or not pa.types.is_nested(array.type):
        return spread(array, indices)
    return spread(array.cast(_without_views(array.type)), indices).cast(array.type)


def _without_views(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_list(kind):
        return pa.list_(_without_views(kind.value_type))
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _without_views(field.type)) for field in kind])
    return {pa.string_view(): pa.string(), pa.binary_view(): pa.binary()}.get(kind, kind)


def problems(
    column: Any, *, form: Literal["url", "request-target"] = "url", threads: int | None = None
) -> pa.Array | pa.ChunkedArray:
    """Every violation and hazard of each URL of a column, with its range: ``fasturl.problems``.

    column, threads : as for ``fasturl.arrow.parse``
    form : "url" or "request-target"
    Returns lists of structs of ``finding`` (uint32, a bit of ``Finding``), ``start`` and ``end`` (int32), sorted by
    start. The offsets count bytes, also in text. A URL without a problem has an empty list. Null stays null.
    Raises: TypeError for another column, ValueError for another form or a text over 2**30 bytes.
    Cost: O(bytes), and 12 bytes per problem. Source: RFC 1738 sections 2.2, 3, 5 and 6.

    >>> problems(["http://h/a b#c", "http://h/", None]).to_pylist()
    [[{'finding': 16, 'start': 10, 'end': 11}, {'finding': 32, 'start': 12, 'end': 13}], [], None]
    """
    is_request_target(form)  # raises ValueError for another form, even for a column without rows
    kind = pa.list_(Problems.KIND)
    return gather(as_arrays(column), lambda rows: Problems(rows, form), Problems.lists, kind, threads)


def equivalent(a: Any, b: str | bytes | Any, *, threads: int | None = None) -> pa.Array | pa.ChunkedArray:
    """True for each row whose URLs in two columns are equivalent by RFC 1738 section 2.2: ``fasturl.equivalent``.

    a : a column as for ``fasturl.arrow.parse``
    b : a column of as many rows, of text or binary like the other; or str, or bytes-like for a binary column
    threads : as for ``fasturl.arrow.parse``
    Returns an Array of bool, or a ChunkedArray if a column has chunks. A row is null if one of its URLs is null.
    Raises: TypeError for other columns, ValueError for columns of different lengths or a text over 2**30 bytes.
    Cost: O(bytes). Source: RFC 1738 sections 2.2 and 3.1 to 3.11.

    >>> equivalent(["http://h", "http://h/a", None], ["HTTP://H:80/", "http://h/a/", "x"]).to_pylist()
    [True, False, None]
    """
    pieces, _, chunked = pair_columns(a, b)
    same = pa.bool_()
    jobs = [Numbers(one, other, same, gather=_columns.gather_same, weight=60) for one, other in pieces]
    run(jobs, threads)
    if chunked:
        return pa.chunked_array([job.result() for job in jobs], same)
    return jobs[0].result() if jobs else pa.array([], same)
