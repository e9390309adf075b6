"""Escaping and unescaping with the kernel in use, shared by several extensions.

All functions are inline: each extension compiles its own copy, and none imports another extension for them.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcpy, strlen

from _pytext cimport *
from _runtime cimport runtime
from _scan cimport *


cdef enum:
    # Longest input in bytes that is decoded in a stack buffer. Longer input uses the heap.
    PIECE = 512
    # Longest non-ASCII str in characters that is processed in a stack buffer.
    WIDE_PIECE = 128
    # A cache keeps at most MAX_TABLES quote tables, and none for a `safe` set longer than MAX_KEY.
    MAX_TABLES = 32
    MAX_KEY = 256


cdef inline const uint8_t *ascii_bytes(object text) noexcept:
    """Return the bytes of an exact, ready ASCII str."""
    return <const uint8_t *>PyUnicode_DATA(text)


cdef inline const uint8_t *bytes_of(object data) noexcept:
    """Return the bytes of an exact bytes object."""
    return <const uint8_t *>PyBytes_AS_STRING(data)


cdef inline int set_names(fu_name **target, tuple names, bint are_secret) except -1:
    """Point target[0] to an array of the names, which the caller frees, also after an error.

    It points into the names, which are bytes.
    """
    cdef Py_ssize_t i
    cdef unsigned conditions = 0
    cdef bytes name
    cdef fu_name *found = <fu_name *>PyMem_Calloc(len(names) + 1, sizeof(fu_name))
    if found == NULL:
        raise MemoryError
    target[0] = found
    for i, name in enumerate(names):
        found[i].data, found[i].length = bytes_of(name), PyBytes_GET_SIZE(name)
        if are_secret:
            fu_set_secret_name(&found[i], found[i].data, found[i].length, &conditions)
    return 0


cdef inline str ascii_text(const uint8_t *data, Py_ssize_t n):
    """Return a str of n ASCII bytes."""
    cdef str text
    if n <= 1:
        return PyUnicode_DecodeLatin1(<const char *>data, n, NULL)
    text = PyUnicode_New(n, 127)
    memcpy(PyUnicode_DATA(text), data, n)
    return text


cdef inline bytes new_table(bytes keep, bint plus):
    """Return a ``fu_quote_table`` inside a bytes object, so that a cache can own it."""
    cdef bytes table = PyBytes_FromStringAndSize(NULL, sizeof(fu_quote_table))
    fu_quote_table_fill(<fu_quote_table *>PyBytes_AS_STRING(table), <const uint8_t *>PyBytes_AS_STRING(keep), plus)
    return table


cdef inline const fu_quote_table *table_of(bytes table) noexcept:
    return <const fu_quote_table *>PyBytes_AS_STRING(table)


cdef inline bytes safe_table(object safe, bint plus, dict cache):
    """Return the quote table for urllib's ``safe``, or None to fall back to urllib. The cache is bounded."""
    cdef bytearray keep
    cdef Py_ssize_t i
    if PyUnicode_CheckExact(safe):
        # The most frequent key is not a tuple: building a tuple takes longer than the lookup.
        key = (safe, plus) if plus else safe
    elif PyBytes_CheckExact(safe):
        # None comes first: keys of equal hash are compared, and -b warns if that compares bytes with a str.
        key = (None, safe, plus)
    else:
        return None
    found = cache.get(key)
    if found is not None:
        return found
    keep = bytearray(256)
    for i in range(256):
        keep[i] = BYTE_3986[i] & URI_UNRESERVED  # never escaped by urllib
    for byte in <bytes>((<str>safe).encode("ascii", "ignore") if PyUnicode_CheckExact(safe) else safe):
        if byte < 0x80:
            keep[byte] = 1
    found = new_table(bytes(keep), plus)
    if len(safe) <= MAX_KEY:
        if len(cache) >= MAX_TABLES:
            cache.clear()
        cache[key] = found
    return found


