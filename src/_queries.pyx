# cython: binding=False, embedsignature.format=clinic
"""Queries: ``urllib.parse``'s parse_qsl, parse_qs and urlencode, compiled; one value of a query; a URL without its secrets.

The first three as in ``_quoting``: what every supported Python agrees on is compiled, anything else goes to the running interpreter's own
function with the arguments as given, before any of them has been changed or used up.
"""

cimport cython
from cpython.bytes cimport PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_Check
from libc.stdint cimport uint8_t
from libc.string cimport memcmp, memcpy

from fasturl import _originals
from fasturl._dropin import frames_between
from fasturl._fastparse import URL
from fasturl._quoting import quote as _quote, quote_plus as _quote_plus
from _escaping cimport *
from _pyoctets cimport fu_exact_text, fu_free_octets, fu_octets, fu_octets_of
from _pytext cimport *
from _runtime cimport import_runtime, runtime
from _scan cimport (
    fu_find_pair,
    fu_is_ascii,
    fu_name,
    fu_next_hidden,
    fu_next_pair,
    fu_pair,
    fu_query_span,
    fu_quote_table,
    fu_redaction,
    fu_start_redaction,
)
from _sink cimport *

__all__ = ["parse_qs", "parse_qsl", "query_value", "redact", "urlencode"]

import_runtime()

cdef object urllib_parse_qs = _originals.original("parse_qs")
cdef object urllib_parse_qsl = _originals.original("parse_qsl")
cdef object urllib_urlencode = _originals.original("urlencode")
# As programs name them, which is how they give them to urlencode.
cdef object urllib_quote = _originals.FUNCTIONS.get("quote", _quote)
cdef object urllib_quote_plus = _originals.FUNCTIONS.get("quote_plus", _quote_plus)
cdef object own_quote = _quote
cdef object own_quote_plus = _quote_plus

cdef bytes ALWAYS = always_kept(_originals.original("quote"))
cdef dict TABLES = {}
cdef bytes PLUS_TABLE = safe_table("", True, ALWAYS, {})
cdef object EMPTY = ""
# How the running interpreter writes None is its own affair.
cdef bint NONE_IS_TEXT = urllib_urlencode({"a": None}) == "a=None"


def _gives_all_octets():
    try:
        return urllib_parse_qsl(b"\xff=%FF") == [(b"\xff", b"\xff")]
    except ValueError:
        return False


# Whether names and values that are bytes may hold any octet. Older Pythons pass them through ASCII.
cdef bint ALL_OCTETS = _gives_all_octets()
cdef bint NONE_IS_EMPTY = _originals.gives("parse_qsl", (None,), [])
# Whether other queries that are neither str nor bytes give a warning.
cdef bint WARNS = "_stacklevel" in _originals.SHAPES.get("parse_qsl", "")


cdef extern from "pyfront.h":
    ctypedef object (*fu_call)(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
    fu_call fu_stand_before(object function, fu_call front)

cdef extern from "pypairs.h":
    ctypedef struct fu_query:
        PyObject *text
        fu_octets octets
        uint8_t separator
        bint is_ascii, keep_blank, strict
        const char *codec
        const char *handler
        object (*decode)(const fu_query *query, size_t start, size_t end)
    object fu_query_pairs(const fu_query *query, bint as_dict)


# ---- parse_qsl and parse_qs

include "queries/pairs.pxi"


def parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None,
              separator='&'):
    """The pairs of a query, in order: ``urllib.parse.parse_qsl``.

    qs : str or bytes, without the ``?``.
    keep_blank_values : whether a pair with an empty value, or without ``=``, counts.
    strict_parsing : whether a pair without ``=`` is an error.
    encoding, errors : how escapes become characters.
    max_num_fields : int or None, how many pairs are too many (more than it).
    separator : str or bytes, what divides the pairs.
    Returns: list of pairs of str, or of bytes for bytes.
    Raises: ValueError for too many pairs, and under ``strict_parsing``; TypeError; all as urllib's does.
    Cost: O(n); a tuple and two texts for each pair.

    >>> parse_qsl("a=1&b=%C3%A9+x&c=")
    [('a', '1'), ('b', '\xe9 x')]
    """
    result = pairs_of(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, False)
    if result is not None:
        return result
    return urllib_parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator)


