/* The octets of a Python str or bytes, read where they stand. */
#ifndef FASTURL_PYOCTETS_H
#define FASTURL_PYOCTETS_H

#include <Python.h>
#include <stdint.h>

typedef struct {
    const uint8_t *p;
    size_t n;
    uint8_t *owned; /* to be freed by fu_free_octets, or NULL */
} fu_octets;

/* The octets of an exact str or bytes, one a character: characters above FF all read as FF, since the kernel asks of
 * them no more than that they are not ASCII. Only a str with such characters is copied. -1 and MemoryError, or 0. */
static inline int fu_octets_of(PyObject *text, fu_octets *out) {
    out->owned = NULL;
    if (PyBytes_CheckExact(text)) {
        out->p = (const uint8_t *)PyBytes_AS_STRING(text);
        out->n = (size_t)PyBytes_GET_SIZE(text);
        return 0;
    }
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(text) < 0) return -1;
#endif
    out->n = (size_t)PyUnicode_GET_LENGTH(text);
    int kind = (int)PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    if (kind == PyUnicode_1BYTE_KIND) {
        out->p = (const uint8_t *)data;
        return 0;
    }
    out->owned = (uint8_t *)PyMem_Malloc(out->n + 1);
    if (out->owned == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    for (size_t i = 0; i < out->n; i++) {
        Py_UCS4 c = PyUnicode_READ(kind, data, (Py_ssize_t)i);
        out->owned[i] = c < 256 ? (uint8_t)c : 255;
    }
    out->p = out->owned;
    return 0;
}

static inline void fu_free_octets(fu_octets *octets) {
    if (octets->owned != NULL) PyMem_Free(octets->owned);
}

/* A part of an exact str or bytes, of its type. */
static inline PyObject *fu_cut(PyObject *text, size_t start, size_t end) {
    if (PyBytes_CheckExact(text))
        return PyBytes_FromStringAndSize(PyBytes_AS_STRING(text) + start, (Py_ssize_t)(end - start));
    return PyUnicode_Substring(text, (Py_ssize_t)start, (Py_ssize_t)end);
}

#endif
