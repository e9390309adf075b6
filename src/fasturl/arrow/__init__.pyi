# DO NOT EDIT: written by tools/gen_stubs.py from the imports of __init__.py and the rows of functions.py.
from collections.abc import Iterable
from typing import Any

from fasturl._functions import HostList, Suffixes, _Hosts
from fasturl.arrow import functions as functions
from fasturl.arrow.columns_in import Strings as Strings
from fasturl.arrow.decomposing import decompose as decompose
from fasturl.arrow.functions import FUNCTIONS as FUNCTIONS
from fasturl.arrow.functions import Column, Form, HostForm, Names, Otherwise
from fasturl.arrow.gathering import equivalent as equivalent
from fasturl.arrow.gathering import problems as problems
from fasturl.arrow.parsing import DEFAULT_FIELDS as DEFAULT_FIELDS
from fasturl.arrow.parsing import FIELDS as FIELDS
from fasturl.arrow.parsing import parse as parse
from fasturl.arrow.parsing import parse_batches as parse_batches
from fasturl.arrow.parsing import schema as schema
from fasturl.arrow.texts import normalize as normalize
from fasturl.arrow.texts import query_value as query_value
from fasturl.arrow.texts import quote as quote
from fasturl.arrow.texts import quote_plus as quote_plus
from fasturl.arrow.texts import redact as redact
from fasturl.arrow.texts import unquote as unquote
from fasturl.arrow.texts import unquote_plus as unquote_plus
from fasturl.arrow.texts import unquote_safe as unquote_safe
from fasturl.arrow.texts import urljoin as urljoin

__all__ = [
    "DEFAULT_FIELDS",
    "FIELDS",
    "FUNCTIONS",
    "Strings",
    "address_scope",
    "allows",
    "blocks",
    "canonicalize",
    "decompose",
    "dedup_hash",
    "dedup_key",
    "drop_params",
    "drop_parts",
    "equivalent",
    "fetch_refusal",
    "file_extension",
    "file_name",
    "first_segment",
    "host_kind",
    "is_fetchable",
    "normalize",
    "origin",
    "parse",
    "parse_batches",
    "path_and_query",
    "path_depth",
    "path_prefixes",
    "path_template",
    "problems",
    "public_suffix",
    "query_and_fragment",
    "query_names",
    "query_pairs",
    "query_value",
    "query_values",
    "quote",
    "quote_plus",
    "redact",
    "registrable_domain",
    "schema",
    "subdomain",
    "surt",
    "unquote",
    "unquote_plus",
    "unquote_safe",
    "url_prefixes",
    "urljoin",
]

