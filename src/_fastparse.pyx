# distutils: language = c
"""Parse one URL or a stream of them: text -> scan -> spans and findings -> URL object.

The octets are read in place (no copy of bytes or of str that is ASCII or Latin-1), cut and judged by the C kernel, and
kept as spans: a part becomes a Python object when it is asked for.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE
from cpython.object cimport PyObject_Hash
from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t
from libc.stdlib cimport free, malloc

cimport _scan
from _scan cimport fu_form, fu_netloc, fu_problem, fu_scheme_table, fu_shape, fu_spans, fu_verdict

import os
import threading
from types import GenericAlias

from fasturl import _terms
from fasturl.errors import InvalidURL
from fasturl.findings import Finding, Problem

cdef extern from *:
    """
    #ifndef FASTURL_BUILD_NAME
    #define FASTURL_BUILD_NAME "release"
    #endif
    """
    const char *FASTURL_BUILD_NAME

cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    const void *PyUnicode_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    object PyUnicode_FromObject(object text)
    object PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)
    bint PyUnicode_CheckExact(object text)
    bint PyUnicode_Check(object text)
    bint PyBytes_CheckExact(object text)
    bint PyObject_CheckBuffer(object text)
    bint PyList_CheckExact(object items)
    bint PyTuple_CheckExact(object items)

cdef fu_scheme_table schemes_table
_scan.fu_register_builtin_schemes(&schemes_table)
_scan.fu_start_kernels()
if "FASTURL_KERNEL" in os.environ and not _scan.fu_use_kernel(os.environ["FASTURL_KERNEL"].encode()):
    raise ImportError(f"FASTURL_KERNEL={os.environ['FASTURL_KERNEL']!r} is no kernel that runs here")

_BUILD = FASTURL_BUILD_NAME.decode()

# For the other extensions: there is one table, so a scheme registered once is known to all.
_scheme_table = PyCapsule_New(&schemes_table, b"fasturl._fastparse._scheme_table", NULL)
cdef object scheme_lock = threading.Lock()
cdef list scheme_names = []         # str, by index in the table: the schemes of web URLs are never built anew
cdef list scheme_names_bytes = []
cdef dict custom_judges = {}        # index in the table -> callable
cdef dict finding_sets = {}         # bits -> Finding; IntFlag's own look-up costs twenty times as much


# --- text: where its octets are ---------------------------------------------------------------------------------------

cdef struct Octets:
    const uint8_t *p
    size_t n
    uint8_t *owned      # to be freed, or NULL


cdef object exact_text(object text, str caller):
    """text as an exact str or bytes object: what a URL keeps."""
    if PyUnicode_CheckExact(text) or PyBytes_CheckExact(text):
        return text
    if isinstance(text, URL):
        return (<URL>text).text
    if PyUnicode_Check(text):
        return PyUnicode_FromObject(text)
    if PyObject_CheckBuffer(text):
        return bytes(text) if isinstance(text, (bytes, bytearray)) else memoryview(text).tobytes()
    raise TypeError(f"{caller} argument must be str or a bytes-like object, not {type(text).__name__}")


cdef int octets_of(object text, Octets *out) except -1:
    """The octets of an exact str or bytes, one a character: characters above FF all read as FF, since the kernel asks
    of them no more than that they are not ASCII."""
    cdef Py_ssize_t n, i
    cdef const uint16_t *two
    cdef const uint32_t *four
    out.owned = NULL
    if PyBytes_CheckExact(text):
        out.p = <const uint8_t *>PyBytes_AS_STRING(text)
        out.n = <size_t>PyBytes_GET_SIZE(text)
        return 0
    n = PyUnicode_GET_LENGTH(text)
    out.n = <size_t>n
    if PyUnicode_KIND(text) == 1:
        out.p = <const uint8_t *>PyUnicode_DATA(text)
        return 0
    out.owned = <uint8_t *>malloc(n if n > 0 else 1)
    if out.owned == NULL:
        raise MemoryError()
    if PyUnicode_KIND(text) == 2:
        two = <const uint16_t *>PyUnicode_DATA(text)
        for i in range(n):
            out.owned[i] = <uint8_t>two[i] if two[i] < 256 else 255
    else:
        four = <const uint32_t *>PyUnicode_DATA(text)
        for i in range(n):
            out.owned[i] = <uint8_t>four[i] if four[i] < 256 else 255
    out.p = out.owned
    return 0


cdef inline object cut(object text, size_t start, size_t end):
    """A part of the text, of its type."""
    if PyBytes_CheckExact(text):
        return PyBytes_FromStringAndSize(PyBytes_AS_STRING(text) + start, <Py_ssize_t>(end - start))
    return PyUnicode_Substring(text, <Py_ssize_t>start, <Py_ssize_t>end)


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
    ((34, 37), 'x=1')
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

    def __init__(self):
        raise TypeError("a URL is made by fasturl.parse()")

    cdef object part(self, size_t start, size_t end):
        return cut(self.text, start, end)

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
        cdef Octets octets
        octets_of(self.text, &octets)
        _scan.fu_cut_netloc(octets.p, self.netloc_start, self.path_start, out)
        free(octets.owned)
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
        cdef Octets octets
        cdef size_t i
        cdef int32_t number = 0
        octets_of(self.text, &octets)
        _scan.fu_cut_netloc(octets.p, self.netloc_start, self.path_start, &places)
        if places.port_start != _scan.FU_ABSENT:
            for i in range(places.port_start, places.port_end):
                if not _scan.fu_is(octets.p[i], _scan.TERM_DIGIT):
                    number = -1
                    break
                number = number * 10 + octets.p[i] - 48
                if number > 65535:
                    break
        free(octets.owned)
        if places.port_start == places.port_end:
            return None
        if number < 0:
            raise ValueError("Port is not a decimal number")
        if number > 65535:
            raise ValueError("Port out of range 0-65535")
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

    def geturl(self):
        """The text as written, str or bytes. (urllib's geturl() rebuilds it, and drops an empty "?" or "#".)"""
        return self.text

    def decompose(self, *, bint strict=True):
        """The parts and the meaning that this URL's scheme gives them: :func:`fasturl.schemes.decompose`."""
        from fasturl.schemes import decompose
        return decompose(self, strict=strict)

    def redacted(self, keys=()):
        """The text with its password, and the value of each query parameter named in keys, shown as ``***``."""
        from fasturl._quoting import redact
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
        return _replace(self, parts)

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


def _restore(text, form, strict):
    """Unpickle a URL."""
    return make(text, form_named(form), strict)


cdef URL make(object text, fu_form form, bint strict):
    """The one way to a URL object; text is an exact str or bytes."""
    cdef URL url = URL.__new__(URL)
    cdef Octets octets
    cdef fu_spans spans
    cdef fu_verdict verdict
    octets_of(text, &octets)
    _scan.fu_split(&schemes_table, octets.p, octets.n, form, strict, &spans)
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
    if spans.flags & _scan.FU_CLEAN:
        url.finding_bits = 0
        free(octets.owned)
        return url
    _scan.fu_start_verdict(&verdict)
    _scan.fu_judge(&schemes_table, octets.p, &spans, form, &verdict)
    free(octets.owned)
    url.finding_bits = verdict.findings
    url.first_violation = verdict.error_offset
    if custom_judges and spans.scheme in custom_judges:
        judge_custom(url)
    if strict and url.finding_bits & _scan.FU_VIOLATIONS:
        raise invalid(url)
    return url


# --- every problem with its place -------------------------------------------------------------------------------------

cdef object octets_bytes(object text):
    """The octets of the text, one a character."""
    cdef Octets octets
    octets_of(text, &octets)
    try:
        return PyBytes_FromStringAndSize(<const char *>octets.p, <Py_ssize_t>octets.n)
    finally:
        free(octets.owned)


cdef list custom_problems(URL url):
    """What the productions that a scheme's owner brought have against the URL: (bit, term, start, end)."""
    cdef list found = []
    for finding, term, start, end in custom_judges[url.scheme_index](octets_bytes(url.text), url.scheme_end + 1):
        found.append((int(finding), term, int(start), int(end)))
    return found


cdef int judge_custom(URL url) except -1:
    for bit, _, start, _ in custom_problems(url):
        url.finding_bits |= <uint32_t>bit
        if <uint32_t>bit & _scan.FU_VIOLATIONS and <size_t>start < url.first_violation:
            url.first_violation = start
    return 0


cdef list all_problems(URL url):
    """(bit, term, start, end) of every finding, by start and then by bit."""
    cdef Octets octets
    cdef fu_spans spans
    cdef fu_verdict verdict
    cdef fu_problem *stored = NULL
    cdef size_t i
    cdef list found = []
    octets_of(url.text, &octets)
    try:
        _scan.fu_split(&schemes_table, octets.p, octets.n, url.form_, url.strict_, &spans)
        _scan.fu_start_verdict(&verdict)
        _scan.fu_judge(&schemes_table, octets.p, &spans, url.form_, &verdict)
        if verdict.count:
            if verdict.count > <size_t>-1 // sizeof(fu_problem):
                raise MemoryError()
            i = verdict.count
            stored = <fu_problem *>malloc(i * sizeof(fu_problem))
            if stored == NULL:
                raise MemoryError()
            _scan.fu_start_verdict(&verdict)
            verdict.problems = stored
            verdict.capacity = i
            _scan.fu_judge(&schemes_table, octets.p, &spans, url.form_, &verdict)
            for i in range(verdict.count):
                term = _terms.NAMES[stored[i].term]
                found.append((stored[i].finding, term, stored[i].start, stored[i].end))
    finally:
        free(stored)
        free(octets.owned)
    if custom_judges and url.scheme_index in custom_judges:
        found += custom_problems(url)
    found.sort(key=_terms.by_place)
    return found


cdef object invalid(URL url):
    """InvalidURL for the first violation."""
    for bit, term, start, end in all_problems(url):
        if bit & _scan.FU_VIOLATIONS:
            term, section = _terms.place(url, bit, term, start)
            return InvalidURL(_terms.message(url, bit, term, section, start, end), bit, term, start, section)
    raise AssertionError("a URL with a violation has a problem")


def problems(url, *, form="url", bint strict=False):
    """Every violation and hazard of a URL with its place, by start.

    url : str, bytes-like, or a URL (whose own form and strictness then count)
    form, strict : as for :func:`parse`; nothing is raised for content
    Returns list[Problem(finding, start, end, message)]; places count characters of a str, octets of bytes.
    Cost: O(n) for the scan, and one object a problem. RFC 1738 sections 2.2, 3, 5 and 6.

    >>> for problem in problems("http://h/a b#c"):
    ...     print(problem.finding.name, problem.start, problem.end)
    UNSAFE 10 11
    FRAGMENT 12 13
    """
    cdef URL parsed
    if isinstance(url, URL):
        parsed = <URL>url
    else:
        parsed = make(exact_text(url, "problems()"), form_named(form), False)
        if strict:
            parsed.strict_ = True
            respan(parsed)
    found = []
    for bit, term, start, end in all_problems(parsed):
        term, section = _terms.place(parsed, bit, term, start)
        message = _terms.message(parsed, bit, term, section, start, end)
        found.append(Problem(finding_set(bit), start, end, message))
    return found


cdef int respan(URL url) except -1:
    """Cut a URL again after its strictness was set: a strict scheme may start with a digit."""
    cdef Octets octets
    cdef fu_spans spans
    octets_of(url.text, &octets)
    _scan.fu_split(&schemes_table, octets.p, octets.n, url.form_, url.strict_, &spans)
    free(octets.owned)
    url.scheme_end, url.netloc_start, url.path_start = spans.scheme_end, spans.netloc_start, spans.path_start
    url.path_end, url.query_end = spans.path_end, spans.query_end
    url.flags, url.scheme_index = spans.flags, spans.scheme
    return 0


# --- making a URL of other parts --------------------------------------------------------------------------------------

cdef object _replace(URL url, dict parts):
    cdef URL new
    cdef object text = url.text
    cdef type kind = type(text)
    for name, value in parts.items():
        if name not in FIELDS:
            raise TypeError(f"_replace() got an unexpected field name: {name!r}")
        if type(value) is not kind:
            raise TypeError(f"{name} must be {kind.__name__}, not {type(value).__name__}")
    colon, slashes, qmark, hash_ = (b":", b"//", b"?", b"#") if kind is bytes else (":", "//", "?", "#")
    slash = slashes[:1]
    empty = url.empty()
    scheme = parts["scheme"] if "scheme" in parts else url.part(0, url.scheme_end)
    netloc = parts["netloc"] if "netloc" in parts else url.netloc
    path = parts["path"] if "path" in parts else url.path
    query = parts["query"] if "query" in parts else url.query
    fragment = parts["fragment"] if "fragment" in parts else url.fragment
    has_netloc = netloc or ("netloc" not in parts and url.flags & _scan.FU_HAS_NETLOC)
    has_query = query or ("query" not in parts and url.flags & _scan.FU_HAS_QUERY)
    has_fragment = fragment or ("fragment" not in parts and url.flags & _scan.FU_HAS_FRAGMENT)
    if has_netloc and path and not path.startswith(slash):
        path = slash + path
    new_text = (
        (scheme + colon if scheme else empty)
        + (slashes + netloc if has_netloc else empty)
        + path
        + (qmark + query if has_query else empty)
        + (hash_ + fragment if has_fragment else empty)
    )
    new = make(new_text, url.form_, url.strict_)
    if (new.scheme, new.netloc, new.path, new.query, new.fragment) != (scheme.lower(), netloc, path, query, fragment):
        raise ValueError(f"these parts cannot stand in one URL: {', '.join(parts)} would read back as something else")
    return new


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
        url = exact_text(url, "parse()")
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
                text = exact_text(text, "parse_many() items:")
            return make(text, self.form, self.strict)
        try:
            return make(exact_text(text, "parse_many() items:"), self.form, self.strict)
        except (InvalidURL, TypeError) as error:
            return error if self.policy == KEEP else None


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
    for i in range(<uint32_t>len(scheme_names), schemes_table.count):
        name = schemes_table.entries[i].name[:schemes_table.entries[i].length]
        scheme_names_bytes.append(name)
        scheme_names.append(name.decode())
    return 0


name_schemes()
SHAPES = {
    "generic": _scan.FU_SHAPE_GENERIC, "ftp": _scan.FU_SHAPE_FTP, "http": _scan.FU_SHAPE_HTTP,
    "gopher": _scan.FU_SHAPE_GOPHER, "mailto": _scan.FU_SHAPE_MAILTO, "news": _scan.FU_SHAPE_NEWS,
    "nntp": _scan.FU_SHAPE_NNTP, "telnet": _scan.FU_SHAPE_TELNET, "wais": _scan.FU_SHAPE_WAIS,
    "file": _scan.FU_SHAPE_FILE, "prospero": _scan.FU_SHAPE_PROSPERO, "custom": _scan.FU_SHAPE_CUSTOM,
}


def schemes():
    """The schemes that parse knows: {name: (shape, default port or None)}.

    >>> schemes()["ftp"]
    ('ftp', 21)
    """
    cdef uint32_t i
    shape_names = list(SHAPES)
    known = {}
    for i in range(schemes_table.count):
        port = schemes_table.entries[i].port
        known[scheme_names[i]] = (shape_names[schemes_table.entries[i].shape], None if port == _scan.FU_NO_PORT else port)
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
    if default_port is not None and not 0 < default_port <= 65535:
        raise ValueError(f"{default_port} is no port")
    if (shape == "custom") != (judge is not None):
        raise ValueError("a judge goes with the shape 'custom', and with no other")
    with scheme_lock:
        if _scan.fu_find_scheme(&schemes_table, <const uint8_t *>PyBytes_AS_STRING(octets), len(octets)) != _scan.FU_NO_SCHEME:
            raise ValueError(f"the scheme {name!r} is taken")
        scheme_names.append(name)
        scheme_names_bytes.append(octets)
        if judge is not None:
            custom_judges[schemes_table.count] = judge
        index = _scan.fu_register_scheme(&schemes_table, octets, len(octets), <fu_shape><int>SHAPES[shape], port)
        if index == _scan.FU_NO_SCHEME:
            custom_judges.pop(schemes_table.count, None)
            scheme_names.pop()
            scheme_names_bytes.pop()
            raise ValueError("no room for another scheme")


def _kernels():
    """The names of the kernels that run on this processor, the widest last."""
    return [_scan.fu_kernels[i].name.decode() for i in range(_scan.FU_KERNELS) if _scan.fu_kernels[i].runs_here]


def _use_kernel(str name not None):
    """Take one kernel for all scans that follow: for tests and benchmarks."""
    if not _scan.fu_use_kernel(name.encode()):
        raise ValueError(f"{name!r} is no kernel that runs here")


def _scan_in_place(const uint8_t[::1] buffer not None, *, bint strict=False, form="url"):
    """Split and judge a buffer where it stands, without a copy, as columns do: for tests of what the kernel touches.
    Returns (scheme_end, netloc_start, path_start, path_end, query_end, flags, findings, error_offset or None)."""
    cdef fu_spans s
    cdef fu_verdict v
    cdef fu_form as_form = form_named(form)
    cdef const uint8_t *p = &buffer[0] if buffer.shape[0] else NULL
    with nogil:
        _scan.fu_split(&schemes_table, p, <size_t>buffer.shape[0], as_form, strict, &s)
        _scan.fu_start_verdict(&v)
        _scan.fu_judge(&schemes_table, p, &s, as_form, &v)
    clean = bool(s.flags & _scan.FU_CLEAN)
    if clean and v.findings:
        raise AssertionError("the split called a text clean that the judge finds fault with")
    offset = None if v.error_offset == _scan.FU_ABSENT else v.error_offset
    return s.scheme_end, s.netloc_start, s.path_start, s.path_end, s.query_end, s.flags, v.findings, offset
