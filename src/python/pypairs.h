/* The pairs of a query as Python objects: the list of tuples of parse_qsl and the dict of lists of parse_qs. */
#ifndef FASTURL_PYPAIRS_H
#define FASTURL_PYPAIRS_H

#include <Python.h>
#include <stddef.h>
#include <stdint.h>

#include "escapes/query.h"
#include "pybytes.h"
#include "pyruntime.h"

/* The number of pairs per call of the kernel. They live on the stack. */
#define FU_PAIRS_AT_ONCE 32

typedef struct fu_query fu_query;
struct fu_query {
    PyObject *text; /* exact str or bytes, ready; borrowed: its owner outlives the query */
    fu_bytes data;
    uint8_t separator;
    int is_ascii; /* `text` is an ASCII str */
    int keep_blank, strict;
    const char *codec, *handler; /* NULL: UTF-8, with errors replaced */
    /* Decode a name or a value that contains % or +. Return a new reference; None to fall back to urllib; NULL with an
     * exception set. */
    PyObject *(*decode)(const fu_query *query, size_t start, size_t end);
};

static inline PyObject *fu_text_of_pair(const fu_query *q, size_t start, size_t end, int marks) {
    if (marks) return q->decode(q, start, end);
    if (PyBytes_CheckExact(q->text)) return PyBytes_FromStringAndSize((const char *)q->data.p + start, (Py_ssize_t)(end - start));
    if (q->is_ascii || fu_is_ascii(q->data.p + start, end - start)) return fu_ascii_str(q->data.p + start, end - start);
    return PyUnicode_Substring(q->text, (Py_ssize_t)start, (Py_ssize_t)end);
}

/* Build both texts of a pair. Return 1 and give the caller the references; 0 to fall back to urllib; -1 with an exception
 * set. */
static inline int fu_pair_texts(const fu_query *q, const fu_pair *pair, PyObject *texts[2]) {
    int state = -1;
    texts[0] = fu_text_of_pair(q, pair->start, pair->name_end, pair->name_marks);
    if (texts[0] == NULL) return -1;
    texts[1] = fu_text_of_pair(q, pair->value, pair->end, pair->value_marks);
    if (texts[1] != NULL) {
        state = texts[0] != Py_None && texts[1] != Py_None;
        if (state == 1) return 1;
        Py_DECREF(texts[1]);
    }
    Py_DECREF(texts[0]);
    return state;
}

/* Cut the next pairs, keep those that the flags select, and move *at past them. Return the number of kept pairs, or -1 if
 * strict parsing refuses one. */
static inline Py_ssize_t fu_next_counted(const fu_query *q, size_t *at, fu_pair *pairs) {
    const size_t cut = fu_shared->kernel->cut_pairs(q->data.p, q->data.n, at, q->separator, pairs, FU_PAIRS_AT_ONCE);
    size_t kept = 0;
    if (q->keep_blank && !q->strict) {
        for (size_t i = 0; i < cut; i++) {
            if (kept != i) pairs[kept] = pairs[i];
            kept += pairs[i].end > pairs[i].start;
        }
        return (Py_ssize_t)kept;
    }
    for (size_t i = 0; i < cut; i++) {
        if (q->strict && !pairs[i].has_value) return -1;
        if (kept != i) pairs[kept] = pairs[i];
        kept += pairs[i].value < pairs[i].end || (q->keep_blank && pairs[i].has_value);
    }
    return (Py_ssize_t)kept;
}

/* Fill items [0, count) of a new list with tuples. Return as fu_pair_texts does. */
static inline int fu_fill_pairs(const fu_query *q, const fu_pair *pairs, Py_ssize_t count, PyObject *list) {
    PyObject *texts[2];
    for (Py_ssize_t i = 0; i < count; i++) {
        const int state = fu_pair_texts(q, &pairs[i], texts);
        if (state != 1) return state;
        PyObject *pair = PyTuple_New(2);
        if (pair == NULL) {
            Py_DECREF(texts[0]);
            Py_DECREF(texts[1]);
            return -1;
        }
        PyTuple_SET_ITEM(pair, 0, texts[0]);
        PyTuple_SET_ITEM(pair, 1, texts[1]);
        PyList_SET_ITEM(list, i, pair);
    }
    return 1;
}

/* Append each value to the dict's list for its name. Return as fu_pair_texts does. */
static inline int fu_add_values(const fu_query *q, const fu_pair *pairs, Py_ssize_t count, PyObject *dict) {
    PyObject *texts[2];
    for (Py_ssize_t i = 0; i < count; i++) {
        int state = fu_pair_texts(q, &pairs[i], texts);
        if (state != 1) return state;
        /* Most names are new. A list built before the lookup saves a second lookup. */
        PyObject *values = PyList_New(1), *found = NULL;
        if (values == NULL) {
            Py_DECREF(texts[1]);
        } else {
            PyList_SET_ITEM(values, 0, texts[1]);
            found = PyDict_SetDefault(dict, texts[0], values);
        }
        state = found == NULL || (found != values && PyList_Append(found, texts[1]) < 0) ? -1 : 1;
        Py_DECREF(texts[0]);
        Py_XDECREF(values);
        if (state != 1) return state;
    }
    return 1;
}

/* Return the list or the dict of a query: a new reference; None to fall back to urllib; NULL with an exception set. */
static PyObject *fu_query_pairs(const fu_query *q, int as_dict) {
    fu_pair pairs[FU_PAIRS_AT_ONCE];
    size_t at = 0;
    int state = 1;
    Py_ssize_t count = fu_next_counted(q, &at, pairs);
    if (count < 0 || (q->strict && q->data.n && q->data.p[q->data.n - 1] == q->separator)) return Py_NewRef(Py_None);
    PyObject *into = as_dict ? PyDict_New() : PyList_New(count);
    if (into == NULL) return NULL;
    state = as_dict ? fu_add_values(q, pairs, count, into) : fu_fill_pairs(q, pairs, count, into);
    while (state == 1 && at < q->data.n) {
        count = fu_next_counted(q, &at, pairs);
        if (count < 0) {
            state = 0;
        } else if (as_dict) {
            state = fu_add_values(q, pairs, count, into);
        } else {
            PyObject *more = PyList_New(count);
            state = more == NULL ? -1 : fu_fill_pairs(q, pairs, count, more);
            if (state == 1 && PyList_SetSlice(into, PY_SSIZE_T_MAX, PY_SSIZE_T_MAX, more) < 0) state = -1;
            Py_XDECREF(more);
        }
    }
    if (state == 1) return into;
    Py_DECREF(into);
    return state == 0 ? Py_NewRef(Py_None) : NULL;
}

#endif
