"""Functions from a text column to a text column, for example ``quote``, with the same answers as for one text."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from threading import Lock
from typing import Any, cast

import pyarrow as pa

from fasturl import _columns, _urllib
from fasturl._docstrings import documented
from fasturl._urllib import SECRET_KEYS, checked_mark
from fasturl.arrow.columns_in import (
    EMPTY,
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
from fasturl.arrow.parsing import parse
from fasturl.arrow.threads import run

# Bounds of the blocks for new texts, in bytes. A longer text gets a block of its own size.
_BLOCK_MIN, _BLOCK_MAX = 1 << 12, 1 << 22
_BYTES_A_ROW = 64


class _Mapped:
    """One array in progress, with views into the input and blocks for new texts."""

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
        self.views, self.validity = new_buffers(self.rows * 16, (self.rows + 7) // 8)
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
                self.blocks.append(EMPTY)
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
        named = [EMPTY] * len(self.named) if self.work.copies else self.named
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
    """Map each array in a column. weight : ns per row"""
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
    """Map pairs from two columns. make : returns the work for an array in the second column"""
    pieces, kind, chunked = pair_columns(column, other)
    target = string_type(is_binary(kind), exact(strings))
    new = _Copied if exact(strings) == "string" else _Mapped
    jobs = [new(rows, make(others.column), 60, others) for rows, others in pieces]
    run(jobs, threads)
    results = [job.result(target) for job in jobs]
    return pa.chunked_array(results, target) if chunked else results[0] if results else pa.array([], target)


@documented(parse, ns=20, source="RFC 1738 section 2.2")
def quote(
    column: Any, safe: str | bytes = "/", *, threads: int | None = None, strings: Strings = "string"
) -> pa.Array | pa.ChunkedArray:
    """Escape each text. This is the column form of ``fasturl.quote``.

    Binary columns follow ``fasturl.quote_from_bytes``.

    Parameters
    ----------
    safe : str or bytes
        ASCII characters to keep, in addition to letters, digits and ``_.-~``.

    Returns
    -------
    pyarrow.Array or pyarrow.ChunkedArray
        A result for each row: strings for text, and binary for bytes. A chunked column gives a ChunkedArray.

    Raises
    ------
    TypeError
        If the column holds neither text nor bytes, or if an argument has a wrong type.
    ValueError
        If you pass an unknown option, if a text has more than ``2**30`` bytes, or if an array's copies have more than
        ``2**31 - 1`` bytes.

    Examples
    --------
    >>> quote(["/caf\xe9 & bar", None, "abc"]).to_pylist()
    ['/caf%C3%A9%20%26%20bar', None, 'abc']
    """
    return map_texts(*as_arrays(column), _columns.quoting(safe), threads, strings)


@documented(quote, parse, ns=10, source="RFC 1738 section 2.2")
def unquote(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Decode the escapes in each text. This is the column form of ``fasturl.unquote``.

    Binary columns follow ``fasturl.unquote_to_bytes``. In text, invalid UTF-8 becomes U+FFFD.

    Examples
    --------
    >>> unquote(["caf%C3%A9%20100%", None, "%FF"]).to_pylist(), unquote([b"%FF"]).to_pylist()
    (['caf\xe9 100%', None, '\ufffd'], [b'\\xff'])
    """
    arrays, kind, chunked = as_arrays(column)
    return map_texts(arrays, kind, chunked, _columns.unquoting(text=not is_binary(kind)), threads, strings)


@documented(quote, parse, ns=20, source="RFC 1738 section 2.2, and HTML's form encoding")
def quote_plus(
    column: Any, safe: str | bytes = "", *, threads: int | None = None, strings: Strings = "string"
) -> pa.Array | pa.ChunkedArray:
    """Escape each text as a form's value. This is the column form of ``fasturl.quote_plus``.

    A space becomes ``+``. Use it for names and values in a query, for example for ``a b/c``.

    Examples
    --------
    >>> quote_plus(["a b/c+d", None]).to_pylist()
    ['a+b%2Fc%2Bd', None]
    """
    return map_texts(*as_arrays(column), _columns.quoting(safe, plus=True), threads, strings)


