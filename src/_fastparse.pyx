# distutils: language = c
"""Parse one URL or a stream of them: text -> scan -> spans and findings -> URL object.

The octets are read in place (no copy of bytes or of str that is ASCII or Latin-1), cut and judged by the C kernel, and
kept as spans: a part becomes a Python object when it is asked for.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject_Hash
from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int32_t, uint8_t, uint32_t

cimport _scan
from _pyoctets cimport fu_exact_text, fu_free_octets, fu_octets, fu_octets_of, fu_substring
from _pytext cimport *
from _runtime cimport RUNTIME_NAME
from _scan cimport fu_diagnostics, fu_form, fu_login, fu_netloc, fu_place, fu_runtime, fu_shape, fu_spans, fu_term, fu_terms

import os
from _thread import allocate_lock
from types import GenericAlias

from fasturl.errors import InvalidURL
from fasturl.findings import Finding

cdef extern from *:
    """
    #ifndef FASTURL_BUILD_NAME
    #define FASTURL_BUILD_NAME "release"
    #endif
    """
    const char *FASTURL_BUILD_NAME

cdef fu_runtime *own = _scan.fu_start_runtime()
if "FASTURL_KERNEL" in os.environ and not _scan.fu_use_kernel(own, os.environ["FASTURL_KERNEL"].encode()):
    raise ImportError(f"FASTURL_KERNEL={os.environ['FASTURL_KERNEL']!r} is no kernel that runs here")
# The other extensions find it here, by import_runtime().
_runtime = PyCapsule_New(own, RUNTIME_NAME, NULL)

_BUILD = FASTURL_BUILD_NAME.decode()

cdef object scheme_lock = allocate_lock()
cdef list scheme_names = []         # str, by index in the table: the schemes of web URLs are never built anew
cdef list scheme_names_bytes = []
cdef dict custom_judges = {}        # index in the table -> callable
cdef dict finding_sets = {}         # bits -> Finding; IntFlag's own look-up costs twenty times as much


# --- text and form ---------------------------------------------------------------------------------------

def exact_text(text, str caller not None):
    """The exact str or bytes that stands for a text, a subclass's or a buffer's content or a URL's own; no method of it
    is called. For the package's plain modules: TypeError for other types names the caller, as in "parse()"."""
    return fu_exact_text(text, URL, caller.encode())


cdef fu_form form_named(object form) except *:
    if form == "url":
        return _scan.FU_FORM_URL
    if form == "request-target":
        return _scan.FU_FORM_TARGET
    raise ValueError(f"form must be 'url' or 'request-target', not {form!r}")


cdef object finding_set(uint32_t bits):
    found = finding_sets.get(bits)
    if found is None:
        found = finding_sets[bits] = Finding(bits)
    return found


# --- the URL object ---------------------------------------------------------------------------------------------------

cdef extern from *:
    """
    static PyObject *fu_no_new(PyTypeObject *type, PyObject *arguments, PyObject *names) {
        (void)type, (void)arguments, (void)names;
        PyErr_SetString(PyExc_TypeError, "a URL is made by fasturl.parse()");
        return NULL;
    }
    static void fu_refuse_new(PyObject *type) {
        ((PyTypeObject *)type)->tp_new = fu_no_new;
        ((PyTypeObject *)type)->tp_vectorcall = NULL;
    }
    """
    void fu_refuse_new(object type)

cdef tuple FIELDS = ("scheme", "netloc", "path", "query", "fragment")