cdef inline str quoted_bytes(const fu_quote_table *table, const uint8_t *data, Py_ssize_t n):
    """Return n bytes, escaped by a table, as a str. The function allocates only the result."""
    cdef uint8_t buffer[3 * FU_QUOTE_PIECE + FU_QUOTE_SLACK]
    cdef str text
    cdef size_t length
    if n <= FU_QUOTE_PIECE:
        return ascii_text(buffer, runtime.kernel.quote_write(table, data, n, buffer))
    if <size_t>n > (<size_t>-1 >> 1) // 3:
        raise MemoryError
    length = runtime.kernel.quote_length(table, data, n)
    text = PyUnicode_New(length, 127)
    runtime.kernel.quote_write_within(table, data, n, <uint8_t *>PyUnicode_DATA(text), length)
    return text


cdef inline str quoted_text(const fu_quote_table *table, object text):
    """Return the UTF-8 of an exact str, escaped by a table. Return the same object if nothing changes."""
    cdef uint8_t buffer[4 * WIDE_PIECE]
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text)
    cdef size_t length
    FU_TEXT_READY(text)
    n = PyUnicode_GET_LENGTH(text)
    if PyUnicode_IS_ASCII(text):
        if runtime.kernel.quote_find(table, ascii_bytes(text), n) == <size_t>n:
            return text
        return quoted_bytes(table, ascii_bytes(text), n)
    if n <= WIDE_PIECE:
        length = fu_utf8_encode(PyUnicode_DATA(text), n, PyUnicode_KIND(text), buffer)
        if length != <size_t>-1:
            return quoted_bytes(table, buffer, length)
    data = PyUnicode_AsUTF8String(text)
    return quoted_bytes(table, <const uint8_t *>PyBytes_AS_STRING(data), PyBytes_GET_SIZE(data))


cdef inline str utf8_text(const uint8_t *data, Py_ssize_t n, const char *errors):
    """Return a str of UTF-8 that is not all ASCII. For a short text, the kernel's decoder is faster than CPython's."""
    cdef Py_UCS4 buffer[WIDE_PIECE]
    cdef size_t length
    if n <= WIDE_PIECE:
        length = fu_utf8_decode(data, n, buffer)
        if length != <size_t>-1:
            return PyUnicode_FromKindAndData(4, buffer, length)
    return PyUnicode_DecodeUTF8(<const char *>data, n, errors)


cdef inline object decode_bytes(const uint8_t *data, Py_ssize_t n, bint ascii, bint plus, const char *encoding,
                                const char *errors):
    """Unescape n bytes and decode them to a str.

    ascii : all n bytes are below 80
    plus : decode a + as a space
    encoding, errors : NULL means UTF-8 and "replace"
    """
    cdef uint8_t buffer[PIECE]
    cdef uint8_t *out = buffer
    cdef uint8_t seen = 0 if ascii else 0x80
    cdef size_t length
    if n > PIECE:
        out = <uint8_t *>PyMem_Malloc(n)
        if out == NULL:
            raise MemoryError
    try:
        length = runtime.kernel.unquote_write(data, n, plus, out, &seen)
        if encoding != NULL:
            return PyUnicode_Decode(<const char *>out, length, encoding, errors)
        if seen < 0x80:
            return ascii_text(out, length)
        if errors == NULL:
            errors = b"replace"
        if ascii:
            return utf8_text(out, length, errors)
        return PyUnicode_DecodeUTF8(<const char *>out, length, errors)
    finally:
        if out != buffer:
            PyMem_Free(out)


cdef inline bytes unescaped_bytes(const uint8_t *data, Py_ssize_t n, bint plus):
    """Unescape n bytes and return bytes."""
    cdef uint8_t buffer[PIECE]
    cdef uint8_t *out = buffer
    cdef uint8_t seen = 0
    if n > PIECE:
        out = <uint8_t *>PyMem_Malloc(n)
        if out == NULL:
            raise MemoryError
    try:
        return PyBytes_FromStringAndSize(<const char *>out, runtime.kernel.unquote_write(data, n, plus, out, &seen))
    finally:
        if out != buffer:
            PyMem_Free(out)


