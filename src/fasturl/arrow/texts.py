"""Columns of texts from columns of texts: ``quote`` and its kin, with the answers of the functions of one text."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import Any

import pyarrow as pa

from fasturl import _columns
from fasturl.arrow.columns_in import Rows, Strings, as_arrays, is_binary, new_buffers, plain_arrays, spread, string_type
from fasturl.arrow.threads import run

__all__ = ["normalize", "query_value", "quote", "redact", "unquote"]

# Of memory for texts that are new; one that needs more gets as much as it needs.
_BLOCK_MIN, _BLOCK_MAX = 1 << 12, 1 << 22
_OCTETS_A_ROW = 64
_EMPTY = pa.py_buffer(b"")


class _Mapped:
    """One array being worked on: where its views go, and the blocks of octets that stand nowhere in the input."""

    def __init__(self, source: Rows, work: _columns.Work) -> None:
        self.column = source.column
        self.rows = source.rows
        self.named = source.named
        self.work = work
        self.otherwise = len(self.named)
        if work.otherwise is not None:
            self.named = [*self.named, pa.py_buffer(work.otherwise)]
        (self.views, self.validity), _ = new_buffers(self.rows * 16, (self.rows + 7) // 8)
        self.nulls = 0
        self.blocks: list[pa.Buffer] = []
        self.lock = Lock()
        self.usual_block = min(max(_BLOCK_MIN, self.rows * _OCTETS_A_ROW), _BLOCK_MAX)

    def run(self, start: int, end: int, task: int) -> None:
        number, memory = -1, None

        def trim(used: int) -> None:
            """Give away no more of a block than was written: what else stands there is of batches before."""
            if memory is not None:
                self.blocks[number] = pa.foreign_buffer(memory.address, used, memory)

        def take(octets: int, used: int) -> tuple[int, int, int]:
            nonlocal number, memory
            trim(used)
            size = max(octets, self.usual_block)
            memory = _columns.PooledBuffer(size)
            with self.lock:
                number = len(self.blocks)
                self.blocks.append(_EMPTY)
            return memory.address, size, len(self.named) + number

        nulls, used = _columns.map_rows(
            self.column,
            self.work,
            self.views.address,
            self.validity.address,
            start=start,
            end=end,
            take=take,
            otherwise_buffer=self.otherwise,
        )
        trim(used)
        with self.lock:
            self.nulls += nulls

    def result(self, view: pa.DataType) -> pa.Array:
        named = [_EMPTY] * len(self.named) if self.work.copies else self.named
        buffers = [self.validity if self.nulls else None, self.views, *named, *self.blocks]
        return pa.Array.from_buffers(view, self.rows, buffers, null_count=self.nulls)


def mapped(
    arrays: list[pa.Array],
    kind: pa.DataType,
    chunked: bool,
    work: _columns.Work,
    threads: int | None,
    strings: Strings,
) -> pa.Array | pa.ChunkedArray:
    binary = is_binary(kind)
    target, view = string_type(binary, strings), string_type(binary, "view")
    pieces = list(plain_arrays(arrays))
    jobs = [_Mapped(rows, work) for rows, _ in pieces]
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
    Returns an Array, or a ChunkedArray when the column came in chunks: of text for text, of octets for octets. Nulls
    stay null. A text that needs no escape is a view of where it stands in the input.
    Raises: TypeError for another column or ``safe``, ValueError for a text of over 2**30 octets, or one that becomes
    over 2**31 - 1. Cost: O(octets). Source: as fasturl.quote.

    >>> quote(["/caf\xe9 & bar", None, "abc"]).to_pylist()
    ['/caf%C3%A9%20%26%20bar', None, 'abc']
    """
    return mapped(*as_arrays(column), _columns.quoting(safe), threads, strings)


