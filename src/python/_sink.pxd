"""A byte buffer that grows as it is written."""

from cpython.bytes cimport PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Malloc, PyMem_Realloc
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from _escaping cimport WIDE_PIECE, ascii_bytes, bytes_of
from _pytext cimport *
from _runtime cimport runtime
from _scan cimport FU_QUOTE_SLACK, fu_quote_table, fu_utf8_encode, fu_write_number


cdef struct sink:
    uint8_t *data
    size_t used
    size_t capacity
    uint8_t initial[1024]


cdef inline int sink_reserve(sink *out, size_t more) except -1:
    """Reserve space for more bytes. The first kilobyte needs no heap."""
    cdef size_t capacity
    cdef uint8_t *data
    if out.capacity - out.used >= more:
        return 0
    if more > (<size_t>-1 >> 2) or out.used > (<size_t>-1 >> 2):
        raise MemoryError
    capacity = 2 * (out.used + more)
    if out.data == out.initial:
        data = <uint8_t *>PyMem_Malloc(capacity)
        if data != NULL:
            memcpy(data, out.initial, out.used)
    else:
        data = <uint8_t *>PyMem_Realloc(out.data, capacity)
    if data == NULL:
        raise MemoryError
    out.data = data
    out.capacity = capacity
    return 0


cdef inline int sink_put(sink *out, uint8_t byte) except -1:
    sink_reserve(out, 1)
    out.data[out.used] = byte
    out.used += 1
    return 0


cdef inline int sink_quote(sink *out, const fu_quote_table *table, const uint8_t *data, size_t n) except -1:
    if n > (<size_t>-1 >> 3):
        raise MemoryError
    sink_reserve(out, 3 * n + FU_QUOTE_SLACK)
    out.used += runtime.kernel.quote_write(table, data, n, out.data + out.used)
    return 0


cdef inline int sink_number(sink *out, const fu_quote_table *table, long long number) except -1:
    """Write a number in decimal."""
    cdef uint8_t digits[21]
    cdef size_t sign = number < 0
    digits[0] = 45
    return sink_quote(out, table, digits, sign + fu_write_number(
        -<unsigned long long>number if sign else <unsigned long long>number, digits + sign))


cdef inline int sink_text(sink *out, const fu_quote_table *table, object text) except -1:
    """Write an exact str in UTF-8."""
    cdef uint8_t encoded[4 * WIDE_PIECE]
    cdef size_t n
    FU_TEXT_READY(text)
    n = PyUnicode_GET_LENGTH(text)
    if PyUnicode_IS_ASCII(text):
        return sink_quote(out, table, ascii_bytes(text), n)
    if n <= WIDE_PIECE:
        n = fu_utf8_encode(PyUnicode_DATA(text), n, PyUnicode_KIND(text), encoded)
        if n != <size_t>-1:
            return sink_quote(out, table, encoded, n)
    data = PyUnicode_AsUTF8String(text)
    return sink_quote(out, table, bytes_of(data), PyBytes_GET_SIZE(data))
