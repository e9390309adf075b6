# cython: binding=False, embedsignature.format=clinic
"""One value of a URL's query without the other pairs, and a URL's text with its secrets hidden."""

from cpython.buffer cimport PyObject_CheckBuffer
from cpython.bytes cimport PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from _escaping cimport *

__all__ = ["query_value", "redact"]

choose_kernel(None)


def _kernels():
    """The names of the kernels that run on this processor, the plainest first."""
    return kernel_names()


def _use_kernel(name=None):
    """Use one of them from now on, in this module; the best when no name is given. For tests and measurements."""
    choose_kernel(name)


cdef extern from "query.h" nogil:
    ctypedef struct fu_pair:
        size_t start
        size_t name_end
        size_t value
        size_t end
        bint has_value
        bint name_marks
        bint value_marks
    bint fu_query_span(const uint8_t *p, size_t n, size_t *start, size_t *end)
    void fu_next_pair(const uint8_t *p, size_t n, size_t at, uint8_t separator, fu_pair *pair)
    ctypedef struct fu_name:
        const uint8_t *octets
        size_t length
    ctypedef struct fu_redaction:
        pass
    bint fu_find_pair(const uint8_t *p, size_t n, const fu_name *name, fu_pair *pair)
    void fu_start_redaction(fu_redaction *r, const uint8_t *p, size_t n, const fu_name *names, size_t count)
    bint fu_next_hidden(fu_redaction *r, size_t *start, size_t *end)


cdef object octets_like(object url):
    """Bytes of any bytes-like object; None for another type."""
    if PyBytes_CheckExact(url):
        return url
    if PyObject_CheckBuffer(url):
        return bytes(memoryview(url))
    return None


cpdef bytes _name_octets(object name, bint of_bytes):
    """The octets that a name is compared by."""
    if isinstance(name, str):
        return PyUnicode_AsEncodedString(name, "utf-8", "surrogateescape" if of_bytes else "surrogatepass")
    if of_bytes:
        octets = octets_like(name)
        if octets is not None:
            return octets
    raise TypeError(f"a query's name is a str{' or bytes-like' if of_bytes else ''}, not {type(name).__name__}")


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


cdef object decoded_part(const uint8_t *octets, size_t n, bint marks, bint as_text):
    """A part of a query, whose text stands in UTF-8 with surrogates, as parse_qsl decodes it."""
    if not as_text:
        return unescaped_octets(octets, n, True)
    text = PyUnicode_DecodeUTF8(<const char *>octets, n, "surrogatepass")
    return decoded_text(text, None, None, True) if marks else text


cdef object first_value(bytes query, bytes name, bint as_text, object default):
    cdef const uint8_t *octets = octets_of(query)
    cdef size_t n = PyBytes_GET_SIZE(query)
    cdef size_t i = 0
    cdef fu_pair pair
    cdef fu_name wanted
    if _octets_tell(name, as_text):
        wanted.octets = octets_of(name)
        wanted.length = PyBytes_GET_SIZE(name)
        if fu_find_pair(octets, n, &wanted, &pair):
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
    cdef bint as_text, whole = True
    query = url
    if not isinstance(url, str):
        octets = octets_like(url)
        if octets is None:
            try:
                query = url.query
            except AttributeError:
                raise TypeError(f"a URL is a str or bytes-like, or has a query; not {type(url).__name__}") from None
            if query is None:
                return default
            octets = None if isinstance(query, str) else octets_like(query)
            if octets is None and not isinstance(query, str):
                raise TypeError(f"a query is a str or bytes-like, not {type(query).__name__}")
            whole = False
    as_text = isinstance(query, str)
    wanted = _name_octets(name, not as_text)
    if as_text:
        octets = PyUnicode_AsEncodedString(query, "utf-8", "surrogatepass")
    if whole:
        if not fu_query_span(octets_of(octets), PyBytes_GET_SIZE(octets), &start, &end):
            return default
        octets = (<bytes>octets)[start:end]
    return first_value(octets, wanted, as_text, default)


def redact(url, keys=()):
    """A URL's text with ``***`` for its password and for the values of some query parameters.

    url : str or bytes-like.
    keys : a name or an iterable of names (str, or bytes-like where the URL is), compared with the decoded names of the query.
    Returns: str for a str, bytes for bytes; all else in it stands as written. The same object when nothing is hidden.
    Raises: TypeError for another type.
    Cost: O(n) in the length of the URL; each name in it is compared with each of the keys.

    The password is what stands between the first ``:`` of the login and the netloc's last ``@``, also when it is empty
    and whatever the scheme is.
    Source: RFC 1738 sections 3.1 and 6.

    >>> redact("ftp://me:secret@h/x?token=abc&n=1", ["token"])
    'ftp://me:***@h/x?token=***&n=1'
    """
    cdef size_t start = 0, end = 0, done = 0
    cdef bint as_text = isinstance(url, str)
    cdef fu_name *wanted = NULL
    cdef fu_redaction redaction
    cdef list parts = []
    cdef bytes text, name
    cdef Py_ssize_t i
    if as_text:
        text = PyUnicode_AsEncodedString(url, "utf-8", "surrogatepass")
    else:
        given = octets_like(url)
        if given is None:
            raise TypeError(f"a URL is a str or bytes-like, not {type(url).__name__}")
        text = given
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
        fu_start_redaction(&redaction, octets_of(text), PyBytes_GET_SIZE(text), wanted, len(names))
        while fu_next_hidden(&redaction, &start, &end):
            parts += [text[done:start], b"***"]
            done = end
    finally:
        PyMem_Free(wanted)
    if not parts:
        return url if as_text else text
    parts.append(text[done:])
    result = b"".join(parts)
    return result.decode("utf-8", "surrogatepass") if as_text else result