def unquote(column: Any, *, threads: int | None = None, strings: Strings = "view") -> pa.Array | pa.ChunkedArray:
    """Read the escapes of each text of a column: ``fasturl.unquote``, and for octets ``fasturl.unquote_to_bytes``.

    column, threads, strings : as for :func:`parse`
    Returns as :func:`quote`. In text, what escapes decode to is read as UTF-8, and errors become U+FFFD; octets are
    what they are. A text without an escape is a view of where it stands in the input.
    Raises: TypeError for another column, ValueError for a text of over 2**30 octets. Cost: O(octets).
    Source: as fasturl.unquote.

    >>> unquote(["caf%C3%A9%20100%", None, "%FF"]).to_pylist(), unquote([b"%FF"]).to_pylist()
    (['caf\xe9 100%', None, '\ufffd'], [b'\\xff'])
    """
    arrays, kind, chunked = as_arrays(column)
    return mapped(arrays, kind, chunked, _columns.unquoting(text=not is_binary(kind)), threads, strings)


def query_value(
    column: Any,
    name: str | bytes,
    default: str | bytes | None = None,
    *,
    threads: int | None = None,
    strings: Strings = "view",
) -> pa.Array | pa.ChunkedArray:
    """The first value of a name in the query of each URL of a column: ``fasturl.query_value``.

    column, threads, strings : as for :func:`parse`
    name : str, or bytes-like for a column of octets; compared with the decoded names of the query
    default : what a row without that name has: str for text, bytes-like for octets, None for null
    Returns as :func:`quote`. Nulls stay null, whatever the default is. A value with neither ``%`` nor ``+`` is a view
    of where it stands in the input.
    Raises: TypeError for another column, name or default, ValueError for a text of over 2**30 octets.
    Cost: O(octets). Source: as fasturl.query_value.

    >>> query_value(["http://h/?a=1&b=x+%C3%A9", "/p?b", "/p", None], "b").to_pylist()
    ['x \xe9', '', None, None]
    """
    arrays, kind, chunked = as_arrays(column)
    text = not is_binary(kind)
    if default is None:
        otherwise = None
    elif text and isinstance(default, str):
        otherwise = default.encode()
    elif not text and not isinstance(default, str):
        otherwise = bytes(memoryview(default))
    else:
        raise TypeError(f"the default of a column of {kind} cannot be {type(default).__name__}")
    return mapped(arrays, kind, chunked, _columns.valuing(name, otherwise, text=text), threads, strings)


def normalize(column: Any, *, threads: int | None = None, strings: Strings = "view") -> pa.Array | pa.ChunkedArray:
    """The normal form of each URL of a column, equal for two that RFC 1738 calls equivalent: ``fasturl.normalize``.

    column, threads, strings : as for :func:`parse`
    Returns as :func:`quote`. A URL in its normal form is a view of where it stands in the input.
    Raises: TypeError for another column, ValueError for a text of over 2**30 octets. Cost: O(octets).
    Source: RFC 1738 sections 2.1, 2.2 and 3.1.

    >>> normalize(["HTTP://EXAMPLE.com:80/%7euser/%41", None]).to_pylist()
    ['http://example.com/%7Euser/A', None]
    """
    return mapped(*as_arrays(column), _columns.normalizing(), threads, strings)


def redact(
    column: Any,
    keys: str | bytes | Iterable[str | bytes] = (),
    *,
    threads: int | None = None,
    strings: Strings = "view",
) -> pa.Array | pa.ChunkedArray:
    """Each URL of a column with ``***`` for its password and the values of some query parameters: ``fasturl.redact``.

    column, threads, strings : as for :func:`parse`
    keys : a name or an iterable of names (str, or bytes-like for a column of octets), compared with the decoded names
        of the query
    Returns as :func:`quote`, but all texts are copied: the result holds no buffer of the input, with its secrets.
    Raises: TypeError for another column or key, ValueError for a text of over 2**30 octets, or one that becomes over
    2**31 - 1. Cost: O(octets); each name in a query is compared with each of the keys.
    Source: RFC 1738 sections 3.1 and 6.

    >>> redact(["ftp://me:secret@h/x?token=abc&n=1", None], ["token"]).to_pylist()
    ['ftp://me:***@h/x?token=***&n=1', None]
    """
    arrays, kind, chunked = as_arrays(column)
    names = (keys,) if isinstance(keys, (str, bytes)) else keys
    return mapped(arrays, kind, chunked, _columns.redacting(names, text=not is_binary(kind)), threads, strings)
