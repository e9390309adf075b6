/* Parts of a text as Python objects, and the result tuples that hold them.
 *
 * A result of urllib.parse is an instance of a tuple subclass. A call of the class costs more than the whole split, so
 * fu_new_result allocates the tuple as tuple.__new__ does and fills it in place. */
#ifndef FASTURL_PYPARTS_H
#define FASTURL_PYPARTS_H

#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "pytext.h"
#include "split/spans.h"

#define FU_RESULT_MAX 6

/* Write the ranges of netloc, path, query and fragment. With `params`, write an empty range after the path. Return their
 * number. */
static inline int fu_ranges_of(const fu_spans *s, int params, fu_range *out) {
    const int has_netloc = (s->flags & FU_HAS_NETLOC) != 0;
    const fu_range netloc = {has_netloc ? s->netloc_start : 0, has_netloc ? s->path_start : 0};
    const fu_range path = {s->path_start, s->path_end}, none = {s->path_end, s->path_end};
    const fu_range query = {s->flags & FU_HAS_QUERY ? s->path_end + 1 : s->query_end, s->query_end};
    const fu_range fragment = {s->query_end < s->length ? s->query_end + 1 : s->length, s->length};
    int n = 0;
    out[n++] = netloc;
    out[n++] = path;
    if (params) out[n++] = none;
    out[n++] = query;
    out[n++] = fragment;
    return n;
}

/* Read the slice of an exact ASCII str. Return 0 for any other object. */
static inline int fu_slice_of(PyObject *item, fu_slice *out) {
    if (!PyUnicode_CheckExact(item) || !PyUnicode_IS_COMPACT_ASCII(item)) return 0;
    out->p = PyUnicode_1BYTE_DATA(item);
    out->n = (size_t)PyUnicode_GET_LENGTH(item);
    return 1;
}

/* Read the slice of an exact ASCII str, or an empty slice for None if `none` allows it. Return 0 for any other object. */
static inline int fu_optional_slice(PyObject *item, int none, fu_slice *out) {
    if (item != Py_None || !none) return fu_slice_of(item, out);
    out->p = NULL;
    out->n = 0;
    return 1;
}

/* Read the slice of exact ASCII bytes. Return 0 for any other object. */
static inline int fu_byte_slice(PyObject *item, fu_slice *out) {
    if (!PyBytes_CheckExact(item)) return 0;
    out->p = (const uint8_t *)PyBytes_AS_STRING(item);
    out->n = (size_t)PyBytes_GET_SIZE(item);
    return fu_is_ascii(out->p, out->n);
}

static inline PyObject *fu_part(const fu_pytext *text, size_t length, fu_range range) {
    if (range.end - range.start == length) {
        Py_INCREF(text->object);
        return text->object;
    }
    switch (text->kind) {
    case FU_PYTEXT_ASCII: return fu_ascii_str(text->p + range.start, range.end - range.start);
    case FU_PYTEXT_BYTES:
        return PyBytes_FromStringAndSize((const char *)text->p + range.start, (Py_ssize_t)(range.end - range.start));
    default: return PyUnicode_Substring(text->object, (Py_ssize_t)range.start, (Py_ssize_t)range.end);
    }
}

/* Return a new instance of the tuple class `cls` that holds `items`. This steals the references to the items, also on
 * failure. A NULL item means that an exception is already set. No other code can run between the allocation and the last
 * item. */
static inline PyObject *fu_new_result(PyTypeObject *cls, PyObject *const *items, Py_ssize_t n) {
    PyObject *result = NULL;
    Py_ssize_t count = 0;
    while (count < n && items[count] != NULL) count++;
    if (count == n) result = cls->tp_alloc(cls, n);
    if (result == NULL) {
        for (Py_ssize_t i = 0; i < n; i++) Py_XDECREF(items[i]);
        return NULL;
    }
#if PY_VERSION_HEX >= 0x030E0000
    ((PyTupleObject *)result)->ob_hash = -1; /* not computed yet; tp_alloc leaves 0, which would be a valid hash */
#endif
    for (Py_ssize_t i = 0; i < n; i++) PyTuple_SET_ITEM(result, i, items[i]);
    return result;
}

/* Return `cls(first, *parts)`, with one part per range. */
static inline PyObject *fu_make_result(PyObject *cls, PyObject *first, const fu_pytext *text, size_t length,
                                       const fu_range *ranges, int n) {
    PyObject *items[FU_RESULT_MAX];
    int failed = 0;
    Py_INCREF(first);
    items[0] = first;
    for (int i = 0; i < n; i++) {
        items[i + 1] = failed ? NULL : fu_part(text, length, ranges[i]);
        failed |= items[i + 1] == NULL;
    }
    return fu_new_result((PyTypeObject *)cls, items, n + 1);
}

/* Return 1 if fu_new_result may allocate instances of `cls`: they have the layout of a tuple, perhaps with an instance
 * dict. */
static inline int fu_tuple_like(PyObject *cls) {
    if (!PyType_Check(cls)) return 0;
    PyTypeObject *type = (PyTypeObject *)cls;
    return PyType_IsSubtype(type, &PyTuple_Type) && type->tp_alloc == PyType_GenericAlloc &&
           type->tp_itemsize == PyTuple_Type.tp_itemsize && type->tp_init == PyTuple_Type.tp_init;
}

/* Return 1 if a list and a tuple hold the same objects in the same order. Needs the GIL. */
static inline int fu_same_items(PyObject *list, PyObject *tuple) {
    Py_ssize_t n = PyList_GET_SIZE(list);
    return n == PyTuple_GET_SIZE(tuple) && (n == 0 || memcmp(((PyListObject *)list)->ob_item, ((PyTupleObject *)tuple)->ob_item,
                                                             (size_t)n * sizeof(PyObject *)) == 0);
}

#endif
