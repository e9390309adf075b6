"""The functions for one URL, as functions for columns. docs/functions.md has the rules.

``FUNCTIONS`` maps names to functions: all functions of ``fasturl._functions``, and some of other modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from inspect import signature
from typing import Any, Literal, TypeAlias

import pyarrow as pa

from fasturl import _columns, _functions
from fasturl._docstrings import complete, entries
from fasturl.arrow import compute as pc
from fasturl.arrow import texts
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
# The parameters' entries in docstrings. Those of `parse` and `quote` are used for the others.
_ENTRIES = entries("""\
keep : str, bytes or iterable
    Segments to keep as written, for example ``v2``. They must be bytes when the column holds bytes.
names : str, bytes or iterable
    The names to drop, for example ``utm_*``, where ``*`` matches any characters. They must be bytes when the column
    holds bytes.
*parts : str
    Any of "scheme", "login", "password", "www", "port", "path", "query" and "fragment".
decode : bool
    False to leave escapes and ``+`` as written.
limit : int
    The maximum number of prefixes per URL. The longest prefixes are left out.
private_suffixes : bool
    False to ignore the list's private section, for example ``github.io``.
rules : Suffixes
    Rules from ``fasturl.domains.read``. By default, you need the package ``publicsuffixlist``.
schemes : str or iterable of str
    The schemes that you fetch.
ports : iterable of int
    The ports that you fetch. When a URL has no port, the scheme's port counts. By default, you can fetch any port.
addresses : str or iterable of str
    The address scopes that you fetch, for example "global". Pass "any" to fetch all scopes.
hosts : HostList, str or iterable of str
    Hosts, domains and networks. When you pass a HostList, you index the hosts only once.
not_hosts : HostList, str or iterable of str
    Hosts that you must not fetch.
exact : bool
    True to match only the listed hosts, and no host below them.
normalize : bool
    True to apply RFC 1738's normal form first.
sort : bool
    True to sort the query's pairs, and to drop empty pairs.
fragment : bool
    True to keep the fragment.
drop : str, bytes or iterable
    Names to drop from the query. By default, you drop tracking parameters, for example ``utm_*``. Pass ``()`` to
    keep every name.
keep_blank_values : bool
    False to drop pairs without a value.
keep_fragments : bool
    True to keep the fragment.
otherwise : {"null", "keep"}
    "keep" to return a URL as written when w3lib raises ValueError for it, for example for the port ``x``.