@cython.final
@cython.no_gc
@cython.freelist(512)
cdef class URL:
    """A URL as written, with the places of its parts and what is wrong with it. Made by :func:`parse`.

    Parts are named, cut and valued as ``urllib.parse.urlsplit``'s result has them, str for str and bytes for bytes, and
    are built when read; the text itself is kept whole. A URL unpacks and indexes as the 5-tuple (scheme, netloc, path,
    query, fragment), equals such a tuple by value and another URL by its text, is hashable and can be pickled. It is
    immutable, and safe to share between threads. 80 octets beside its text.

    >>> url = parse("http://user@example.com:8080/a/b?x=1#top")
    >>> url.scheme, url.hostname, url.port, url.path, url.query
    ('http', 'example.com', 8080, '/a/b', 'x=1')
    >>> url.span("query"), url.text[slice(*url.span("query"))]
    ((33, 36), 'x=1')
    >>> url.valid, url.error_offset, url.findings
    (False, 7, <Finding.FRAGMENT|LOGIN|NONDEFAULT_PORT: 132128>)
    """

    cdef readonly object text
    cdef size_t scheme_end, netloc_start, path_start, path_end, query_end, first_violation
    cdef uint32_t flags, finding_bits, scheme_index
    cdef fu_form form_
    cdef bint strict_

    _fields = FIELDS
    __match_args__ = FIELDS
    __class_getitem__ = classmethod(GenericAlias)

    cdef object part(self, size_t start, size_t end):
        return fu_substring(self.text, start, end)

    cdef object empty(self):
        return b"" if PyBytes_CheckExact(self.text) else ""

    cdef size_t length(self):
        return <size_t>len(self.text)

    @property
    def scheme(self):
        """The scheme in lower case, "" when there is none."""
        if not self.flags & _scan.FU_HAS_SCHEME:
            return self.empty()
        if self.scheme_index != _scan.FU_NO_SCHEME:
            return (scheme_names_bytes if PyBytes_CheckExact(self.text) else scheme_names)[self.scheme_index]
        return self.part(0, self.scheme_end).lower()

    @property
    def netloc(self):
        """What stands between "//" and the path, "" when there is none."""
        return self.part(self.netloc_start, self.path_start)

    @property
    def path(self):
        """The path, its "/" included."""
        return self.part(self.path_start, self.path_end)

    @property
    def query(self):
        """What stands between "?" and "#", "" when there is none."""
        if not self.flags & _scan.FU_HAS_QUERY:
            return self.empty()
        return self.part(self.path_end + 1, self.query_end)

    @property
    def fragment(self):
        """What follows the first "#", "" when there is none."""
        if not self.flags & _scan.FU_HAS_FRAGMENT:
            return self.empty()
        return self.part(self.query_end + 1, self.length())

    cdef int cut_netloc(self, fu_netloc *out) except -1:
        cdef fu_octets octets
        fu_octets_of(self.text, &octets)
        _scan.fu_split_netloc(octets.p, self.netloc_start, self.path_start, out)
        fu_free_octets(&octets)
        return 0

    @property
    def username(self):
        """What stands before the first ":" of the login, None without a login."""
        cdef fu_netloc places
        self.cut_netloc(&places)
        return None if places.user_start == _scan.FU_ABSENT else self.part(places.user_start, places.user_end)

    @property
    def password(self):
        """What follows the first ":" of the login, None when there is none."""
        cdef fu_netloc places
        self.cut_netloc(&places)
        if places.password_start == _scan.FU_ABSENT:
            return None
        return self.part(places.password_start, places.password_end)

    @property
    def host(self):
        """The host as written, without brackets; None when there is none."""
        cdef fu_netloc places
        self.cut_netloc(&places)
        return None if places.host_start == places.host_end else self.part(places.host_start, places.host_end)

    @property
    def hostname(self):
        """The host in lower case (up to a zone's "%", as urllib has it); None when there is none or it is empty."""
        host = self.host
        if host is None:
            return None
        percent = b"%" if PyBytes_CheckExact(host) else "%"
        if percent not in host:
            return host.lower()
        host, percent, zone = host.partition(percent)
        return host.lower() + percent + zone

    @property
    def port(self):
        """The port, None when there is none or it is empty. ValueError, as urllib's, when it is no number from 0 to
        65535: the parse keeps such a port, and says BAD_PORT where the scheme's production has one."""
        cdef fu_netloc places
        cdef fu_octets octets
        cdef int32_t number = -1
        cdef bint digits = True
        fu_octets_of(self.text, &octets)
        _scan.fu_split_netloc(octets.p, self.netloc_start, self.path_start, &places)
        if places.port_start != places.port_end:
            number = _scan.fu_port_number(octets.p, places.port_start, places.port_end)
            if number < 0:
                digits = _scan.fu_skip(octets.p, places.port_start, places.port_end, _scan.TERM_DIGIT) == places.port_end
        fu_free_octets(&octets)
        if places.port_start == places.port_end:
            return None
        if number < 0:
            raise ValueError("Port out of range 0-65535" if digits else "Port is not a decimal number")
        return number

    def span(self, str name not None):
        """The place of a part in the text: (start, end), in octets of bytes or characters of str.

        name : scheme netloc username password host (or hostname) port path query fragment
        Returns None for an absent part and an empty span for an empty one. KeyError for another name.

        >>> parse("http://h?#").span("query"), parse("http://h").span("query")
        ((9, 9), None)
        """
        cdef fu_netloc places
        cdef size_t start, end
        if name == "path":
            return self.path_start, self.path_end
        if name == "scheme":
            return (0, self.scheme_end) if self.flags & _scan.FU_HAS_SCHEME else None
        if name == "query":
            return (self.path_end + 1, self.query_end) if self.flags & _scan.FU_HAS_QUERY else None
        if name == "fragment":
            return (self.query_end + 1, self.length()) if self.flags & _scan.FU_HAS_FRAGMENT else None
        if name == "netloc":
            return (self.netloc_start, self.path_start) if self.flags & _scan.FU_HAS_NETLOC else None
        self.cut_netloc(&places)
        if name == "username":
            start, end = places.user_start, places.user_end
        elif name == "password":
            start, end = places.password_start, places.password_end
        elif name == "port":
            start, end = places.port_start, places.port_end
        elif name == "host" or name == "hostname":
            start, end = places.host_start, places.host_end
            if not self.flags & _scan.FU_HAS_NETLOC:
                return None
        else:
            raise KeyError(name)
        return None if start == _scan.FU_ABSENT else (start, end)

    @property
    def findings(self):
        """Finding: all violations and hazards."""
        return finding_set(self.finding_bits)

    @property
    def valid(self):
        """bool: no violation, so RFC 1738 section 5 derives the text (or its form allows it)."""
        return not self.finding_bits & _scan.FU_VIOLATIONS

    @property
    def error_offset(self):
        """int | None: where the first violation starts, in octets of bytes or characters of str."""
        return None if self.first_violation == _scan.FU_ABSENT else self.first_violation

    @property
    def form(self):
        """str: how the text was read, "url" or "request-target"."""
        return "url" if self.form_ == _scan.FU_FORM_URL else "request-target"

    @property
    def strict(self):
        """bool: whether it was read under strict."""
        return bool(self.strict_)

    def geturl(self):
        """The text as written, str or bytes. (urllib's geturl() rebuilds it, and drops an empty "?" or "#".)"""
        return self.text

    def decompose(self, *, bint strict=True):
        """The parts and the meaning that this URL's scheme gives them: :func:`fasturl.schemes.decompose`."""
        from fasturl.schemes import decompose
        return decompose(self, strict=strict)

    def redacted(self, keys=()):
        """The text with its password, and the value of each query parameter named in keys, shown as ``***``."""
        from fasturl._queries import redact
        return redact(self.text, keys)

    def normalized(self):
        """The text in the form that section 2.2 makes equivalent: :func:`fasturl.normalize`."""
        from fasturl._context import normalize
        return normalize(self.text)

    def _asdict(self):
        """The five parts by name, as a namedtuple's ``_asdict``."""
        return dict(zip(FIELDS, self))

    def _replace(self, **parts):
        """A URL with some of the five parts replaced, and the others as written.

        parts : scheme netloc path query fragment, each of the text's type; "" takes a part away.
        ValueError when the new text would not read back as the parts it was made of (a path with a "?"); TypeError for
        an unknown name or another type. Strictness and form are kept.

        >>> str(parse("http://h/a?x#f")._replace(path="/b", fragment=""))
        'http://h/b?x'
        """
        from fasturl._replace import replace
        return replace(self, parts)

    def __iter__(self):
        return iter((self.scheme, self.netloc, self.path, self.query, self.fragment))

    def __len__(self):
        return 5

    def __getitem__(self, index):
        return tuple(self)[index]

    def __contains__(self, part):
        return part in tuple(self)

    def __hash__(self):
        return PyObject_Hash(tuple(self))

    def __eq__(self, other):
        if isinstance(other, URL):
            return (
                type(self.text) is type((<URL>other).text)
                and self.form_ == (<URL>other).form_
                and self.text == (<URL>other).text
            )
        if isinstance(other, tuple):
            return tuple(self) == other
        return NotImplemented

    def __str__(self):
        if PyBytes_CheckExact(self.text):
            return self.text.decode("utf-8", "surrogateescape")
        return self.text

    def __bytes__(self):
        if PyBytes_CheckExact(self.text):
            return self.text
        return self.text.encode("utf-8", "surrogateescape")

    def __repr__(self):
        return f"<URL {self.redacted()!r}>"

    def __reduce__(self):
        return _restore, (self.text, self.form, bool(self.strict_))


