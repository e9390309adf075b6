# Part of _functions.pyx: the functions that take one URL and return a part of it or a new text.

# The functions whose only setting is the form, of URLs.
cdef list PLAIN = [new_function(<fu_function_kind><int>kind, _scan.FU_FORM_URL) for kind in range(FU_FUNCTION_KINDS)]


cdef inline object plain(fu_function_kind kind, object url, object form, const char *caller):
    if form is "url":  # noqa: F632, E721 - the default is this very object
        return (<Function>PyList_GET_ITEM(PLAIN, <Py_ssize_t>kind)).of(url, caller)
    return new_function(kind, form_of(form)).of(url, caller)


cdef tuple WEB_SCHEMES = ("http", "https")
cdef Function WEB_REFUSAL = _fetch_refusal_function(WEB_SCHEMES, None, "global")


# The key by default, for every text: the names of trackers are ASCII.
cdef Function DEDUP_KEY = _dedup_key_function(normalize=True, sort=True, fragment=False, drop=None, text=True)


cdef Function fetching(schemes, ports, addresses, hosts, not_hosts):
    if ports is None and type(schemes) is tuple and type(addresses) is str and hosts is None and not_hosts is None:
        if schemes == WEB_SCHEMES and addresses == "global":
            return WEB_REFUSAL
    return _fetch_refusal_function(schemes, ports, addresses, hosts, not_hosts)


def file_name(url, *, form="url"):
    """Return the last segment of a URL's path, without its params.

    The file name starts after the path's last ``/`` and ends before a ``;``. It is empty if the path ends with ``/``,
    and None if the path is empty.

    url : str, bytes-like or URL, valid or not.
    form : "url" or "request-target", as for :func:`fasturl.parse`.
    Returns: str for a str, bytes for bytes. Raises: TypeError for another type. Cost: O(n). Source: RFC 1738 section
    2.1.

    >>> file_name("http://h/a/report.tar.gz?x=1"), file_name("http://h/a/"), file_name("http://h")
    ('report.tar.gz', '', None)
    """
    return plain(FU_GIVES_FILE_NAME, url, form, b"file_name()")


def file_extension(url, *, form="url"):
    """Return the extension of a URL's file name: the text after its last dot, as written.

    Leading dots do not count. The extension is None if there is no other dot, and empty if the name ends with the dot.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> file_extension("http://h/a/report.tar.gz?x=1.5"), file_extension("http://h/.profile")
    ('gz', None)
    """
    return plain(FU_GIVES_FILE_EXTENSION, url, form, b"file_extension()")


def first_segment(url, *, form="url"):
    """Return the first segment of a URL's path: the text between its first and second ``/``. None if the path is empty.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> first_segment("http://h/blog/2024/"), first_segment("http://h/"), first_segment("http://h?x")
    ('blog', '', None)
    """
    return plain(FU_GIVES_FIRST_SEGMENT, url, form, b"first_segment()")


def path_and_query(url, *, form="url"):
    """Return a URL's path and query, without the fragment, as a request names them. Never None.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> path_and_query("http://h/a?x=1#f"), path_and_query("http://h")
    ('/a?x=1', '')
    """
    return plain(FU_GIVES_PATH_AND_QUERY, url, form, b"path_and_query()")


def query_and_fragment(url, *, form="url"):
    """Return the text after the ``?`` of a URL, including the fragment.

    Without a ``?``, return the text from the ``#`` on. Without either, return None.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> query_and_fragment("http://h/a?x=1#f"), query_and_fragment("/a#f"), query_and_fragment("/a?")
    ('x=1#f', '#f', '')
    """
    return plain(FU_GIVES_QUERY_AND_FRAGMENT, url, form, b"query_and_fragment()")


def origin(url, *, form="url"):
    """Return scheme, host and port of a URL, without the login: the part that the pages of a site share.

    ASCII letters become lower case. The scheme's default port and an empty port are left out. The result is None
    without a scheme or without ``//``.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> origin("HTTP://me:secret@Example.COM:80/a"), origin("https://h:8443/"), origin("/a")
    ('http://example.com', 'https://h:8443', None)
    """
    return plain(FU_GIVES_ORIGIN, url, form, b"origin()")


