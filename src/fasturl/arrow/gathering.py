"""Jobs that turn a URL column into numbers, lists, structs or problems, for example for ``equivalent``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Lock
from typing import Any, Generic, Literal, TypeVar

import pyarrow as pa

from fasturl import _columns, _functions
from fasturl._docstrings import documented
from fasturl._fastparse import is_request_target
from fasturl.arrow.columns_in import Rows, as_arrays, is_binary, new_buffers, pair_columns, plain_arrays, spread
from fasturl.arrow.copies import TextsInOrder, copied_array, joined_texts, used_buffer
from fasturl.arrow.parsing import parse
from fasturl.arrow.threads import run

_MOST_ITEMS = (1 << 31) - 1  # Arrow counts the items of lists in 32 bits


_Job = TypeVar("_Job", bound="Lists | Numbers | Problems | Values")


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
        self.numbers, self.validity = new_buffers((self.rows * kind.bit_width + 7) // 8, (self.rows + 7) // 8)
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
    """One struct per row with a decoded value for each name in the query."""

    weight = 0

    def __init__(self, source: Rows, work: _functions.Gather, count: int) -> None:
        self.column, self.rows, self.work = source.column, source.rows, work
        bits = (self.rows + 7) // 8
        self.validity, *self.bits = new_buffers(*[bits] * (count + 1))
        self.nulls = [0] * (count + 1)
        self.texts = TextsInOrder(self.rows, count)
        self.lock = Lock()

    def run(self, start: int, end: int, task: int) -> None:
        texts = [_columns.CopiedTexts(end - start, space) for space in self.texts.spaces(end - start)]
        where = [(copied, bits.address) for copied, bits in zip(texts, self.bits, strict=True)]
        nulls = _columns.gather_values(self.column, self.work, where, self.validity.address, start=start, end=end)
        self.texts.add(start, end, texts)
        with self.lock:
            self.nulls = [before + more for before, more in zip(self.nulls, nulls, strict=True)]

    def result(self, kind: pa.StructType, binary: bool) -> pa.Array:
        """kind : the type of the structs, with one field per name"""
        found = zip([self.validity, *self.bits], self.nulls, strict=True)
        validities = [bits if nulls else None for bits, nulls in found]
        values = [
            copied_array(binary, validity, nulls, texts, self.rows)
            for validity, nulls, texts in zip(validities[1:], self.nulls[1:], self.texts.columns(), strict=True)
        ]
        return pa.Array.from_buffers(kind, self.rows, validities[:1], null_count=self.nulls[0], children=values)


_Child = TypeVar("_Child", "_columns.PooledBuffer", "_columns.CopiedTexts")


class _Items(Generic[_Child]):
    """A list for each row. Each child is a column of items, for example the names in pairs."""

    def __init__(self, source: Rows) -> None:
        self.column, self.rows = source.column, source.rows
        self.offsets, self.validity = new_buffers((self.rows + 1) * 4, (self.rows + 7) // 8)
        self.nulls = 0
        self.pieces: list[tuple[int, int, int, Sequence[_Child]]] = []
        self.lock = Lock()

    def _gather(self, start: int, end: int) -> tuple[int, int, Sequence[_Child]]:
        """Return the number of null rows, the number of items, and the children."""
        raise NotImplementedError

    def run(self, start: int, end: int, task: int) -> None:
        nulls, items, children = self._gather(start, end)
        with self.lock:
            self.nulls += nulls
            self.pieces.append((start, end, items, children))

    def in_order(self) -> list[list[tuple[int, int, _Child]]]:
        """Return each child's pieces in row order: first item, item after the last, memory."""
        found: list[list[tuple[int, int, _Child]]] = [[] for _ in self.pieces[0][3]]
        base = 0
        for start, end, items, children in sorted(self.pieces, key=lambda piece: piece[0]):
            if base:
                _columns.shift_offsets(self.offsets.address, start=start, end=end, base=base)
            for column, child in zip(found, children, strict=True):
                column.append((base, base + items, child))
            base += items
            if base > _MOST_ITEMS:
                raise ValueError("an array has more items than offsets can name: read it in slices")
        self.pieces.clear()
        return found

    def lists(self, children: list[pa.Array], kind: pa.ListType) -> pa.Array:
        """Return the lists. kind : the lists' type, with structs if there are several children"""
        items, item = children[0], kind.value_type
        if pa.types.is_struct(item):
            items = pa.Array.from_buffers(item, len(items), [None], null_count=0, children=children)
        buffers = [self.validity if self.nulls else None, self.offsets]
        return pa.Array.from_buffers(kind, self.rows, buffers, null_count=self.nulls, children=[items])


