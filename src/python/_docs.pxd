"""Short forms in the docstrings of compiled functions. complete_docs() replaces them when a module is imported.

A line ``$Title`` starts a numpydoc section, with an empty line before it and a line of hyphens after it. A line
``$name`` stands for a paragraph that several docstrings share. So each ``__doc__`` is complete, and each paragraph is
written once. The code works on C strings, because the import must stay fast.
"""

from cpython.object cimport Py_TYPE
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset, strcspn, strlen, strncmp, strstr

cdef extern from "Python.h":
    ctypedef struct PyMethodDef:
        const char *ml_doc
    ctypedef struct PyCFunctionObject:
        PyMethodDef *m_ml
    ctypedef struct PyMethodDescrObject:
        PyMethodDef *d_method
    bint PyCFunction_Check(object value)


cdef inline const char *paragraph(const char *name, size_t n) noexcept:
    """Return the paragraph of a name, or " $" for an unknown name, which the test of docstrings finds."""
    cdef size_t i
    cdef const char *paragraphs[48]
    paragraphs[:] = [
        b"url", b"""\
url : str, bytes-like or URL
    URL to read. It may have any content, valid or not.""",
        b"form", b"""\
form : {"url", "request-target"}
    How to split the URL. Use "request-target" when it comes from an access log, for example ``/a?b`` or ``h:443``.""",
        b"form_or_host", b"""\
form : {"url", "request-target", "host"}
    How to split the URL. Use "host" when you pass a host alone, for example ``www.example.com``. Use
    "request-target" when the URL comes from an access log.""",
        b"raises", b"""\
$Raises
TypeError
    If ``url`` has another type.
ValueError
    If ``form`` has another value.""",
        b"names", b"""\
names : str, bytes-like or iterable
    Names to look for, such as ``"id"`` or ``["id", "utm_*"]``. A ``*`` matches any characters. fasturl compares
    them with the decoded names in the query, and case matters. Bytes need a URL in bytes.""",
        b"private_suffixes", b"""\
private_suffixes : bool
    Also use the list's private section, which has suffixes such as ``github.io``.""",
        b"rules", b"""\
rules : Suffixes, optional
    Rules that you compiled with ``fasturl.domains.read``. By default, fasturl uses the package
    ``publicsuffixlist``.""",
        b"no_rules", b"""\
ModuleNotFoundError
    If you pass no rules and ``publicsuffixlist`` is missing. ``pip install 'fasturl[domains]'`` installs it.""",
        b"no_domain", b"""\
    ``None`` if the URL has no host, or if the host is an IP address or has an empty label. A single trailing dot is
    allowed. ``None`` also if programs read the host differently (``Finding.AMBIGUOUS_AUTHORITY``).""",
        b"blocking", b"""\
An entry blocks the URL when it equals the host, when the host is below it, or when it is a network with that address.
Browsers and libraries read some texts differently. fasturl searches every host that any program may see, so that no
spelling avoids the list. If programs map a character in the host differently, fasturl also searches its NFKC form.""",
        b"exact", b"""\
exact : bool
    Match only the entries themselves. By default, a host below an entry matches too.""",
        b"hosts", b"""\
hosts : HostList, str, bytes-like or iterable
    Host list. Pass a ``HostList`` to reuse its index. Any other source is indexed again on each call.""",
        b"no_list", b"""\
$Raises
TypeError
    If ``url`` or ``hosts`` has another type.
ValueError
    If ``form`` has another value, or if ``hosts`` contains a word that is no host, such as a URL.""",
        b"fetch", b"""\
$Parameters
url : str, bytes-like or URL
    URL to check. It may have any content, valid or not.
schemes : str or iterable of str
    Schemes that you fetch.
ports : iterable of int, optional
    Ports that you fetch. A URL without a port has the scheme's default port. By default, every port is allowed.
addresses : str or iterable of str
    Address scopes that you fetch, as ``address_scope`` returns them. Use "any" for all. A host name passes unless
    it is local, for example ``printer``, ``db.internal`` or a name below ``localhost``.
hosts : HostList, str, bytes-like or iterable, optional
    Hosts that you fetch. When you list a local name, it passes. ``addresses`` still decides about IP addresses.
not_hosts : HostList, str, bytes-like or iterable, optional
    Hosts that you never fetch.""",
        b"no_fetch", b"""\
$Raises
TypeError
    If an argument has another type.
ValueError
    If a scope is unknown, if a port is above 65535, or if a list contains a word that is no host.""",
        b"key", b"""\
$Parameters
url : str, bytes-like or URL
    URL to read. It may have any content, valid or not.
normalize : bool
    Apply the normal form from RFC 1738 section 2.2, as ``fasturl.normalize`` does. Also write the ``/`` that an
    http URL may omit (section 3.3).
sort : bool
    Sort the query pairs by their bytes, and drop empty pairs.
fragment : bool
    Keep the fragment.
drop : str, bytes-like or iterable, optional
    Query names to drop. A ``*`` matches any characters. By default, fasturl drops the names that trackers add, such
    as ``utm_*``, ``gclid`` and ``fbclid``. Pass ``()`` to keep every name.""",
        b"decode", b"""\
decode : bool
    Decode escapes, and ``+`` as a space, as ``urllib.parse.parse_qsl`` does.""",
        b"limit", b"""\
limit : int
    Maximum number of prefixes. The longest are left out.""",
        b"decoding", b"""\
encoding : str
    Encoding by which the escaped bytes become characters.
errors : str
    Error handler, as ``bytes.decode`` takes it. By default, each invalid sequence becomes U+FFFD.""",
        b"undecodable", b"""\
$Raises
TypeError
    If ``string`` has another type.
LookupError
    If ``encoding`` is unknown.
UnicodeDecodeError
    If you pass "strict" as ``errors``, and the encoding does not allow the bytes.""",
        b"pairs", b"""\
$Parameters
qs : str, bytes or URL
    Query without the ``?``. If you pass a URL, its query is read.
keep_blank_values : bool
    Keep pairs with an empty value or without ``=``.
strict_parsing : bool
    Raise ValueError when a pair has no ``=``.
$decoding
max_num_fields : int, optional
    Maximum number of pairs. By default, there is no limit.
separator : str or bytes
    Delimiter between pairs.""",
        b"no_pairs", b"""\
$Raises
TypeError
    If an argument has another type, as in urllib.
ValueError
    If the query has more pairs than ``max_num_fields``, or a pair without ``=`` under ``strict_parsing``. Also if
    ``separator`` is empty.""",
        b"parameters", b"""\
$Parameters
$url
$form""",
        b"linear", b"""\
$raises
$Notes
Cost: O(n) in the URL's length.""",
    ]
    for i in range(0, sizeof(paragraphs) // sizeof(paragraphs[0]), 2):
        if strlen(paragraphs[i]) == n and strncmp(name, paragraphs[i], n) == 0:
            return paragraphs[i + 1]
    return b" $"


cdef inline size_t fill(const char *text, char *out, size_t room) noexcept:
    """Write a docstring with its sections and paragraphs to `out`, if there is room. Return the length."""
    cdef size_t n = 0, length
    cdef const char *mark
    while True:
        mark = text - 1 if text[0] == b"$" else strstr(text, b"\n$")
        length = strlen(text) if mark == NULL else mark + 1 - text
        if n + length <= room:
            memcpy(out + n, text, length)
        n += length
        if mark == NULL:
            return n
        text = mark + 2
        length = strcspn(text, b"\n")
        if text[0] >= b"a":
            n += fill(paragraph(text, length), out + n, room - n if n < room else 0)
        else:
            if n + 2 + 2 * length <= room:
                out[n] = out[n + 1 + length] = b"\n"
                memcpy(out + n + 1, text, length)
                memset(out + n + 2 + length, b"-", length)
            n += 2 + 2 * length
        text += length


cdef inline char *filled(const char *text) except NULL:
    cdef size_t n = 0, room = 1 << 13
    cdef char *out = NULL
    cdef char *shrunk
    while n == 0 or n >= room:
        room = max(room, n + 1)
        free(out)
        out = <char *>malloc(room)
        if out == NULL:
            raise MemoryError
        n = fill(text, out, room)
    out[n] = 0
    shrunk = <char *>realloc(out, n + 1)
    return out if shrunk == NULL else shrunk


cdef inline char *dedented(const char *text) except NULL:
    """Return the docstring of a bound function as Cython writes that of a built-in function."""
    cdef char *out = <char *>malloc(strlen(text) + 1)
    cdef size_t n = 0
    if out == NULL:
        raise MemoryError
    while text[0]:
        out[n] = text[0]
        n += 1
        text += 5 if strncmp(text, b"\n    ", 5) == 0 else 1
    out[n] = 0
    return out


cdef inline int complete_docs(object names) except -1:
    """Fill in the docstrings of a module's functions or of a class's methods. The process keeps the new texts."""
    cdef PyMethodDef *method
    for value in names.values():
        if type(value) is staticmethod:
            value = value.__func__
        if type(value) is type(str.join):
            method = (<PyMethodDescrObject *>value).d_method
        elif PyCFunction_Check(value) or strstr(Py_TYPE(value).tp_name, b"cython_function") != NULL:
            method = (<PyCFunctionObject *>value).m_ml
        else:
            continue
        if method.ml_doc != NULL and strstr(method.ml_doc, b"\n    $") != NULL:
            method.ml_doc = dedented(method.ml_doc)
        if method.ml_doc != NULL and strstr(method.ml_doc, b"\n$") != NULL:
            method.ml_doc = filled(method.ml_doc)
    return 0
