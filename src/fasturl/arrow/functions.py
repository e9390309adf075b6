"""The functions of one URL, for columns. docs/functions.md has their rules.

``FUNCTIONS`` maps names to functions: all functions of ``fasturl._functions``, and some of other modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any, Literal, TypeAlias

import pyarrow as pa

from fasturl import _columns, _functions
from fasturl.arrow import compute as pc
from fasturl.arrow.columns_in import Strings, as_arrays, is_binary, string_type
from fasturl.arrow.decomposing import decompose
from fasturl.arrow.gathering import Lists, Numbers, Values, equivalent, gather, problems
from fasturl.arrow.parsing import parse
from fasturl.arrow.texts import map_texts, query_value, quote_plus, unquote_plus, unquote_safe, urljoin

__all__ = ["FUNCTIONS", *_functions.__all__]

Form = Literal["url", "request-target"]
HostForm = Literal["url", "request-target", "host"]
Otherwise = Literal["null", "keep"]
Names = str | bytes | Iterable[str | bytes]
Column: TypeAlias = "pa.Array | pa.ChunkedArray"


def _texts(column: Any, work: _functions.Function, threads: int | None, strings: Strings, weight: int = 8) -> Column:
    """weight : ns per row"""
    return map_texts(*as_arrays(column), _columns.applying(work), threads, strings, weight)


def _of_names(
    column: Any, make: Any, names: Names, form: Form, threads: int | None, strings: Strings, weight: int = 8
) -> Column:
    """make : returns the function for names that are str or bytes, as the column is"""
    arrays, kind, chunked = as_arrays(column)
    function = make(names, text=not is_binary(kind), form=form)
    return map_texts(arrays, kind, chunked, _columns.applying(function), threads, strings, weight)


def _refusals(
    column: Any, settings: tuple[Any, ...], threads: int | None, strings: Strings, empty: bool = False
) -> Column:
    function = _functions._fetch_refusal_function(*settings, empty=empty)
    return _texts(column, function, threads, strings, 40)


def _empty(texts: Column) -> Column:
    return pc.equal(pc.binary_length(texts), 0)


def _keys(
    column: Any, normalize: bool, sort: bool, fragment: bool, drop: Names | None, threads: int | None, strings: Strings
) -> Column:
    arrays, kind, chunked = as_arrays(column)
    text = not is_binary(kind)
    function = _functions._dedup_key_function(normalize=normalize, sort=sort, fragment=fragment, drop=drop, text=text)
    return map_texts(arrays, kind, chunked, _columns.applying(function), threads, strings, 100)


def _numbers(column: Any, work: _functions.Gather, kind: pa.DataType, threads: int | None) -> Column:
    return gather(as_arrays(column), lambda rows: Numbers(rows, work, kind), Numbers.result, kind, threads)


# Created once: for one row, creating the types would cost as much as reading the items.
_LISTS = {kind: pa.list_(kind) for kind in (pa.string(), pa.binary())}
_PAIRS = {kind: pa.list_(pa.struct([("name", kind), ("value", kind)])) for kind in _LISTS}


def _lists(
    column: Any,
    what: str,
    wanted: tuple[bool, bool],
    form: Form,
    threads: int | None,
    *,
    decode: bool = False,
    limit: int = 0,
) -> Column:
    """wanted : (True to list the names, True to list the values)"""
    arrays, kind, chunked = as_arrays(column)
    binary = is_binary(kind)
    work = _functions._listing(what, form=form, limit=limit, decode=decode, text=not binary)
    lists = (_PAIRS if all(wanted) else _LISTS)[string_type(binary, "string")]
    source = arrays, kind, chunked
    return gather(source, lambda rows: Lists(rows, work, wanted), lambda job: job.result(lists, binary), lists, threads)


def _values(column: Any, names: Names, form: Form, threads: int | None) -> Column:
    arrays, kind, chunked = as_arrays(column)
    binary = is_binary(kind)
    text = string_type(binary, "string")
    keys = [names] if isinstance(names, (str, bytes)) else list(names)
    # str.__str__ ignores the methods of a subclass, which may return another text.
    fields = [
        str.__str__(name) if isinstance(name, str) else bytes(name).decode("utf-8", "surrogateescape") for name in keys
    ]
    if len(set(fields)) < len(fields):
        raise ValueError("a name is given twice")
    work = _functions._values_of(keys, text=not binary, form=form)
    target = pa.struct([(field, text) for field in fields])
    source = arrays, kind, chunked
    found = gather(
        source, lambda rows: Values(rows, work, len(keys)), lambda job: job.result(target, binary), target, threads
    )
    if not work.unsure:
        return found
    results = []
    for array, structs in zip(arrays, found.chunks if chunked else [found], strict=True):
        values = [structs.field(i) for i in range(len(keys))]
        for i in work.unsure:
            values[i] = query_value(array, keys[i], threads=threads)
        results.append(pa.StructArray.from_arrays(values, fields=list(target), mask=structs.is_null()))
    return pa.chunked_array(results, target) if chunked else results[0]


# A function of each signature that several rows have.


def _plain(name: str) -> Callable[..., Column]:
    return lambda column, *, form="url", threads=None, strings="string": _texts(
        column, _functions._plain_function(name, form), threads, strings
    )


def _field(name: str) -> Callable[..., Column]:
    return lambda column, *, form="url", threads=None, strings="string": parse(
        column, [name], form=form, threads=threads, strings=strings
    ).column(0)


def _domain(name: str) -> Callable[..., Column]:
    return lambda column, *, private_suffixes=True, form="url", rules=None, threads=None, strings="string": _texts(
        column,
        _functions._domain_function(name, private=private_suffixes, form=form, rules=rules),
        threads,
        strings,
        40,
    )


# The types of the parameters.
_TYPES = {
    "column": "Any", "threads": "int | None", "strings": "Strings", "form": "Form", "keep": "Names", "names": "Names",
    "parts": "str", "decode": "bool", "limit": "int", "private_suffixes": "bool", "rules": "_functions.Suffixes | None",
    "schemes": "str | Iterable[str]", "ports": "Iterable[int] | None", "addresses": "str | Iterable[str]",
    "hosts": "_functions.HostList | str | Iterable[str]", "not_hosts": "_functions.HostList | str | Iterable[str]",
    "exact": "bool", "normalize": "bool", "sort": "bool", "fragment": "bool",
    "drop": "Names | None", "keep_blank_values": "bool", "keep_fragments": "bool",
    "otherwise": "Otherwise",
}  # fmt: skip
_OF_HOSTS = ("public_suffix", "registrable_domain", "subdomain", "blocks", "allows")  # whose form may be "host"


def _row(
    name: str, answer: str, sentence: str, function: Any, given: str, result: str, notes: str = "As :func:`file_name`."
) -> tuple[str, Callable[..., Column]]:
    """Finish a function as if it was defined by its name in this module. It does for a column what fasturl.NAME does.

    answer : the type of fasturl.NAME of one str, which the row keeps for tools/gen_stubs.py
    sentence, given, result, notes : the docstring: its start, an example with its result, and what is between them
    """
    parameters = signature(function).parameters
    types = {key: _TYPES[key] for key in parameters}
    for key in ("hosts", "not_hosts"):
        if key in types and parameters[key].default is None:
            types[key] += " | None"
    if name in _OF_HOSTS:
        types["form"] = "HostForm"
    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"{sentence}: ``fasturl.{name}``.\n\n{notes}\n\n>>> {name}({given}).to_pylist()\n{result}\n"
    function.__annotations__ = {**types, "return": "Column"}
    return answer, function


_ROWS = (
    _row("file_name", "str | None", "The last segment of the path of each URL of a column, without its parameters",
        _plain("file_name"), '["/a/b.c;v=1", "/a/", "//h", None]', "['b.c', '', None, None]",
        "column, threads, strings : as for ``fasturl.arrow.parse``\n"
        'form : "url" or "request-target"\n'
        "Returns an Array, or a ChunkedArray if the column has chunks. It is string for text, and binary for bytes.\n"
        'An absent part is null, and nulls stay null. With ``strings="view"``, a part is a view of the input.\n'
        "Raises: TypeError for another column, ValueError for another form or a text over 2**30 bytes.\n"
        "Cost: O(bytes)."),
    _row("file_extension", "str | None", "The text after the last dot of the file name of each URL of a column",
        _plain("file_extension"), '["/a/b.tar.gz", "/a/b"]', "['gz', None]"),
    _row("first_segment", "str | None", "The first segment of the path of each URL of a column",
        _plain("first_segment"), '["http://h/blog/1", "http://h"]', "['blog', None]"),
    _row("path_and_query", "str", "The path and the query of each URL of a column, without the fragment",
        _plain("path_and_query"), '["http://h/a?x=1#f", "http://h"]', "['/a?x=1', '']"),
    _row("query_and_fragment", "str | None", "The query and the fragment of each URL of a column",
        _plain("query_and_fragment"), '["/a?x#f", "/a#f", "/a"]', "['x#f', '#f', None]"),
    _row("origin", "str | None", "The scheme, host and port of each URL of a column, in lower case",
        _plain("origin"), '["HTTP://u@H:80/a", "/a"]', "['http://h', None]"),
    _row("host_kind", "HostKind", "The kind of the host of each URL of a column",
        _field("host_kind"), '["http://h/", "http://127.1/", "/a", None]', "['name', 'numeric', 'none', None]",
        "As :func:`file_name`. Also a field of ``parse``."),
    _row("address_scope", "Scope | None", "The scope of the address in each URL of a column", _field("address_scope"),
        '["http://h/", "http://127.1/", "http://[2001:db8::1]/", None]', "[None, 'loopback', 'private', None]",
        "As :func:`file_name`. Also a field of ``parse``."),
    _row("fetch_refusal", "Refusal | None", "Why a server must not fetch each URL of a column",
        lambda column, *, schemes=("http", "https"), ports=None, addresses="global", hosts=None, not_hosts=None,
            threads=None, strings="string": _refusals(
                column, (schemes, ports, addresses, hosts, not_hosts), threads, strings),
        '["https://h.example/", "http://127.1/", "ftp://h/", None]', "[None, 'ambiguous', 'scheme', None]",
        "As :func:`file_name`. A URL to fetch is null, as is a null; :func:`is_fetchable` distinguishes them.\n"
        "``schemes``, ``ports``, ``addresses``, ``hosts`` and ``not_hosts`` are as for ``fasturl.fetch_refusal``."),
    _row("is_fetchable", "bool", "True for each URL of a column that a server may fetch",
        lambda column, *, schemes=("http", "https"), ports=None, addresses="global", hosts=None, not_hosts=None,
            threads=None: _empty(_refusals(
                column, (schemes, ports, addresses, hosts, not_hosts), threads, "string", empty=True)),
        '["https://h.example/~u", "javascript:alert(1)", None]', "[True, False, None]",
        "As :func:`fetch_refusal`, as booleans. A null stays null."),
    _row("path_template", "str", "The path of each URL of a column with placeholders in place of values",
        lambda column, *, keep=(), form="url", threads=None, strings="string": _of_names(
            column, _functions._path_template_function, keep, form, threads, strings, 80),
        '["http://h/users/42", "/api/2/7.json", None], keep="2"', "['/users/{n}', '/api/2/{n}.json', None]",
        "As :func:`file_name`. ``keep`` is as for ``fasturl.path_template``, of str for a text column."),
    _row("drop_parts", "str", "Each URL of a column without some of its parts",
        lambda column, *parts, form="url", threads=None, strings="string": _texts(
            column, _functions._drop_parts_function(parts, form), threads, strings),
        '["http://me:pw@www.a.org/b?x#y", None], "login", "www", "query", "fragment"', "['http://a.org/b', None]",
        'As :func:`file_name`. ``parts`` are "scheme", "login", "password", "www", "port", "path", "query",\n'
        '"fragment". With ``strings="view"``, the buffers of the result still hold the parts that were removed.'),
    _row("drop_params", "str", "Each URL of a column without some pairs of its query",
        lambda column, names, *, form="url", threads=None, strings="string": _of_names(
            column, _functions._drop_params_function, names, form, threads, strings),
        '["/a?utm_x=1&b=2", "/a?utm_x=1"], ["utm_*", "fbclid"]', "['/a?b=2', '/a']",
        "As :func:`file_name`. ``names`` are str for a text column. A ``*`` in a name matches any characters."),
    _row("public_suffix", "str | None", "The public suffix of the host of each URL of a column",
        _domain("public_suffix"), '["http://www.example.co.uk/", "http://127.0.0.1/"]', "['co.uk', None]",
        "As :func:`file_name`. ``private_suffixes``, ``form`` and ``rules`` are as for ``fasturl.public_suffix``."),
    _row("registrable_domain", "str | None", "The registrable domain of the host of each URL of a column",
        _domain("registrable_domain"), '["http://www.example.co.uk/", None]', "['example.co.uk', None]",
        "As :func:`public_suffix`."),
    _row("subdomain", "str | None", "The part of the host before the registrable domain of each URL of a column",
        _domain("subdomain"), '["http://www.example.co.uk/", "//example.com"]', "['www', None]",
        "As :func:`public_suffix`."),
    _row("blocks", "str | None", "The entry of a host list that blocks each URL of a column, null if there is none",
        lambda column, hosts, *, exact=False, form="url", threads=None, strings="string": _texts(
            column, _functions._list_function("blocks", hosts, exact=exact, form=form), threads, strings),
        '["http://www.example.com/", "http://example.org/", None], ["example.com"]', "['example.com', None, None]",
        "As :func:`file_name`. ``hosts``, ``exact`` and ``form`` are as for ``fasturl.blocks``."),
    _row("allows", "bool", "True for each URL of a column whose host a list has in every reading",
        lambda column, hosts, *, exact=False, form="url", threads=None: _empty(_texts(
            column, _functions._list_function("allows", hosts, exact=exact, form=form), threads, "string")),
        '["http://www.example.com/", "http:/example.com/", None], ["example.com"]', "[True, False, None]",
        "As :func:`blocks`, as booleans. A null stays null."),
    _row("dedup_key", "str", "The key of each URL of a column, equal for the spellings of one page",
        lambda column, *, normalize=True, sort=True, fragment=False, drop=None, threads=None, strings="string":
            _keys(column, normalize, sort, fragment, drop, threads, strings),
        '["HTTP://h:80?b&a&gclid=1#f", None]', "['http://h/?a&b', None]",
        "As :func:`file_name`. ``normalize``, ``sort``, ``fragment`` and ``drop`` are as for ``fasturl.dedup_key``."),
    _row("canonicalize", "str | None", "The canonical form of each URL of a column, that of w3lib",
        lambda column, *, keep_blank_values=True, keep_fragments=False, otherwise="null", threads=None,
            strings="string": _texts(column, _functions._canonicalize_function(
                keep_blank_values=keep_blank_values, keep_fragments=keep_fragments, otherwise=otherwise),
                threads, strings, 140),
        '["http://H/a/../b?y&x=1#f", "http://h:x/"]', "['http://h/b?x=1&y=', None]",
        "As :func:`file_name`. ``keep_blank_values``, ``keep_fragments`` and ``otherwise`` are as for\n"
        '``fasturl.canonicalize``. With ``otherwise="keep"``, no URL becomes null.'),
    _row("surt", "str | None", "The SURT key of each URL of a column, by which the indexes of web archives are sorted",
        lambda column, *, threads=None, strings="string": _texts(
            column, _functions._surt_function(), threads, strings, 140),
        '["http://www.Example.com:80/B/?y&x=1#f", "http://h:x/"]', "['com,example)/b?x=1&y', None]"),
    _row("path_depth", "int", "The number of segments of each URL's path that are not empty",
        lambda column, *, form="url", threads=None:
            _numbers(column, _functions._depths(form=form), pa.uint32(), threads),
        '["http://h/a/b/", "http://h", None]', "[2, 0, None]", "As :func:`file_name`, as uint32."),
    _row("dedup_hash", "int", "The XXH64 of :func:`dedup_key`, with seed 0",
        lambda column, *, normalize=True, sort=True, fragment=False, drop=None, threads=None: _numbers(
            _keys(column, normalize, sort, fragment, drop, threads, "view"),
            _functions._hashes(), pa.uint64(), threads),
        '["http://h/?b&a"]', "[2982660927235680748]", "As :func:`dedup_key`, as uint64."),
    _row("query_names", "list[str]", "The names in the query of each URL of a column, as lists, empty without a query",
        lambda column, *, decode=True, form="url", threads=None: _lists(
            column, "query", (True, False), form, threads, decode=decode),
        '["/a?x=1&a+b=2&x", "/a?", "/a"]', "[['x', 'a b', 'x'], [], []]",
        "As :func:`file_name`, always copied. ``decode`` is as for ``fasturl.query_names``."),
    _row("query_pairs", "list[tuple[str, str]]", "The names and values in the query of each URL of a column",
        lambda column, *, decode=True, form="url", threads=None: _lists(
            column, "query", (True, True), form, threads, decode=decode),
        '["/a?x=%41", None]', "[[{'name': 'x', 'value': 'A'}], None]",
        "As :func:`query_names`. The lists hold structs of name and value."),
    _row("path_prefixes", "list[str]", "The paths above each URL's path, and the path itself, as lists",
        lambda column, *, limit=32, form="url", threads=None: _lists(
            column, "path_prefixes", (False, True), form, threads, limit=limit),
        '["http://h/a/b?x", "/", None]', "[['/a/', '/a/b'], [], None]",
        "As :func:`query_names`. ``limit`` bounds each list. A row takes up to ``limit`` times the length of its URL."),
    _row("url_prefixes", "list[str]", "The URLs above each URL of a column, and the URL itself, as lists",
        lambda column, *, limit=32, form="url", threads=None: _lists(
            column, "url_prefixes", (False, True), form, threads, limit=limit),
        '["http://h/a/b?x"]', "[['http://h/', 'http://h/a/', 'http://h/a/b']]", "As :func:`path_prefixes`."),
    _row("query_values", "dict[Name, str | None]",
        "The first value of each of some names in each URL's query, in one pass",
        lambda column, names, *, form="url", threads=None: _values(column, names, form, threads),
        '["/a?x=1&y=a+b", "/a", None], ["x", "y"]', "[{'x': '1', 'y': 'a b'}, {'x': None, 'y': None}, None]",
        "As :func:`query_names`. names : str, or bytes-like for a binary column; each only once\n"
        "Returns structs with one field per name. A null row is null. An absent name is null in its field.\n"
        "Raises: as :func:`file_name`; ValueError for a repeated name."),
)  # fmt: skip
globals().update({function.__name__: function for _, function in _ROWS})

_OF_OTHER_MODULES = (decompose, equivalent, urljoin, problems, quote_plus, unquote_plus, unquote_safe)

FUNCTIONS: dict[str, Callable[..., Column]] = {name: globals()[name] for name in _functions.__all__}
FUNCTIONS |= {function.__name__: function for function in _OF_OTHER_MODULES}
