# cython: binding=False, embedsignature.format=clinic
"""Queries as forms write them: ``urllib.parse``'s parse_qsl, parse_qs and urlencode, compiled.

As in ``_quoting``: what every supported Python agrees on is compiled, anything else goes to the running interpreter's own
function with the arguments as given, before any of them has been changed or used up.
"""

import urllib.parse as _urllib

cimport cython
from cpython.bytes cimport PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongLongAndOverflow, PyLong_CheckExact
from cpython.mem cimport PyMem_Free, PyMem_Malloc, PyMem_Realloc
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from fasturl._quoting import quote as _quote, quote_plus as _quote_plus
from _escaping cimport *

__all__ = ["parse_qs", "parse_qsl", "urlencode"]

choose_kernel(None)


def _kernels():
    """The names of the kernels that run on this processor, the plainest first."""
    return kernel_names()


def _use_kernel(name=None):
    """Use one of them from now on, in this module; the best when no name is given. For tests and measurements."""
    choose_kernel(name)


# Taken at import: a program may put this module's functions in their place later.
cdef object urllib_quote = _urllib.quote
cdef object urllib_quote_plus = _urllib.quote_plus
cdef object urllib_parse_qs = _urllib.parse_qs
cdef object urllib_parse_qsl = _urllib.parse_qsl
cdef object urllib_urlencode = _urllib.urlencode
cdef object own_quote = _quote
cdef object own_quote_plus = _quote_plus

cdef bytes ALWAYS = always_kept(urllib_quote)
cdef dict TABLES = {}
cdef bytes PLUS_TABLE = safe_table("", True, ALWAYS, {})
cdef object EMPTY = ""
# How the running interpreter writes None is its own affair.
cdef bint NONE_IS_TEXT = urllib_urlencode({"a": None}) == "a=None"

cdef extern from "query.h" nogil:
    ctypedef struct fu_pair:
        size_t start
        size_t name_end
        size_t value
        size_t end
        bint has_value
        bint name_marks
        bint value_marks
    void fu_next_pair(const uint8_t *p, size_t n, size_t at, uint8_t separator, fu_pair *pair)


# ---- parse_qsl and parse_qs

cdef inline int plain_flag(object flag) noexcept:
    """The truth of a bool, an int or None; -1 for anything whose truth could be a program's own."""
    if flag is False or flag is None:
        return 0
    if flag is True:
        return 1
    return -1


cdef inline int separator_octet(object separator) noexcept:
    """A separator of one ASCII character; -1 for any other."""
    cdef uint8_t octet
    if PyUnicode_CheckExact(separator):
        if PyUnicode_GET_LENGTH(separator) != 1 or not PyUnicode_IS_ASCII(separator):
            return -1
        octet = ascii_octets(separator)[0]
    elif PyBytes_CheckExact(separator) and PyBytes_GET_SIZE(separator) == 1:
        octet = octets_of(separator)[0]
    else:
        return -1
    return octet if octet < 0x80 else -1


cdef inline object piece(const uint8_t *octets, size_t n, bint marks, bint as_text):
    """A name or a value of an ASCII query, decoded; None for octets that are not ASCII."""
    cdef bytes value
    if as_text:
        if marks:
            return decoded(octets, n, True, True, NULL, NULL)
        return ascii_text(octets, n)
    value = unescaped_octets(octets, n, True)
    return value if value.isascii() else None


cdef inline int put(object into, object name, object value) except -1:
    """Add a pair to a list, or a value to a dict's list."""
    if type(into) is list:
        (<list>into).append((name, value))
        return 0
    found = (<dict>into).get(name)
    if found is None:
        (<dict>into)[name] = [value]
    else:
        (<list>found).append(value)
    return 0


cdef object wide_pairs(str qs, str separator, bint keep_blank_values, bint strict, object into):
    """The pairs of a str that is not all ASCII; None when strict parsing has to refuse it."""
    cdef Py_ssize_t equals
    for text in qs.split(separator):
        if not text and not strict:
            continue
        equals = (<str>text).find("=")
        if equals < 0:
            if strict:
                return None
            if not keep_blank_values:
                continue
            name, value = text, ""
        else:
            name, value = (<str>text)[:equals], (<str>text)[equals + 1:]
        if value or keep_blank_values:
            put(into, decoded_text(name, None, None, True), decoded_text(value, None, None, True))
    return into