# make() goes past this slot. Anyone else's __new__ would give a URL without a text, whose spans lead nowhere.
fu_refuse_new(URL)


def _restore(text, form, strict):
    """Unpickle a URL."""
    return make(fu_exact_text(text, URL, b"_restore()"), form_named(form), strict)


cdef URL make(object text, fu_form form, bint strict):
    """The one way to a URL object; text is an exact str or bytes."""
    cdef URL url = URL.__new__(URL)
    cdef fu_octets octets
    cdef fu_spans spans
    cdef fu_diagnostics found
    fu_octets_of(text, &octets)
    own.kernel.split(own.schemes, octets.p, octets.n, form, strict, &spans)
    url.text = text
    url.scheme_end = spans.scheme_end
    url.netloc_start = spans.netloc_start
    url.path_start = spans.path_start
    url.path_end = spans.path_end
    url.query_end = spans.query_end
    url.flags = spans.flags
    url.scheme_index = spans.scheme
    url.form_ = form
    url.strict_ = strict
    url.first_violation = _scan.FU_ABSENT
    if spans.flags & _scan.FU_PROVEN_VALID:
        url.finding_bits = 0
        fu_free_octets(&octets)
        return url
    _scan.fu_start_diagnostics(&found)
    _scan.fu_validate(own.schemes, octets.p, &spans, form, &found)
    fu_free_octets(&octets)
    url.finding_bits = found.findings
    url.first_violation = found.error_offset
    if custom_judges and spans.scheme in custom_judges:
        ask_custom_judge(url, &found, strict)
    elif strict and found.findings & _scan.FU_VIOLATIONS:
        raise_invalid(url, &found, found.first_term)
    return url