# From 3.14 on there is a warning, and _stacklevel says how far its cause is from urllib's own frame.
@cython.binding(True)
def later_parse_qsl(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace',
                    max_num_fields=None, separator='&', *, _stacklevel=1):
    result = pairs_of(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, False)
    if result is not None:
        return result
    return urllib_parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator,
                            _stacklevel=_stacklevel + frames_between())


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None,
             separator='&'):
    """The values of a query by name: ``urllib.parse.parse_qs``.

    The parameters and errors are those of ``parse_qsl``.
    Returns: dict of lists of str, or of bytes for bytes, in the order in which the names first stand.
    Cost: O(n).

    >>> parse_qs("a=1&b=2&a=3")
    {'a': ['1', '3'], 'b': ['2']}
    """
    result = pairs_of(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, True)
    if result is not None:
        return result
    if not WARNS:
        return urllib_parse_qs(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator)
    # Not by urllib's parse_qs, between which and its caller a frame may stand that it does not count.
    result = {}
    for name, value in urllib_parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields,
                                        separator, _stacklevel=1 + frames_between()):
        (<dict>result).setdefault(name, []).append(value)
    return result


# ---- urlencode

cdef struct quoting:
    const fu_quote_table *table
    const fu_quote_table *spaceless  # for a text without a space: the two differ where other octets of it can be 20
    const char *codec  # NULL for UTF-8 that must be valid
    const char *handler


cdef int sink_item(sink *out, const quoting *how, object item) except -1:
    """Write a key or a value as quote_via would; 0 for a type that is left to urllib."""
    cdef long long number
    cdef int overflow = 0
    if PyBytes_CheckExact(item):
        sink_quoted(out, how.table, octets_of(item), PyBytes_GET_SIZE(item))
        return 1
    if PyLong_CheckExact(item):
        number = PyLong_AsLongLongAndOverflow(item, &overflow)
        if not overflow and how.codec == NULL:
            sink_number(out, how.table, number)
            return 1
        item = str(item)
    elif not PyUnicode_CheckExact(item):
        if not (type(item) is bool or type(item) is float or (item is None and NONE_IS_TEXT)):
            return 0
        item = str(item)
    if how.codec == NULL:
        sink_text(out, how.table, item)
    elif item:
        octets = PyUnicode_AsEncodedString(item, how.codec, how.handler)
        sink_quoted(out, how.table if " " in <str>item else how.spaceless, octets_of(octets), PyBytes_GET_SIZE(octets))
    return 1


cdef int sink_pair(sink *out, const quoting *how, object key, object value, bint doseq) except -1:
    """Write one pair, or one for each element of a value; 0 for what is left to urllib."""
    cdef size_t start, length
    cdef bint first = True
    if out.used:
        sink_put(out, 38)
    start = out.used
    if not sink_item(out, how, key):
        return 0
    sink_put(out, 61)
    if not doseq or not (type(value) is list or type(value) is tuple):
        return sink_item(out, how, value)
    length = out.used - start
    for element in value:
        if not first:
            sink_reserve(out, length + 1)
            out.data[out.used] = 38
            memcpy(out.data + out.used + 1, out.data + start, length)
            out.used += length + 1
        first = False
        if not sink_item(out, how, element):
            return 0
    if first:
        # No element, no pair; the & before it goes too.
        out.used = start - 1 if start else 0
    return 1


cdef object encoded(object query, bint doseq, const quoting *how):
    """A query's text; None for what is left to urllib."""
    cdef sink out
    out.data = out.initial
    out.used = 0
    out.capacity = sizeof(out.initial)
    try:
        if type(query) is dict:
            for key, value in (<dict>query).items():
                if not sink_pair(&out, how, key, value, doseq):
                    return None
        else:
            for item in query:
                if type(item) is not tuple or len(<tuple>item) != 2:
                    return None
                if not sink_pair(&out, how, (<tuple>item)[0], (<tuple>item)[1], doseq):
                    return None
        return ascii_text(out.data, out.used)
    finally:
        if out.data != out.initial:
            PyMem_Free(out.data)


