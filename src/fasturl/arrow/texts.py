"""Functions from a text column to a text column, such as ``quote``, with the answers of the functions of one text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any, cast

import pyarrow as pa

from fasturl import _columns, _urllib
from fasturl._urllib import SECRET_KEYS, checked_mark
from fasturl.arrow.columns_in import (
    TEXTS,
    Rows,
    Strings,
    as_arrays,
    exact,
    is_binary,
    new_buffers,
    pair_columns,
    plain_arrays,
    spread,
    string_type,
)
from fasturl.arrow.copies import TextsInOrder, copied_array, used_buffer
from fasturl.arrow.threads import run

# Bounds of the blocks for new texts, in bytes. A longer text gets a block of its own size.
_BLOCK_MIN, _BLOCK_MAX = 1 << 12, 1 << 22
_BYTES_A_ROW = 64
_EMPTY = pa.py_buffer(b"")


class _Mapped:
    """One array in progress: its views, and the blocks for texts that are not in the input."""

    def __init__(self, source: Rows, work: _columns.Work, weight: int, other: Rows | None = None) -> None:
        self.weight = weight
        self.kept = source, other  # the buffers of both columns
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

    def run(self, start: int, end: int, task: int) -> None:
        number, memory = -1, None
        usual_block = min(max(_BLOCK_MIN, (end - start) * _BYTES_A_ROW), _BLOCK_MAX)

        def trim(used: int) -> None:
            """Trim the last block to its written bytes. The rest may hold stale bytes of earlier batches."""
            if memory is not None:
                self.blocks[number] = used_buffer(memory, used)

        def take(size: int, used: int) -> tuple[int, int, int]:
            nonlocal number, memory
            trim(used)
            size = max(size, usual_block)
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


class _Copied:
    """One array in progress, with copies of all texts."""

    def __init__(self, source: Rows, work: _columns.Work, weight: int, other: Rows | None = None) -> None:
        self.kept = source, other
        # Appending the texts of a piece takes some 5 ns per row: more than a tenth of a job of up to 30 ns.
        self.weight = weight if weight > 30 else 0
        self.column, self.rows, self.work = source.column, source.rows, work
        self.validity = _columns.PooledBuffer((self.rows + 7) // 8)
        self.nulls = 0
        self.texts = TextsInOrder(self.rows, 1)
        self.lock = Lock()

    def run(self, start: int, end: int, task: int) -> None:
        texts = _columns.CopiedTexts(end - start, *self.texts.spaces(end - start))
        nulls = _columns.map_copies(self.column, self.work, texts, self.validity.address, start=start, end=end)
        self.texts.add(start, end, [texts])
        with self.lock:
            self.nulls += nulls

    def result(self, kind: pa.DataType) -> pa.Array:
        bits = used_buffer(self.validity, (self.rows + 7) // 8) if self.nulls else None
        (texts,) = self.texts.columns()
        return copied_array(kind == pa.binary(), bits, self.nulls, texts, self.rows)


def map_texts(
    arrays: list[pa.Array],
    kind: pa.DataType,
    chunked: bool,
    work: _columns.Work,
    threads: int | None,
    strings: Strings,
    weight: int = 8,
) -> pa.Array | pa.ChunkedArray:
    """Do some work on each array of a column. weight : ns per row"""
    strings = exact(strings)
    target = string_type(is_binary(kind), strings)
    pieces = list(plain_arrays(arrays))
    new = _Copied if strings == "string" else _Mapped
    jobs = [new(rows, work, weight) for rows, _ in pieces]
    run(jobs, threads)
    results = [spread(job.result(target), indices) for job, (_, indices) in zip(jobs, pieces, strict=True)]
    return pa.chunked_array(results, target) if chunked else results[0]


def _map_pairs(
    column: Any,
    other: Any,
    make: Callable[[_columns.InputColumn], _columns.Work],
    threads: int | None,
    strings: Strings,
) -> pa.Array | pa.ChunkedArray:
    """Do as `map_texts` for the texts of two columns. make : returns the work for an array of the second column."""
    pieces, kind, chunked = pair_columns(column, other)
    target = string_type(is_binary(kind), exact(strings))
    new = _Copied if exact(strings) == "string" else _Mapped
    jobs = [new(rows, make(others.column), 60, others) for rows, others in pieces]
    run(jobs, threads)
    results = [job.result(target) for job in jobs]
    return pa.chunked_array(results, target) if chunked else results[0] if results else pa.array([], target)


def quote(
    column: Any, safe: str | bytes = "/", *, threads: int | None = None, strings: Strings = "string"
) -> pa.Array | pa.ChunkedArray:
    """Escape each text of a column: ``fasturl.quote``, and for bytes ``fasturl.quote_from_bytes``.

    column : as for :func:`parse`
    safe : ASCII characters that stay, in addition to letters, digits and ``_.-~``
    threads, strings : as for :func:`parse`
    Returns an Array, or a ChunkedArray if the column has chunks. It is string for text, and binary for bytes. Nulls
    stay null. With ``strings="view"``, a text that needs no escape is a view of the input.
    Raises: TypeError for another column or ``safe``; ValueError for a text over 2**30 bytes, or a result over
    2**31 - 1 bytes. Cost: O(bytes). Source: as fasturl.quote.

    >>> quote(["/caf\xe9 & bar", None, "abc"]).to_pylist()
    ['/caf%C3%A9%20%26%20bar', None, 'abc']
    """
    return map_texts(*as_arrays(column), _columns.quoting(safe), threads, strings)


def unquote(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Decode the escapes of each text of a column: ``fasturl.unquote``, and for bytes ``fasturl.unquote_to_bytes``.

    column, threads, strings : as for :func:`parse`
    Returns as :func:`quote`. In text, decoded bytes are read as UTF-8, and invalid UTF-8 becomes U+FFFD. Binary results
    hold the decoded bytes. With ``strings="view"``, a text without an escape is a view of the input.
    Raises: TypeError for another column, ValueError for a text over 2**30 bytes. Cost: O(bytes).
    Source: as fasturl.unquote.

    >>> unquote(["caf%C3%A9%20100%", None, "%FF"]).to_pylist(), unquote([b"%FF"]).to_pylist()
    (['caf\xe9 100%', None, '\ufffd'], [b'\\xff'])
    """
    arrays, kind, chunked = as_arrays(column)
    return map_texts(arrays, kind, chunked, _columns.unquoting(text=not is_binary(kind)), threads, strings)