def file_name(column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string") -> Column:
    """The last segment of the path of each URL of a column, without its parameters: ``fasturl.file_name``.

    column, threads, strings : as for ``fasturl.arrow.parse``
    form : "url" or "request-target"
    Returns an Array, or a ChunkedArray if the column has chunks. It is string for text, and binary for bytes.
    An absent part is null, and nulls stay null. With ``strings="view"``, a part is a view of the input.
    Raises: TypeError for another column, ValueError for another form or a text over 2**30 bytes.
    Cost: O(bytes).

    >>> file_name(["/a/b.c;v=1", "/a/", "//h", None]).to_pylist()
    ['b.c', '', None, None]
    """

def file_extension(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The text after the last dot of the file name of each URL of a column: ``fasturl.file_extension``.

    As :func:`file_name`.

    >>> file_extension(["/a/b.tar.gz", "/a/b"]).to_pylist()
    ['gz', None]
    """

def first_segment(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The first segment of the path of each URL of a column: ``fasturl.first_segment``.

    As :func:`file_name`.

    >>> first_segment(["http://h/blog/1", "http://h"]).to_pylist()
    ['blog', None]
    """

def path_and_query(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The path and the query of each URL of a column, without the fragment: ``fasturl.path_and_query``.

    As :func:`file_name`.

    >>> path_and_query(["http://h/a?x=1#f", "http://h"]).to_pylist()
    ['/a?x=1', '']
    """

def query_and_fragment(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The query and the fragment of each URL of a column: ``fasturl.query_and_fragment``.

    As :func:`file_name`.

    >>> query_and_fragment(["/a?x#f", "/a#f", "/a"]).to_pylist()
    ['x#f', '#f', None]
    """

def origin(column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string") -> Column:
    """The scheme, host and port of each URL of a column, in lower case: ``fasturl.origin``.

    As :func:`file_name`.

    >>> origin(["HTTP://u@H:80/a", "/a"]).to_pylist()
    ['http://h', None]
    """

def host_kind(column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string") -> Column:
    """The kind of the host of each URL of a column: ``fasturl.host_kind``.

    As :func:`file_name`. Also a field of ``parse``.

    >>> host_kind(["http://h/", "http://127.1/", "/a", None]).to_pylist()
    ['name', 'numeric', 'none', None]
    """

def address_scope(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The scope of the address in each URL of a column: ``fasturl.address_scope``.

    As :func:`file_name`. Also a field of ``parse``.

    >>> address_scope(["http://h/", "http://127.1/", "http://[2001:db8::1]/", None]).to_pylist()
    [None, 'loopback', 'private', None]
    """

def fetch_refusal(
    column: Any,
    *,
    schemes: str | Iterable[str] = ("http", "https"),
    ports: Iterable[int] | None = None,
    addresses: str | Iterable[str] = "global",
    hosts: HostList | _Hosts | None = None,
    not_hosts: HostList | _Hosts | None = None,
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """Why a server must not fetch each URL of a column: ``fasturl.fetch_refusal``.

    As :func:`file_name`. A URL to fetch is null, as is a null; :func:`is_fetchable` distinguishes them.
    ``schemes``, ``ports``, ``addresses``, ``hosts`` and ``not_hosts`` are as for ``fasturl.fetch_refusal``.

    >>> fetch_refusal(["https://h.example/", "http://127.1/", "ftp://h/", None]).to_pylist()
    [None, 'ambiguous', 'scheme', None]
    """

def is_fetchable(
    column: Any,
    *,
    schemes: str | Iterable[str] = ("http", "https"),
    ports: Iterable[int] | None = None,
    addresses: str | Iterable[str] = "global",
    hosts: HostList | _Hosts | None = None,
    not_hosts: HostList | _Hosts | None = None,
    threads: int | None = None,
) -> Column:
    """True for each URL of a column that a server may fetch: ``fasturl.is_fetchable``.

    As :func:`fetch_refusal`, as booleans. A null stays null.

    >>> is_fetchable(["https://h.example/~u", "javascript:alert(1)", None]).to_pylist()
    [True, False, None]
    """

def path_template(
    column: Any, *, keep: Names = (), form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """The path of each URL of a column with placeholders in place of values: ``fasturl.path_template``.

    As :func:`file_name`. ``keep`` is as for ``fasturl.path_template``, of str for a text column.

    >>> path_template(["http://h/users/42", "/api/2/7.json", None], keep="2").to_pylist()
    ['/users/{n}', '/api/2/{n}.json', None]
    """

def drop_parts(
    column: Any, *parts: str, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Each URL of a column without some of its parts: ``fasturl.drop_parts``.

    As :func:`file_name`. ``parts`` are "scheme", "login", "password", "www", "port", "path", "query",
    "fragment". With ``strings="view"``, the buffers of the result still hold the parts that were removed.

    >>> drop_parts(["http://me:pw@www.a.org/b?x#y", None], "login", "www", "query", "fragment").to_pylist()
    ['http://a.org/b', None]
    """

def drop_params(
    column: Any, names: Names, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Each URL of a column without some pairs of its query: ``fasturl.drop_params``.

    As :func:`file_name`. ``names`` are str for a text column. A ``*`` in a name matches any characters.

    >>> drop_params(["/a?utm_x=1&b=2", "/a?utm_x=1"], ["utm_*", "fbclid"]).to_pylist()
    ['/a?b=2', '/a']
    """

def public_suffix(
    column: Any,
    *,
    private_suffixes: bool = True,
    form: HostForm = "url",
    rules: Suffixes | None = None,
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The public suffix of the host of each URL of a column: ``fasturl.public_suffix``.

    As :func:`file_name`. ``private_suffixes``, ``form`` and ``rules`` are as for ``fasturl.public_suffix``.

    >>> public_suffix(["http://www.example.co.uk/", "http://127.0.0.1/"]).to_pylist()
    ['co.uk', None]
    """

def registrable_domain(
    column: Any,
    *,
    private_suffixes: bool = True,
    form: HostForm = "url",
    rules: Suffixes | None = None,
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The registrable domain of the host of each URL of a column: ``fasturl.registrable_domain``.

    As :func:`public_suffix`.

    >>> registrable_domain(["http://www.example.co.uk/", None]).to_pylist()
    ['example.co.uk', None]
    """

def subdomain(
    column: Any,
    *,
    private_suffixes: bool = True,
    form: HostForm = "url",
    rules: Suffixes | None = None,
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The part of the host before the registrable domain of each URL of a column: ``fasturl.subdomain``.

    As :func:`public_suffix`.

    >>> subdomain(["http://www.example.co.uk/", "//example.com"]).to_pylist()
    ['www', None]
    """

def blocks(
    column: Any,
    hosts: HostList | _Hosts,
    *,
    exact: bool = False,
    form: HostForm = "url",
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The entry of a host list that blocks each URL of a column, null if there is none: ``fasturl.blocks``.

    As :func:`file_name`. ``hosts``, ``exact`` and ``form`` are as for ``fasturl.blocks``.

    >>> blocks(["http://www.example.com/", "http://example.org/", None], ["example.com"]).to_pylist()
    ['example.com', None, None]
    """

def allows(
    column: Any, hosts: HostList | _Hosts, *, exact: bool = False, form: HostForm = "url", threads: int | None = None
) -> Column:
    """True for each URL of a column whose host a list has in every reading: ``fasturl.allows``.

    As :func:`blocks`, as booleans. A null stays null.

    >>> allows(["http://www.example.com/", "http:/example.com/", None], ["example.com"]).to_pylist()
    [True, False, None]
    """

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

def canonicalize(
    column: Any,
    *,
    keep_blank_values: bool = True,
    keep_fragments: bool = False,
    otherwise: Otherwise = "null",
    threads: int | None = None,
    strings: Strings = "string",
) -> Column:
    """The canonical form of each URL of a column, that of w3lib: ``fasturl.canonicalize``.

    As :func:`file_name`. ``keep_blank_values``, ``keep_fragments`` and ``otherwise`` are as for
    ``fasturl.canonicalize``. With ``otherwise="keep"``, no URL becomes null.

    >>> canonicalize(["http://H/a/../b?y&x=1#f", "http://h:x/"]).to_pylist()
    ['http://h/b?x=1&y=', None]
    """

def surt(column: Any, *, threads: int | None = None, strings: Strings = "string") -> Column:
    """The SURT key of each URL of a column, by which the indexes of web archives are sorted: ``fasturl.surt``.

    As :func:`file_name`.

    >>> surt(["http://www.Example.com:80/B/?y&x=1#f", "http://h:x/"]).to_pylist()
    ['com,example)/b?x=1&y', None]
    """

def path_depth(column: Any, *, form: Form = "url", threads: int | None = None) -> Column:
    """The number of segments of each URL's path that are not empty: ``fasturl.path_depth``.

    As :func:`file_name`, as uint32.

    >>> path_depth(["http://h/a/b/", "http://h", None]).to_pylist()
    [2, 0, None]
    """

def dedup_hash(
    column: Any,
    *,
    normalize: bool = True,
    sort: bool = True,
    fragment: bool = False,
    drop: Names | None = None,
    threads: int | None = None,
) -> Column:
    """The XXH64 of :func:`dedup_key`, with seed 0: ``fasturl.dedup_hash``.

    As :func:`dedup_key`, as uint64.

    >>> dedup_hash(["http://h/?b&a"]).to_pylist()
    [2982660927235680748]
    """

def query_names(column: Any, *, decode: bool = True, form: Form = "url", threads: int | None = None) -> Column:
    """The names in the query of each URL of a column, as lists, empty without a query: ``fasturl.query_names``.

    As :func:`file_name`, always copied. ``decode`` is as for ``fasturl.query_names``.

    >>> query_names(["/a?x=1&a+b=2&x", "/a?", "/a"]).to_pylist()
    [['x', 'a b', 'x'], [], []]
    """

def query_pairs(column: Any, *, decode: bool = True, form: Form = "url", threads: int | None = None) -> Column:
    """The names and values in the query of each URL of a column: ``fasturl.query_pairs``.

    As :func:`query_names`. The lists hold structs of name and value.

    >>> query_pairs(["/a?x=%41", None]).to_pylist()
    [[{'name': 'x', 'value': 'A'}], None]
    """

def path_prefixes(column: Any, *, limit: int = 32, form: Form = "url", threads: int | None = None) -> Column:
    """The paths above each URL's path, and the path itself, as lists: ``fasturl.path_prefixes``.

    As :func:`query_names`. ``limit`` bounds each list. A row takes up to ``limit`` times the length of its URL.

    >>> path_prefixes(["http://h/a/b?x", "/", None]).to_pylist()
    [['/a/', '/a/b'], [], None]
    """

def url_prefixes(column: Any, *, limit: int = 32, form: Form = "url", threads: int | None = None) -> Column:
    """The URLs above each URL of a column, and the URL itself, as lists: ``fasturl.url_prefixes``.

    As :func:`path_prefixes`.

    >>> url_prefixes(["http://h/a/b?x"]).to_pylist()
    [['http://h/', 'http://h/a/', 'http://h/a/b']]
    """

def query_values(column: Any, names: Names, *, form: Form = "url", threads: int | None = None) -> Column:
    """The first value of each of some names in each URL's query, in one pass: ``fasturl.query_values``.

    As :func:`query_names`. names : str, or bytes-like for a binary column; each only once
    Returns structs with one field per name. A null row is null. An absent name is null in its field.
    Raises: as :func:`file_name`; ValueError for a repeated name.

    >>> query_values(["/a?x=1&y=a+b", "/a", None], ["x", "y"]).to_pylist()
    [{'x': '1', 'y': 'a b'}, {'x': None, 'y': None}, None]
    """
