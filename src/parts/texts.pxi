# Part of _parts.pyx: the functions from one URL to a part of it, or to a text made of it.

cdef Function FILE_NAME = new_function("file_name", _scan.FU_FORM_URL)
cdef Function FILE_EXTENSION = new_function("file_extension", _scan.FU_FORM_URL)
cdef Function FIRST_SEGMENT = new_function("first_segment", _scan.FU_FORM_URL)
cdef Function PATH_AND_QUERY = new_function("path_and_query", _scan.FU_FORM_URL)
cdef Function QUERY_AND_FRAGMENT = new_function("query_and_fragment", _scan.FU_FORM_URL)
cdef Function ORIGIN = new_function("origin", _scan.FU_FORM_URL)


def file_name(url, *, form="url"):
    """The last segment of a URL's path, without its params.

    What follows the path's last ``/``, up to a ``;``: empty after a closing slash, None when the path is empty.

    url : str, bytes-like or URL, valid or not.
    form : "url" or "request-target", as for :func:`fasturl.parse`.
    Returns: str for a str, bytes for bytes. Raises: TypeError for another type. Cost: O(n). Source: RFC 1738 section 2.1.

    >>> file_name("http://h/a/report.tar.gz?x=1"), file_name("http://h/a/"), file_name("http://h")
    ('report.tar.gz', '', None)
    """
    if form is "url":  # noqa: F632, E721 - the default is this very object
        return FILE_NAME.of(url, b"file_name()")
    return new_function("file_name", form_named(form)).of(url, b"file_name()")


def file_extension(url, *, form="url"):
    """What follows the last dot of a URL's file name, as written.

    Dots that start the name do not count; None without another dot, empty when the name ends with it.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> file_extension("http://h/a/report.tar.gz?x=1.5"), file_extension("http://h/.profile")
    ('gz', None)
    """
    if form is "url":  # noqa: F632, E721 - the default is this very object
        return FILE_EXTENSION.of(url, b"file_extension()")
    return new_function("file_extension", form_named(form)).of(url, b"file_extension()")


def first_segment(url, *, form="url"):
    """The first segment of a URL's path: what follows its first ``/``, up to the next. None when the path is empty.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> first_segment("http://h/blog/2024/"), first_segment("http://h/"), first_segment("http://h?x")
    ('blog', '', None)
    """
    if form is "url":  # noqa: F632, E721 - the default is this very object
        return FIRST_SEGMENT.of(url, b"first_segment()")
    return new_function("first_segment", form_named(form)).of(url, b"first_segment()")


def path_and_query(url, *, form="url"):
    """A URL's path and query, as a request names them, without the fragment. Never None.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> path_and_query("http://h/a?x=1#f"), path_and_query("http://h")
    ('/a?x=1', '')
    """
    if form is "url":  # noqa: F632, E721 - the default is this very object
        return PATH_AND_QUERY.of(url, b"path_and_query()")
    return new_function("path_and_query", form_named(form)).of(url, b"path_and_query()")


def query_and_fragment(url, *, form="url"):
    """What follows the ``?`` of a URL, its fragment too; without a ``?`` what starts at the ``#``, or None.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> query_and_fragment("http://h/a?x=1#f"), query_and_fragment("/a#f"), query_and_fragment("/a?")
    ('x=1#f', '#f', '')
    """
    if form is "url":  # noqa: F632, E721 - the default is this very object
        return QUERY_AND_FRAGMENT.of(url, b"query_and_fragment()")
    return new_function("query_and_fragment", form_named(form)).of(url, b"query_and_fragment()")


def origin(url, *, form="url"):
    """Scheme, host and port of a URL in lower case, without the login: what two pages of one site share.

    The scheme's own port and an empty one are left out. None where there is no scheme or no ``//``. Other characters than
    ASCII letters stay as they are.

    url, form, Returns, Raises, Cost: as for :func:`file_name`.

    >>> origin("HTTP://me:secret@Example.COM:80/a"), origin("https://h:8443/"), origin("/a")
    ('http://example.com', 'https://h:8443', None)
    """
    if form is "url":  # noqa: F632, E721 - the default is this very object
        return ORIGIN.of(url, b"origin()")
    return new_function("origin", form_named(form)).of(url, b"origin()")