def quote_plus(
    column: Any, safe: str | bytes = "", *, threads: int | None = None, strings: Strings = "string"
) -> pa.Array | pa.ChunkedArray:
    """Escape each text of a column as a form's value, a space as ``+``: ``fasturl.quote_plus``.

    As :func:`quote`, but ``/`` is escaped too unless it is in ``safe``.

    >>> quote_plus(["a b/c+d", None]).to_pylist()
    ['a+b%2Fc%2Bd', None]
    """
    return map_texts(*as_arrays(column), _columns.quoting(safe, plus=True), threads, strings)


def unquote_plus(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Decode the escapes of each text of a column, and ``+`` as a space: ``fasturl.unquote_plus``.

    As :func:`unquote`. It accepts binary columns too.

    >>> unquote_plus(["a+b%2Bc", None]).to_pylist()
    ['a b+c', None]
    """
    arrays, kind, chunked = as_arrays(column)
    work = _columns.unquoting(text=not is_binary(kind), plus=True)
    return map_texts(arrays, kind, chunked, work, threads, strings)


def unquote_safe(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Decode the escapes of each text of a column, except those of control characters: ``fasturl.unquote_safe``.

    As :func:`unquote`, but binary results are valid UTF-8 too, with U+FFFD for invalid sequences.

    >>> unquote_safe(["a%20b%0d%0aSet-Cookie%3a", None]).to_pylist(), unquote_safe([b"%9B\\xff"]).to_pylist()
    (['a b%0d%0aSet-Cookie:', None], [b'\\xef\\xbf\\xbd\\xef\\xbf\\xbd'])
    """
    arrays, kind, chunked = as_arrays(column)
    return map_texts(arrays, kind, chunked, _columns.unquoting_safely(text=not is_binary(kind)), threads, strings)


def join_row(base: str | bytes, text: bytes) -> bytes | None:
    """Return one reference joined to a base, or None if urljoin refuses it.

    >>> join_row("http://h/a", b"b")
    b'http://h/b'
    """
    try:
        base = base if isinstance(base, str) else base.decode("utf-8", "surrogateescape")
        found: str = _urllib.urljoin(base, text.decode("utf-8", "surrogateescape"))
        return found.encode("utf-8", "surrogateescape")
    except ValueError:
        return None


def urljoin(
    base: str | bytes | Any, column: Any, *, threads: int | None = None, strings: Strings = "string"
) -> pa.Array | pa.ChunkedArray:
    """Resolve each text of a column relative to one URL, or to that of its row: ``fasturl.urljoin(base, text)``.

    base : str, or bytes-like for a binary column; or a column of as many rows, of text or binary like the other
    column, threads, strings : as for :func:`parse`
    Returns as :func:`quote`. A text that urljoin refuses (a host with one bracket) is null, and nulls stay null. Bytes
    above 7F, which urljoin refuses in bytes, stay as they are. With ``strings="view"``, a URL of another scheme is a
    view of the input.
    Raises: TypeError for another column or base; ValueError for columns of different lengths or a text over 2**30
    bytes.
    Cost: O(bytes), and one Python call per text that urllib would strip, or on which versions of Python disagree; with
    a column of bases, also per base of another scheme than http and https.
    Source: as urljoin.

    >>> urljoin("http://h/a/b?q", ["../c", "//x/y", "", None]).to_pylist()
    ['http://h/c', 'http://x/y', 'http://h/a/b?q', None]
    >>> urljoin(["http://h/a", "http://g/", None], ["b", "c", "d"]).to_pylist()
    ['http://h/b', 'http://g/c', None]
    """
    if not isinstance(base, TEXTS):
        return _map_pairs(column, base, lambda bases: _columns.joining_each(bases, join_row), threads, strings)
    arrays, kind, chunked = as_arrays(column)
    if is_binary(kind) == isinstance(base, str):
        raise TypeError(f"the base of a column of {kind} cannot be {type(base).__name__}")
    data = base.encode() if isinstance(base, str) else bytes(memoryview(base))
    against = data.decode("utf-8", "surrogateescape")

    return map_texts(
        arrays, kind, chunked, _columns.joining(data, lambda text: join_row(against, text)), threads, strings
    )


def query_value(
    column: Any,
    name: str | bytes | Any,
    default: str | bytes | None = None,
    *,
    threads: int | None = None,
    strings: Strings = "string",
) -> pa.Array | pa.ChunkedArray:
    """The first value of a name in the query of each URL of a column: ``fasturl.query_value``.

    column, threads, strings : as for :func:`parse`
    name : str, or bytes-like for a binary column; or a column of as many rows, of text or binary like the other.
        Compared with the decoded names of the query
    default : the value of a row without that name: str for text, bytes-like for a binary column, None for null
    Returns as :func:`quote`. Nulls stay null, whatever the default is. With ``strings="view"``, a value with neither
    ``%`` nor ``+`` is a view of the input.
    Raises: TypeError for another column, name or default; ValueError for one name with ``*`` (in a column of names, it
    is a character like any other), for columns of different lengths or a text over 2**30 bytes.
    Cost: O(bytes). Source: as fasturl.query_value.

    >>> query_value(["http://h/?a=1&b=x+%C3%A9", "/p?b", "/p", None], "b").to_pylist()
    ['x \xe9', '', None, None]
    >>> query_value(["/?a=1&b=2", "/?a=1&b=2", None], ["a", "b", "a"]).to_pylist()
    ['1', '2', None]
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
    if not isinstance(name, TEXTS):
        return _map_pairs(
            column, name, lambda names: _columns.valuing_each(names, otherwise, text=text), threads, strings
        )
    return map_texts(
        arrays, kind, chunked, _columns.valuing(cast("str | bytes", name), otherwise, text=text), threads, strings
    )


def normalize(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """The normal form of each URL of a column, equal for URLs that RFC 1738 calls equivalent: ``fasturl.normalize``.

    column, threads, strings : as for :func:`parse`
    Returns as :func:`quote`. With ``strings="view"``, a URL in its normal form is a view of the input.
    Raises: TypeError for another column, ValueError for a text over 2**30 bytes. Cost: O(bytes).
    Source: RFC 1738 sections 2.1, 2.2 and 3.1.

    >>> normalize(["HTTP://EXAMPLE.com:80/%7euser/%41", None]).to_pylist()
    ['http://example.com/%7Euser/A', None]
    """
    return map_texts(*as_arrays(column), _columns.normalizing(), threads, strings, weight=40)


def redact(
    column: Any,
    keys: str | bytes | Iterable[str | bytes] | None = None,
    *,
    mark: str | bytes = b"***",
    user: bool = False,
    threads: int | None = None,
    strings: Strings = "string",
) -> pa.Array | pa.ChunkedArray:
    """Each URL of a column with a mark for its passwords, tokens and secret values: ``fasturl.redact``.

    column, threads, strings : as for :func:`parse`
    keys : a name or an iterable of names (str, or bytes-like for a binary column), by default ``fasturl.SECRET_KEYS``
    mark, user : as for ``fasturl.redact``
    Returns as :func:`quote`, but views point into copies: the result keeps no buffer of the input, which has secrets.
    Raises: TypeError for another column or key; ValueError for another mark, a text over 2**30 bytes, or a result over
    2**31 - 1 bytes. Cost: O(bytes). Each name in a query is compared with each key.
    Source: RFC 1738 sections 3.1 and 6.

    >>> redact(["ftp://me:secret@h/x?token=abc&n=1", None]).to_pylist()
    ['ftp://me:***@h/x?token=***&n=1', None]
    """
    arrays, kind, chunked = as_arrays(column)
    text = not is_binary(kind)
    keys = SECRET_KEYS if keys is None else keys
    names = (keys,) if isinstance(keys, (str, bytes)) else keys
    work = _columns.redacting(names, checked_mark(mark), text=text, user=user)
    return map_texts(arrays, kind, chunked, work, threads, strings)