cdef int raise_invalid(URL url, const fu_diagnostics *found, term) except -1:
    """InvalidURL for the first violation."""
    from fasturl._terms import invalid
    raise invalid(url, found.first_finding, term, found.error_offset, found.first_end)


cdef int ask_custom_judge(URL url, fu_diagnostics *found, bint strict) except -1:
    """Add what the productions that a scheme's owner brought have against the URL."""
    cdef uint32_t bit
    cdef size_t start, end
    first_term = found.first_term
    for bit, term, start, end in _custom_problems(url.text, url.scheme_index, url.scheme_end):
        url.finding_bits |= bit
        if bit & _scan.FU_VIOLATIONS and (start, bit) < (found.error_offset, found.first_finding):
            found.first_finding, found.error_offset, found.first_end = bit, start, end
            first_term = term
    url.first_violation = found.error_offset
    if strict and url.finding_bits & _scan.FU_VIOLATIONS:
        raise_invalid(url, found, first_term)
    return 0


def _custom_problems(text not None, uint32_t scheme, size_t scheme_end):
    """(bit, term, start, end) of what a scheme's own productions have against an exact text: none for a scheme without."""
    cdef fu_octets octets
    judge = custom_judges.get(scheme)
    if judge is None:
        return []
    fu_octets_of(text, &octets)
    try:
        copy = PyBytes_FromStringAndSize(<const char *>octets.p, <Py_ssize_t>octets.n)
    finally:
        fu_free_octets(&octets)
    return [(int(bit), term, start, end) for bit, term, start, end in judge(copy, scheme_end + 1)]