def path_depth(url, *, form="url"):
    """How many segments of a URL's path are not empty, as an int.

    url, form, Raises, Cost: as for :func:`file_name`.

    >>> path_depth("http://h/a//b/"), path_depth("http://h/"), path_depth("mailto:a@b")
    (2, 0, 1)
    """
    cdef Octets octets
    cdef fu_spans spans
    _held = octets_in(fu_exact_text(url, URL, b"path_depth()"), &octets)
    runtime.kernel.split(runtime.schemes, octets.p, octets.n, form_named(form), False, &spans)
    return fu_path_depth(octets.p, &spans)


def path_template(url, *, keep=(), form="url"):
    """A URL's path with names where its values stand, so that the pages of one kind have one path.

    A segment that is a number becomes ``{n}``, a UUID ``{uuid}``, a date ``{date}``, 16 hex digits or more ``{hash}``, a long
    mix of letters and digits ``{token}``, a mail address ``{mail}``: docs/functions.md has the rules. A short extension
    stays; params, from a ``;`` on, go; query and fragment are not in the path.

    url, form : as for :func:`file_name`.
    keep : a segment or an iterable of segments, as written, that stay: str, or bytes-like for a URL in bytes.
    Returns: str for a str, bytes for bytes, never None. Raises: TypeError for another type. Cost: O(n) in the URL; each
        segment is compared with each of ``keep``.

    >>> path_template("http://h/users/42/orders/8a6e0804-2bd0-4672-b79d-d97027f9071a?x=1")
    '/users/{n}/orders/{uuid}'
    >>> path_template("/2024-05-17/report-7.pdf"), path_template("/api/2/users/3.json", keep=["2"])
    ('/{date}/report-7.pdf', '/api/2/users/{n}.json')
    """
    return (<Function>_templating(keep, text=is_text(url), form=form)).of(url, b"path_template()")


def without(url, *parts, form="url"):
    """A URL less some of its parts and the delimiters that belong to them.

    url, form : as for :func:`file_name`.
    parts : of ``"scheme"`` (``http:``), ``"login"`` (``user:password@``), ``"password"`` (``:password``), ``"www"`` (a host's
        leading ``www.``, where a dot is left behind it), ``"port"``, ``"path"``, ``"query"`` (with its ``?``) and
        ``"fragment"`` (with its ``#``).
    Returns: str for a str, bytes for bytes, never None; all else as written. The same object when nothing is left out.
    Raises: TypeError for another type, ValueError for another part. Cost: O(n).
    For secrets there is :func:`fasturl.redact`, which hides what is a password in any reading of a URL.

    >>> without("https://me:secret@www.example.com/a?x=1#top", "login", "www", "query", "fragment")
    'https://example.com/a'
    """
    return (<Function>_leaving_out(parts, form)).of(url, b"without()")


def drop_query(url, names, *, form="url"):
    """A URL without the pairs of its query that have one of these names, and without an empty ``?`` when none is left.

    url, form : as for :func:`file_name`.
    names : a name or an iterable of names (str, or bytes-like where the URL is), compared with the decoded names of the
        query, in their case; ``*`` stands for any characters, none too.
    Returns: str for a str, bytes for bytes, never None; all else as written. The same object when nothing is dropped.
    Raises: TypeError for another type. Cost: O(n) in the URL; each name in it is compared with each of ``names``.

    >>> drop_query("http://h/a?utm_source=x&id=1&utm_medium=y&fbclid=z#top", ["utm_*", "fbclid"])
    'http://h/a?id=1#top'
    >>> drop_query(b"/a?fbclid=z", "fbclid")
    b'/a'
    """
    return (<Function>_dropping(names, text=is_text(url), form=form)).of(url, b"drop_query()")


