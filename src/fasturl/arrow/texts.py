"""Columns of texts from columns of texts: ``quote`` and its kin, with the answers of the functions of one text."""

from __future__ import annotations

from collections.abc import Iterable
from threading import Lock
from typing import Any

import pyarrow as pa

from fasturl import _columns
from fasturl.arrow.columns_in import (
    Rows,
    Strings,
    as_arrays,
    exact,
    is_binary,
    new_buffers,
    plain_arrays,
    spread,
    string_type,
)
from fasturl.arrow.copies import copied_array
from fasturl.arrow.threads import run
from fasturl.dropin import urljoin

__all__ = [
    "join",
    "normalize",
    "query_value",
    "quote",
    "quote_plus",
    "redact",
    "unquote",
    "unquote_plus",
    "unquote_safe",
]

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


class _Copied:
    """One array being worked on, whose texts are all copied."""

    def __init__(self, source: Rows, work: _columns.Work) -> None:
        self.column, self.rows, self.work = source.column, source.rows, work
        self.validity = _columns.PooledBuffer((self.rows + 7) // 8)
        self.nulls = 0
        self.pieces: list[tuple[int, int, _columns.CopiedTexts]] = []
        self.lock = Lock()

    def run(self, start: int, end: int, task: int) -> None:
        texts = _columns.CopiedTexts(end - start)
        nulls = _columns.map_copies(self.column, self.work, texts, self.validity.address, start=start, end=end)
        with self.lock:
            self.nulls += nulls
            self.pieces.append((start, end, texts))

    def result(self, kind: pa.DataType) -> pa.Array:
        bits = pa.foreign_buffer(self.validity.address, (self.rows + 7) // 8, self.validity) if self.nulls else None
        return copied_array(kind == pa.binary(), bits, self.nulls, self.pieces)


def mapped(
    arrays: list[pa.Array],
    kind: pa.DataType,
    chunked: bool,
    work: _columns.Work,
    threads: int | None,
    strings: Strings,
) -> pa.Array | pa.ChunkedArray:
    strings = exact(strings)
    target = string_type(is_binary(kind), strings)
    pieces = list(plain_arrays(arrays))
    new = _Copied if strings == "string" else _Mapped
    jobs = [new(rows, work) for rows, _ in pieces]
    run(jobs, threads)
    results = [spread(job.result(target), indices) for job, (_, indices) in zip(jobs, pieces, strict=True)]
    return pa.chunked_array(results, target) if chunked else results[0]


def quote(
    column: Any, safe: str | bytes = "/", *, threads: int | None = None, strings: Strings = "string"
) -> pa.Array | pa.ChunkedArray:
    """Escape each text of a column: ``fasturl.quote``, and for octets ``fasturl.quote_from_bytes``.

    column : as for :func:`parse`
    safe : ASCII characters that stay, besides letters, digits and ``_.-~``
    threads, strings : as for :func:`parse`
    Returns an Array, or a ChunkedArray when the column came in chunks: of text for text, of octets for octets. Nulls
    stay null. As a view, a text that needs no escape names where it stands in the input.
    Raises: TypeError for another column or ``safe``, ValueError for a text of over 2**30 octets, or one that becomes
    over 2**31 - 1. Cost: O(octets). Source: as fasturl.quote.

    >>> quote(["/caf\xe9 & bar", None, "abc"]).to_pylist()
    ['/caf%C3%A9%20%26%20bar', None, 'abc']
    """
    return mapped(*as_arrays(column), _columns.quoting(safe), threads, strings)


def unquote(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Read the escapes of each text of a column: ``fasturl.unquote``, and for octets ``fasturl.unquote_to_bytes``.

    column, threads, strings : as for :func:`parse`
    Returns as :func:`quote`. In text, what escapes decode to is read as UTF-8, and errors become U+FFFD; octets are
    what they are. As a view, a text without an escape names where it stands in the input.
    Raises: TypeError for another column, ValueError for a text of over 2**30 octets. Cost: O(octets).
    Source: as fasturl.unquote.

    >>> unquote(["caf%C3%A9%20100%", None, "%FF"]).to_pylist(), unquote([b"%FF"]).to_pylist()
    (['caf\xe9 100%', None, '\ufffd'], [b'\\xff'])
    """
    arrays, kind, chunked = as_arrays(column)
    return mapped(arrays, kind, chunked, _columns.unquoting(text=not is_binary(kind)), threads, strings)


def quote_plus(
    column: Any, safe: str | bytes = "", *, threads: int | None = None, strings: Strings = "string"
) -> pa.Array | pa.ChunkedArray:
    """Escape each text of a column as a form's value: ``fasturl.quote_plus``, a space as ``+``.

    As :func:`quote`, but that no ``/`` stays unless ``safe`` says so.

    >>> quote_plus(["a b/c+d", None]).to_pylist()
    ['a+b%2Fc%2Bd', None]
    """
    return mapped(*as_arrays(column), _columns.quoting(safe, plus=True), threads, strings)


def unquote_plus(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Read the escapes of each text of a column, and ``+`` as a space: ``fasturl.unquote_plus``.

    As :func:`unquote`; octets are what they are, with a space for ``+``.

    >>> unquote_plus(["a+b%2Bc", None]).to_pylist()
    ['a b+c', None]
    """
    arrays, kind, chunked = as_arrays(column)
    work = _columns.unquoting(text=not is_binary(kind), plus=True)
    return mapped(arrays, kind, chunked, work, threads, strings)


def unquote_safe(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Read the escapes of each text of a column, but those of control characters: ``fasturl.unquote_safe``.

    As :func:`unquote`, but that octets become UTF-8, too, with U+FFFD for what is none.

    >>> unquote_safe(["a%20b%0d%0aSet-Cookie%3a", None]).to_pylist(), unquote_safe([b"%9B\\xff"]).to_pylist()
    (['a b%0d%0aSet-Cookie:', None], [b'\\xef\\xbf\\xbd\\xef\\xbf\\xbd'])
    """
    arrays, kind, chunked = as_arrays(column)
    return mapped(arrays, kind, chunked, _columns.unquoting_safely(text=not is_binary(kind)), threads, strings)


def join(
    base: str | bytes, column: Any, *, threads: int | None = None, strings: Strings = "string"
) -> pa.Array | pa.ChunkedArray:
    """Read each text of a column relative to one URL: ``fasturl.urljoin(base, text)``.

    base : str, or bytes-like for a column of octets
    column, threads, strings : as for :func:`parse`
    Returns as :func:`quote`. What urljoin refuses (a host with one bracket) is null, and nulls stay null; octets that
    are not ASCII, which urljoin refuses in bytes, stay what they are. Views of URLs of other schemes name the input.
    Raises: TypeError for another column or base, ValueError for a text of over 2**30 octets.
    Cost: O(octets); a Python call for a text that urllib would strip, or that Pythons differ in. Source: as urljoin.

    >>> join("http://h/a/b?q", ["../c", "//x/y", "", None]).to_pylist()
    ['http://h/c', 'http://x/y', 'http://h/a/b?q', None]
    """
    arrays, kind, chunked = as_arrays(column)
    if is_binary(kind) == isinstance(base, str):
        raise TypeError(f"the base of a column of {kind} cannot be {type(base).__name__}")
    octets = base.encode() if isinstance(base, str) else bytes(memoryview(base))
    against = octets.decode("utf-8", "surrogateescape")

    def joined(text: bytes) -> bytes | None:
        try:
            found: str = urljoin(against, text.decode("utf-8", "surrogateescape"))
            return found.encode("utf-8", "surrogateescape")
        except ValueError:
            return None

    return mapped(arrays, kind, chunked, _columns.joining(octets, joined), threads, strings)


def query_value(
    column: Any,
    name: str | bytes,
    default: str | bytes | None = None,
    *,
    threads: int | None = None,
    strings: Strings = "string",
) -> pa.Array | pa.ChunkedArray:
    """The first value of a name in the query of each URL of a column: ``fasturl.query_value``.

    column, threads, strings : as for :func:`parse`
    name : str, or bytes-like for a column of octets; compared with the decoded names of the query
    default : what a row without that name has: str for text, bytes-like for octets, None for null
    Returns as :func:`quote`. Nulls stay null, whatever the default is. As a view, a value with neither ``%``
    nor ``+`` names where it stands in the input.
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


def normalize(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """The normal form of each URL of a column, equal for two that RFC 1738 calls equivalent: ``fasturl.normalize``.

    column, threads, strings : as for :func:`parse`
    Returns as :func:`quote`. As a view, a URL in its normal form names where it stands in the input.
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
    strings: Strings = "string",
) -> pa.Array | pa.ChunkedArray:
    """Each URL of a column with ``***`` for its password and the values of some query parameters: ``fasturl.redact``.

    column, threads, strings : as for :func:`parse`
    keys : a name or an iterable of names (str, or bytes-like for a column of octets), compared with the decoded names
        of the query
    Returns as :func:`quote`, but views are of copies: the result holds no buffer of the input, with its secrets.
    Raises: TypeError for another column or key, ValueError for a text of over 2**30 octets, or one that becomes over
    2**31 - 1. Cost: O(octets); each name in a query is compared with each of the keys.
    Source: RFC 1738 sections 3.1 and 6.

    >>> redact(["ftp://me:secret@h/x?token=abc&n=1", None], ["token"]).to_pylist()
    ['ftp://me:***@h/x?token=***&n=1', None]
    """
    arrays, kind, chunked = as_arrays(column)
    names = (keys,) if isinstance(keys, (str, bytes)) else keys
    return mapped(arrays, kind, chunked, _columns.redacting(names, text=not is_binary(kind)), threads, strings)
