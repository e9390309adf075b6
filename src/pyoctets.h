/* The boundary to Python: any object that holds a text becomes an exact str or bytes once, and its octets are read there.
 *
 * No method of the object is called: a subclass may give any answer. */
#ifndef FASTURL_PYOCTETS_H
#define FASTURL_PYOCTETS_H

#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "text/ascii.h"

#ifndef Py_BEGIN_CRITICAL_SECTION /* from 3.13 on; the GIL does its work before */
#define Py_BEGIN_CRITICAL_SECTION(object) {
#define Py_END_CRITICAL_SECTION() }
#endif

/* A copy of a buffer of any layout. Memory that someone else may write is read only here: what is counted later is what is
 * written later. */
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

/* The exact str or bytes object that stands for any text: a new reference, or NULL and TypeError or MemoryError.
 * `url_class`: fasturl.URL where a URL is taken for its text, else None. `caller` starts the message, as in "parse()". */
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
    if ((PyObject *)Py_TYPE(text) == url_class) return PyObject_GetAttrString(text, "text");
    if (PyObject_CheckBuffer(text)) return fu_copy_buffer(text);
    name = PyType_GetName(Py_TYPE(text));
    if (name == NULL) return NULL;
    PyErr_Format(PyExc_TypeError, "%s argument must be str%s a bytes-like object%s, not %U", caller,
                 url_class == Py_None ? " or" : ",", url_class == Py_None ? "" : " or URL", name);
    Py_DECREF(name);
    return NULL;
}

/* Characters of a wider str that are narrowed on the stack. */
#define FU_NARROW_ON_STACK 512

typedef struct {
    const uint8_t *p;
    size_t n;
    uint8_t *owned; /* to be freed by fu_free_octets, or NULL */
    uint8_t narrowed[FU_NARROW_ON_STACK];
} fu_octets;

/* One octet a character. */
static inline void fu_narrow(int kind, const void *data, size_t n, uint8_t *out) {
    if (kind == PyUnicode_2BYTE_KIND) {
        const Py_UCS2 *wide = (const Py_UCS2 *)data;
        for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(wide[i] < 0xFF ? wide[i] : 0xFF);
    } else {
        const Py_UCS4 *wide = (const Py_UCS4 *)data;
        for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(wide[i] < 0xFF ? wide[i] : 0xFF);
    }
}

/* The octets of an exact str or bytes, one a character: characters above FF all read as FF, since the kernel asks of
 * them no more than that they are not ASCII. Only a str with such characters is copied. -1 and MemoryError, or 0. */
static inline int fu_octets_of(PyObject *text, fu_octets *out) {
    out->owned = NULL;
    if (PyBytes_CheckExact(text)) {
        out->p = (const uint8_t *)PyBytes_AS_STRING(text);
        out->n = (size_t)PyBytes_GET_SIZE(text);
        return 0;
    }
    if (!PyUnicode_CheckExact(text)) {
        PyErr_BadInternalCall(); /* fu_exact_text comes first */
        return -1;
    }
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(text) < 0) return -1;
#endif
    out->n = (size_t)PyUnicode_GET_LENGTH(text);
    out->p = (const uint8_t *)PyUnicode_DATA(text);
    if (PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND) return 0;
    uint8_t *to = out->narrowed;
    if (out->n > FU_NARROW_ON_STACK) {
        to = out->owned = (uint8_t *)PyMem_Malloc(out->n);
        if (to == NULL) {
            PyErr_NoMemory();
            return -1;
        }
    }
    fu_narrow((int)PyUnicode_KIND(text), PyUnicode_DATA(text), out->n, to);
    out->p = to;
    return 0;
}

static inline void fu_free_octets(fu_octets *octets) {
    if (octets->owned != NULL) PyMem_Free(octets->owned);
}

/* A str of ASCII octets: one of CPython's shared ones where it has one character or none. */
static inline PyObject *fu_ascii_str(const uint8_t *p, size_t n) {
    if (n == 1) return PyUnicode_FromStringAndSize((const char *)p, 1);
    PyObject *str = PyUnicode_New((Py_ssize_t)n, 127);
    if (str != NULL && n != 0) memcpy(PyUnicode_1BYTE_DATA(str), p, n);
    return str;
}

/* A part of an exact str or bytes, of its type. */
static inline PyObject *fu_substring(PyObject *text, size_t start, size_t end) {
    const size_t n = end - start;
    if (PyBytes_CheckExact(text)) return PyBytes_FromStringAndSize(PyBytes_AS_STRING(text) + start, (Py_ssize_t)n);
    if (PyUnicode_IS_COMPACT_ASCII(text) && n != (size_t)PyUnicode_GET_LENGTH(text))
        return fu_ascii_str(PyUnicode_1BYTE_DATA(text) + start, n);
    return PyUnicode_Substring(text, (Py_ssize_t)start, (Py_ssize_t)end);
}

/* The same of a part that is ASCII, in lower case. */
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
