"""Declarations of CPython's C API that Cython lacks."""

from libc.stdint cimport uint8_t


cdef extern from *:
    """
    /* In Python 3.11, a legacy str may not have its canonical form yet. */
    #if PY_VERSION_HEX < 0x030C0000
    #define FU_TEXT_READY(text) PyUnicode_READY(text)
    #else
    #define FU_TEXT_READY(text) 0
    #endif
    """
    int FU_TEXT_READY(object text) except -1
    const Py_ssize_t PY_SSIZE_T_MAX
    ctypedef struct PyStructSequence_Desc:
        pass
    type PyStructSequence_NewType(PyStructSequence_Desc *description)
    object PyStructSequence_New(type kind)
    void PyStructSequence_SET_ITEM(object record, Py_ssize_t position, object item)
    bint PyUnicode_Check(object text)
    bint PyUnicode_CheckExact(object text)
    bint PyBytes_CheckExact(object text)
    bint PyObject_CheckBuffer(object text)
    bint PyList_CheckExact(object items)
    bint PyUnicode_IS_ASCII(object text)
    bint PyUnicode_IS_COMPACT_ASCII(object text)
    int PyUnicode_KIND(object text)
    void *PyUnicode_DATA(object text)
    uint8_t *PyUnicode_1BYTE_DATA(object text)
    Py_ssize_t PyUnicode_GET_LENGTH(object text)
    Py_UCS4 PyUnicode_READ(int kind, const void *data, Py_ssize_t index)
    Py_UCS4 PyUnicode_READ_CHAR(object text, Py_ssize_t index)
    str PyUnicode_New(Py_ssize_t size, Py_UCS4 maxchar)
    str PyUnicode_FromObject(object text)
    str PyUnicode_FromKindAndData(int kind, const void *buffer, Py_ssize_t size)
    str PyUnicode_Substring(object text, Py_ssize_t start, Py_ssize_t end)
    str PyUnicode_DecodeLatin1(const char *s, Py_ssize_t size, const char *errors)
    str PyUnicode_DecodeUTF8(const char *s, Py_ssize_t size, const char *errors)
    object PyUnicode_Decode(const char *s, Py_ssize_t size, const char *encoding, const char *errors)
    bytes PyUnicode_AsASCIIString(object text)
    bytes PyUnicode_AsUTF8String(object text)
    bytes PyUnicode_AsEncodedString(object text, const char *encoding, const char *errors)
    Py_ssize_t PyUnicode_FindChar(object text, Py_UCS4 point, Py_ssize_t start, Py_ssize_t end, int direction)


cdef inline object kept_error(object error, tuple kinds, bint keep):
    """Return the result for an item that raised an exception: the exception if `keep`, else None.

    The returned exception has no traceback, so that it keeps no frames alive. If memory runs out while the exception is
    created, the caller catches a MemoryError instead. This function raises it again, because it is not one of `kinds`.

    The caller's `except` must not return: Cython would drop a reference to a traceback that may not exist.
    """
    if not isinstance(error, kinds):
        raise error
    return error.with_traceback(None) if keep else None
