# Part of _urllib.pyx: the compiled code of parse_qsl and parse_qs.

cdef extern from "pypairs.h":
    ctypedef struct fu_query:
        PyObject *text
        fu_bytes data
        uint8_t separator
        bint is_ascii, keep_blank, strict
        const char *codec
        const char *handler
        object (*decode)(const fu_query *query, size_t start, size_t end)
    object fu_query_pairs(const fu_query *query, bint as_dict)

cdef inline int plain_flag(object flag) noexcept:
    """Return the truth of a bool, an int or None. Return -1 for other types, which may define __bool__."""
    if flag is False or flag is None:
        return 0
    if flag is True:
        return 1
    if PyLong_CheckExact(flag):
        return 1 if flag else 0
    return -1


cdef inline int separator_byte(object separator) noexcept:
    """Return the byte of a separator of one ASCII character, or -1 for any other separator."""
    cdef uint8_t byte
    if PyUnicode_CheckExact(separator):
        if PyUnicode_GET_LENGTH(separator) != 1 or not PyUnicode_IS_ASCII(separator):
            return -1
        byte = ascii_bytes(separator)[0]
    elif PyBytes_CheckExact(separator) and PyBytes_GET_SIZE(separator) == 1:
        byte = bytes_of(separator)[0]
    else:
        return -1
    return byte if byte < 0x80 else -1


cdef object decode_marked(const fu_query *query, size_t start, size_t end):
    """Decode a name or a value that contains % or +.

    Return None for bytes that the interpreter cannot return as bytes.
    """
    cdef const uint8_t *data = query.data.p + start
    cdef bytes value
    if PyBytes_CheckExact(<object>query.text):
        value = unescaped_bytes(data, end - start, True)
        return value if ALL_BYTES or value.isascii() else None
    if query.is_ascii or fu_is_ascii(data, end - start):
        return decoded_piece(data, end - start, True, query.codec, query.handler)
    text = PyUnicode_Substring(<object>query.text, start, end)
    return decoded_with(text, True, query.codec, query.handler)


cdef bint too_many(object qs, int divider, object max_num_fields) except -1:
    """Return True if a query has more fields than `max_num_fields`, or to fall back to urllib."""
    cdef const uint8_t *data
    cdef Py_ssize_t i, fields = 1
    if not PyLong_CheckExact(max_num_fields):
        return True
    if not qs:
        return max_num_fields < 0
    if PyUnicode_CheckExact(qs) and not PyUnicode_IS_ASCII(qs):
        fields += (<str>qs).count(chr(divider))
    else:
        data = ascii_bytes(qs) if PyUnicode_CheckExact(qs) else bytes_of(qs)
        for i in range(len(qs)):
            fields += data[i] == divider
    return max_num_fields < fields


cdef object pairs_of(object qs, object keep_blank_values, object strict_parsing, object encoding, object errors,
                     object max_num_fields, object separator, bint as_dict):
    """Return all pairs as a list or a dict. Return None to fall back to urllib, which also raises all exceptions."""
    cdef int keep = plain_flag(keep_blank_values)
    cdef int strict = plain_flag(strict_parsing)
    cdef int divider = separator_byte(separator)
    cdef bint as_text = PyUnicode_CheckExact(qs)
    cdef fu_query query
    query.codec = query.handler = NULL
    if (keep | strict | divider) < 0:
        return None
    if not (usual(encoding, "utf-8") and usual(errors, "replace")) and (as_text or not ALL_BYTES):
        if not codec_of(encoding, errors, &query.codec, &query.handler) or not (as_text or query.codec == NULL):
            return None
    if as_text:
        FU_TEXT_READY(qs)
    elif PyBytes_CheckExact(qs):
        if not ALL_BYTES and not (<bytes>qs).isascii():
            return None
    elif qs is None and NONE_IS_EMPTY:
        qs = b""
    else:
        return None
    if max_num_fields is not None and too_many(qs, divider, max_num_fields):
        return None
    query.separator = <uint8_t>divider
    query.keep_blank = keep
    query.strict = strict
    return pairs_in(qs, &query, as_dict)


cdef object pairs_in(object qs, fu_query *query, bint as_dict):
    """Return all pairs of an exact, ready str or of bytes. Return None to fall back to urllib."""
    query.text = <PyObject *>qs
    query.decode = decode_marked
    query.is_ascii = PyUnicode_CheckExact(qs) and PyUnicode_IS_ASCII(qs)
    fu_bytes_of(qs, &query.data)
    try:
        return fu_query_pairs(query, as_dict)
    finally:
        fu_free_bytes(&query.data)


# ---- The fast path for the most frequent calls: a str and perhaps keep_blank_values, by position

cdef fu_call parse_qsl_behind, parse_qs_behind


cdef inline object pairs_in_front(PyObject *const *args, Py_ssize_t n, PyObject *names, bint as_dict):
    """Return the pairs, or None for a call that the fast path does not take."""
    cdef fu_query query
    cdef int keep
    if names != NULL or (n != 1 and n != 2) or not PyUnicode_CheckExact(<object>args[0]):
        return None
    keep = plain_flag(<object>args[1]) if n == 2 else 0
    if keep < 0:
        return None
    FU_TEXT_READY(<object>args[0])
    query.codec = query.handler = NULL
    query.separator = 38
    query.keep_blank = keep
    query.strict = False
    return pairs_in(<object>args[0], &query, as_dict)


cdef object parse_qsl_in_front(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names):
    result = pairs_in_front(args, n, names, False)
    return parse_qsl_behind(module, args, n, names) if result is None else result


cdef object parse_qs_in_front(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names):
    result = pairs_in_front(args, n, names, True)
    return parse_qs_behind(module, args, n, names) if result is None else result