def host_kind(url, *, form="url"):
    """Return the kind of a URL's host: ``"name"``, ``"ipv4"``, ``"ipv6"``, ``"numeric"`` or ``"none"``.

    ``ipv4`` is four decimal numbers without leading zeros. ``numeric`` is any other spelling of an IPv4 address:
    octal or hexadecimal numbers, fewer than four, escapes, or a dot at the end. ``ipv6`` is an address in brackets, with
    or without a zone. ``name`` is every other host, and ``none`` stands for no host or an empty one. Nothing is resolved.

    url, form, Raises, Cost: as for :func:`file_name`.
    Returns: str for a str, bytes for bytes, never None.

    >>> host_kind("http://example.com/"), host_kind("http://127.0.0.1/"), host_kind("http://0x7f.1/"), host_kind("/a")
    ('name', 'ipv4', 'numeric', 'none')
    """
    return plain(FU_GIVES_HOST_KIND, url, form, b"host_kind()")


def address_scope(url, *, form="url"):
    """Return the scope of the address in a URL: ``"global"``, ``"private"``, ``"loopback"``, ``"link-local"``,
    ``"unspecified"``, ``"multicast"`` or ``"reserved"``.

    Addresses are read in every spelling of :func:`host_kind`. For IPv4 inside IPv6 (mapped, NAT64, 6to4, compatible),
    the inner address counts. ``private`` includes all ranges that ``ipaddress`` calls private, and carrier-grade NAT.

    url, form, Raises, Cost: as for :func:`file_name`.
    Returns: str for a str, bytes for bytes; None for a name, which is not resolved, and without a host. Source: the
    special-purpose address registries of IANA (RFC 6890).

    >>> address_scope("http://[::ffff:10.0.0.1]/"), address_scope("http://017700000001/"), address_scope("http://h/")
    ('private', 'loopback', None)
    """
    return plain(FU_GIVES_ADDRESS_SCOPE, url, form, b"address_scope()")


def fetch_refusal(url, schemes=("http", "https"), ports=None, addresses="global", *, hosts=None, not_hosts=None):
    """Return why a server must not fetch a URL from a stranger, or None if :func:`is_fetchable`.

    url : str, bytes-like or URL.
    schemes : the schemes to fetch, as str.
    ports : the ports to fetch, as numbers; the scheme's own port counts if the URL has none. None allows every port.
    addresses : the scopes of :func:`address_scope` to fetch, a str or an iterable; "any" for all. Names pass, except
        local ones: names without a dot, below ``localhost``, ``local``, ``internal``, ``lan`` and so on, and those of
        servers of metadata. The page "Fetch" lists them.
    hosts : the only hosts to fetch, a :class:`HostList` or what it takes. A name of the list passes even if it is local, such as
        a name without a dot. ``addresses`` still decides about addresses. None for any host.
    not_hosts : the hosts not to fetch, a :class:`HostList` or what it takes.
    Returns: the first reason that applies: ``"character"``, ``"scheme"``, ``"no-host"``, ``"ambiguous"``, ``"login"``,
        ``"port"``, ``"blocked"`` (by ``not_hosts``), ``"not-allowed"`` (by ``hosts``), ``"local-name"``, ``"metadata"``, or the scope
        of the address. str for a str, bytes for bytes.
    Raises: TypeError for another type, ValueError for an unknown scope or a port above 65535; as HostList for a list. Cost: O(n).

    >>> fetch_refusal("http://169.254.169.254/"), fetch_refusal("file:///etc/passwd"), fetch_refusal("https://h.example/~u")
    ('link-local', 'scheme', None)
    """
    return fetching(schemes, ports, addresses, hosts, not_hosts).of(url, b"fetch_refusal()")


def is_fetchable(url, schemes=("http", "https"), ports=None, addresses="global", *, hosts=None, not_hosts=None):
    """Return True if a server may fetch a URL from a stranger: every reader goes to the host that you see, and the host is
    no address of an inner network.

    A fetch needs more than this filter: names are not resolved, and a response may redirect. docs/guides/fetch.md has
    the steps. :func:`fetch_refusal` returns the reason.

    url, schemes, ports, addresses, hosts, not_hosts, Raises, Cost: as for :func:`fetch_refusal`.

    >>> is_fetchable("https://example.com/a?next=/b#c"), is_fetchable("http://0177.0.0.1/")
    (True, False)
    >>> is_fetchable("http://printer/", hosts=["printer"]), is_fetchable("http://a.ads.example/", not_hosts=["ads.example"])
    (True, False)
    """
    return fetching(schemes, ports, addresses, hosts, not_hosts).of(url, b"is_fetchable()") is None