def _passwords(text not None):
    """(start, end) of every password that a reading sees in a text, an exact str or bytes, in order."""
    cdef fu_octets octets
    cdef fu_place places[_scan.FU_READINGS]
    cdef size_t i, count
    fu_octets_of(text, &octets)
    count = _scan.fu_find_passwords(own.schemes, octets.p, octets.n, places)
    fu_free_octets(&octets)
    return [(places[i].start, places[i].end) for i in range(count)]


def _place(URL url not None, uint32_t finding, uint32_t term, size_t start):
    """Of a finding's place: its term, the shape of the scheme, and whether the character there is secret.

    term : index of fasturl._terms.NAMES, and so is the answer; len(NAMES) for a term that is not among them
    """
    cdef fu_octets octets
    cdef fu_spans spans
    cdef fu_terms terms
    spans.scheme_end, spans.netloc_start, spans.path_start = url.scheme_end, url.netloc_start, url.path_start
    spans.path_end, spans.query_end, spans.length = url.path_end, url.query_end, url.length()
    spans.flags, spans.scheme = url.flags, url.scheme_index
    fu_octets_of(url.text, &octets)
    _scan.fu_read_terms(own.schemes, octets.p, &spans, url.form_, &terms)
    fu_free_octets(&octets)
    if term == _scan.FU_TERM_OCTET:
        term = _scan.fu_term_at(&terms, start)
    return term, <int>terms.shape, bool(_scan.fu_is_secret(&terms, finding, <fu_term>term, start))


def _split_login(str part not None, int shape):
    """The RFC's login of a schemepart, for a shape of SHAPES: (user, password, host, port, mark, rest, sure).

    Texts are as written, port is a number; None for what is absent, and for a port that is no number. mark is the "/" or "?"
    that ended the login, None for none, and rest what follows it. A part that does not start with "//" has no host, and all
    of it is rest, but for a "/" at its start. sure: a part of the shape "generic" is an ip-schemepart, by the grammar.
    """
    cdef fu_octets octets
    cdef fu_login login
    cdef const fu_netloc *at = &login.parts
    cdef int32_t number = -1
    cdef bint sure = False
    cdef size_t n
    fu_octets_of(part, &octets)
    n = octets.n
    if n < 2 or octets.p[0] != c"/" or octets.p[1] != c"/":
        sure = n > 0 and octets.p[0] == c"/"
        fu_free_octets(&octets)
        return None, None, None, None, "/", part[1:] if sure else part, False
    _scan.fu_split_login(octets.p, 2, _scan.fu_login_end(octets.p, 2, n, <fu_shape>shape), &login)
    if shape == _scan.FU_SHAPE_GENERIC:
        sure = _scan.fu_is_ip_schemepart(octets.p, &login, n)
    if at.port_start != _scan.FU_ABSENT:
        number = _scan.fu_port_number(octets.p, at.port_start, at.port_end)
    mark = None if login.end == n else "/" if octets.p[login.end] == c"/" else "?"
    fu_free_octets(&octets)
    return (
        None if at.user_start == _scan.FU_ABSENT else fu_substring(part, at.user_start, at.user_end),
        None if at.password_start == _scan.FU_ABSENT else fu_substring(part, at.password_start, at.password_end),
        fu_substring(part, at.host_start, at.host_end), None if number < 0 else number,
        mark, "" if mark is None else fu_substring(part, login.end + 1, n), sure,
    )


def _break(str text not None, bint group):
    """Where neither a hostname nor a hostnumber can go on, or a group cannot; None for one."""
    cdef fu_octets octets
    cdef size_t at
    fu_octets_of(text, &octets)
    at = (_scan.fu_group_breaks_at if group else _scan.fu_host_breaks_at)(octets.p, 0, octets.n)
    fu_free_octets(&octets)
    return None if at == _scan.FU_ABSENT else at


