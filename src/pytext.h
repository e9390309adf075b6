/* The text of a URL as Python holds it, str or bytes, and its cut. */
#ifndef FASTURL_PYTEXT_H
#define FASTURL_PYTEXT_H

#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "split.h"
#include "urllib.h"

typedef enum { FU_TEXT_ASCII, FU_TEXT_OCTETS, FU_TEXT_WIDE } fu_text_kind;

typedef struct {
    PyObject *object; /* borrowed: its holder outlives the cut */
    const uint8_t *p; /* NULL for FU_TEXT_WIDE, a str that is not (compact) ASCII */
    fu_text_kind kind;
} fu_text;

/* urllib knows no table of schemes: an empty one costs nothing to search. */
static fu_scheme_table fu_no_schemes;

/* The first (direction 1) or last (-1) `octet` in [start, end), or -1; -2 and an exception when Python fails. */
static inline Py_ssize_t fu_text_find(const fu_text *text, char octet, size_t start, size_t end, int direction) {
    if (text->p == NULL)
        return PyUnicode_FindChar(text->object, (Py_UCS4)octet, (Py_ssize_t)start, (Py_ssize_t)end, direction);
    if (start == end) return -1;
    if (direction > 0) {
        const void *at = memchr(text->p + start, octet, end - start);
        return at == NULL ? -1 : (Py_ssize_t)((const uint8_t *)at - text->p);
    }
    size_t at = fu_find_last(text->p, start, end, (uint8_t)octet);
    return at == FU_ABSENT ? -1 : (Py_ssize_t)at;
}

/* As fu_cut_plain, for a str of any width: by Python's own search, which is as fast as its kind allows. A netloc that is
 * not ASCII is not ours: urllib looks for characters that turn into delimiters under NFKC. */
static int fu_cut_wide(const fu_text *text, fu_spans *s) {
    PyObject *url = text->object;
#if PY_VERSION_HEX < 0x030C0000
    if (PyUnicode_READY(url) < 0) return -1;
#endif
    const int kind = PyUnicode_KIND(url);
    const void *data = PyUnicode_DATA(url);
    const size_t n = (size_t)PyUnicode_GET_LENGTH(url);
#define FU_CHAR(i) PyUnicode_READ(kind, data, (Py_ssize_t)(i))
    size_t path = 0, colon = 0;
    if (n == 0 || FU_CHAR(0) <= 0x20) return 0;
    for (const char *deleted = "\t\r\n"; *deleted; deleted++) {
        Py_ssize_t at = fu_text_find(text, *deleted, 0, n, 1);
        if (at != -1) return at == -2 ? -1 : 0;
    }
    s->flags = 0;
    s->scheme_end = 0;
    s->scheme = FU_NO_SCHEME;
    while (colon < n && FU_CHAR(colon) < 0x80 &&
           fu_is((uint8_t)FU_CHAR(colon), TERM_SCHEME))
        colon++;
    if (0 < colon && colon < n && FU_CHAR(colon) == ':' &&
        fu_is((uint8_t)FU_CHAR(0), TERM_ALPHA)) {
        s->flags |= FU_HAS_SCHEME;
        s->scheme_end = colon;
        path = colon + 1;
    }
    s->netloc_start = path;
    if (n - path >= 2 && FU_CHAR(path) == '/' && FU_CHAR(path + 1) == '/') {
        s->flags |= FU_HAS_NETLOC;
        path += 2;
        s->netloc_start = path;
        for (; path < n; path++) {
            Py_UCS4 c = FU_CHAR(path);
            if (c == '/' || c == '?' || c == '#') break;
            if (c >= 0x80 || c == '[' || c == ']') return 0;
        }
    }
    Py_ssize_t fragment = fu_text_find(text, '#', path, n, 1);
    if (fragment == -2) return -1;
    if (fragment >= 0) s->flags |= FU_HAS_FRAGMENT;
    s->query_end = fragment >= 0 ? (size_t)fragment : n;
    Py_ssize_t query = fu_text_find(text, '?', path, s->query_end, 1);
    if (query == -2) return -1;
    if (query >= 0) s->flags |= FU_HAS_QUERY;
    s->path_start = path;
    s->path_end = query >= 0 ? (size_t)query : s->query_end;
    s->length = n;
    return 1;
#undef FU_CHAR
}

/* Cut a str or bytes that urllib would cut as it stands: nothing to strip, to delete or to refuse. 0 for every other
 * object; -1 and an exception when Python fails. */
static inline int fu_cut_plain(PyObject *url, fu_text *text, fu_spans *s) {
    size_t n;
    text->object = url;
    if (PyUnicode_CheckExact(url)) {
        if (!PyUnicode_IS_COMPACT_ASCII(url)) {
            text->kind = FU_TEXT_WIDE;
            text->p = NULL;
            return fu_cut_wide(text, s);
        }
        text->kind = FU_TEXT_ASCII;
        text->p = PyUnicode_1BYTE_DATA(url);
        n = (size_t)PyUnicode_GET_LENGTH(url);
    } else if (PyBytes_CheckExact(url)) {
        text->kind = FU_TEXT_OCTETS;
        text->p = (const uint8_t *)PyBytes_AS_STRING(url);
        n = (size_t)PyBytes_GET_SIZE(url);
    } else {
        return 0;
    }
    fu_split(&fu_no_schemes, text->p, n, FU_FORM_URL, 0, s);
    return !(s->flags & FU_ODD) || fu_is_plain(text->p, s, text->kind == FU_TEXT_OCTETS);
}

/* Whether the scheme is written in lower case. */
static inline int fu_low_scheme(const fu_text *text, const fu_spans *s) {
    for (size_t i = 0; i < s->scheme_end; i++) {
        Py_UCS4 c = text->p ? text->p[i] : PyUnicode_READ_CHAR(text->object, (Py_ssize_t)i);
        if (c >= 'A' && c <= 'Z') return 0;
    }
    return 1;
}

/* The scheme in lower case, as a str whatever the text is. */
static inline PyObject *fu_scheme_str(const fu_text *text, const fu_spans *s) {
    PyObject *name = PyUnicode_New((Py_ssize_t)s->scheme_end, 127);
    if (name == NULL || s->scheme_end == 0) return name;
    for (size_t i = 0; i < s->scheme_end; i++) {
        Py_UCS4 c = text->p ? text->p[i] : PyUnicode_READ_CHAR(text->object, (Py_ssize_t)i);
        PyUnicode_1BYTE_DATA(name)[i] = fu_lower((uint8_t)c);
    }
    return name;
}

#endif
