"""The functions of one URL, for columns. docs/functions.md has their rules.

``FUNCTIONS`` maps names to functions: all functions of ``fasturl._functions``, and some of other modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Literal, TypeAlias

import pyarrow as pa

from fasturl import _columns, _functions
from fasturl.arrow import compute as pc
from fasturl.arrow.columns_in import Rows, Strings, as_arrays, exact, is_binary, string_type
from fasturl.arrow.decomposing import decompose
from fasturl.arrow.gathering import CopiedLists, CopiedValues, Lists, Numbers, Values, equivalent, gather, problems
from fasturl.arrow.parsing import parse
from fasturl.arrow.texts import join, map_texts, query_value, quote_plus, unquote_plus, unquote_safe

__all__ = ["FUNCTIONS", *_functions.__all__]

Form = Literal["url", "request-target"]
HostForm = Literal["url", "request-target", "host"]
Names = str | bytes | Iterable[str | bytes]
Column: TypeAlias = "pa.Array | pa.ChunkedArray"


def _plain(column: Any, name: str, form: Form, threads: int | None, strings: Strings) -> Column:
    return map_texts(*as_arrays(column), _columns.applying(_functions._plain_function(name, form)), threads, strings)


def file_name(column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string") -> Column:
    """The last segment of the path of each URL of a column, without its parameters: ``fasturl.file_name``.

    column, threads, strings : as for ``fasturl.arrow.parse``
    form : "url" or "request-target"
    Returns an Array, or a ChunkedArray if the column has chunks. It is string for text, and binary for bytes. An absent
    part is null, and nulls stay null. With ``strings="view"``, a part is a view of the input.
    Raises: TypeError for another column, ValueError for another form or a text over 2**30 bytes. Cost: O(bytes).

    >>> file_name(["/a/b.c;v=1", "/a/", "//h", None]).to_pylist()
    ['b.c', '', None, None]
    """
    return _plain(column, "file_name", form, threads, strings)


def file_extension(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The text after the last dot of the file name of each URL of a column: ``fasturl.file_extension``.

    As :func:`file_name`.

    >>> file_extension(["/a/b.tar.gz", "/a/b"]).to_pylist()
    ['gz', None]
    """
    return _plain(column, "file_extension", form, threads, strings)