cdef object pairs_of(object qs, object keep_blank_values, object strict_parsing, object encoding, object errors,
                     object max_num_fields, object separator, object into):
    """``into`` with all pairs; None for what is left to urllib, its refusals among it."""
    cdef int keep = plain_flag(keep_blank_values)
    cdef int strict = plain_flag(strict_parsing)
    cdef int divider = separator_octet(separator)
    cdef bint as_text = PyUnicode_CheckExact(qs)
    cdef const uint8_t *octets
    cdef size_t n, i, fields
    cdef fu_pair pair
    if (keep | strict | divider) < 0 or not usual(encoding, "utf-8") or not usual(errors, "replace"):
        return None
    if as_text:
        FU_TEXT_READY(qs)
        if not PyUnicode_IS_ASCII(qs):
            if max_num_fields is not None or not PyUnicode_CheckExact(separator):
                return None
            return wide_pairs(qs, separator, keep, strict, into)
        octets = ascii_octets(qs)
        n = PyUnicode_GET_LENGTH(qs)
    elif PyBytes_CheckExact(qs) and (<bytes>qs).isascii():
        octets = octets_of(qs)
        n = PyBytes_GET_SIZE(qs)
    else:
        return None
    if max_num_fields is not None:
        if not PyLong_CheckExact(max_num_fields) or n == 0:
            return None
        fields = 1
        for i in range(n):
            fields += octets[i] == divider
        if max_num_fields < fields:
            return None
    i = 0
    while i < n:
        fu_next_pair(octets, n, i, <uint8_t>divider, &pair)
        i = pair.end + 1
        if not pair.has_value:
            if strict:
                return None
            if pair.end == pair.start or not keep:
                continue
        if pair.value < pair.end or keep:
            name = piece(octets + pair.start, pair.name_end - pair.start, pair.name_marks, as_text)
            value = piece(octets + pair.value, pair.end - pair.value, pair.value_marks, as_text)
            if name is None or value is None:
                return None
            put(into, name, value)
    if strict and n and octets[n - 1] == divider:
        return None
    return into


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
    result = pairs_of(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, [])
    if result is not None:
        return result
    return urllib_parse_qsl(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator)


def parse_qs(qs, keep_blank_values=False, strict_parsing=False, encoding='utf-8', errors='replace', max_num_fields=None,
             separator='&'):
    """The values of a query by name: ``urllib.parse.parse_qs``.

    The parameters and errors are those of ``parse_qsl``.
    Returns: dict of lists of str, or of bytes for bytes, in the order in which the names first stand.
    Cost: O(n).

    >>> parse_qs("a=1&b=2&a=3")
    {'a': ['1', '3'], 'b': ['2']}
    """
    result = pairs_of(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator, {})
    if result is not None:
        return result
    return urllib_parse_qs(qs, keep_blank_values, strict_parsing, encoding, errors, max_num_fields, separator)


# ---- urlencode

cdef struct sink:
    uint8_t *data
    size_t used
    size_t room
    uint8_t first[1024]


cdef int sink_reserve(sink *out, size_t more) except -1:
    """Make room for more octets; the first kilobyte needs no heap."""
    cdef size_t room
    cdef uint8_t *data
    if out.room - out.used >= more:
        return 0
    if more > (<size_t>-1 >> 2) or out.used > (<size_t>-1 >> 2):
        raise MemoryError
    room = 2 * (out.used + more)
    if out.data == out.first:
        data = <uint8_t *>PyMem_Malloc(room)
        if data != NULL:
            memcpy(data, out.first, out.used)
    else:
        data = <uint8_t *>PyMem_Realloc(out.data, room)
    if data == NULL:
        raise MemoryError
    out.data = data
    out.room = room
    return 0


cdef int sink_put(sink *out, uint8_t octet) except -1:
    sink_reserve(out, 1)
    out.data[out.used] = octet
    out.used += 1
    return 0


cdef int sink_quoted(sink *out, const fu_quote_table *table, const uint8_t *octets, size_t n) except -1:
    if n > (<size_t>-1 >> 3):
        raise MemoryError
    sink_reserve(out, 3 * n + FU_QUOTE_SLACK)
    out.used += fu_quote_write(table, octets, n, out.data + out.used)
    return 0


