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
    """Return the last segment in a URL's path, without its params.

    The file name starts after the last ``/`` and ends before a ``;``. It is empty when the path ends with ``/``.
    $parameters
    $Returns
    str, bytes or None
        Text of the same type as ``url``, or ``None`` if the path is empty.
    $raises
    $See Also
    file_extension : Return the text after the last dot.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.1.
    $Examples
    >>> file_name("http://h/a/report.tar.gz?x=1"), file_name("http://h/a/"), file_name("http://h")
    ('report.tar.gz', '', None)
    """
    return plain(FU_GIVES_FILE_NAME, url, form, b"file_name()")


def file_extension(url, *, form="url"):
    """Return the file name's extension: the text after its last dot, as written.

    Leading dots do not count. For example, ``.profile`` has no extension. The extension is empty when the name ends
    with the dot. Source: RFC 1738 section 2.1.
    $parameters
    $Returns
    str, bytes or None
        Text of the same type as ``url``, or ``None`` if the name has no extension.
    $linear
    $Examples
    >>> file_extension("http://h/a/report.tar.gz?x=1.5"), file_extension("http://h/.profile")
    ('gz', None)
    """
    return plain(FU_GIVES_FILE_EXTENSION, url, form, b"file_extension()")


def first_segment(url, *, form="url"):
    """Return the first segment in a URL's path: the text between the first and the second ``/``.

    You can group pages by it, for example into ``blog`` and ``shop``. Source: RFC 1738 section 2.1.
    $parameters
    $Returns
    str, bytes or None
        Text of the same type as ``url``, or ``None`` if the path is empty.
    $linear
    $Examples
    >>> first_segment("http://h/blog/2024/"), first_segment("http://h/"), first_segment("http://h?x")
    ('blog', '', None)
    """
    return plain(FU_GIVES_FIRST_SEGMENT, url, form, b"first_segment()")


def path_and_query(url, *, form="url"):
    """Return a URL's path and query without the fragment, as an HTTP request names them.

    Source: RFC 1738 sections 2.1 and 3.3.
    $parameters
    $Returns
    str or bytes
        Text of the same type as ``url``. It is empty when the URL has no path and no query.
    $linear
    $Examples
    >>> path_and_query("http://h/a?x=1#f"), path_and_query("http://h")
    ('/a?x=1', '')
    """
    return plain(FU_GIVES_PATH_AND_QUERY, url, form, b"path_and_query()")


def query_and_fragment(url, *, form="url"):
    """Return the text after a URL's ``?``, with the fragment.

    When the URL has no ``?``, the text starts with the ``#``. Source: RFC 1738 sections 2.1 and 2.2.
    $parameters
    $Returns
    str, bytes or None
        Text of the same type as ``url``, or ``None`` if the URL has neither a query nor a fragment.
    $linear
    $Examples
    >>> query_and_fragment("http://h/a?x=1#f"), query_and_fragment("/a#f"), query_and_fragment("/a?")
    ('x=1#f', '#f', '')
    """
    return plain(FU_GIVES_QUERY_AND_FRAGMENT, url, form, b"query_and_fragment()")


def origin(url, *, form="url"):
    """Return a URL's scheme, host and port, without the login. All pages on a site share this text.

    ASCII letters become lower case. The scheme's default port and an empty port are left out. Source: RFC 1738 section
    3.1.
    $parameters
    $Returns
    str, bytes or None
        Text of the same type as ``url``, or ``None`` if the URL has no scheme or no ``//``.
    $linear
    $Examples
    >>> origin("HTTP://me:secret@Example.COM:80/a"), origin("https://h:8443/"), origin("/a")
    ('http://example.com', 'https://h:8443', None)
    """
    return plain(FU_GIVES_ORIGIN, url, form, b"origin()")