def path_depth(url, *, form="url"):
    """Return the number of non-empty segments of a URL's path, as an int.

    url, form, Raises, Cost: as for :func:`file_name`.

    >>> path_depth("http://h/a//b/"), path_depth("http://h/"), path_depth("mailto:a@b")
    (2, 0, 1)
    """
    cdef Bytes data
    cdef fu_spans spans
    _held = split_of(url, form_of(form), b"path_depth()", &data, &spans)
    return fu_path_depth(data.p, &spans)


def path_template(url, *, keep=(), form="url"):
    """Return a URL's path with placeholders for its values, so that all pages of a kind have the same path.

    A number becomes ``{n}``, a UUID ``{uuid}``, a date ``{date}``, 16 or more hex digits ``{hash}``, a long mix of
    letters and digits ``{token}``, and a mail address ``{mail}``: docs/functions.md has the rules. A short extension
    stays. Params (from a ``;`` on), query and fragment are dropped.

    url, form : as for :func:`file_name`.
    keep : a segment or an iterable of segments to keep as written: str, or bytes-like for a URL in bytes.
    Returns: str for a str, bytes for bytes, never None. Raises: TypeError for another type. Cost: O(n) in the URL; each
        segment is compared with each item of ``keep``.

    >>> path_template("http://h/users/42/orders/8a6e0804-2bd0-4672-b79d-d97027f9071a?x=1")
    '/users/{n}/orders/{uuid}'
    >>> path_template("/2024-05-17/report-7.pdf"), path_template("/api/2/users/3.json", keep=["2"])
    ('/{date}/report-7.pdf', '/api/2/users/{n}.json')
    """
    return (<Function>_path_template_function(keep, text=is_text(url), form=form)).of(url, b"path_template()")


def drop_parts(url, *parts, form="url"):
    """Return a URL without some of its parts and without the delimiters of these parts.

    url, form : as for :func:`file_name`.
    parts : any of ``"scheme"`` (``http:``), ``"login"`` (``user:password@``), ``"password"`` (``:password``), ``"www"``
        (a host's leading ``www.``, if the rest contains a dot), ``"port"``, ``"path"``, ``"query"`` (with its ``?``)
        and ``"fragment"`` (with its ``#``).
    Returns: str for a str, bytes for bytes, never None; the rest as written. The same object if nothing is removed.
    Raises: TypeError for another type, ValueError for another part. Cost: O(n).
    To hide secrets, use :func:`fasturl.redact`: it hides the passwords that any reading of a URL sees.

    >>> drop_parts("https://me:secret@www.example.com/a?x=1#top", "login", "www", "query", "fragment")
    'https://example.com/a'
    """
    return (<Function>_drop_parts_function(parts, form)).of(url, b"drop_parts()")


def drop_params(url, names, *, form="url"):
    """Return a URL without the query pairs that have one of these names.

    If no pair is left, the ``?`` is dropped, too.

    url, form : as for :func:`file_name`.
    names : a name or an iterable of names (str, or bytes-like for a URL in bytes). They are compared with the decoded
        names of the query and are case-sensitive; ``*`` matches any number of characters.
    Returns: str for a str, bytes for bytes, never None; the rest as written. The same object if nothing is dropped.
    Raises: TypeError for another type. Cost: O(n) in the URL; each name in it is compared with each of ``names``.

    >>> drop_params("http://h/a?utm_source=x&id=1&utm_medium=y&fbclid=z#top", ["utm_*", "fbclid"])
    'http://h/a?id=1#top'
    >>> drop_params(b"/a?fbclid=z", "fbclid")
    b'/a'
    """
    return (<Function>_drop_params_function(names, text=is_text(url), form=form)).of(url, b"drop_params()")