class Lists(_Items["_columns.CopiedTexts"]):
    """Lists of texts, or of pairs of texts, copied and, if the work says so, decoded."""

    weight = 0

    def __init__(self, source: Rows, work: _functions.Gather, wanted: tuple[bool, bool]) -> None:
        """wanted : (True to list the names, True to list the values)"""
        super().__init__(source)
        self.work, self.wanted = work, wanted

    def _gather(self, start: int, end: int) -> tuple[int, int, Sequence[_columns.CopiedTexts]]:
        names, values = (_columns.CopiedTexts(end - start) if wanted else None for wanted in self.wanted)
        where = self.validity.address, self.offsets.address
        nulls, items = _columns.gather_lists(self.column, self.work, names, values, *where, start=start, end=end)
        return nulls, items, [texts for texts in (names, values) if texts is not None]

    def result(self, kind: pa.ListType, binary: bool) -> pa.Array:
        return self.lists([copied_array(binary, None, 0, *joined_texts(pieces)) for pieces in self.in_order()], kind)


class Problems(_Items["_columns.PooledBuffer"]):
    """Lists of problems: finding, start and end, in bytes."""

    weight = 60

    KIND = pa.struct([("finding", pa.uint32()), ("start", pa.int32()), ("end", pa.int32())])

    def __init__(self, source: Rows, form: Any) -> None:
        super().__init__(source)
        self.form = form

    def _gather(self, start: int, end: int) -> tuple[int, int, Sequence[_columns.PooledBuffer]]:
        taken: list[_columns.PooledBuffer] = []

        def allocate(items: int) -> list[int]:
            # The kernel copies what the earlier buffers hold, which therefore live until it returns.
            taken.extend(_columns.PooledBuffer(items * 4) for _ in self.KIND)
            return [memory.address for memory in taken[-3:]]

        where = self.validity.address, self.offsets.address
        nulls, items = _columns.gather_problems(
            self.column, *where, form=self.form, start=start, end=end, allocate=allocate
        )
        return nulls, items, taken[-3:]

    def result(self) -> pa.Array:
        found = []
        for pieces, field in zip(self.in_order(), self.KIND, strict=True):
            arrays = [
                pa.Array.from_buffers(field.type, size, [None, used_buffer(memory, size * 4)])
                for size, memory in ((last - first, memory) for first, last, memory in pieces)
            ]
            found.append(arrays[0] if len(arrays) == 1 else pa.concat_arrays(arrays))
        return self.lists(found, pa.list_(self.KIND))


def gather(
    column: tuple[list[pa.Array], pa.DataType, bool],
    start: Callable[[Rows], _Job],
    finish: Callable[[_Job], pa.Array],
    target: pa.DataType,
    threads: int | None,
) -> pa.Array | pa.ChunkedArray:
    """Run one job per array in a column, and return the joined results.

    start, finish : make an array's job, and the job's result. If the layout is a dictionary or has runs, the job reads
    only the distinct texts, and the results are spread over the rows.
    """
    arrays, kind, chunked = column
    is_binary(kind)  # or TypeError
    pieces = list(plain_arrays(arrays))
    jobs = [start(rows) for rows, _ in pieces]
    run(jobs, threads)
    results = [spread(finish(job), indices) for job, (_, indices) in zip(jobs, pieces, strict=True)]
    return pa.chunked_array(results, target) if chunked else results[0]


@documented(parse, ns=20, source="RFC 1738 sections 2.2, 3, 5 and 6")
def problems(
    column: Any, *, form: Literal["url", "request-target"] = "url", threads: int | None = None
) -> pa.Array | pa.ChunkedArray:
    """List each URL's violations and hazards with their ranges. This is the column form of ``fasturl.problems``.

    Returns
    -------
    pyarrow.Array or pyarrow.ChunkedArray
        Lists of structs, sorted by start. ``finding`` (uint32) is a bit in ``fasturl.Finding``. ``start`` and ``end``
        (int32) count bytes, even in text. When a URL has no problem, you get an empty list.

    Notes
    -----
    Memory: 12 bytes per problem.

    Examples
    --------
    >>> problems(["http://h/a b#c", "http://h/", None]).to_pylist()
    [[{'finding': 16, 'start': 10, 'end': 11}, {'finding': 32, 'start': 12, 'end': 13}], [], None]
    """
    is_request_target(form)  # raises ValueError for another form, even for a column without rows
    kind = pa.list_(Problems.KIND)
    return gather(as_arrays(column), lambda rows: Problems(rows, form), Problems.result, kind, threads)


@documented(parse, ns=60, source="RFC 1738 sections 2.2 and 3.1 to 3.11")
def equivalent(a: Any, b: str | bytes | Any, *, threads: int | None = None) -> pa.Array | pa.ChunkedArray:
    """Return, per row, whether two URLs are equivalent. This is the column form of ``fasturl.equivalent``.

    Parameters
    ----------
    a : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list.
    b : str, bytes or array-like
        A URL for all rows, or a column with as many rows. Pass bytes when the other column holds bytes.

    Returns
    -------
    pyarrow.Array or pyarrow.ChunkedArray
        Booleans. A row is null when either URL is null.

    Raises
    ------
    TypeError
        If a column holds neither text nor bytes, or if you mix text and bytes.
    ValueError
        If the columns have different lengths, or if a text has more than ``2**30`` bytes.

    Examples
    --------
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