def host_kind(url, *, form="url"):
    """Return what kind of host a URL has: a name, an IP address, or no host.

    Nothing is resolved.
    $parameters
    $Returns
    str or bytes
        A text of the same type as ``url``:

        - ``ipv4``: four decimal numbers without leading zeros, such as ``127.0.0.1``.
        - ``numeric``: any other spelling of an IPv4 address. Examples are octal or hexadecimal numbers, fewer than four
          numbers, escapes, and a dot at the end.
        - ``ipv6``: an address in brackets, with or without a zone.
        - ``name``: every other host.
        - ``none``: no host, or an empty host.
    $raises
    $See Also
    address_scope : Return whether an address is public.
    $Notes
    Cost: O(n). Source: RFC 1738 section 3.1.
    $Examples
    >>> host_kind("http://example.com/"), host_kind("http://127.0.0.1/"), host_kind("http://0x7f.1/"), host_kind("/a")
    ('name', 'ipv4', 'numeric', 'none')
    """
    return plain(FU_GIVES_HOST_KIND, url, form, b"host_kind()")


def address_scope(url, *, form="url"):
    """Return an IP address's scope: whether a URL's host is public, private or reserved.

    fasturl reads every spelling, for example decimal, octal and hexadecimal numbers. When an IPv6 address contains an
    IPv4 address (mapped, NAT64, 6to4 or compatible), the IPv4 address decides. Host names are not resolved.
    $parameters
    $Returns
    str, bytes or None
        A text of the same type as ``url``: ``global``, ``private``, ``loopback``, ``link-local``, ``unspecified``,
        ``multicast`` or ``reserved``. ``private`` covers all ranges that ``ipaddress`` calls private, and carrier-grade
        NAT. ``None`` if the host is a name, or if the URL has no host.
    $raises
    $See Also
    is_fetchable : Check whether a server may fetch a URL.
    $Notes
    Cost: O(n). Source: IANA's special-purpose address registries (RFC 6890).
    $Examples
    >>> address_scope("http://[::ffff:10.0.0.1]/"), address_scope("http://017700000001/"), address_scope("http://h/")
    ('private', 'loopback', None)
    """
    return plain(FU_GIVES_ADDRESS_SCOPE, url, form, b"address_scope()")


def fetch_refusal(url, schemes=("http", "https"), ports=None, addresses="global", *, hosts=None, not_hosts=None):
    """Return why your server must not fetch a URL from a stranger, or ``None`` if it may.
    $fetch
    $Returns
    str, bytes or None
        The first reason that applies, in the same type as ``url``: ``character``, ``scheme``, ``no-host``,
        ``ambiguous``, ``login``, ``port``, ``blocked`` (by ``not_hosts``), ``not-allowed`` (by ``hosts``),
        ``local-name``, ``metadata``, or the address's scope. ``None`` if ``is_fetchable`` returns True.
    $no_fetch
    $See Also
    is_fetchable : Return True if there is no reason.
    $Notes
    Cost: O(n). docs/guides/fetch.md lists the local names.
    $Examples
    >>> fetch_refusal("http://169.254.169.254/"), fetch_refusal("file:///etc/passwd"), fetch_refusal("https://h.example/~u")
    ('link-local', 'scheme', None)
    """
    return fetching(schemes, ports, addresses, hosts, not_hosts).of(url, b"fetch_refusal()")


def is_fetchable(url, schemes=("http", "https"), ports=None, addresses="global", *, hosts=None, not_hosts=None):
    """Return True if your server may fetch a URL from a stranger.

    Every program must go to the host that you see, and the host must not be an address in an inner network. You need
    more than this filter, because fasturl resolves no names, and because a response can redirect. docs/guides/fetch.md
    has the steps.
    $fetch
    $Returns
    bool
        True if nothing forbids the fetch.
    $no_fetch
    $See Also
    fetch_refusal : Return the reason.
    $Notes
    Cost: O(n).
    $Examples
    >>> is_fetchable("https://example.com/a?next=/b#c"), is_fetchable("http://0177.0.0.1/")
    (True, False)
    >>> is_fetchable("http://printer/", hosts=["printer"]), is_fetchable("http://a.ads.example/", not_hosts=["ads.example"])
    (True, False)
    """
    return fetching(schemes, ports, addresses, hosts, not_hosts).of(url, b"is_fetchable()") is None


def path_depth(url, *, form="url"):
    """Return how many segments a URL's path has.

    Empty segments do not count. Source: RFC 1738 section 2.1.
    $parameters
    $Returns
    int
        Number of segments, 0 when the path is empty or ``/``.
    $linear
    $Examples
    >>> path_depth("http://h/a//b/"), path_depth("http://h/"), path_depth("mailto:a@b")
    (2, 0, 1)
    """
    cdef Bytes data
    cdef fu_spans spans
    _held = split_of(url, form_of(form), b"path_depth()", &data, &spans)
    return fu_path_depth(data.p, &spans)


