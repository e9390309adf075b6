"""Build arrays from texts that the kernel copied, or encoded as a dictionary."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import repeat
from threading import Lock

import pyarrow as pa

from fasturl import _columns
from fasturl._columns import CopiedTexts, PooledBuffer
from fasturl.arrow.columns_in import EMPTY, string_type


class TextsInOrder:
    """Copied texts for several columns. Threads add pieces in any order.

    A piece is appended when all rows before it are there. Mostly, the bytes are then still in the cache of the thread
    that wrote the piece. If a piece has all rows, it is used without a copy.
    """

    def __init__(self, rows: int, count: int) -> None:
        """count : the number of columns"""
        self._rows = rows
        self._count = count
        self._next = 0  # the first row that is not appended
        self._waiting: dict[int, tuple[int, Sequence[CopiedTexts]]] = {}  # by first row
        self._columns: Sequence[CopiedTexts] = ()
        self._appending = Lock()

    def spaces(self, rows: int) -> Iterator[int]:
        """Estimate, per column, how many bytes the texts in this many rows take. Unknown is 0."""
        if not self._next:
            return repeat(0, self._count)
        part = rows / self._next * 1.0625
        return (int(whole.used * part) for whole in self._columns)

    def add(self, start: int, end: int, columns: Sequence[CopiedTexts]) -> None:
        """Add the texts of rows [start, end), one text per row and column."""
        if start == 0 and end == self._rows:
            self._columns = columns
            return
        self._waiting[start] = end, columns
        # A piece that comes while another thread appends may wait for the next call.
        if self._appending.acquire(False):
            try:
                self._append()
            finally:
                self._appending.release()

    def _append(self) -> None:
        while (piece := self._waiting.pop(self._next, None)) is not None:
            end, columns = piece
            if not self._columns:
                self._columns = [CopiedTexts(self._rows) for _ in columns]
            for whole, texts in zip(self._columns, columns, strict=True):
                whole.append(texts, end - self._next)
            self._next = end

    def columns(self) -> Sequence[CopiedTexts]:
        """Return the texts of all rows. No other thread may add texts any more."""
        if self._waiting:
            self._append()
        return self._columns


def joined_texts(pieces: list[tuple[int, int, CopiedTexts]]) -> tuple[CopiedTexts, int]:
    """Return an object that holds the texts in all pieces, and the number of texts.

    pieces : (first text, text after the last, texts), in order and without gaps
    """
    if len(pieces) == 1:
        return pieces[0][2], pieces[0][1]
    count = pieces[-1][1] if pieces else 0
    whole = CopiedTexts(count)
    for first, last, texts in pieces:
        whole.append(texts, last - first)
    return whole, count


def used_buffer(memory: PooledBuffer, size: int) -> pa.Buffer:
    """Return the written part of memory. Results must not expose the stale rest, even as a parent."""
    return pa.foreign_buffer(memory.address, size, memory)


def copied_array(binary: bool, validity: pa.Buffer | None, nulls: int, texts: CopiedTexts, rows: int) -> pa.Array:
    """Return copied texts as an array, without the unwritten rest of their memory.

    validity, nulls : a bit per row, and the number of nulls, or None and 0 if no row is null

    >>> copied_array(False, None, 0, CopiedTexts(0), 0).type
    DataType(string)
    """
    offsets = used_buffer(texts.offsets, (rows + 1) * 4)
    raw = texts.data
    data = EMPTY if raw is None else used_buffer(raw, texts.used)
    return pa.Array.from_buffers(string_type(binary, "string"), rows, [validity, offsets, data], null_count=nulls)


def encoded_array(texts: pa.Array) -> pa.Array:
    """Return a column of texts or views as a dictionary column. Requires an unsliced array.

    >>> encoded_array(pa.array(["http", "ftp", None, "http"])).indices.to_pylist()
    [0, 1, None, 0]
    """
    binary = texts.type in (pa.binary(), pa.binary_view())
    kind = string_type(binary, "string")
    validity, *others = texts.buffers()
    views, offsets, raw = (None, *others) if texts.type == kind else (others[0], None, None)
    numbers = PooledBuffer(4 * len(texts))
    places = [buffer.address if buffer else 0 for buffer in (views, offsets, raw, validity)]
    words = _columns.encode_words(places[0], places[1], places[2], places[3], len(texts), numbers.address)
    if words is None:
        return texts.cast(kind).dictionary_encode()
    data = used_buffer(numbers, 4 * len(texts))
    indices = pa.Array.from_buffers(pa.int32(), len(texts), [validity, data])
    return pa.DictionaryArray.from_arrays(indices, pa.array(words, pa.binary()).cast(kind))