cdef inline str decoded_wide(object text, bint plus):
    """Unescape an exact str that is not all ASCII, as UTF-8 with errors replaced.

    Each run of ASCII is decoded separately, so a non-ASCII character splits a sequence of escapes in two.
    """
    cdef Py_UCS4 wide_buffer[WIDE_PIECE]
    cdef uint8_t run_buffer[WIDE_PIECE]
    cdef Py_UCS4 *out = wide_buffer
    cdef uint8_t *run = run_buffer
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), i = 0, count = 0, length, k
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_UCS4 point = 0
    if PyUnicode_FindChar(text, 0x25, 0, n, 1) < 0 and not (plus and PyUnicode_FindChar(text, 0x2b, 0, n, 1) >= 0):
        return text
    if n > WIDE_PIECE:
        # n bytes never decode to more than n characters, replacement characters included.
        out = <Py_UCS4 *>PyMem_Calloc(n, sizeof(Py_UCS4) + 1)
        if out == NULL:
            raise MemoryError
        run = <uint8_t *>(out + n)
    try:
        count = fu_unquote_wide(data, n, kind, plus, out)
        if count >= 0:
            return PyUnicode_FromKindAndData(4, out, count)
        count = 0
        while i < n:
            length = 0
            while i < n:
                point = PyUnicode_READ(kind, data, i)
                if point >= 0x80:
                    break
                run[length] = <uint8_t>point
                length += 1
                i += 1
            if runtime.kernel.unquote_find(run, length, plus) == <size_t>length:
                for k in range(length):
                    out[count + k] = run[k]
                count += length
            else:
                piece = decode_bytes(run, length, True, plus, NULL, NULL)
                for k in range(PyUnicode_GET_LENGTH(piece)):
                    out[count + k] = PyUnicode_READ(PyUnicode_KIND(piece), PyUnicode_DATA(piece), k)
                count += PyUnicode_GET_LENGTH(piece)
            if i < n:
                out[count] = point
                count += 1
                i += 1
        return PyUnicode_FromKindAndData(4, out, count)
    finally:
        if out != wide_buffer:
            PyMem_Free(out)


cdef inline bint usual(object value, object name):
    """Return True if the name of a codec or an error handler is None or `name`, which the fast path supports."""
    return value is name or value is None or (PyUnicode_CheckExact(value) and value == name)


cdef inline const char *plain_name(object name):
    """Return a name as a C string for CPython's decoder. Return NULL if it is not ASCII or contains a NUL."""
    cdef const char *characters
    if not PyUnicode_CheckExact(name):
        return NULL
    FU_TEXT_READY(name)
    if not PyUnicode_IS_ASCII(name):
        return NULL
    characters = <const char *>PyUnicode_DATA(name)
    return characters if strlen(characters) == <size_t>PyUnicode_GET_LENGTH(name) else NULL


cdef inline bint is_utf8(object name) noexcept:
    """Return True if an encoding is None, or a name of UTF-8 that CPython accepts without a codec lookup."""
    cdef const uint8_t *p
    cdef Py_ssize_t n
    if usual(name, "utf-8"):
        return True
    if not PyUnicode_CheckExact(name) or not PyUnicode_IS_COMPACT_ASCII(name):
        return False
    p = <const uint8_t *>PyUnicode_DATA(name)
    n = PyUnicode_GET_LENGTH(name)
    if (n != 4 and n != 5) or (p[0] | 0x20) != 0x75 or (p[1] | 0x20) != 0x74 or (p[2] | 0x20) != 0x66:
        return False
    return p[n - 1] == 0x38 and (n == 4 or p[3] == 0x2d or p[3] == 0x5f)