def path_template(url, *, keep=(), form="url"):
    """Return a URL's path with placeholders for values, so that you can count similar pages together.

    A number becomes ``{n}``, a UUID ``{uuid}``, a date ``{date}``, and a mail address ``{mail}``. 16 or more hex digits
    become ``{hash}``, and a long mix of letters and digits becomes ``{token}``. A short extension stays. Params (from a
    ``;`` on), query and fragment are dropped. docs/functions.md has the rules.
    $Parameters
    $url
    keep : str, bytes-like or iterable
        Segments to keep as written, for example ``"2"``. Bytes need a URL in bytes.
    $form
    $Returns
    str or bytes
        Text of the same type as ``url``.
    $raises
    $Notes
    Cost: O(n). Each segment is compared with each item in ``keep``.
    $Examples
    >>> path_template("http://h/users/42/orders/8a6e0804-2bd0-4672-b79d-d97027f9071a?x=1")
    '/users/{n}/orders/{uuid}'
    >>> path_template("/2024-05-17/report-7.pdf"), path_template("/api/2/users/3.json", keep=["2"])
    ('/{date}/report-7.pdf', '/api/2/users/{n}.json')
    """
    return (<Function>_path_template_function(keep, text=is_text(url), form=form)).of(url, b"path_template()")


def drop_parts(url, *parts, form="url"):
    """Remove parts from a URL, together with their delimiters.

    To hide secrets, use ``fasturl.redact``, because it finds the passwords that any program sees in a URL.
    $Parameters
    $url
    *parts : str
        Parts to remove: ``"scheme"`` (``http:``), ``"login"`` (``user:password@``), ``"password"`` (``:password``),
        ``"www"`` (a host's leading ``www.``, if the rest contains a dot), ``"port"``, ``"path"``, ``"query"`` (with the
        ``?``) and ``"fragment"`` (with the ``#``).
    $form
    $Returns
    str or bytes
        Text of the same type as ``url``, with the rest as written. It is the same object when nothing is removed.
    $Raises
    TypeError
        If ``url`` has another type.
    ValueError
        If a part or ``form`` has another value.
    $Notes
    Cost: O(n). Source: RFC 1738 sections 2.1 and 3.1.
    $Examples
    >>> drop_parts("https://me:secret@www.example.com/a?x=1#top", "login", "www", "query", "fragment")
    'https://example.com/a'
    """
    return (<Function>_drop_parts_function(parts, form)).of(url, b"drop_parts()")


def drop_params(url, names, *, form="url"):
    """Remove query pairs from a URL by name.

    When no pair is left, the ``?`` is removed too.
    $Parameters
    $url
    $names
    $form
    $Returns
    str or bytes
        Text of the same type as ``url``, with the rest as written. It is the same object when nothing is removed.
    $raises
    $See Also
    keep_params : Keep only the pairs that you name.
    set_params : Give names new values.
    $Notes
    Cost: O(n). Each name in the URL is compared with each item in ``names``.
    $Examples
    >>> drop_params("http://h/a?utm_source=x&id=1&utm_medium=y&fbclid=z#top", ["utm_*", "fbclid"])
    'http://h/a?id=1#top'
    >>> drop_params(b"/a?fbclid=z", "fbclid")
    b'/a'
    """
    return (<Function>_drop_params_function(names, text=is_text(url), form=form)).of(url, b"drop_params()")


def public_suffix(url, *, bint private_suffixes=True, form="url", rules=None):
    """Return a host's public suffix: the domain under which anyone can register names, for example ``co.uk``.
    $Parameters
    $url
    $private_suffixes
    $form_or_host
    $rules
    $Returns
    str, bytes or None
        Text of the same type as ``url``, with ASCII letters in lower case. When no rule matches, it is the last label.
    $no_domain
    $raises
    $no_rules
    $See Also
    registrable_domain : Return the suffix with the label before it.
    subdomain : Return the labels before the registrable domain.
    $Notes
    Cost: O(n). Source: the algorithm on publicsuffix.org, as ``publicsuffixlist`` reads it.
    $Examples
    >>> public_suffix("http://www.example.co.uk/"), public_suffix("me.github.io", form="host", private_suffixes=False)
    ('co.uk', 'io')
    """
    return domain_function(FU_GIVES_PUBLIC_SUFFIX, private_suffixes, form, rules).of(url, b"public_suffix()")