# --- parse ------------------------------------------------------------------------------------------------------------

def parse(url, *, bint strict=False, form="url"):
    """Read one URL, whatever it holds.

    url : str or bytes-like (copied if it is not bytes); any octets, any length
    strict : raise InvalidURL for what RFC 1738 section 5 does not derive
    form : "url", or "request-target" for what an access log holds: ``/a?b``, ``http://h/a``, ``h:443``, ``*``, ``-``,
        and ``//a/b`` as a path
    Returns a URL; without strict it never raises for content. TypeError for other types, ValueError for another form.
    Cost: one pass and one object, O(n) for the worst text; the parts are built when read.
    Threads: safe. Source: RFC 1738 sections 2 to 5; the cut is urllib's.

    >>> parse("http://[bad/x").findings
    <Finding.UNSAFE|BAD_HOST: 272>
    >>> parse(b"//caf\\xe9/menu?x", form="request-target").path
    b'//caf\\xe9/menu'
    >>> parse("http://u:secret@example.com/", strict=True)
    Traceback (most recent call last):
    ...
    fasturl.errors.InvalidURL: login: at offset 7: this scheme allows no user or password (RFC 1738 section 3.1)
    """
    cdef fu_form as_form = _scan.FU_FORM_URL
    if form is not "url":  # noqa: F632, E721 - the default is this very object: no comparison on the common way
        as_form = form_named(form)
    if not (PyUnicode_CheckExact(url) or PyBytes_CheckExact(url)):
        url = fu_exact_text(url, URL, b"parse()")
    return make(url, as_form, strict)


cdef enum ErrorPolicy:
    RAISE
    NULL_
    KEEP


@cython.final
cdef class _ParseMany:
    """parse_many's iterator: constant memory, one URL ahead of nothing."""

    cdef object items       # list or tuple: read by index; else None
    cdef object source      # its iterator
    cdef Py_ssize_t index
    cdef fu_form form
    cdef bint strict
    cdef ErrorPolicy policy

    def __iter__(self):
        return self

    def __length_hint__(self):
        if self.items is not None:
            return max(0, len(self.items) - self.index)
        hint = getattr(self.source, "__length_hint__", None)
        return hint() if hint is not None else NotImplemented

    def __next__(self):
        cdef object text
        if self.items is not None:
            if self.index >= PyList_GET_SIZE(self.items):
                self.items = []     # as a list's own iterator: once exhausted, for good
                raise StopIteration
            text = <object>PyList_GET_ITEM(self.items, self.index)
            self.index += 1
        else:
            text = next(self.source)
        if self.policy == RAISE:
            if not (PyUnicode_CheckExact(text) or PyBytes_CheckExact(text)):
                text = fu_exact_text(text, URL, b"parse_many() items:")
            return make(text, self.form, self.strict)
        result = None
        try:
            result = make(fu_exact_text(text, URL, b"parse_many() items:"), self.form, self.strict)
        except (InvalidURL, TypeError) as error:
            result = kept_error(error, (InvalidURL, TypeError), self.policy == KEEP)
        return result


def parse_many(urls, *, bint strict=False, form="url", errors="raise"):
    """Read a stream of URLs: an iterator of the same length and order, in constant memory.

    urls : any iterable of str or bytes-like
    strict, form : as for :func:`parse`
    errors : for an item that cannot be had (a wrong type, or an invalid URL under strict): "raise" it, "null" puts None
        in its place, "keep" puts the exception in its place; the run goes on
    Cost: as parse, without the call. Threads: one thread an iterator.

    >>> [url.path for url in parse_many(["http://h/a", b"/b"])]
    ['/a', b'/b']
    >>> list(parse_many(["http://h/a", None, "nonsense"], strict=True, errors="null"))[1:]
    [None, None]
    """
    cdef _ParseMany many = _ParseMany.__new__(_ParseMany)
    if errors not in ("raise", "null", "keep"):
        raise ValueError(f"errors must be 'raise', 'null' or 'keep', not {errors!r}")
    many.policy = RAISE if errors == "raise" else NULL_ if errors == "null" else KEEP
    many.form = form_named(form)
    many.strict = strict
    many.index = 0
    if isinstance(urls, (str, bytes)):
        raise TypeError("parse_many() takes an iterable of URLs, not one URL")
    if PyList_CheckExact(urls):
        many.items = urls
    else:
        many.source = iter(urls)
    return many