""")
_FORM_OF_HOSTS = """\
form : {"url", "request-target", "host"}
    Pass "host" when the texts are hosts. Pass "request-target" when they are targets from an access log."""


def _row(
    name: str,
    answer: str,
    summary: str,
    function: Any,
    given: str,
    result: str,
    ns: int,
    notes: str = "",
    returns: str = "",
    **own: str,
) -> tuple[str, Callable[..., Column]]:
    """Name and document a function, which does for a column what fasturl.NAME does for a URL.

    answer : what fasturl.NAME returns for a str, as a type for tools/gen_stubs.py
    given, result : an example's arguments and result
    summary, ns, notes, returns, own : texts for the docstring, for example the ns per row and special parameters
    """  # fmt: skip
    parameters = signature(function).parameters
    types = {key: _TYPES[key] for key in parameters}
    for key in ("hosts", "not_hosts"):
        if key in types and parameters[key].default is None:
            types[key] += " | None"
    entry_of = _ENTRIES | own
    if name in _OF_HOSTS:
        types["form"], entry_of["form"] = "HostForm", _FORM_OF_HOSTS
    function.__name__ = function.__qualname__ = name
    function.__annotations__ = {**types, "return": "Column"}
    parts = {
        "": f"{summary}\n\nThis is the column form of ``fasturl.{name}``.\n{notes}".strip(),
        "Parameters": "\n".join(entry_of[key] for key in parameters if key in entry_of),
        "Returns": returns and f"pyarrow.Array or pyarrow.ChunkedArray\n    {returns}",
        "Examples": f">>> {name}({given}).to_pylist()\n{result}",
    }
    if texts.quote.__doc__:  # not under -OO
        own = {title: part for title, part in parts.items() if part}
        function.__doc__ = complete(own, function, texts.quote, parse, ns=ns)
    return answer, function


_FETCHED_HOSTS = """\
hosts : HostList, str or iterable of str
    The only hosts that you fetch. By default, you can fetch from any host."""
_ROWS = (
    _row("file_name", "str | None", "Return the last segment of each URL's path, or null if the path is empty.",
        _plain("file_name"), '["/a/b.c;v=1", "/a/", "//h", None]', "['b.c', '', None, None]", 30,
        "The name starts after the last ``/`` and ends before a ``;``."),
    _row("file_extension", "str | None", "Return the text after the last dot in each URL's file name.",
        _plain("file_extension"), '["/a/b.tar.gz", "/a/b"]', "['gz', None]", 30,
        "You get null when there is no dot, or only a leading dot, for example in ``.profile``."),
    _row("first_segment", "str | None", "Return the first segment of each URL's path, or null if the path is empty.",
        _plain("first_segment"), '["http://h/blog/1", "http://h"]', "['blog', None]", 20),
    _row("path_and_query", "str", "Return each URL's path and query, without the fragment.",
        _plain("path_and_query"), '["http://h/a?x=1#f", "http://h"]', "['/a?x=1', '']", 20),
    _row("query_and_fragment", "str | None", "Return the text after each URL's ``?``, including the fragment.",
        _plain("query_and_fragment"), '["/a?x#f", "/a#f", "/a"]', "['x#f', '#f', None]", 10,
        "When a URL has no query, you get the text from the ``#``, or null without a ``#``."),
    _row("origin", "str | None", "Return each URL's scheme, host and port in lower case, without the login.",
        _plain("origin"), '["HTTP://u@H:80/a", "/a"]', "['http://h', None]", 20,
        "The scheme's default port is left out. You get null when the scheme or the ``//`` is missing."),
    _row("host_kind", "HostKind", "Return each URL's host kind: name, ipv4, ipv6, numeric or none.",
        _field("host_kind"), '["http://h/", "http://127.1/", "/a", None]', "['name', 'numeric', 'none', None]", 20,
        "An unusual spelling of an IPv4 address is numeric, for example ``127.1``. You can also name it as a field of\n"
        "``parse``."),
    _row("address_scope", "Scope | None", "Return the scope of each URL's address, for example global or private.",
        _field("address_scope"), '["http://h/", "http://127.1/", "http://[2001:db8::1]/", None]',
        "[None, 'loopback', 'private', None]", 20,
        "You get null when the host is a name, because no name is resolved. You can also name it as a field of\n"
        "``parse``."),
    _row("fetch_refusal", "Refusal | None", "Return why a server must not fetch each URL, or null if it may.",
        lambda column, *, schemes=("http", "https"), ports=None, addresses="global", hosts=None, not_hosts=None,
            threads=None, strings="string": _refusals(
                column, (schemes, ports, addresses, hosts, not_hosts), threads, strings),
        '["https://h.example/", "http://127.1/", "ftp://h/", None]', "[None, 'ambiguous', 'scheme', None]", 130,
        "When strangers give you URLs, check them before you fetch them. A null row stays null, so call\n"
        "``is_fetchable`` when you must tell null from a URL to fetch.", hosts=_FETCHED_HOSTS),
    _row("is_fetchable", "bool", "Return whether a server may fetch each URL.",
        lambda column, *, schemes=("http", "https"), ports=None, addresses="global", hosts=None, not_hosts=None,
            threads=None: _empty(_refusals(
                column, (schemes, ports, addresses, hosts, not_hosts), threads, "string", empty=True)),
        '["https://h.example/~u", "javascript:alert(1)", None]', "[True, False, None]", 130,
        "When strangers give you URLs, check them before you fetch them. A fetch needs more checks, because no name\n"
        "is resolved, and a response can redirect. ``fetch_refusal`` returns the reason.", "Booleans.",
        hosts=_FETCHED_HOSTS),
    _row("path_template", "str", "Return each URL's path with placeholders for values, for example numbers and dates.",
        lambda column, *, keep=(), form="url", threads=None, strings="string": _of_names(
            column, _functions._path_template_function, keep, form, threads, strings, 80),
        '["http://h/users/42", "/api/2/7.json", None], keep="2"', "['/users/{n}', '/api/2/{n}.json', None]", 90,
        "Pages of a kind have the same template, so you can group by it."),
    _row("drop_parts", "str", "Return each URL without the parts that you name.",
        lambda column, *parts, form="url", threads=None, strings="string": _texts(
            column, _functions._drop_parts_function(parts, form), threads, strings),
        '["http://me:pw@www.a.org/b?x#y", None], "login", "www", "query", "fragment"', "['http://a.org/b', None]", 20,
        'With ``strings="view"``, the buffers still hold the parts that you drop. To hide secrets, call ``redact``.'),
    _row("drop_params", "str", "Return each URL without the query pairs that have certain names.",
        lambda column, names, *, form="url", threads=None, strings="string": _of_names(
            column, _functions._drop_params_function, names, form, threads, strings),
        '["/a?utm_x=1&b=2", "/a?utm_x=1"], ["utm_*", "fbclid"]', "['/a?b=2', '/a']", 15),
    _row("public_suffix", "str | None", "Return the public suffix of each URL's host, for example ``co.uk``.",
        _domain("public_suffix"), '["http://www.example.co.uk/", "http://127.0.0.1/"]', "['co.uk', None]", 50,
        "You get null when there is no host, when it is an address, or when programs read different hosts."),
    _row("registrable_domain", "str | None", "Return each URL's registrable domain, for example ``example.co.uk``.",
        _domain("registrable_domain"), '["http://www.example.co.uk/", None]', "['example.co.uk', None]", 50,
        "It is the public suffix with the label before it. You get null when the host has no such label, when it is\n"
        "an address, or when programs read different hosts."),
    _row("subdomain", "str | None", "Return the labels before each URL's registrable domain, for example ``www``.",
        _domain("subdomain"), '["http://www.example.co.uk/", "//example.com"]', "['www', None]", 50,
        "You get null when there are no such labels, or when programs read different hosts."),
    _row("blocks", "str | None", "Return the list entry that blocks each URL, or null if no entry blocks it.",
        lambda column, hosts, *, exact=False, form="url", threads=None, strings="string": _texts(
            column, _functions._list_function("blocks", hosts, exact=exact, form=form), threads, strings),
        '["http://www.example.com/", "http://example.org/", None], ["example.com"]', "['example.com', None, None]", 50,
        "When programs read different hosts in a URL, all these hosts are looked up."),
    _row("allows", "bool", "Return whether a list allows each URL, because every program sees a listed host in it.",
        lambda column, hosts, *, exact=False, form="url", threads=None: _empty(_texts(
            column, _functions._list_function("allows", hosts, exact=exact, form=form), threads, "string")),
        '["http://www.example.com/", "http:/example.com/", None], ["example.com"]', "[True, False, None]", 50,
        "When programs read different hosts in a URL, it is not allowed.", "Booleans."),
    _row("dedup_key", "str", "Return a key for each URL that is equal for all spellings of a page.",
        lambda column, *, normalize=True, sort=True, fragment=False, drop=None, threads=None, strings="string":
            _keys(column, normalize, sort, fragment, drop, threads, strings),
        '["HTTP://h:80?b&a&gclid=1#f", None]', "['http://h/?a&b', None]", 100,
        "Use it when you deduplicate URLs. You may not be able to fetch the key."),
    _row("canonicalize", "str | None", "Return each URL in the canonical form by which Scrapy recognizes pages.",
        lambda column, *, keep_blank_values=True, keep_fragments=False, otherwise="null", threads=None,
            strings="string": _texts(column, _functions._canonicalize_function(
                keep_blank_values=keep_blank_values, keep_fragments=keep_fragments, otherwise=otherwise),
                threads, strings, 140),
        '["http://H/a/../b?y&x=1#f", "http://h:x/"]', "['http://h/b?x=1&y=', None]", 320,
        "You get the same results as from ``w3lib.url.canonicalize_url``."),
    _row("surt", "str | None", "Return each URL's SURT key, by which web archives sort their indexes.",
        lambda column, *, threads=None, strings="string": _texts(
            column, _functions._surt_function(), threads, strings, 140),
        '["http://www.Example.com:80/B/?y&x=1#f", "http://h:x/"]', "['com,example)/b?x=1&y', None]", 570,
        "You get null when the port is not a number below 65536."),
    _row("path_depth", "int", "Return the number of non-empty segments in each URL's path.",
        lambda column, *, form="url", threads=None:
            _numbers(column, _functions._depths(form=form), pa.uint32(), threads),
        '["http://h/a/b/", "http://h", None]', "[2, 0, None]", 20, "", "Numbers as uint32."),
    _row("dedup_hash", "int", "Return the XXH64 of each URL's ``dedup_key``, with seed 0.",
        lambda column, *, normalize=True, sort=True, fragment=False, drop=None, threads=None: _numbers(
            _keys(column, normalize, sort, fragment, drop, threads, "view"),
            _functions._hashes(), pa.uint64(), threads),
        '["http://h/?b&a"]', "[2982660927235680748]", 130,
        "When you deduplicate many URLs, it takes less memory than the keys.", "Numbers as uint64."),
    _row("query_names", "list[str]", "Return the names in each URL's query as a list.",
        lambda column, *, decode=True, form="url", threads=None: _lists(
            column, "query", (True, False), form, threads, decode=decode),
        '["/a?x=1&a+b=2&x", "/a?", "/a"]', "[['x', 'a b', 'x'], [], []]", 10, "",
        "Lists of names in order, which can repeat. When a URL has no query, you get an empty list."),
    _row("query_pairs", "list[tuple[str, str]]", "Return the names and values in each URL's query as a list.",
        lambda column, *, decode=True, form="url", threads=None: _lists(
            column, "query", (True, True), form, threads, decode=decode),
        '["/a?x=%41", None]', "[[{'name': 'x', 'value': 'A'}], None]", 10, "",
        "Lists of structs with name and value, in order. When a URL has no query, you get an empty list."),
    _row("path_prefixes", "list[str]", "Return the paths above each URL's path, and the path itself, as a list.",
        lambda column, *, limit=32, form="url", threads=None: _lists(
            column, "path_prefixes", (False, True), form, threads, limit=limit),
        '["http://h/a/b?x", "/", None]', "[['/a/', '/a/b'], [], None]", 30,
        "Group by the prefixes when you count requests per folder.",
        "Lists of paths, the shortest first. A row can take ``limit`` times the URL's memory."),
    _row("url_prefixes", "list[str]", "Return the URLs above each URL, and the URL itself, as a list.",
        lambda column, *, limit=32, form="url", threads=None: _lists(
            column, "url_prefixes", (False, True), form, threads, limit=limit),
        '["http://h/a/b?x"]', "[['http://h/', 'http://h/a/', 'http://h/a/b']]", 40,
        "Query and fragment are left out.",
        "Lists of URLs, the shortest first. A row can take ``limit`` times the URL's memory."),
    _row("query_values", "dict[Name, str | None]", "Return the first value for each name in each URL's query.",
        lambda column, names, *, form="url", threads=None: _values(column, names, form, threads),
        '["/a?x=1&y=a+b", "/a", None], ["x", "y"]', "[{'x': '1', 'y': 'a b'}, {'x': None, 'y': None}, None]", 15,
        "One pass reads the values for all names.",
        "Structs with a field for each name. When a URL has no such name, the field is null.",
        names="""\
names : str, bytes or iterable
    The names to look up, each only once. They must be bytes when the column holds bytes."""),
)  # fmt: skip
globals().update({function.__name__: function for _, function in _ROWS})

_OF_OTHER_MODULES = (decompose, equivalent, urljoin, problems, quote_plus, unquote_plus, unquote_safe)

FUNCTIONS: dict[str, Callable[..., Column]] = {name: globals()[name] for name in _functions.__all__}
FUNCTIONS |= {function.__name__: function for function in _OF_OTHER_MODULES}
