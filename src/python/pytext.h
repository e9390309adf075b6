/* The text of a URL as Python holds it, str or bytes, and how urllib splits it. */
#ifndef FASTURL_PYTEXT_H
#define FASTURL_PYTEXT_H

#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "pybytes.h"
#include "pyruntime.h"
#include "split/brackets.h"
#include "split/urllib.h"

typedef enum { FU_PYTEXT_ASCII, FU_PYTEXT_BYTES, FU_PYTEXT_WIDE } fu_pytext_kind;

typedef struct {
    PyObject *object; /* borrowed: its owner outlives the split */
    const uint8_t *p; /* one byte per character */
    fu_pytext_kind kind; /* FU_PYTEXT_WIDE: a str that is not compact ASCII */
    fu_bytes data;
} fu_pytext;

static fu_scheme_table fu_no_schemes = FU_TABLE_OF_NO_SCHEMES;

/* The outcome of fu_split_text. */
typedef enum {
    FU_SPLIT_NOT_OURS, /* urllib must split or refuse the text */
    FU_SPLIT_NOT_ASCII, /* urllib refuses the text: bytes that are not ASCII */
    FU_SPLIT_ODD_BRACKETS, /* the spans are valid; urllib refuses the text: its netloc has an unpaired "[" or "]" */
    FU_SPLIT_NO_ADDRESS, /* the spans are valid; urllib refuses the text: the brackets hold no IP address */
    FU_SPLIT_DONE, /* the spans are valid */
    FU_SPLIT_AFTER_REMOVAL,  /* urllib deletes characters before it splits; the spans mean nothing */
    FU_SPLIT_WIDE_HOST /* the spans are valid if NFKC turns no character of the netloc into a delimiter */
} fu_split_state;

/* Return the outcome for a text that contains a byte outside xchar. */
static FASTURL_UNUSED FU_NOINLINE int fu_check_text(const fu_pytext *text, const fu_spans *s) {
    const uint8_t *p = text->p;
    if (text->kind == FU_PYTEXT_BYTES && !fu_is_ascii(p, s->length)) return FU_SPLIT_NOT_ASCII;
    if (fu_is_unclean(p, s->length)) return FU_SPLIT_AFTER_REMOVAL;
    if (fu_has_brackets(p, s)) {
        const fu_brackets brackets = fu_look_at_brackets(p, s->netloc_start, s->path_start);
        if (brackets == FU_BRACKETS_ODD) return FU_SPLIT_ODD_BRACKETS;
        if (brackets == FU_BRACKETS_NO_ADDRESS) return FU_SPLIT_NO_ADDRESS;
        if (brackets == FU_BRACKETS_UNSURE) return FU_SPLIT_NOT_OURS;
    }
    if (text->kind != FU_PYTEXT_WIDE) return FU_SPLIT_DONE;
    return fu_is_ascii(p + s->netloc_start, s->path_start - s->netloc_start) ? FU_SPLIT_DONE : FU_SPLIT_WIDE_HOST;
}

/* Split a str or bytes as urllib does. Return an fu_split_state, or -1 with MemoryError set. The caller must call
 * fu_release_text in every case. */
static inline int fu_split_text(PyObject *url, fu_pytext *text, fu_spans *s) {
    text->object = url;
    text->data.owned = NULL;
    if (PyUnicode_CheckExact(url))
        text->kind = PyUnicode_IS_COMPACT_ASCII(url) ? FU_PYTEXT_ASCII : FU_PYTEXT_WIDE;
    else if (PyBytes_CheckExact(url))
        text->kind = FU_PYTEXT_BYTES;
    else
        return FU_SPLIT_NOT_OURS;
    if (fu_bytes_of(url, &text->data) < 0) return -1;
    text->p = text->data.p;
    fu_shared->kernel->split(&fu_no_schemes, text->p, text->data.n, FU_FORM_URL, 0, s);
    return s->flags & FU_HAS_SUSPECT ? fu_check_text(text, s) : FU_SPLIT_DONE;
}

/* Return an ASCII str or bytes without the characters that urllib deletes before it splits. */
static PyObject *fu_without_removed(PyObject *url, const uint8_t *p, size_t n) {
    size_t start = 0, kept = 0;
    PyObject *kept_text;
    uint8_t *out;
    while (start < n && p[start] <= 0x20) start++;
    for (size_t i = start; i < n; i++) kept += !fu_is_deleted(p[i]);
    if (PyBytes_CheckExact(url))
        kept_text = PyBytes_FromStringAndSize(NULL, (Py_ssize_t)kept);
    else
        kept_text = PyUnicode_New((Py_ssize_t)kept, 127);
    if (kept_text == NULL || kept == 0) return kept_text;
    out = PyBytes_CheckExact(url) ? (uint8_t *)PyBytes_AS_STRING(kept_text) : PyUnicode_1BYTE_DATA(kept_text);
    for (size_t i = start; i < n; i++)
        if (!fu_is_deleted(p[i])) *out++ = p[i];
    return kept_text;
}

static inline void fu_release_text(fu_pytext *text) { fu_free_bytes(&text->data); }

/* Return 1 if a default scheme is an exact ASCII str from which urllib would delete no character. */
static inline int fu_stripped(PyObject *scheme) {
    if (!PyUnicode_CheckExact(scheme) || !PyUnicode_IS_COMPACT_ASCII(scheme)) return 0;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(scheme); i++)
        if (PyUnicode_1BYTE_DATA(scheme)[i] <= 0x20) return 0;
    return 1;
}

/* Return the scheme in lower case. The result is a str, also for bytes. */
static inline PyObject *fu_scheme_str(const fu_pytext *text, const fu_spans *s) {
    PyObject *name = PyUnicode_New((Py_ssize_t)s->scheme_end, 127);
    if (name == NULL) return NULL;
    for (size_t i = 0; i < s->scheme_end; i++) PyUnicode_1BYTE_DATA(name)[i] = fu_lower(text->p[i]);
    return name;
}

#endif