# Bound, unlike the others: a default that is a function has no place in a built-in function's signature.
@cython.binding(True)
def urlencode(query, doseq=False, safe='', encoding=None, errors=None, quote_via=_quote_plus):
    """A query of pairs: ``urllib.parse.urlencode``.

    query : mapping, or sequence of pairs; keys and values are str, bytes, or anything that ``str()`` takes.
    doseq : whether a value that is a sequence gives one pair for each element.
    safe, encoding, errors : as for ``quote``.
    quote_via : the function that quotes each key and value.
    Returns: str of ASCII characters.
    Raises: TypeError for what is no mapping or sequence of pairs, UnicodeEncodeError; all as urllib's does.
    Cost: O(n) for dicts, lists and tuples that hold str, bytes and numbers; others take urllib's own way.

    >>> urlencode({"q": "caf\xe9 & tea", "n": 2})
    'q=caf%C3%A9+%26+tea&n=2'
    """
    cdef int each = plain_flag(doseq)
    cdef bint plus = quote_via is own_quote_plus or quote_via is urllib_quote_plus
    cdef quoting how
    cdef object table = None, spaceless = None
    if each >= 0 and (type(query) is dict or type(query) is list or type(query) is tuple) and (
        plus or quote_via is own_quote or quote_via is urllib_quote
    ):
        table = PLUS_TABLE if plus and safe is EMPTY else safe_table(safe, plus, ALWAYS, TABLES)
    if table is not None:
        how.table = how.spaceless = table_of(table)
        how.codec = how.handler = NULL
        if not (is_utf8(encoding) and usual(errors, "strict")):
            spaceless = safe_table(safe, False, ALWAYS, TABLES)
            how.spaceless = table_of(spaceless)
            how.codec = plain_name("utf-8" if encoding is None else encoding)
            how.handler = plain_name("strict" if errors is None else errors)
        if spaceless is None or (how.codec != NULL and how.handler != NULL):
            result = encoded(query, each, &how)
            if result is not None:
                return result
    return urllib_urlencode(query, doseq, safe, encoding, errors, quote_via)


cdef str QUERY = "qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', " \
    "max_num_fields=None, separator='&'"
_originals.take_shapes(globals(), {
    "parse_qs": {QUERY: parse_qs},
    "parse_qsl": {QUERY: parse_qsl, QUERY + ", *, _stacklevel": later_parse_qsl},
    "urlencode": {"query, doseq=False, safe='', encoding=None, errors=None, quote_via=quote_plus": urlencode},
})
del later_parse_qsl
parse_qsl_behind = fu_stand_before(parse_qsl, parse_qsl_in_front)
parse_qs_behind = fu_stand_before(parse_qs, parse_qs_in_front)


# ---- one value, and a URL without its secrets

cpdef bytes _name_octets(object name, bint of_bytes):
    """The octets that a name is compared by."""
    text = fu_exact_text(name, None, b"a query's name:")
    if PyUnicode_CheckExact(text):
        return PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape" if of_bytes else "surrogatepass")
    if of_bytes:
        return text
    raise TypeError(f"a query's name is a str, not {type(name).__name__}")


cdef bint decodes_to(const uint8_t *octets, size_t n, bint marks, bytes name):
    """Whether a text's name in a query, decoded, is this one: for names whose octets alone do not tell."""
    if not marks:
        return n == <size_t>PyBytes_GET_SIZE(name) and memcmp(octets, octets_of(name), n) == 0
    return decoded_part(octets, n, True, True) == name.decode("utf-8", "surrogatepass")


cpdef bint _octets_tell(bytes name, bint as_text):
    """Whether a name is found by its octets: U+FFFD may stand for an error, and no escape decodes to a surrogate."""
    cdef Py_UCS4 c
    if not as_text or name.isascii():
        return True
    for c in name.decode("utf-8", "surrogatepass"):
        if c == 0xFFFD or 0xD800 <= c <= 0xDFFF:
            return False
    return True


cdef object first_value(bytes query, bytes name, bint as_text, object default):
    cdef const uint8_t *octets = octets_of(query)
    cdef size_t n = PyBytes_GET_SIZE(query)
    cdef size_t i = 0
    cdef fu_pair pair
    cdef fu_name wanted
    if _octets_tell(name, as_text):
        wanted.octets = octets_of(name)
        wanted.length = PyBytes_GET_SIZE(name)
        if fu_find_pair(octets, n, &wanted, NULL, &pair):
            return decoded_part(octets + pair.value, pair.end - pair.value, pair.value_marks, as_text)
        return default
    while i < n:
        fu_next_pair(octets, n, i, 38, &pair)
        i = pair.end + 1
        if pair.end > pair.start and decodes_to(octets + pair.start, pair.name_end - pair.start, pair.name_marks, name):
            return decoded_part(octets + pair.value, pair.end - pair.value, pair.value_marks, as_text)
    return default


