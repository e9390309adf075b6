"""What Cython's own declarations lack of CPython's."""

from libc.stdint cimport uint8_t


cdef extern from *:
    """
    /* A str of Python 3.11 may still wait for its canonical form. */
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
    bint PyBytes_Check(object text)
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
    """What stands in the place of an item that gave an error: the error, without its traceback and the frames in that, or
    None. When memory runs out while an error is made, MemoryError is what is caught in its place, and is raised here.

    The caller's `except` must not return: Cython then drops a reference to a traceback that may not be there.
    """
    if not isinstance(error, kinds):
        raise error
    return error.with_traceback(None) if keep else None