cdef int sink_item(sink *out, const fu_quote_table *table, object item) except -1:
    """Write a key or a value as quote_via would; 0 for a type that is left to urllib."""
    cdef uint8_t room[4 * WIDE_PIECE]
    cdef size_t n
    cdef long long number
    cdef unsigned long long rest
    cdef int overflow = 0
    if PyBytes_CheckExact(item):
        sink_quoted(out, table, octets_of(item), PyBytes_GET_SIZE(item))
        return 1
    if PyLong_CheckExact(item):
        number = PyLong_AsLongLongAndOverflow(item, &overflow)
        if not overflow:
            rest = -<unsigned long long>number if number < 0 else <unsigned long long>number
            n = 0
            while True:
                n += 1
                room[32 - n] = <uint8_t>(48 + rest % 10)
                rest //= 10
                if rest == 0:
                    break
            if number < 0:
                n += 1
                room[32 - n] = 45
            sink_quoted(out, table, room + 32 - n, n)
            return 1
        item = str(item)
    elif not PyUnicode_CheckExact(item):
        if not (type(item) is bool or type(item) is float or (item is None and NONE_IS_TEXT)):
            return 0
        item = str(item)
    FU_TEXT_READY(item)
    n = PyUnicode_GET_LENGTH(item)
    if PyUnicode_IS_ASCII(item):
        sink_quoted(out, table, ascii_octets(item), n)
        return 1
    if n <= WIDE_PIECE:
        n = fu_utf8_encode(PyUnicode_DATA(item), n, PyUnicode_KIND(item), room)
        if n != <size_t>-1:
            sink_quoted(out, table, room, n)
            return 1
    octets = PyUnicode_AsUTF8String(item)
    sink_quoted(out, table, octets_of(octets), PyBytes_GET_SIZE(octets))
    return 1


cdef int sink_pair(sink *out, const fu_quote_table *table, object key, object value, bint doseq) except -1:
    """Write one pair, or one for each element of a value; 0 for what is left to urllib."""
    cdef size_t start, length
    cdef bint first = True
    if out.used:
        sink_put(out, 38)
    start = out.used
    if not sink_item(out, table, key):
        return 0
    sink_put(out, 61)
    if not doseq or not (type(value) is list or type(value) is tuple):
        return sink_item(out, table, value)
    length = out.used - start
    for element in value:
        if not first:
            sink_reserve(out, length + 1)
            out.data[out.used] = 38
            memcpy(out.data + out.used + 1, out.data + start, length)
            out.used += length + 1
        first = False
        if not sink_item(out, table, element):
            return 0
    if first:
        # No element, no pair; the & before it goes too.
        out.used = start - 1 if start else 0
    return 1


cdef object encoded(object query, bint doseq, const fu_quote_table *table):
    """A query's text; None for what is left to urllib."""
    cdef sink out
    out.data = out.first
    out.used = 0
    out.room = sizeof(out.first)
    try:
        if type(query) is dict:
            for key, value in (<dict>query).items():
                if not sink_pair(&out, table, key, value, doseq):
                    return None
        else:
            for item in query:
                if type(item) is not tuple or len(<tuple>item) != 2:
                    return None
                if not sink_pair(&out, table, (<tuple>item)[0], (<tuple>item)[1], doseq):
                    return None
        return ascii_text(out.data, out.used)
    finally:
        if out.data != out.first:
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
    cdef object table = None
    if (
        each >= 0 and usual(encoding, "utf-8") and usual(errors, "strict")
        and (type(query) is dict or type(query) is list or type(query) is tuple)
    ):
        if quote_via is own_quote_plus or quote_via is urllib_quote_plus:
            table = PLUS_TABLE if safe is EMPTY else safe_table(safe, True, ALWAYS, TABLES)
        elif quote_via is own_quote or quote_via is urllib_quote:
            table = safe_table(safe, False, ALWAYS, TABLES)
        if table is not None:
            result = encoded(query, each, table_of(table))
            if result is not None:
                return result
    return urllib_urlencode(query, doseq, safe, encoding, errors, quote_via)
