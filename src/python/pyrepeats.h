/* Results of short texts, for texts that come again. At most 256 texts of 255 bytes are kept, with their results.
 *
 * A log of texts that come once must not pay for this. A look-up reads two words of the text and computes no hash. In a full
 * table, a text replaces another one when it comes again, and at most one of 256 misses does that. Builds without the GIL keep
 * nothing. */
#ifndef FASTURL_PYREPEATS_H
#define FASTURL_PYREPEATS_H

#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "pyruntime.h"

enum { FU_REPEATS = 256, FU_SHORTEST_REPEAT = 8, FU_LONGEST_REPEAT = 255, FU_MISSES_PER_CHANGE = 256 };

typedef struct {
    uint64_t mark;
    uint64_t seen; /* the mark of the last text that was not found here */
    PyObject *text; /* an exact ASCII str; NULL: free */
    PyObject *result;
} fu_repeat;

typedef struct {
    fu_repeat entries[FU_REPEATS];
    unsigned misses;
} fu_repeats;

/* Set *mark for a text that may be in the table, and return its entry; return NULL for other texts. */
static inline fu_repeat *fu_repeat_of(fu_repeats *known, PyObject *text, uint64_t *mark) {
    const size_t n = (size_t)PyUnicode_GET_LENGTH(text);
    uint64_t last, middle;
    if (!FU_HAS_GIL || n < FU_SHORTEST_REPEAT || n > FU_LONGEST_REPEAT || !PyUnicode_IS_ASCII(text)) return NULL;
    const char *p = (const char *)PyUnicode_DATA(text);
    memcpy(&last, p + n - sizeof last, sizeof last);
    memcpy(&middle, p + (n - sizeof middle) / 2, sizeof middle);
    *mark = (last * 0x9E3779B97F4A7C15u ^ middle) * 0xC2B2AE3D27D4EB4Fu + n;
    return &known->entries[*mark >> 56];
}

/* Return a new reference to the result of an equal text, or to None. */
static inline PyObject *fu_find_repeat(const fu_repeat *entry, uint64_t mark, PyObject *text) {
    const size_t n = (size_t)PyUnicode_GET_LENGTH(text);
    if (entry->mark != mark || entry->text == NULL || (size_t)PyUnicode_GET_LENGTH(entry->text) != n ||
        memcmp(PyUnicode_DATA(entry->text), PyUnicode_DATA(text), n) != 0)
        return Py_NewRef(Py_None);
    return Py_NewRef(entry->result);
}

/* Keep the result of an exact str, or not. Changes the entry before any object is freed. */
static inline void fu_keep_repeat(fu_repeats *known, fu_repeat *entry, uint64_t mark, PyObject *text, PyObject *result) {
    const fu_repeat before = *entry;
    if (before.text != NULL) {
        known->misses++;
        entry->seen = mark;
        if (before.seen != mark || known->misses < FU_MISSES_PER_CHANGE) return;
        known->misses = 0;
    }
    entry->mark = mark;
    entry->text = Py_NewRef(text);
    entry->result = Py_NewRef(result);
    Py_XDECREF(before.text);
    Py_XDECREF(before.result);
}

static inline void fu_forget_repeats(fu_repeats *known) {
    for (int i = 0; i < FU_REPEATS; i++) {
        const fu_repeat before = known->entries[i];
        known->entries[i].text = known->entries[i].result = NULL;
        Py_XDECREF(before.text);
        Py_XDECREF(before.result);
    }
}

#endif
