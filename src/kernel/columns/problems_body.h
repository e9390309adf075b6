/* List the problems of rows, and test rows of two columns for equivalence. Include after the kernel's split. */
#ifndef FASTURL_PROBLEMS_BODY_H
#define FASTURL_PROBLEMS_BODY_H

#include <stdlib.h>

#include "columns/gather.h"
#include "split/split_body.h"
#include "functions/equivalence.h"
#include "validate/validate.h"

/* Append the row's problems. Return 1, or -1 if the capacity is too small or memory runs out. */
FU_NOINLINE static int fu_put_problems(const fu_gather_work *work, const fu_arrow_text *text, const fu_spans *s,
                                       fu_gathering *g) {
    fu_diagnostics found;
    fu_start_diagnostics(&found);
    found.problems = g->problems;
    found.capacity = g->problem_capacity;
    found.grow = fu_grow_problems;
    found.wanted = UINT32_MAX;
    found.window_length = SIZE_MAX;
    fu_validate(work->schemes, text->p, s, work->form, &found);
    g->problems = found.problems;
    g->problem_capacity = found.capacity;
    if (found.grow == NULL) {
        g->out_of_memory = 1;
        return -1;
    }
    if (found.count > g->capacity - g->used) return -1;
    fu_sort_problems(g->problems, found.count);
    for (size_t i = 0; i < found.count; i++, g->used++) {
        g->findings[g->used] = g->problems[i].finding;
        g->starts[g->used] = (int32_t)g->problems[i].start;
        g->ends[g->used] = (int32_t)g->problems[i].end;
    }
    return 1;
}

static inline int fu_gather_problems(const fu_gather_work *work, const fu_arrow_text *text, fu_gathering *g) {
    fu_spans s;
    fu_split_inline(work->schemes, text->p, (size_t)text->length, work->form, FU_DETAIL_ALL, &s);
    return s.flags & FU_PROVEN_VALID ? 1 : fu_put_problems(work, text, &s, g);
}

/* Return the row of the other column that the current row is compared with. */
static inline int64_t fu_other_row(const fu_gathering *g) { return g->other->rows == 1 ? 0 : g->row; }

/* Return 1 if two texts are equivalent, 0 if not, or -1 if memory runs out. The key of the other text comes first, and is kept: it
 * may be the text of all rows. */
FU_NOINLINE static int fu_are_equivalent(const fu_gather_work *work, const fu_arrow_text *a, const fu_arrow_text *b,
                                         fu_gathering *g) {
    const size_t a_n = (size_t)a->length, b_n = (size_t)b->length;
    if (g->key_capacity < a_n + b_n) { /* each has at most 2^30 bytes */
        uint8_t *keys = (uint8_t *)realloc(g->keys, 2 * (a_n + b_n));
        if (keys == NULL) {
            g->out_of_memory = 1;
            return -1;
        }
        g->keys = keys;
        g->key_capacity = 2 * (a_n + b_n);
    }
    if (g->keyed.p != b->p || g->keyed.n != b_n) {
        g->other_key = fu_write_key(work->kernel, work->schemes, b->p, b_n, g->keys);
        g->keyed.p = b->p;
        g->keyed.n = b_n;
    }
    const fu_key key = fu_write_key(work->kernel, work->schemes, a->p, a_n, g->keys + b_n);
    return fu_same_keys(&key, g->keys + b_n, &g->other_key, g->keys);
}

/* Compare the current row of both columns. Return 1 if both have a text, 0 if one is null, or -1 if the work stops here. */
static inline int fu_gather_same(const fu_gather_work *work, const fu_arrow_text *text, int is_null, fu_gathering *g) {
    fu_arrow_text other;
    int same;
    const int64_t other_row = fu_other_row(g);
    if (is_null || !fu_validity_word(g->other, other_row, 1)) return 0;
    g->fault = fu_load_text(g->other, other_row, &other);
    if (g->fault != FU_FAULT_NONE) {
        g->failed_row = other_row;
        g->failed_other = 1;
        return -1;
    }
    if (other.length == text->length && memcmp(other.p, text->p, (size_t)text->length) == 0) {
        same = 1;
    } else {
        same = fu_are_equivalent(work, text, &other, g);
    }
    if (same < 0) return -1;
    g->sames |= (uint64_t)same << (g->row & 63);
    return 1;
}

#endif