# --- schemes and kernels ----------------------------------------------------------------------------------------------

cdef int name_schemes() except -1:
    cdef uint32_t i
    for i in range(<uint32_t>len(scheme_names), own.schemes.count):
        name = own.schemes.entries[i].name[:own.schemes.entries[i].length]
        scheme_names_bytes.append(name)
        scheme_names.append(name.decode())
    return 0


name_schemes()
SHAPES = {_scan.fu_shape_names[shape].decode(): shape for shape in range(<int>_scan.FU_SHAPES)}


def schemes():
    """The schemes that parse knows: {name: (shape, default port or None)}.

    >>> schemes()["ftp"]
    ('ftp', 21)
    """
    cdef uint32_t i
    shape_names = list(SHAPES)
    known = {}
    for i in range(own.schemes.count):
        port = own.schemes.entries[i].port
        known[scheme_names[i]] = (shape_names[own.schemes.entries[i].shape], None if port == _scan.FU_NO_PORT else port)
    return known


def register_scheme(str name not None, str shape not None, default_port=None, judge=None):
    """Make a scheme known to the scan; :func:`fasturl.schemes.register` is the door for users.

    name : in lower case. ValueError when it is not a scheme's name, is taken, or the table is full.
    shape : one of SHAPES; "custom" needs judge, called with (octets of the whole URL, start of the schemepart) and
        returning an iterable of (finding, term, start, end)
    """
    cdef bytes octets = name.encode("ascii", "replace")
    cdef int32_t port = _scan.FU_NO_PORT if default_port is None else default_port
    cdef uint32_t index
    cdef uint8_t octet
    if not 0 < len(octets) <= _scan.FU_SCHEME_NAME_MAX or name != name.lower():
        raise ValueError(f"{name!r} is no scheme name of 1 to {_scan.FU_SCHEME_NAME_MAX} lower-case characters")
    for octet in octets:
        if not _scan.fu_is(octet, _scan.TERM_SCHEME):
            raise ValueError(f"{name!r} is no scheme name: only a-z, 0-9, '+', '-' and '.' may stand in one")
    if default_port is not None and not 0 < port <= 65535:
        raise ValueError(f"{default_port} is no port")
    if (shape == "custom") != (judge is not None):
        raise ValueError("a judge goes with the shape 'custom', and with no other")
    with scheme_lock:
        if _scan.fu_find_scheme(own.schemes, <const uint8_t *>PyBytes_AS_STRING(octets), len(octets)) != _scan.FU_NO_SCHEME:
            raise ValueError(f"the scheme {name!r} is taken")
        scheme_names.append(name)
        scheme_names_bytes.append(octets)
        if judge is not None:
            custom_judges[own.schemes.count] = judge
        index = _scan.fu_register_scheme(own.schemes, octets, len(octets), <fu_shape><int>SHAPES[shape], port)
        if index == _scan.FU_NO_SCHEME:
            custom_judges.pop(own.schemes.count, None)
            scheme_names.pop()
            scheme_names_bytes.pop()
            raise ValueError("no room for another scheme")


def _kernels():
    """The names of the kernels that run on this processor, the widest last."""
    return [own.kernels[i].name.decode() for i in range(own.count)]


def _use_kernel(str name not None):
    """Read all texts that follow with one kernel, in every extension: for tests and benchmarks."""
    if not _scan.fu_use_kernel(own, name.encode()):
        raise ValueError(f"{name!r} is no kernel that runs here")