def public_suffix(url, *, bint private_suffixes=True, form="url", rules=None):
    """Return the public suffix of a URL's host, as ``co.uk``: the domain under which names can be registered.

    url : str, bytes-like or URL.
    private_suffixes : use the list's private section, which has suffixes such as ``github.io``.
    form : as for :func:`file_name`; or "host" for a text that is a host, not a URL.
    rules : from :func:`fasturl.domains.read`; by default the rules of the package ``publicsuffixlist``.
    Returns: str for a str, bytes for bytes, with ASCII letters in lower case; the last label if no rule matches. None
        without a host, for an IP address, for a host with an empty label (one trailing dot is allowed), and for a URL whose
        host readers read differently (:attr:`fasturl.Finding.AMBIGUOUS_AUTHORITY`).
    Raises: TypeError for another type; ModuleNotFoundError without rules (``pip install 'fasturl[domains]'``).
    Cost: O(n).
    Source: the algorithm of publicsuffix.org, as ``publicsuffixlist`` reads it.

    >>> public_suffix("http://www.example.co.uk/"), public_suffix("me.github.io", form="host", private_suffixes=False)
    ('co.uk', 'io')
    """
    return domain_function(FU_GIVES_PUBLIC_SUFFIX, private_suffixes, form, rules).of(url, b"public_suffix()")


def registrable_domain(url, *, bint private_suffixes=True, form="url", rules=None):
    """Return the registrable domain of a URL's host: its public suffix and the label before it.

    url, private_suffixes, form, rules, Raises, Cost: as for :func:`public_suffix`.
    Returns: as :func:`public_suffix`; None also if the host is itself a public suffix.

    >>> registrable_domain("http://www.example.co.uk/"), registrable_domain("http://127.0.0.1/")
    ('example.co.uk', None)
    """
    return domain_function(FU_GIVES_REGISTRABLE_DOMAIN, private_suffixes, form, rules).of(url, b"registrable_domain()")


def subdomain(url, *, bint private_suffixes=True, form="url", rules=None):
    """Return the subdomain of a URL's host: the labels before its registrable domain.

    url, private_suffixes, form, rules, Raises, Cost: as for :func:`public_suffix`.
    Returns: as :func:`public_suffix`; None also if there are no such labels.

    >>> subdomain("http://a.b.example.co.uk/"), subdomain("http://example.co.uk/")
    ('a.b', None)
    """
    return domain_function(FU_GIVES_SUBDOMAIN, private_suffixes, form, rules).of(url, b"subdomain()")


def dedup_key(url, *, bint normalize=True, bint sort=True, bint fragment=False, drop=None):
    """Return a key that is equal for all spellings of a page, to deduplicate URLs. The key may not be a URL to fetch.

    url : str, bytes-like or URL.
    normalize : apply the normal form of RFC 1738 section 2.2 (:func:`fasturl.normalize`), and add the ``/`` that
        section 3.3 allows an http URL to omit.
    sort : sort the pairs of the query by their bytes, and drop empty pairs.
    fragment : keep the fragment.
    drop : names to drop, as for :func:`drop_params`; by default the names that trackers add (``utm_*``, ``gclid``,
        ``fbclid``, …); ``()`` for none. With any name, an empty ``?`` is dropped, too.
    Returns: str for a str, bytes for bytes, never None. Raises: TypeError for another type.
    Cost: O(n log n) in the length of the query with ``sort``, else O(n).

    >>> dedup_key("HTTP://Example.com:80/%7Ea?b=2&utm_source=x&a=1#top")
    'http://example.com/%7Ea?a=1&b=2'
    """
    if normalize and sort and not fragment and drop is None:
        return DEDUP_KEY.of(url, b"dedup_key()")
    return (<Function>_dedup_key_function(normalize=normalize, sort=sort, fragment=fragment, drop=drop, text=is_text(url))).of(
        url, b"dedup_key()")


def blocks(url, hosts, *, bint exact=False, form="url"):
    """Return the entry of a list that blocks a URL, or None: :meth:`HostList.blocks` for a list that need not be a HostList.

    url, exact, form, Returns: as for :meth:`HostList.blocks`.
    hosts : a :class:`HostList`, or what it takes. A HostList is built once; anything else, for this call.
    Raises: TypeError for another type; as HostList for a list. Cost: O(n), whatever the length of the list.

    >>> blocks("http://www.Example.com/", ["example.com", "10.0.0.0/8"]), blocks("http://myexample.com/", ["example.com"])
    ('example.com', None)
    """
    return (<Function>_list_function("blocks", hosts, exact=exact, form=form)).of(url, b"blocks()")