def first_segment(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The first segment of the path of each URL of a column: ``fasturl.first_segment``.

    As :func:`file_name`.

    >>> first_segment(["http://h/blog/1", "http://h"]).to_pylist()
    ['blog', None]
    """
    return _plain(column, "first_segment", form, threads, strings)


def path_and_query(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The path and the query of each URL of a column, without the fragment: ``fasturl.path_and_query``.

    As :func:`file_name`.

    >>> path_and_query(["http://h/a?x=1#f", "http://h"]).to_pylist()
    ['/a?x=1', '']
    """
    return _plain(column, "path_and_query", form, threads, strings)


def query_and_fragment(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The query and the fragment of each URL of a column: ``fasturl.query_and_fragment``.

    As :func:`file_name`.

    >>> query_and_fragment(["/a?x#f", "/a#f", "/a"]).to_pylist()
    ['x#f', '#f', None]
    """
    return _plain(column, "query_and_fragment", form, threads, strings)


def origin(column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string") -> Column:
    """The scheme, host and port of each URL of a column, in lower case: ``fasturl.origin``.

    As :func:`file_name`.

    >>> origin(["HTTP://u@H:80/a", "/a"]).to_pylist()
    ['http://h', None]
    """
    return _plain(column, "origin", form, threads, strings)


def host_kind(column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string") -> Column:
    """The kind of the host of each URL of a column: ``fasturl.host_kind``. Also a field of ``parse``.

    As :func:`file_name`.

    >>> host_kind(["http://h/", "http://127.1/", "/a", None]).to_pylist()
    ['name', 'numeric', 'none', None]
    """
    return parse(column, ["host_kind"], form=form, threads=threads, strings=strings).column(0)


def address_scope(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The scope of the address in each URL of a column: ``fasturl.address_scope``. Also a field of ``parse``.

    As :func:`file_name`.

    >>> address_scope(["http://h/", "http://127.1/", "http://[2001:db8::1]/", None]).to_pylist()
    [None, 'loopback', 'private', None]
    """
    return parse(column, ["address_scope"], form=form, threads=threads, strings=strings).column(0)


def fetch_refusal(
    column: Any,
    *,
    schemes: str | Iterable[str] = ("http", "https"),
    ports: Iterable[int] | None = None,
    addresses: str | Iterable[str] = "global",
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """Why a server must not fetch each URL of a column: ``fasturl.fetch_refusal``.

    As :func:`file_name`. A URL to fetch is null, as is a null; :func:`is_fetchable` distinguishes them. ``schemes``,
    ``ports`` and ``addresses`` are as for ``fasturl.fetch_refusal``.

    >>> fetch_refusal(["https://h/", "http://127.1/", "ftp://h/", None]).to_pylist()
    [None, 'ambiguous', 'scheme', None]
    """
    function = _functions._fetch_refusal_function(schemes, ports, addresses)
    return map_texts(*as_arrays(column), _columns.applying(function), threads, strings, weight=40)


def is_fetchable(
    column: Any,
    *,
    schemes: str | Iterable[str] = ("http", "https"),
    ports: Iterable[int] | None = None,
    addresses: str | Iterable[str] = "global",
    threads: int | None = None,
) -> Column:
    """True for each URL of a column that a server may fetch: ``fasturl.is_fetchable``, as booleans.

    As :func:`fetch_refusal`. A null stays null.

    >>> is_fetchable(["https://h/~u", "javascript:alert(1)", None]).to_pylist()
    [True, False, None]
    """
    arrays, kind, chunked = as_arrays(column)
    function = _functions._fetch_refusal_function(schemes, ports, addresses, empty=True)
    reasons = map_texts(arrays, kind, chunked, _columns.applying(function), threads, "string", weight=40)
    return pc.equal(pc.binary_length(reasons), 0)


def path_template(
    column: Any, *, keep: Names = (), form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The path of each URL of a column with placeholders in place of values: ``fasturl.path_template``.

    As :func:`file_name`. ``keep`` is as for ``fasturl.path_template``, of str for a text column.

    >>> path_template(["http://h/users/42", "/api/2/7.json", None], keep="2").to_pylist()
    ['/users/{n}', '/api/2/{n}.json', None]
    """
    arrays, kind, chunked = as_arrays(column)
    function = _functions._path_template_function(keep, text=not is_binary(kind), form=form)
    return map_texts(arrays, kind, chunked, _columns.applying(function), threads, strings, weight=80)


def without(
    column: Any, *parts: str, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Each URL of a column without some of its parts: ``fasturl.without``.

    As :func:`file_name`. ``parts`` are "scheme", "login", "password", "www", "port", "path", "query", "fragment". With
    ``strings="view"``, the buffers of the result still hold all bytes of the input, removed parts included.

    >>> without(["http://me:pw@www.a.org/b?x#y", None], "login", "www", "query", "fragment").to_pylist()
    ['http://a.org/b', None]
    """
    return map_texts(*as_arrays(column), _columns.applying(_functions._without_function(parts, form)), threads, strings)


def drop_query(
    column: Any, names: Names, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Each URL of a column without some pairs of its query: ``fasturl.drop_query``.

    As :func:`file_name`. ``names`` are str for a text column. A ``*`` in a name matches any characters.

    >>> drop_query(["/a?utm_x=1&b=2", "/a?utm_x=1"], ["utm_*", "fbclid"]).to_pylist()
    ['/a?b=2', '/a']
    """
    arrays, kind, chunked = as_arrays(column)
    function = _functions._drop_query_function(names, text=not is_binary(kind), form=form)
    return map_texts(arrays, kind, chunked, _columns.applying(function), threads, strings)


def _domains(
    column: Any,
    name: str,
    private: bool,
    form: HostForm,
    rules: _functions.Suffixes | None,
    threads: int | None,
    strings: Strings,
) -> Column:
    function = _functions._domain_function(name, private=private, form=form, rules=rules)
    return map_texts(*as_arrays(column), _columns.applying(function), threads, strings, weight=40)


def public_suffix(
    column: Any,
    *,
    private: bool = True,
    form: HostForm = "url",
    rules: _functions.Suffixes | None = None,
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The public suffix of the host of each URL of a column: ``fasturl.public_suffix``.

    As :func:`file_name`. ``private``, ``form`` and ``rules`` are as for ``fasturl.public_suffix``.

    >>> public_suffix(["http://www.example.co.uk/", "http://127.0.0.1/"]).to_pylist()
    ['co.uk', None]
    """
    return _domains(column, "public_suffix", private, form, rules, threads, strings)


def registrable_domain(
    column: Any,
    *,
    private: bool = True,
    form: HostForm = "url",
    rules: _functions.Suffixes | None = None,
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The registrable domain of the host of each URL of a column: ``fasturl.registrable_domain``.

    As :func:`file_name`. ``private``, ``form`` and ``rules`` are as for ``fasturl.registrable_domain``.

    >>> registrable_domain(["http://www.example.co.uk/", None]).to_pylist()
    ['example.co.uk', None]
    """
    return _domains(column, "registrable_domain", private, form, rules, threads, strings)


def subdomain(
    column: Any,
    *,
    private: bool = True,
    form: HostForm = "url",
    rules: _functions.Suffixes | None = None,
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The part of the host before the registrable domain of each URL of a column: ``fasturl.subdomain``.

    As :func:`file_name`. ``private``, ``form`` and ``rules`` are as for ``fasturl.subdomain``.

    >>> subdomain(["http://www.example.co.uk/", "//example.com"]).to_pylist()
    ['www', None]
    """
    return _domains(column, "subdomain", private, form, rules, threads, strings)


def listed(
    column: Any,
    hosts: _functions.HostList | str | Iterable[str],
    *,
    form: HostForm = "url",
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The entry of a host list for the host of each URL of a column, null if there is none: ``fasturl.listed``.

    As :func:`file_name`. ``hosts`` and ``form`` are as for ``fasturl.listed``.

    >>> listed(["http://www.example.com/", "http://example.org/", None], ["example.com"]).to_pylist()
    ['example.com', None, None]
    """
    function = _functions._listed_function(hosts, form=form)
    return map_texts(*as_arrays(column), _columns.applying(function), threads, strings)


def dedup_key(
    column: Any,
    *,
    normalize: bool = True,
    sort: bool = True,
    fragment: bool = False,
    drop: Names | None = None,
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The key of each URL of a column, equal for the spellings of one page: ``fasturl.dedup_key``.

    As :func:`file_name`. ``normalize``, ``sort``, ``fragment`` and ``drop`` are as for ``fasturl.dedup_key``.

    >>> dedup_key(["HTTP://h:80?b&a&gclid=1#f", None]).to_pylist()
    ['http://h/?a&b', None]
    """
    arrays, kind, chunked = as_arrays(column)
    text = not is_binary(kind)
    function = _functions._dedup_key_function(normalize=normalize, sort=sort, fragment=fragment, drop=drop, text=text)
    return map_texts(arrays, kind, chunked, _columns.applying(function), threads, strings, weight=100)


def canonical(
    column: Any,
    *,
    keep_blank_values: bool = True,
    keep_fragments: bool = False,
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The canonical form of each URL of a column, that of w3lib: ``fasturl.canonical``.

    As :func:`file_name`. ``keep_blank_values`` and ``keep_fragments`` are as for ``fasturl.canonical``.

    >>> canonical(["http://H/a/../b?y&x=1#f", "http://h:x/"]).to_pylist()
    ['http://h/b?x=1&y=', None]
    """
    function = _functions._canonical_function(keep_blank_values=keep_blank_values, keep_fragments=keep_fragments)
    return map_texts(*as_arrays(column), _columns.applying(function), threads, strings, weight=140)


def surt(column: Any, *, threads: int | None = None, strings: Strings = "string") -> Column:
    """The SURT key of each URL of a column, by which the indexes of web archives are sorted: ``fasturl.surt``.

    As :func:`file_name`.

    >>> surt(["http://www.Example.com:80/B/?y&x=1#f", "http://h:x/"]).to_pylist()
    ['com,example)/b?x=1&y', None]
    """
    return map_texts(*as_arrays(column), _columns.applying(_functions._surt_function()), threads, strings, weight=140)


def path_depth(column: Any, *, form: Form = "url", threads: int | None = None) -> Column:
    """The number of segments of each URL's path that are not empty: ``fasturl.path_depth``, as uint32.

    As :func:`file_name`.

    >>> path_depth(["http://h/a/b/", "http://h", None]).to_pylist()
    [2, 0, None]
    """
    work = _functions._depths(form=form)
    kind = pa.uint32()
    return gather(as_arrays(column), lambda rows: Numbers(rows, work, kind), Numbers.result, kind, threads)


def dedup_hash(
    column: Any,
    *,
    normalize: bool = True,
    sort: bool = True,
    fragment: bool = False,
    drop: Names | None = None,
    threads: int | None = None,
) -> Column:
    """The XXH64 of :func:`dedup_key`, with seed 0: ``fasturl.dedup_hash``, as uint64.

    >>> [hex(number) for number in dedup_hash(["http://h/?b&a"]).to_pylist()]
    ['0x29648a4f7d51e9ec']
    """
    keys = dedup_key(
        column, normalize=normalize, sort=sort, fragment=fragment, drop=drop, threads=threads, strings="view"
    )
    work = _functions._hashes()
    kind = pa.uint64()
    return gather(as_arrays(keys), lambda rows: Numbers(rows, work, kind), Numbers.result, kind, threads)


# Created once: for one row, creating the types would cost as much as reading the items.
_LISTS = {kind: pa.list_(kind) for kind in (pa.string(), pa.binary(), pa.string_view(), pa.binary_view())}
_PAIRS = {kind: (pair, pa.list_(pair)) for kind in _LISTS for pair in [pa.struct([("name", kind), ("value", kind)])]}


def _list_column(
    column: Any,
    what: str,
    wanted: tuple[bool, bool],
    form: Form,
    threads: int | None,
    strings: Strings,
    *,
    decode: bool = False,
    limit: int = 0,
) -> Column:
    """wanted : (True to list the names, True to list the values)"""
    arrays, kind, chunked = as_arrays(column)
    binary = is_binary(kind)
    strings = exact(strings)
    text = string_type(binary, strings)
    work = _functions._listing(what, form=form, limit=limit, decode=decode, text=not binary)
    pair, lists = _PAIRS[text] if all(wanted) else (text, _LISTS[text])
    copied = strings == "string"

    def finish(job: CopiedLists | Lists) -> pa.Array:
        found = job.children(text)
        if decode and not copied:
            unquoting = _columns.unquoting(text=not binary, plus=True)
            found = [map_texts([items], text, False, unquoting, threads, strings) for items in found]
        if not all(wanted):
            return job.result(found[0], lists)
        return job.result(pa.Array.from_buffers(pair, len(found[0]), [None], null_count=0, children=found), lists)

    def start(rows: Rows) -> CopiedLists | Lists:
        return CopiedLists(rows, work, wanted) if copied else Lists(rows, work, wanted)

    return gather((arrays, kind, chunked), start, finish, lists, threads)


def query_names(
    column: Any, *, decode: bool = True, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The names in the query of each URL of a column, as lists, null without a query: ``fasturl.query_names``.

    As :func:`file_name`. ``decode`` is as for ``fasturl.query_names``.

    >>> query_names(["/a?x=1&a+b=2&x", "/a?", "/a"]).to_pylist()
    [['x', 'a b', 'x'], [], None]
    """
    return _list_column(column, "query", (True, False), form, threads, strings, decode=decode)


def query_pairs(
    column: Any, *, decode: bool = True, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The names and values in the query of each URL of a column: ``fasturl.query_pairs``.

    As :func:`file_name`. The lists hold structs of name and value. A URL without a query is null. ``decode`` is as for
    ``fasturl.query_pairs``.

    >>> query_pairs(["/a?x=%41", None]).to_pylist()
    [[{'name': 'x', 'value': 'A'}], None]
    """
    return _list_column(column, "query", (True, True), form, threads, strings, decode=decode)


def path_prefixes(
    column: Any, *, limit: int = 32, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The paths above each URL's path, and the path itself, as lists: ``fasturl.path_prefixes``.

    As :func:`file_name`. ``limit`` bounds each list. A view takes 16 bytes. The copies of a row take up to ``limit``
    times the length of its URL.

    >>> path_prefixes(["http://h/a/b?x", "/", None]).to_pylist()
    [['/a/', '/a/b'], [], None]
    """
    return _list_column(column, "path_prefixes", (False, True), form, threads, strings, limit=limit)


def url_prefixes(
    column: Any, *, limit: int = 32, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The URLs above each URL of a column, and the URL itself, as lists: ``fasturl.url_prefixes``.

    As :func:`path_prefixes`.

    >>> url_prefixes(["http://h/a/b?x"]).to_pylist()
    [['http://h/', 'http://h/a/', 'http://h/a/b']]
    """
    return _list_column(column, "url_prefixes", (False, True), form, threads, strings, limit=limit)


def query_values(
    column: Any, names: Names, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The first value of each of some names in each URL's query, in one pass: ``fasturl.query_values``.

    As :func:`file_name`. names : str, or bytes-like for a binary column; each only once
    Returns structs with one field per name. A null row is null. An absent name is null in its field.
    Raises: as :func:`file_name`; ValueError for a repeated name.

    >>> query_values(["/a?x=1&y=a+b", "/a", None], ["x", "y"]).to_pylist()
    [{'x': '1', 'y': 'a b'}, {'x': None, 'y': None}, None]
    """
    arrays, kind, chunked = as_arrays(column)
    binary = is_binary(kind)
    strings = exact(strings)
    text = string_type(binary, strings)
    keys = [names] if isinstance(names, (str, bytes)) else list(names)
    # str.__str__ ignores the methods of a subclass, which may return another text.
    fields = [
        str.__str__(name) if isinstance(name, str) else bytes(name).decode("utf-8", "surrogateescape") for name in keys
    ]
    if len(set(fields)) < len(fields):
        raise ValueError("a name is given twice")
    work = _functions._values_of(keys, text=not binary, form=form)
    target = pa.struct([(field, text) for field in fields])
    copied = strings == "string"

    def finish(job: Values) -> pa.Array:
        values = job.children(text)
        if not copied:
            unquoting = _columns.unquoting(text=not binary, plus=True)
            values = [map_texts([items], text, False, unquoting, threads, strings) for items in values]
        return job.result(target, values)

    new = CopiedValues if copied else Values
    found = gather((arrays, kind, chunked), lambda rows: new(rows, work, len(keys)), finish, target, threads)
    if not work.unsure:
        return found
    results = []
    for source, structs in zip(arrays, found.chunks if chunked else [found], strict=True):
        values = [structs.field(i) for i in range(len(keys))]
        for i in work.unsure:
            values[i] = query_value(source, keys[i], threads=threads, strings=strings)
        results.append(pa.StructArray.from_arrays(values, fields=list(target), mask=structs.is_null()))
    return pa.chunked_array(results, target) if chunked else results[0]


_OF_OTHER_MODULES = (decompose, equivalent, join, problems, quote_plus, unquote_plus, unquote_safe)

FUNCTIONS: dict[str, Callable[..., Column]] = {name: globals()[name] for name in _functions.__all__}
FUNCTIONS |= {function.__name__: function for function in _OF_OTHER_MODULES}