def registrable_domain(url, *, bint private_suffixes=True, form="url", rules=None):
    """Return a host's registrable domain: the public suffix and the label before it.

    You can group hosts by it, because each domain has a single owner.
    $Parameters
    $url
    $private_suffixes
    $form_or_host
    $rules
    $Returns
    str, bytes or None
        Text of the same type as ``url``, with ASCII letters in lower case.
    $no_domain
        ``None`` also if the host is itself a public suffix.
    $raises
    $no_rules
    $See Also
    public_suffix : Return the suffix alone.
    subdomain : Return the labels before the registrable domain.
    $Notes
    Cost: O(n). Source: the algorithm on publicsuffix.org, as ``publicsuffixlist`` reads it.
    $Examples
    >>> registrable_domain("http://www.example.co.uk/"), registrable_domain("http://127.0.0.1/")
    ('example.co.uk', None)
    """
    return domain_function(FU_GIVES_REGISTRABLE_DOMAIN, private_suffixes, form, rules).of(url, b"registrable_domain()")


def subdomain(url, *, bint private_suffixes=True, form="url", rules=None):
    """Return a host's subdomain: the labels before the registrable domain.
    $Parameters
    $url
    $private_suffixes
    $form_or_host
    $rules
    $Returns
    str, bytes or None
        Text of the same type as ``url``, with ASCII letters in lower case.
    $no_domain
        ``None`` also if no label comes before the registrable domain.
    $raises
    $no_rules
    $See Also
    registrable_domain : Return the domain after the subdomain.
    $Notes
    Cost: O(n). Source: the algorithm on publicsuffix.org, as ``publicsuffixlist`` reads it.
    $Examples
    >>> subdomain("http://a.b.example.co.uk/"), subdomain("http://example.co.uk/")
    ('a.b', None)
    """
    return domain_function(FU_GIVES_SUBDOMAIN, private_suffixes, form, rules).of(url, b"subdomain()")


def dedup_key(url, *, bint normalize=True, bint sort=True, bint fragment=False, drop=None):
    """Return a key that is equal for all spellings of a page, so that you can deduplicate URLs.

    Compare keys, but do not fetch them: a key may not be a URL.
    $key
    $Returns
    str or bytes
        Text of the same type as ``url``. When you drop names, an empty ``?`` is dropped too.
    $Raises
    TypeError
        If ``url`` or ``drop`` has another type.
    $See Also
    dedup_hash : Return the key as a number.
    canonicalize : Return the key that Scrapy uses.
    $Notes
    Cost: O(n). With ``sort``, O(n log n) in the query's length.
    $Examples
    >>> dedup_key("HTTP://Example.com:80/%7Ea?b=2&utm_source=x&a=1#top")
    'http://example.com/%7Ea?a=1&b=2'
    """
    if normalize and sort and not fragment and drop is None:
        return DEDUP_KEY.of(url, b"dedup_key()")
    return (<Function>_dedup_key_function(normalize=normalize, sort=sort, fragment=fragment, drop=drop, text=is_text(url))).of(
        url, b"dedup_key()")


def blocks(url, hosts, *, bint exact=False, form="url"):
    """Return the entry in a host list that blocks a URL.

    $blocking
    $Parameters
    $url
    $hosts
    $exact
    $form_or_host
    $Returns
    str, bytes or None
        The entry in lower case, in the same type as ``url``. ``None`` if no entry blocks the URL.
    $no_list
    $See Also
    allows : Check a URL against an allow-list.
    HostList : Index a list once.
    $Notes
    Cost: O(n), however long the list is.
    $Examples
    >>> blocks("http://www.Example.com/", ["example.com", "10.0.0.0/8"]), blocks("http://myexample.com/", ["example.com"])
    ('example.com', None)
    """
    return (<Function>_list_function("blocks", hosts, exact=exact, form=form)).of(url, b"blocks()")


