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
    """Return the last segment of each URL's path, or null if the path is empty.

    This is the column form of ``fasturl.file_name``.
    The name starts after the last ``/`` and ends before a ``;``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> file_name(["/a/b.c;v=1", "/a/", "//h", None]).to_pylist()
    ['b.c', '', None, None]
    """

def file_extension(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Return the text after the last dot in each URL's file name.

    This is the column form of ``fasturl.file_extension``.
    You get null when there is no dot, or only a leading dot, for example in ``.profile``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> file_extension(["/a/b.tar.gz", "/a/b"]).to_pylist()
    ['gz', None]
    """

def first_segment(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Return the first segment of each URL's path, or null if the path is empty.

    This is the column form of ``fasturl.first_segment``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> first_segment(["http://h/blog/1", "http://h"]).to_pylist()
    ['blog', None]
    """

def path_and_query(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Return each URL's path and query, without the fragment.

    This is the column form of ``fasturl.path_and_query``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> path_and_query(["http://h/a?x=1#f", "http://h"]).to_pylist()
    ['/a?x=1', '']
    """

def query_and_fragment(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Return the text after each URL's ``?``, including the fragment.

    This is the column form of ``fasturl.query_and_fragment``.
    When a URL has no query, you get the text from the ``#``, or null without a ``#``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> query_and_fragment(["/a?x#f", "/a#f", "/a"]).to_pylist()
    ['x#f', '#f', None]
    """

def origin(column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string") -> Column:
    """Return each URL's scheme, host and port in lower case, without the login.

    This is the column form of ``fasturl.origin``.
    The scheme's default port is left out. You get null when the scheme or the ``//`` is missing.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> origin(["HTTP://u@H:80/a", "/a"]).to_pylist()
    ['http://h', None]
    """

def host_kind(column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string") -> Column:
    """Return each URL's host kind: name, ipv4, ipv6, numeric or none.

    This is the column form of ``fasturl.host_kind``.
    An unusual spelling of an IPv4 address is numeric, for example ``127.1``. You can also name it as a field of
    ``parse``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> host_kind(["http://h/", "http://127.1/", "/a", None]).to_pylist()
    ['name', 'numeric', 'none', None]
    """

def address_scope(
    column: Any, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Return the scope of each URL's address, for example global or private.

    This is the column form of ``fasturl.address_scope``.
    You get null when the host is a name, because no name is resolved. You can also name it as a field of
    ``parse``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
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
    """Return why a server must not fetch each URL, or null if it may.

    This is the column form of ``fasturl.fetch_refusal``.
    When strangers give you URLs, check them before you fetch them. A null row stays null, so call
    ``is_fetchable`` when you must tell null from a URL to fetch.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    schemes : str or iterable of str, default ("http", "https")
        The schemes that you fetch.
    ports : iterable of int, optional
        The ports that you fetch. When a URL has no port, the scheme's port counts. By default, you can fetch any port.
    addresses : str or iterable of str, default "global"
        The address scopes that you fetch, for example "global". Pass "any" to fetch all scopes.
    hosts : HostList, str or iterable of str, optional
        The only hosts that you fetch. By default, you can fetch from any host.
    not_hosts : HostList, str or iterable of str, optional
        Hosts that you must not fetch.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
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
    """Return whether a server may fetch each URL.

    This is the column form of ``fasturl.is_fetchable``.
    When strangers give you URLs, check them before you fetch them. A fetch needs more checks, because no name
    is resolved, and a response can redirect. ``fetch_refusal`` returns the reason.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    schemes : str or iterable of str, default ("http", "https")
        The schemes that you fetch.
    ports : iterable of int, optional
        The ports that you fetch. When a URL has no port, the scheme's port counts. By default, you can fetch any port.
    addresses : str or iterable of str, default "global"
        The address scopes that you fetch, for example "global". Pass "any" to fetch all scopes.
    hosts : HostList, str or iterable of str, optional
        The only hosts that you fetch. By default, you can fetch from any host.
    not_hosts : HostList, str or iterable of str, optional
        Hosts that you must not fetch.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.

    Examples
    --------
    >>> is_fetchable(["https://h.example/~u", "javascript:alert(1)", None]).to_pylist()
    [True, False, None]
    """

def path_template(
    column: Any, *, keep: Names = (), form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Return each URL's path with placeholders for values, for example numbers and dates.

    This is the column form of ``fasturl.path_template``.
    Pages of a kind have the same template, so you can group by it.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    keep : str, bytes or iterable, default ()
        Segments to keep as written, for example ``v2``. They must be bytes when the column holds bytes.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> path_template(["http://h/users/42", "/api/2/7.json", None], keep="2").to_pylist()
    ['/users/{n}', '/api/2/{n}.json', None]
    """

def drop_parts(
    column: Any, *parts: str, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Return each URL without the parts that you name.

    This is the column form of ``fasturl.drop_parts``.
    With ``strings="view"``, the buffers still hold the parts that you drop. To hide secrets, call ``redact``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    *parts : str
        Any of "scheme", "login", "password", "www", "port", "path", "query" and "fragment".
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> drop_parts(["http://me:pw@www.a.org/b?x#y", None], "login", "www", "query", "fragment").to_pylist()
    ['http://a.org/b', None]
    """

def drop_params(
    column: Any, names: Names, *, form: Form = "url", threads: int | None = None, strings: Strings = "string"
) -> Column:
    """Return each URL without the query pairs that have certain names.

    This is the column form of ``fasturl.drop_params``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    names : str, bytes or iterable
        The names to drop, for example ``utm_*``, where ``*`` matches any characters. They must be bytes when the column
        holds bytes.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
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
    """Return the public suffix of each URL's host, for example ``co.uk``.

    This is the column form of ``fasturl.public_suffix``.
    You get null when there is no host, when it is an address, or when programs read different hosts.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    private_suffixes : bool, default True
        False to ignore the list's private section, for example ``github.io``.
    form : {"url", "request-target", "host"}, default "url"
        Pass "host" when the texts are hosts. Pass "request-target" when they are targets from an access log.
    rules : Suffixes, optional
        Rules from ``fasturl.domains.read``. By default, you need the package ``publicsuffixlist``.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
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
    """Return each URL's registrable domain, for example ``example.co.uk``.

    This is the column form of ``fasturl.registrable_domain``.
    It is the public suffix with the label before it. You get null when the host has no such label, when it is
    an address, or when programs read different hosts.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    private_suffixes : bool, default True
        False to ignore the list's private section, for example ``github.io``.
    form : {"url", "request-target", "host"}, default "url"
        Pass "host" when the texts are hosts. Pass "request-target" when they are targets from an access log.
    rules : Suffixes, optional
        Rules from ``fasturl.domains.read``. By default, you need the package ``publicsuffixlist``.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
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
    """Return the labels before each URL's registrable domain, for example ``www``.

    This is the column form of ``fasturl.subdomain``.
    You get null when there are no such labels, or when programs read different hosts.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    private_suffixes : bool, default True
        False to ignore the list's private section, for example ``github.io``.
    form : {"url", "request-target", "host"}, default "url"
        Pass "host" when the texts are hosts. Pass "request-target" when they are targets from an access log.
    rules : Suffixes, optional
        Rules from ``fasturl.domains.read``. By default, you need the package ``publicsuffixlist``.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
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
    """Return the list entry that blocks each URL, or null if no entry blocks it.

    This is the column form of ``fasturl.blocks``.
    When programs read different hosts in a URL, all these hosts are looked up.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    hosts : HostList, str or iterable of str
        Hosts, domains and networks. When you pass a HostList, you index the hosts only once.
    exact : bool, default False
        True to match only the listed hosts, and no host below them.
    form : {"url", "request-target", "host"}, default "url"
        Pass "host" when the texts are hosts. Pass "request-target" when they are targets from an access log.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> blocks(["http://www.example.com/", "http://example.org/", None], ["example.com"]).to_pylist()
    ['example.com', None, None]
    """

def allows(
    column: Any, hosts: HostList | _Hosts, *, exact: bool = False, form: HostForm = "url", threads: int | None = None
) -> Column:
    """Return whether a list allows each URL, because every program sees a listed host in it.

    This is the column form of ``fasturl.allows``.
    When programs read different hosts in a URL, it is not allowed.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    hosts : HostList, str or iterable of str
        Hosts, domains and networks. When you pass a HostList, you index the hosts only once.
    exact : bool, default False
        True to match only the listed hosts, and no host below them.
    form : {"url", "request-target", "host"}, default "url"
        Pass "host" when the texts are hosts. Pass "request-target" when they are targets from an access log.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.

    Examples
    --------
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
    """Return a key for each URL that is equal for all spellings of a page.

    This is the column form of ``fasturl.dedup_key``.
    Use it when you deduplicate URLs. You may not be able to fetch the key.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    normalize : bool, default True
        True to apply RFC 1738's normal form first.
    sort : bool, default True
        True to sort the query's pairs, and to drop empty pairs.
    fragment : bool, default False
        True to keep the fragment.
    drop : str, bytes or iterable, optional
        Names to drop from the query. By default, you drop tracking parameters, for example ``utm_*``. Pass ``()`` to
        keep every name.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
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
    """Return each URL in the canonical form by which Scrapy recognizes pages.

    This is the column form of ``fasturl.canonicalize``.
    You get the same results as from ``w3lib.url.canonicalize_url``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    keep_blank_values : bool, default True
        False to drop pairs without a value.
    keep_fragments : bool, default False
        True to keep the fragment.
    otherwise : {"null", "keep"}, default "null"
        "keep" to return a URL as written when w3lib raises ValueError for it, for example for the port ``x``.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> canonicalize(["http://H/a/../b?y&x=1#f", "http://h:x/"]).to_pylist()
    ['http://h/b?x=1&y=', None]
    """

def surt(column: Any, *, threads: int | None = None, strings: Strings = "string") -> Column:
    """Return each URL's SURT key, by which web archives sort their indexes.

    This is the column form of ``fasturl.surt``.
    You get null when the port is not a number below 65536.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.
    strings : {"string", "view"}, default "string"
        "string" copies each text. "view" returns string views, which can point into the input and keep it in memory.

    Examples
    --------
    >>> surt(["http://www.Example.com:80/B/?y&x=1#f", "http://h:x/"]).to_pylist()
    ['com,example)/b?x=1&y', None]
    """

def path_depth(column: Any, *, form: Form = "url", threads: int | None = None) -> Column:
    """Return the number of non-empty segments in each URL's path.

    This is the column form of ``fasturl.path_depth``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.

    Examples
    --------
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
    """Return the XXH64 of each URL's ``dedup_key``, with seed 0.

    This is the column form of ``fasturl.dedup_hash``.
    When you deduplicate many URLs, it takes less memory than the keys.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    normalize : bool, default True
        True to apply RFC 1738's normal form first.
    sort : bool, default True
        True to sort the query's pairs, and to drop empty pairs.
    fragment : bool, default False
        True to keep the fragment.
    drop : str, bytes or iterable, optional
        Names to drop from the query. By default, you drop tracking parameters, for example ``utm_*``. Pass ``()`` to
        keep every name.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.

    Examples
    --------
    >>> dedup_hash(["http://h/?b&a"]).to_pylist()
    [2982660927235680748]
    """

def query_names(column: Any, *, decode: bool = True, form: Form = "url", threads: int | None = None) -> Column:
    """Return the names in each URL's query as a list.

    This is the column form of ``fasturl.query_names``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    decode : bool, default True
        False to leave escapes and ``+`` as written.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.

    Examples
    --------
    >>> query_names(["/a?x=1&a+b=2&x", "/a?", "/a"]).to_pylist()
    [['x', 'a b', 'x'], [], []]
    """

def query_pairs(column: Any, *, decode: bool = True, form: Form = "url", threads: int | None = None) -> Column:
    """Return the names and values in each URL's query as a list.

    This is the column form of ``fasturl.query_pairs``.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    decode : bool, default True
        False to leave escapes and ``+`` as written.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.

    Examples
    --------
    >>> query_pairs(["/a?x=%41", None]).to_pylist()
    [[{'name': 'x', 'value': 'A'}], None]
    """

def path_prefixes(column: Any, *, limit: int = 32, form: Form = "url", threads: int | None = None) -> Column:
    """Return the paths above each URL's path, and the path itself, as a list.

    This is the column form of ``fasturl.path_prefixes``.
    Group by the prefixes when you count requests per folder.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    limit : int, default 32
        The maximum number of prefixes per URL. The longest prefixes are left out.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.

    Examples
    --------
    >>> path_prefixes(["http://h/a/b?x", "/", None]).to_pylist()
    [['/a/', '/a/b'], [], None]
    """

def url_prefixes(column: Any, *, limit: int = 32, form: Form = "url", threads: int | None = None) -> Column:
    """Return the URLs above each URL, and the URL itself, as a list.

    This is the column form of ``fasturl.url_prefixes``.
    Query and fragment are left out.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    limit : int, default 32
        The maximum number of prefixes per URL. The longest prefixes are left out.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.

    Examples
    --------
    >>> url_prefixes(["http://h/a/b?x"]).to_pylist()
    [['http://h/', 'http://h/a/', 'http://h/a/b']]
    """

def query_values(column: Any, names: Names, *, form: Form = "url", threads: int | None = None) -> Column:
    """Return the first value for each name in each URL's query.

    This is the column form of ``fasturl.query_values``.
    One pass reads the values for all names.

    Parameters
    ----------
    column : array-like
        Text or bytes, for example in a pyarrow Array, a Series, a NumPy array or a list. Nulls stay null.
    names : str, bytes or iterable
        The names to look up, each only once. They must be bytes when the column holds bytes.
    form : {"url", "request-target"}, default "url"
        Pass "request-target" when the texts are targets from an access log, for example ``//a/b``, which is a path.
    threads : int, optional
        The maximum number of threads. By default, a thread is added when it saves more time than its start costs.

    Examples
    --------
    >>> query_values(["/a?x=1&y=a+b", "/a", None], ["x", "y"]).to_pylist()
    [{'x': '1', 'y': 'a b'}, {'x': None, 'y': None}, None]
    """