cdef inline bint is_built_in_handler(object errors) noexcept:
    """Return True if an error handler is None or built into CPython."""
    return errors is None or (PyUnicode_CheckExact(errors) and (
        errors == "strict" or errors == "replace" or errors == "ignore" or errors == "surrogateescape"
        or errors == "backslashreplace" or errors == "surrogatepass"
    ))


cdef inline bint codec_of(object encoding, object errors, const char **codec, const char **handler) noexcept:
    """Set the names of a codec and an error handler for ``decoded``. Return False to fall back to urllib.

    If a program registered the error handler, the codec's name is set too: CPython may look the handler up at once.
    """
    codec[0] = handler[0] = NULL
    if not usual(errors, "replace"):
        handler[0] = plain_name(errors)
        if handler[0] == NULL:
            return False
    if is_utf8(encoding) and (handler[0] == NULL or is_built_in_handler(errors)):
        return True
    codec[0] = plain_name("utf-8" if encoding is None else encoding)
    if handler[0] == NULL:
        handler[0] = b"replace"
    return codec[0] != NULL


cdef inline object decoded_runs(object text, bint plus, const char *codec, const char *handler):
    """Unescape an exact str that is not all ASCII, with any codec. Each run of ASCII is decoded separately."""
    cdef Py_ssize_t n = PyUnicode_GET_LENGTH(text), i = 0, start
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef list pieces
    if PyUnicode_FindChar(text, 0x25, 0, n, 1) < 0:
        return (<str>text).replace("+", " ") if plus else text
    pieces = []
    while i < n:
        start = i
        while i < n and PyUnicode_READ(kind, data, i) < 0x80:
            i += 1
        if i > start:
            run = PyUnicode_AsASCIIString(PyUnicode_Substring(text, start, i))
            pieces.append(decode_bytes(bytes_of(run), i - start, True, plus, codec, handler))
        start = i
        while i < n and PyUnicode_READ(kind, data, i) >= 0x80:
            i += 1
        pieces.append(PyUnicode_Substring(text, start, i))
    return "".join(pieces)


cdef inline object decoded_with(object text, bint plus, const char *codec, const char *handler):
    """Unescape an exact str. Return the same object if nothing changes."""
    cdef Py_ssize_t n
    FU_TEXT_READY(text)
    n = PyUnicode_GET_LENGTH(text)
    if not PyUnicode_IS_ASCII(text):
        if codec == NULL and handler == NULL:
            return decoded_wide(text, plus)
        return decoded_runs(text, plus, codec, handler)
    if runtime.kernel.unquote_find(ascii_bytes(text), n, plus) == <size_t>n:
        return text
    return decoded_piece(ascii_bytes(text), n, plus, codec, handler)


cdef inline object decoded_piece(const uint8_t *data, Py_ssize_t n, bint plus, const char *codec, const char *handler):
    """Unescape n ASCII bytes. Use the codec only if there is an escape, as urllib does."""
    if codec != NULL and memchr(data, 0x25, n) == NULL:
        codec = handler = NULL
    return decode_bytes(data, n, True, plus, codec, handler)


cdef inline object decoded_text(object text, object encoding, object errors, bint plus):
    """Unescape an exact str. Return the same object if nothing changes, or None to fall back to urllib."""
    cdef const char *codec = NULL
    cdef const char *handler = NULL
    if not (usual(encoding, "utf-8") and usual(errors, "replace")) and not codec_of(encoding, errors, &codec, &handler):
        # urllib decides: it uses the codec only for a text with escapes.
        return None
    return decoded_with(text, plus, codec, handler)


cdef inline object decoded_part(const uint8_t *data, size_t n, bint marks, bint as_text):
    """Decode a part of a query as parse_qsl does. A str's part is passed as UTF-8 with surrogates."""
    if not as_text:
        return unescaped_bytes(data, n, True)
    text = PyUnicode_DecodeUTF8(<const char *>data, n, "surrogatepass")
    return decoded_text(text, None, None, True) if marks else text
