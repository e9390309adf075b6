"""Columns of texts from columns of texts: ``quote`` and its kin, with the answers of the functions of one text."""

from __future__ import annotations

from threading import Lock
from typing import Any

import pyarrow as pa

from fasturl import _columns, _textcolumns
from fasturl.arrow.columns_in import Rows, Strings, as_arrays, is_binary, plain, run, spread, string_type

__all__ = ["quote", "unquote"]

_BLOCK_MIN, _BLOCK_MAX = 1 << 12, 1 << 22  # of memory for texts that are new; for one that is longer as much as it needs
_OCTETS_A_ROW = 64


class _Mapped(Rows):
    """One array being worked on: where its views go, and the blocks of octets that stand nowhere in the input."""

    def __init__(self, array: pa.Array, work: _textcolumns.Work) -> None:
        super().__init__(array)
        self.work = work
        bitmap = -(-self.rows // 512) * 64
        room = pa.py_buffer(_columns.Room(self.rows * 16 + bitmap))
        self.validity, self.views = room.slice(0, bitmap), room.slice(bitmap)
        self.nulls = 0
        self.blocks: list[pa.Buffer] = []
        self.lock = Lock()
        self.usual_block = min(max(_BLOCK_MIN, self.rows * _OCTETS_A_ROW), _BLOCK_MAX)

    def take(self, octets: int) -> tuple[int, int, int]:
        """Room for that many octets at least: address, size, and the number that views name it by."""
        block = pa.py_buffer(_columns.Room(max(octets, self.usual_block)))
        with self.lock:
            self.blocks.append(block)
            return block.address, block.size, len(self.named) + len(self.blocks) - 1

    def run(self, start: int, end: int, task: int) -> None:
        nulls = _textcolumns.map_rows(
            self.source.address,
            self.work,
            self.views.address,
            self.validity.address,
            start=start,
            end=end,
            take=self.take,
        )
        with self.lock:
            self.nulls += nulls

    def result(self, view: pa.DataType) -> pa.Array:
        buffers = [self.validity if self.nulls else None, self.views, *self.named, *self.blocks]
        return pa.Array.from_buffers(view, self.rows, buffers, null_count=self.nulls)


def _mapped(
    arrays: list[pa.Array], kind: pa.DataType, chunked: bool, work: _textcolumns.Work, threads: int | None, strings: Strings
) -> pa.Array | pa.ChunkedArray:
    binary = is_binary(kind)
    target, view = string_type(binary, strings), string_type(binary, "view")
    pieces = [plain(array) for array in arrays]
    jobs = [_Mapped(array, work) for array, _ in pieces]
    run(jobs, threads)
    results = []
    for job, (_, indices) in zip(jobs, pieces, strict=True):
        result = spread(job.result(view), indices)
        results.append(result if target == view else result.cast(target))
    return pa.chunked_array(results, target) if chunked else results[0]


def quote(
    column: Any, safe: str | bytes = "/", *, threads: int | None = None, strings: Strings = "view"
) -> pa.Array | pa.ChunkedArray:
    """Escape each text of a column: ``fasturl.quote``, and for octets ``fasturl.quote_from_bytes``.

    column : as for :func:`parse`
    safe : ASCII characters that stay, besides letters, digits and ``_.-~``
    threads, strings : as for :func:`parse`
    Returns an Array, or a ChunkedArray when the column came in chunks: of text for text, of octets for octets. Nulls stay
    null. A text that needs no escape is a view of where it stands in the input.
    Raises: TypeError for another column or ``safe``, ValueError for a text of over 2**30 octets, or one that becomes
    over 2**31 - 1. Cost: O(octets). Source: as fasturl.quote.

    >>> quote(["/caf\xe9 & bar", None, "abc"]).to_pylist()
    ['/caf%C3%A9%20%26%20bar', None, 'abc']
    """
    return _mapped(*as_arrays(column), _textcolumns.quoting(safe), threads, strings)


def unquote(column: Any, *, threads: int | None = None, strings: Strings = "view") -> pa.Array | pa.ChunkedArray:
    """Read the escapes of each text of a column: ``fasturl.unquote``, and for octets ``fasturl.unquote_to_bytes``.

    column, threads, strings : as for :func:`parse`
    Returns as :func:`quote`. In text, what escapes decode to is read as UTF-8, and errors become U+FFFD; octets are what
    they are. A text without an escape is a view of where it stands in the input.
    Raises: TypeError for another column, ValueError for a text of over 2**30 octets. Cost: O(octets).
    Source: as fasturl.unquote.

    >>> unquote(["caf%C3%A9%20100%", None, "%FF"]).to_pylist(), unquote([b"%FF"]).to_pylist()
    (['caf\xe9 100%', None, '\ufffd'], [b'\\xff'])
    """
    arrays, kind, chunked = as_arrays(column)
    return _mapped(arrays, kind, chunked, _textcolumns.unquoting(text=not is_binary(kind)), threads, strings)