@documented(quote, parse, ns=10, source="RFC 1738 section 2.2, and HTML's form encoding")
def unquote_plus(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Decode the escapes in each text, and ``+`` as a space. This is the column form of ``fasturl.unquote_plus``.

    You can also pass a binary column. In text, invalid UTF-8 becomes U+FFFD.

    Examples
    --------
    >>> unquote_plus(["a+b%2Bc", None]).to_pylist()
    ['a b+c', None]
    """
    arrays, kind, chunked = as_arrays(column)
    work = _columns.unquoting(text=not is_binary(kind), plus=True)
    return map_texts(arrays, kind, chunked, work, threads, strings)


@documented(quote, parse, ns=10, source="RFC 1738 sections 2.2 and 6")
def unquote_safe(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Decode each text, but keep escapes for control characters. This is the column form of ``fasturl.unquote_safe``.

    Use it when you show texts in a log or a terminal. Binary results are valid UTF-8 too. Invalid UTF-8 becomes U+FFFD.

    Examples
    --------
    >>> unquote_safe(["a%20b%0d%0aSet-Cookie%3a", None]).to_pylist(), unquote_safe([b"%9B\\xff"]).to_pylist()
    (['a b%0d%0aSet-Cookie:', None], [b'\\xef\\xbf\\xbd\\xef\\xbf\\xbd'])
    """
    arrays, kind, chunked = as_arrays(column)
    return map_texts(arrays, kind, chunked, _columns.unquoting_safely(text=not is_binary(kind)), threads, strings)


def join_row(base: str | bytes, text: bytes) -> bytes | None:
    """Return a reference joined to a base, or None if urljoin refuses the reference.

    >>> join_row("http://h/a", b"b")
    b'http://h/b'
    """
    try:
        base = base if isinstance(base, str) else base.decode("utf-8", "surrogateescape")
        found: str = _urllib.urljoin(base, text.decode("utf-8", "surrogateescape"))
        return found.encode("utf-8", "surrogateescape")
    except ValueError:
        return None


@documented(quote, parse, ns=20, source="RFC 3986 section 5.2, where urllib follows it")
def urljoin(
    base: str | bytes | Any, column: Any, *, threads: int | None = None, strings: Strings = "string"
) -> pa.Array | pa.ChunkedArray:
    """Resolve each text relative to a base URL. This is the column form of ``fasturl.urljoin``.

    Parameters
    ----------
    base : str, bytes or array-like
        A base for all rows, or a column with a base for each row. Pass bytes when the other column holds bytes.

    Returns
    -------
    pyarrow.Array or pyarrow.ChunkedArray
        A URL for each row: strings for text, and binary for bytes. If urljoin refuses a text, you get null, for example
        for a host with only one bracket.

    Raises
    ------
    TypeError
        If a column holds neither text nor bytes, or if you mix text and bytes.
    ValueError
        If the columns have different lengths, or if a text has more than ``2**30`` bytes.

    Notes
    -----
    A row needs a Python call when urllib would strip its text, or when versions of Python disagree about it.

    Examples
    --------
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


@documented(quote, parse, ns=10)
def query_value(
    column: Any,
    name: str | bytes | Any,
    default: str | bytes | None = None,
    *,
    threads: int | None = None,
    strings: Strings = "string",
) -> pa.Array | pa.ChunkedArray:
    """Return the first value for a name in each URL's query. This is the column form of ``fasturl.query_value``.

    Parameters
    ----------
    name : str, bytes or array-like
        A name for all rows, or a column with a name for each row. Names are compared with the decoded query. Pass
        bytes when the other column holds bytes.
    default : str or bytes, optional
        The result for a URL without the name. By default, you get null. A null URL always stays null.

    Raises
    ------
    TypeError
        If a column holds neither text nor bytes, or if you mix text and bytes.
    ValueError
        If a single name contains ``*``, if the columns have different lengths, or if a text has more than ``2**30``
        bytes.

    Notes
    -----
    In a column of names, ``*`` is an ordinary character.

    Examples
    --------
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


@documented(quote, parse, ns=40, source="RFC 1738 sections 2.1, 2.2 and 3.1")
def normalize(column: Any, *, threads: int | None = None, strings: Strings = "string") -> pa.Array | pa.ChunkedArray:
    """Return each URL's normal form by RFC 1738. This is the column form of ``fasturl.normalize``.

    URLs with the same normal form are equivalent, so you can group or join by the result.

    Examples
    --------
    >>> normalize(["HTTP://EXAMPLE.com:80/%7euser/%41", None]).to_pylist()
    ['http://example.com/%7Euser/A', None]
    """
    return map_texts(*as_arrays(column), _columns.normalizing(), threads, strings, weight=40)


@documented(quote, parse, ns=25, source="RFC 1738 sections 3.1 and 6")
def redact(
    column: Any,
    keys: str | bytes | Iterable[str | bytes] | None = None,
    *,
    mark: str | bytes = b"***",
    user: bool = False,
    threads: int | None = None,
    strings: Strings = "string",
) -> pa.Array | pa.ChunkedArray:
    """Hide the passwords, tokens and secret values in each URL. This is the column form of ``fasturl.redact``.

    Redact a column before you store or share it. The result never points into the input, so no buffer in the result
    holds a secret.

    Parameters
    ----------
    keys : str, bytes or iterable, optional
        The names whose values you want to hide. They must be bytes when the column holds bytes. By default, names in
        ``fasturl.SECRET_KEYS`` are hidden. For example, ``*token`` matches every name that ends so.
    mark : str or bytes
        The text to write for a secret: 1 to 64 letters, digits and characters in ``-._~*``.
    user : bool
        True to hide the user too.
    strings : {"string", "view"}
        "view" returns string views, which point into copies.

    Notes
    -----
    Each name in a query is compared with each key.

    Examples
    --------
    >>> redact(["ftp://me:secret@h/x?token=abc&n=1", None]).to_pylist()
    ['ftp://me:***@h/x?token=***&n=1', None]
    """
    arrays, kind, chunked = as_arrays(column)
    text = not is_binary(kind)
    keys = SECRET_KEYS if keys is None else keys
    names = (keys,) if isinstance(keys, (str, bytes)) else keys
    work = _columns.redacting(names, checked_mark(mark), text=text, user=user)
    return map_texts(arrays, kind, chunked, work, threads, strings)
