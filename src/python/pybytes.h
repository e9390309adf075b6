/* The boundary to Python: convert any object that holds a text to an exact str or bytes once, then read its bytes.
 *
 * Call no method of the object: a subclass may override it. */
#ifndef FASTURL_PYBYTES_H
#define FASTURL_PYBYTES_H

#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "ascii.h"
#include "pyruntime.h"

#ifndef Py_BEGIN_CRITICAL_SECTION /* new in 3.13; earlier Pythons have the GIL */
#define Py_BEGIN_CRITICAL_SECTION(object) {
#define Py_END_CRITICAL_SECTION() }
#endif

/* Copy a buffer of any layout to bytes. Another thread may write to the buffer, so later passes read only this copy: they
 * must all see the same bytes. */
static inline PyObject *fu_copy_buffer(PyObject *text) {
    Py_buffer view;
    PyObject *copy;
    if (PyObject_GetBuffer(text, &view, PyBUF_FULL_RO) < 0) return NULL;
    copy = PyBytes_FromStringAndSize(NULL, view.len);
    if (copy != NULL && PyBuffer_ToContiguous(PyBytes_AS_STRING(copy), &view, view.len, 'C') < 0) Py_CLEAR(copy);
    PyBuffer_Release(&view);
    return copy;
}

static inline PyObject *fu_copy_bytearray(PyObject *text) {
    PyObject *copy;
    Py_BEGIN_CRITICAL_SECTION(text);
    copy = PyBytes_FromStringAndSize(PyByteArray_AS_STRING(text), PyByteArray_GET_SIZE(text));
    Py_END_CRITICAL_SECTION();
    return copy;
}

/* Return the exact str or bytes with the content of any text: a new reference, or NULL with TypeError or MemoryError set.
 * `url_class`: fasturl.URL if the caller accepts a URL object, else None. `caller` starts the message, as in "parse()". */
static inline PyObject *fu_exact_text(PyObject *text, PyObject *url_class, const char *caller) {
    PyObject *name;
    if (PyUnicode_Check(text)) {
        if (!PyUnicode_CheckExact(text)) return PyUnicode_FromObject(text);
#if PY_VERSION_HEX < 0x030C0000
        if (PyUnicode_READY(text) < 0) return NULL;
#endif
        return Py_NewRef(text);
    }
    if (PyBytes_CheckExact(text)) return Py_NewRef(text);
    if (PyBytes_Check(text)) return PyBytes_FromStringAndSize(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text));
    if (PyByteArray_Check(text)) return fu_copy_bytearray(text);
    if ((PyObject *)Py_TYPE(text) == url_class) {
        void *own;
        fu_shared->read_url(text, FU_FORM_URL, 0, &own, NULL);
        return Py_NewRef((PyObject *)own);
    }
    if (PyObject_CheckBuffer(text)) return fu_copy_buffer(text);
    name = PyType_GetName(Py_TYPE(text));
    if (name == NULL) return NULL;
    PyErr_Format(PyExc_TypeError, "%s argument must be str%s a bytes-like object%s, not %U", caller,
                 url_class == Py_None ? " or" : ",", url_class == Py_None ? "" : " or URL", name);
    Py_DECREF(name);
    return NULL;
}

/* A str of at most this many characters is narrowed on the stack. */
#define FU_NARROW_ON_STACK 512

typedef struct {
    const uint8_t *p;
    size_t n;
    const void *points; /* the characters as code points of `width` bytes; width is 0 for bytes */
    int width;
    uint8_t *owned; /* fu_free_bytes frees this; may be NULL */
    uint8_t narrowed[FU_NARROW_ON_STACK];
} fu_bytes;

/* Write one byte per character: FF for any character above FF. */
static inline void fu_narrow(int kind, const void *data, size_t n, uint8_t *out) {
    if (kind == PyUnicode_2BYTE_KIND) {
        const Py_UCS2 *wide = (const Py_UCS2 *)data;
        for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(wide[i] < 0xFF ? wide[i] : 0xFF);
    } else {
        const Py_UCS4 *wide = (const Py_UCS4 *)data;
        for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(wide[i] < 0xFF ? wide[i] : 0xFF);
    }
}