def query_value(url, name, default=None):
    """The first value of a name in a URL's query, without building the other pairs.

    url : str or bytes-like, or an object with a ``query`` (a ``URL``, a ``SplitResult``).
    name : str, or bytes-like where the URL is; compared with the decoded names of the query.
    default : what to give when no pair has that name.
    Returns: str for a str, bytes for bytes, decoded as ``parse_qsl`` does (``+`` is a space, UTF-8 with errors replaced);
        empty when the value is empty or the pair has no ``=``.
    Raises: TypeError for another type.
    Cost: O(n) in the length of the URL.

    >>> query_value("http://h/?a=1&b=x+%C3%A9&b=2#f", "b")
    'x \xe9'
    >>> query_value(b"/p?a", b"a"), query_value(b"/p", b"a")
    (b'', None)
    """
    cdef size_t start = 0, end = 0
    cdef bint as_text, whole = PyUnicode_Check(url) or PyObject_CheckBuffer(url)
    if not whole:
        try:
            url = url.query
        except AttributeError:
            raise TypeError(f"a URL is a str or bytes-like, or has a query; not {type(url).__name__}") from None
        if url is None:
            return default
    octets = fu_exact_text(url, None, b"query_value()")
    as_text = PyUnicode_CheckExact(octets)
    wanted = _name_octets(name, not as_text)
    if as_text:
        octets = PyUnicode_AsEncodedString(octets, "utf-8", "surrogatepass")
    if whole:
        if not fu_query_span(octets_of(octets), PyBytes_GET_SIZE(octets), &start, &end):
            return default
        octets = (<bytes>octets)[start:end]
    return first_value(octets, wanted, as_text, default)


def redact(url, keys=()):
    """A URL's text with ``***`` for its password and for the values of some query parameters.

    url : str, bytes-like or URL.
    keys : a name or an iterable of names (str, or bytes-like where the URL is), compared with the decoded names of the query.
        ``fasturl.SECRET_KEYS`` are the well-known names of secrets.
    Returns: str for a str, bytes for bytes; all else in it stands as written. The same object when nothing is hidden.
    Raises: TypeError for another type.
    Cost: O(n) in the length of the URL; each name in it is compared with each of the keys.

    The password is what stands between the first ``:`` of the login and its last ``@``, also when it is empty and whatever
    the scheme is. Where a login can be read in several ways (``Finding.AMBIGUOUS_AUTHORITY``), the password of each is hidden.
    Source: RFC 1738 sections 3.1 and 6.

    >>> redact("ftp://me:secret@h/x?token=abc&n=1", ["token"])
    'ftp://me:***@h/x?token=***&n=1'
    """
    cdef size_t start = 0, end = 0, done = 0
    cdef bint as_text
    cdef fu_name *wanted = NULL
    cdef fu_redaction redaction
    cdef list parts = []
    cdef bytes text, name
    cdef Py_ssize_t i
    url = fu_exact_text(url, URL, b"redact()")
    as_text = PyUnicode_CheckExact(url)
    text = PyUnicode_AsEncodedString(url, "utf-8", "surrogatepass") if as_text else url
    if isinstance(keys, (str, bytes)):
        keys = (keys,)
    names = [*{_name_octets(key, not as_text) for key in keys}]
    if names:
        wanted = <fu_name *>PyMem_Malloc(len(names) * sizeof(fu_name))
        if wanted == NULL:
            raise MemoryError
    try:
        for i in range(len(names)):
            name = names[i]
            wanted[i].octets = octets_of(name)
            wanted[i].length = PyBytes_GET_SIZE(name)
        fu_start_redaction(&redaction, runtime.schemes, octets_of(text), PyBytes_GET_SIZE(text), wanted, len(names), NULL)
        while fu_next_hidden(&redaction, &start, &end):
            parts += [text[done:start], b"***"]
            done = end
    finally:
        PyMem_Free(wanted)
    if not parts:
        return url
    parts.append(text[done:])
    result = b"".join(parts)
    return result.decode("utf-8", "surrogatepass") if as_text else result