def public_suffix(url, *, bint private=True, form="url", rules=None):
    """The public suffix of a URL's host: what stands behind a name that can be registered, as ``co.uk``.

    url : str, bytes-like or URL.
    private : whether the list's private section counts, which has suffixes as ``github.io``.
    form : as for :func:`file_name`; or "host" for a text that is a host and no URL.
    rules : of :func:`fasturl.domains.read`; by default those that the package ``publicsuffixlist`` brings.
    Returns: str for a str, bytes for bytes, in lower case (ASCII letters); a suffix that no rule has is the last label. None
        without a host, for an address, and for a host with an empty label; one dot may end it.
    Raises: TypeError for another type; ModuleNotFoundError without rules (``pip install fasturl[domains]``). Cost: O(n).
    Source: the algorithm of publicsuffix.org, as ``publicsuffixlist`` reads it.

    >>> public_suffix("http://www.example.co.uk/"), public_suffix("me.github.io", form="host", private=False)
    ('co.uk', 'io')
    """
    return (<Function>_dividing("public_suffix", private=private, form=form, rules=rules)).of(url, b"public_suffix()")


def registrable_domain(url, *, bint private=True, form="url", rules=None):
    """The public suffix of a URL's host and the label before it: the domain that someone registered.

    url, private, form, rules, Raises, Cost: as for :func:`public_suffix`.
    Returns: as :func:`public_suffix`; None also for a host that is a public suffix itself.

    >>> registrable_domain("http://www.example.co.uk/"), registrable_domain("http://127.0.0.1/")
    ('example.co.uk', None)
    """
    return (<Function>_dividing("registrable_domain", private=private, form=form, rules=rules)).of(
        url, b"registrable_domain()")


def subdomain(url, *, bint private=True, form="url", rules=None):
    """What stands before the registrable domain of a URL's host.

    url, private, form, rules, Raises, Cost: as for :func:`public_suffix`.
    Returns: as :func:`public_suffix`; None also when nothing stands there.

    >>> subdomain("http://a.b.example.co.uk/"), subdomain("http://example.co.uk/")
    ('a.b', None)
    """
    return (<Function>_dividing("subdomain", private=private, form=form, rules=rules)).of(url, b"subdomain()")


def dedup_key(url, *, bint normalize=True, bint sort=True, bint fragment=False, drop=None):
    """A text that is the same for the spellings of one page: for counting it once. It need not be a URL to fetch.

    url : str, bytes-like or URL.
    normalize : bring it into the normal form of RFC 1738 section 2.2 (:func:`fasturl.normalize`), and write the ``/`` that section
        3.3 lets an http URL leave out.
    sort : the pairs of the query in the order of their octets; pairs of no octets go.
    fragment : whether it stays.
    drop : names, as for :func:`drop_query`; by default those that trackers add (``utm_*``, ``gclid``, ``fbclid``, …), ``()``
        for none. With them goes a ``?`` with nothing behind it.
    Returns: str for a str, bytes for bytes, never None. Raises: TypeError for another type.
    Cost: O(n log n) for the octets of the query where they are sorted, else O(n).

    >>> dedup_key("HTTP://Example.com:80/%7Ea?b=2&utm_source=x&a=1#top")
    'http://example.com/%7Ea?a=1&b=2'
    """
    return (<Function>_keying(normalize=normalize, sort=sort, fragment=fragment, drop=drop, text=is_text(url))).of(
        url, b"dedup_key()")


def dedup_hash(url, *, bint normalize=True, bint sort=True, bint fragment=False, drop=None):
    """XXH64, with seed 0, of the octets of :func:`dedup_key`, in UTF-8 for text: an int below 2**64.

    url, normalize, sort, fragment, drop, Raises, Cost: as for :func:`dedup_key`.

    >>> dedup_hash("http://h/?b&a") == dedup_hash("HTTP://H?a&b#f") == 0x29648a4f7d51e9ec
    True
    """
    cdef Octets octets
    key = (<Function>_keying(normalize=normalize, sort=sort, fragment=fragment, drop=drop, text=is_text(url))).of(
        url, b"dedup_hash()")
    _held = octets_in(key, &octets)
    return fu_hash(octets.p, octets.n)