/* Read an exact str or bytes as one byte per character. A character above FF becomes FF: the kernel only has to see that
 * it is not ASCII. Only a str with such characters is copied. Return 0, or -1 with MemoryError set. */
static inline int fu_bytes_of(PyObject *text, fu_bytes *out) {
    out->owned = NULL;
    if (PyBytes_CheckExact(text)) {
        out->p = (const uint8_t *)PyBytes_AS_STRING(text);
        out->n = (size_t)PyBytes_GET_SIZE(text);
        out->points = NULL;
        out->width = 0;
        return 0;
    }
    if (!PyUnicode_CheckExact(text)) {
        PyErr_BadInternalCall(); /* the caller must call fu_exact_text first */
        return -1;
    }
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(text) < 0) return -1;
#endif
    out->n = (size_t)PyUnicode_GET_LENGTH(text);
    out->points = PyUnicode_DATA(text);
    out->width = (int)PyUnicode_KIND(text);
    out->p = (const uint8_t *)out->points;
    if (PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND) return 0;
    uint8_t *to = out->narrowed;
    if (out->n > FU_NARROW_ON_STACK) {
        to = out->owned = (uint8_t *)PyMem_Malloc(out->n);
        if (to == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    fu_narrow(out->width, out->points, out->n, to);
    out->p = to;
    return 0;
}

static inline void fu_free_bytes(fu_bytes *data) {
    if (data->owned != NULL) PyMem_Free(data->owned);
}

/* Return a str of ASCII bytes. CPython shares the strings of length 0 and 1. */
static inline PyObject *fu_ascii_str(const uint8_t *p, size_t n) {
    if (n == 1) return PyUnicode_FromStringAndSize((const char *)p, 1);
    PyObject *str = PyUnicode_New((Py_ssize_t)n, 127);
    if (str != NULL && n != 0) memcpy(PyUnicode_1BYTE_DATA(str), p, n);
    return str;
}

/* Return a part of an exact str or bytes, of the same type. */
static inline PyObject *fu_substring(PyObject *text, size_t start, size_t end) {
    const size_t n = end - start;
    if (PyBytes_CheckExact(text)) return PyBytes_FromStringAndSize(PyBytes_AS_STRING(text) + start, (Py_ssize_t)n);
    if (PyUnicode_IS_COMPACT_ASCII(text) && n != (size_t)PyUnicode_GET_LENGTH(text))
        return fu_ascii_str(PyUnicode_1BYTE_DATA(text) + start, n);
    return PyUnicode_Substring(text, (Py_ssize_t)start, (Py_ssize_t)end);
}

/* Return an ASCII part of an exact str or bytes in lower case, of the same type. */
static inline PyObject *fu_lower_substring(PyObject *text, size_t start, size_t end) {
    const Py_ssize_t n = (Py_ssize_t)(end - start);
    PyObject *part;
    if (PyBytes_CheckExact(text)) {
        part = PyBytes_FromStringAndSize(NULL, n);
        if (part != NULL && n != 0)
            fu_ascii_lower((const uint8_t *)PyBytes_AS_STRING(text) + start, (size_t)n, (uint8_t *)PyBytes_AS_STRING(part));
        return part;
    }
    if (!PyUnicode_IS_COMPACT_ASCII(text)) {
        PyObject *written = PyUnicode_Substring(text, (Py_ssize_t)start, (Py_ssize_t)end);
        part = written == NULL ? NULL : fu_lower_substring(written, 0, (size_t)n);
        Py_XDECREF(written);
        return part;
    }
    part = PyUnicode_New(n, 127);
    if (part != NULL && n != 0) fu_ascii_lower(PyUnicode_1BYTE_DATA(text) + start, (size_t)n, PyUnicode_1BYTE_DATA(part));
    return part;
}

#endif