def allows(url, hosts, *, bint exact=False, form="url"):
    """Return True if every program sees the same host in a URL, and the host list contains this host.

    A URL that programs read differently (``Finding.AMBIGUOUS_AUTHORITY``) is never allowed.
    $Parameters
    $url
    $hosts
    $exact
    $form_or_host
    $Returns
    bool
        True if the host equals an entry, is below it, or is an address in it.
    $no_list
    $See Also
    blocks : Search a blocklist.
    HostList : Index a list once.
    $Notes
    Cost: O(n), however long the list is.
    $Examples
    >>> allows("http://www.example.com/", ["example.com"]), allows("http://evil.example\\\\@example.com/", ["example.com"])
    (True, False)
    """
    return not (<Function>_list_function("allows", hosts, exact=exact, form=form)).of(url, b"allows()")


cdef dict CANONICAL = {}    # the functions by their settings


def canonicalize(url, *, bint keep_blank_values=True, bint keep_fragments=False, otherwise="null"):
    """Return the canonical form by which Scrapy recognizes pages, as ``w3lib.url.canonicalize_url`` writes it.

    Every escape gets the same spelling, the query pairs are sorted, dot segments are resolved, and the host becomes
    ASCII. docs/guides/crawl-keys.md has the rules and the differences from w3lib.
    $Parameters
    $url
    keep_blank_values : bool
        Keep query pairs without a value.
    keep_fragments : bool
        Keep the fragment.
    otherwise : {"null", "keep"}
        What to return when w3lib raises ValueError, for example for a port above 65535 or for an impossible host.
        "null" returns ``None``. "keep" returns the URL as written. Use "keep" when you deduplicate by the result,
        because ``None`` would merge all these URLs.
    $Returns
    str, bytes or None
        Text of the same type as ``url``. ``None`` only for "null".
    $Raises
    TypeError
        If ``url`` has another type.
    ValueError
        If ``otherwise`` has another value.
    $See Also
    surt : Return the key that web archives use.
    dedup_key : Return a key by RFC 1738.
    $Notes
    Cost: O(n), plus O(n log n) in the query's length. A text with white space around it, and a host in brackets or
    outside ASCII, need a call to Python code.
    $Examples
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
    """Return the SURT key by which web archives sort URLs in their CDX indexes. It has the host's labels in reverse order.

    The Python package surt writes the same key with its default settings. docs/guides/crawl-keys.md has the rules and
    the differences.
    $Parameters
    $url
    $Returns
    str, bytes or None
        Text of the same type as ``url``. ``None`` when surt raises: for a port that is not a number below 65536, and
        for white space alone.
    $Raises
    TypeError
        If ``url`` has another type.
    $See Also
    canonicalize : Return the key that Scrapy uses.
    $Notes
    Cost: O(n), plus O(n log n) in the query's length. A host outside ASCII needs a call to Python code.
    $Examples
    >>> surt("http://www.Example.com:80/a/../B/?sid=0123456789abcdef0123456789abcdef&y=2&x=1#top"), surt("http://h:x/")
    ('com,example)/b?x=1&y=2', None)
    """
    global SURT
    if SURT is None:
        SURT = _surt_function()
    return SURT.of(url, b"surt()")


def dedup_hash(url, *, bint normalize=True, bint sort=True, bint fragment=False, drop=None):
    """Return a 64-bit hash that is equal for all spellings of a page, so that you can deduplicate URLs in little memory.

    It is the XXH64 hash, with seed 0, of the key that ``dedup_key`` returns. A str is hashed as UTF-8.
    $key
    $Returns
    int
        Hash from 0 to 2**64 - 1.
    $Raises
    TypeError
        If ``url`` or ``drop`` has another type.
    $See Also
    dedup_key : Return the key itself.
    $Notes
    Cost: O(n). With ``sort``, O(n log n) in the query's length.
    $Examples
    >>> dedup_hash("http://h/?b&a") == dedup_hash("HTTP://H?a&b#f") == 0x29648a4f7d51e9ec
    True
    """
    cdef Bytes data
    key = (<Function>_dedup_key_function(normalize=normalize, sort=sort, fragment=fragment, drop=drop, text=is_text(url))).of(
        url, b"dedup_hash()")
    _held = bytes_in(key, &data)
    return fu_hash(data.p, data.n)