def allows(url, hosts, *, bint exact=False, form="url"):
    """Return True if every reader sees the same host, and the list has it: :meth:`HostList.allows` for any list.

    url, hosts, exact, form, Raises, Cost: as for :func:`blocks`.

    >>> allows("http://www.example.com/", ["example.com"]), allows("http://evil.example\\\\@example.com/", ["example.com"])
    (True, False)
    """
    return not (<Function>_list_function("allows", hosts, exact=exact, form=form)).of(url, b"allows()")


cdef dict CANONICAL = {}    # the functions by their settings


def canonicalize(url, *, bint keep_blank_values=True, bint keep_fragments=False, otherwise="null"):
    """Return the canonical form of a URL, that of ``w3lib.url.canonicalize_url``, by which Scrapy recognizes pages.

    Escapes get one spelling, the pairs of the query are sorted, dot segments are resolved, and the host becomes ASCII.
    docs/guides/crawl-keys.md has the rules and the differences.

    url : str, bytes-like or URL.
    keep_blank_values : keep the pairs of the query without a value.
    keep_fragments : keep the fragment.
    otherwise : what to return where w3lib raises ValueError: "null" (None), or "keep" (the URL as written). w3lib
        raises it for a port that is not a number below 65536, and for brackets or a host that no address and no name
        can have. If you deduplicate by the result, keep these URLs, because None would merge all of them.
    Returns: str for a str, bytes for bytes. Raises: TypeError for another type, ValueError for another ``otherwise``.
    Cost: O(n log n) in the length of the query, else O(n). A text with white space around it, and a host in brackets or
        outside ASCII, take a Python call.

    >>> canonicalize("HTTP://www.Example.com/a/../%7eb?c=3&b=5&b=2&a#top")
    'http://www.example.com/~b?a=&b=2&b=5&c=3'
    >>> canonicalize("http://b\xfccher.example/r\xe9sum\xe9"), canonicalize("http://h:x/")
    ('http://xn--bcher-kva.example/r%C3%A9sum%C3%A9', None)
    >>> canonicalize("http://h:x/", otherwise="keep")
    'http://h:x/'
    """
    function = CANONICAL.get((keep_blank_values, keep_fragments, otherwise))
    if function is None:
        function = _canonicalize_function(
            keep_blank_values=keep_blank_values, keep_fragments=keep_fragments, otherwise=otherwise)
        CANONICAL[keep_blank_values, keep_fragments, otherwise] = function
    return (<Function>function).of(url, b"canonicalize()")


cdef Function SURT = None    # the function, once it was called


def surt(url):
    """Return the SURT key of a URL, by which the CDX indexes of web archives are sorted: the host's labels in reverse order.

    The key is that of the Python package surt, with its default settings. docs/guides/crawl-keys.md has the rules and the
    differences.

    url : str, bytes-like or URL.
    Returns: str for a str, bytes for bytes. None where surt raises: for a port that is not a number below 65536, and for a text of
        white space. Raises: TypeError for another type.
    Cost: O(n log n) in the length of the query, else O(n). A host outside ASCII takes a Python call.

    >>> surt("http://www.Example.com:80/a/../B/?sid=0123456789abcdef0123456789abcdef&y=2&x=1#top"), surt("http://h:x/")
    ('com,example)/b?x=1&y=2', None)
    """
    global SURT
    if SURT is None:
        SURT = _surt_function()
    return SURT.of(url, b"surt()")


def dedup_hash(url, *, bint normalize=True, bint sort=True, bint fragment=False, drop=None):
    """Return the XXH64 (seed 0) of :func:`dedup_key`, an int below 2**64. A str is hashed as UTF-8.

    url, normalize, sort, fragment, drop, Raises, Cost: as for :func:`dedup_key`.

    >>> dedup_hash("http://h/?b&a") == dedup_hash("HTTP://H?a&b#f") == 0x29648a4f7d51e9ec
    True
    """
    cdef Bytes data
    key = (<Function>_dedup_key_function(normalize=normalize, sort=sort, fragment=fragment, drop=drop, text=is_text(url))).of(
        url, b"dedup_hash()")
    _held = bytes_in(key, &data)
    return fu_hash(data.p, data.n)
