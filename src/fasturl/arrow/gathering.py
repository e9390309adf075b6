"""Columns of lists, of several values a row, and of numbers, from columns of URLs."""

from __future__ import annotations

from threading import Lock

import pyarrow as pa

from fasturl import _columns, _parts
from fasturl.arrow.columns_in import Rows, new_buffers

__all__ = ["Lists", "Numbers", "Values"]

_MOST_ITEMS = (1 << 31) - 1  # Arrow counts the items of lists in 32 bits


class Numbers:
    """A number for each row of an array.

    >>> from fasturl.arrow.columns_in import plain_arrays
    >>> [(rows, _)] = plain_arrays([pa.array(["/a/b", None])])
    >>> job = Numbers(rows, _parts._depths(), pa.uint32())
    >>> job.run(0, 2, 0)
    >>> job.result().to_pylist()
    [2, None]
    """

    def __init__(self, source: Rows, work: _parts.Gather, kind: pa.DataType) -> None:
        self.column, self.rows, self.work, self.kind = source.column, source.rows, work, kind
        (self.numbers, self.validity), _ = new_buffers(self.rows * kind.bit_width // 8, (self.rows + 7) // 8)
        self.nulls = 0
        self.lock = Lock()

    def run(self, start: int, end: int, task: int) -> None:
        nulls = _parts._gather_numbers(
            self.column, self.work, self.validity.address, self.numbers.address, start=start, end=end
        )
        with self.lock:
            self.nulls += nulls

    def result(self) -> pa.Array:
        validity = self.validity if self.nulls else None
        return pa.Array.from_buffers(self.kind, self.rows, [validity, self.numbers], null_count=self.nulls)


class Values:
    """For each row of an array the values of some names, as they stand in the query."""

    def __init__(self, source: Rows, work: _parts.Gather, count: int) -> None:
        self.column, self.rows, self.work, self.named = source.column, source.rows, work, source.named
        bits = (self.rows + 7) // 8
        (self.validity,), _ = new_buffers(bits)
        self.buffers = [new_buffers(self.rows * 16, bits)[0] for _ in range(count)]
        self.nulls = [0] * (count + 1)
        self.lock = Lock()

    def run(self, start: int, end: int, task: int) -> None:
        where = [(views.address, validity.address) for views, validity in self.buffers]
        nulls = _parts._gather_values(self.column, self.work, self.validity.address, where, start=start, end=end)
        with self.lock:
            self.nulls = [before + more for before, more in zip(self.nulls, nulls, strict=True)]

    def children(self, view: pa.DataType) -> list[pa.Array]:
        return [
            pa.Array.from_buffers(view, self.rows, [validity if nulls else None, views, *self.named], null_count=nulls)
            for (views, validity), nulls in zip(self.buffers, self.nulls[1:], strict=True)
        ]

    def result(self, kind: pa.DataType, values: list[pa.Array]) -> pa.Array:
        """Structs of what the children became."""
        validity = self.validity if self.nulls[0] else None
        return pa.Array.from_buffers(kind, self.rows, [validity], null_count=self.nulls[0], children=values)


class Lists:
    """For each row of an array a list of texts as they stand in it, or of pairs of them."""

    def __init__(self, source: Rows, work: _parts.Gather, wanted: tuple[bool, bool]) -> None:
        """wanted : names, and values"""
        self.column, self.rows, self.work, self.named = source.column, source.rows, work, source.named
        self.wanted = wanted
        (self.offsets, self.validity), _ = new_buffers((self.rows + 1) * 4, (self.rows + 7) // 8)
        self.nulls = 0
        self.pieces: list[tuple[int, int, int, list[_columns.PooledBuffer | None]]] = []
        self.lock = Lock()

    def run(self, start: int, end: int, task: int) -> None:
        taken: list[list[_columns.PooledBuffer | None]] = []

        def allocate(items: int) -> tuple[int, ...]:
            taken.append([_columns.PooledBuffer(items * 16) if wanted else None for wanted in self.wanted])
            return tuple(0 if memory is None else memory.address for memory in taken[-1])

        nulls, items = _parts._gather_lists(
            self.column, self.work, self.validity.address, self.offsets.address, start=start, end=end, allocate=allocate
        )
        with self.lock:
            self.nulls += nulls
            self.pieces.append((start, end, items, taken[-1]))

    def children(self, view: pa.DataType) -> list[pa.Array]:
        """The items of all rows, in order: names, values, or both."""
        found: list[list[pa.Array]] = [[] for _ in self.wanted]
        base = 0
        for start, end, items, memories in sorted(self.pieces, key=lambda piece: piece[0]):
            if base:
                _parts._shift_offsets(self.offsets.address, start=start, end=end, base=base)
            base += items
            if base > _MOST_ITEMS:
                raise ValueError("an array has more items than offsets can name: read it in slices")
            for column, memory in zip(found, memories, strict=True):
                if memory is not None:
                    views = pa.foreign_buffer(memory.address, items * 16, memory)
                    column.append(pa.Array.from_buffers(view, items, [None, views, *self.named]))
        self.pieces.clear()
        return [column[0] if len(column) == 1 else pa.concat_arrays(column) for column in found if column]

    def result(self, items: pa.Array) -> pa.Array:
        """The lists of what the children became."""
        buffers = [self.validity if self.nulls else None, self.offsets]
        kind = pa.list_(items.type)
        return pa.Array.from_buffers(kind, self.rows, buffers, null_count=self.nulls, children=[items])
