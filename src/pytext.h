/* The text of a URL as Python holds it, str or bytes, and how urllib splits it. */
#ifndef FASTURL_PYTEXT_H
#define FASTURL_PYTEXT_H

#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "pyoctets.h"
#include "pyruntime.h"
#include "split/urllib.h"

typedef enum { FU_PYTEXT_ASCII, FU_PYTEXT_OCTETS, FU_PYTEXT_WIDE } fu_pytext_kind;

typedef struct {
    PyObject *object; /* borrowed: its holder outlives the split */
    const uint8_t *p; /* one octet a character */
    fu_pytext_kind kind; /* FU_PYTEXT_WIDE: a str that is not (compact) ASCII */
    fu_octets octets;
} fu_pytext;

static fu_scheme_table fu_no_schemes = FU_TABLE_OF_NO_SCHEMES;

/* Split a str or bytes that urllib would split as it stands: nothing to strip, to delete or to refuse. 0 for every other
 * object; -1 and MemoryError. fu_release_text comes after it, whatever it returns. */
static inline int fu_split_plain(PyObject *url, fu_pytext *text, fu_spans *s) {
    size_t n;
    text->object = url;
    text->octets.owned = NULL;
    if (PyUnicode_CheckExact(url))
        text->kind = PyUnicode_IS_COMPACT_ASCII(url) ? FU_PYTEXT_ASCII : FU_PYTEXT_WIDE;
    else if (PyBytes_CheckExact(url))
        text->kind = FU_PYTEXT_OCTETS;
    else
        return 0;
    if (fu_octets_of(url, &text->octets) < 0) return -1;
    text->p = text->octets.p;
    n = text->octets.n;
    fu_shared->kernel->split(&fu_no_schemes, text->p, n, FU_FORM_URL, 0, s);
    if (!(s->flags & FU_HAS_NON_XCHAR)) return 1;
    switch (text->kind) {
        case FU_PYTEXT_ASCII: return fu_is_plain(text->p, s, 0, 0);
        case FU_PYTEXT_OCTETS: return fu_is_plain(text->p, s, 0, n);
        /* urllib looks in a netloc for characters that turn into delimiters under NFKC. */
        default: return fu_is_plain(text->p, s, s->netloc_start, s->path_start);
    }
}

static inline void fu_release_text(fu_pytext *text) { fu_free_octets(&text->octets); }

/* Whether a default scheme is an exact ASCII str from which urllib would strip and delete nothing. */
static inline int fu_stripped(PyObject *scheme) {
    if (!PyUnicode_CheckExact(scheme) || !PyUnicode_IS_COMPACT_ASCII(scheme)) return 0;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(scheme); i++)
        if (PyUnicode_1BYTE_DATA(scheme)[i] <= 0x20) return 0;
    return 1;
}

/* The scheme in lower case, as a str whatever the text is. */
static inline PyObject *fu_scheme_str(const fu_pytext *text, const fu_spans *s) {
    PyObject *name = PyUnicode_New((Py_ssize_t)s->scheme_end, 127);
    if (name == NULL) return NULL;
    for (size_t i = 0; i < s->scheme_end; i++) PyUnicode_1BYTE_DATA(name)[i] = fu_lower(text->p[i]);
    return name;
}

#endif
