/* The problems of rows, and whether those of two columns are equivalent. Behind the kernel's split.
 *
 * Schemes with productions of their own have owners in Python; g->asks for what they say of a row. */
#ifndef FASTURL_PROBLEMS_BODY_H
#define FASTURL_PROBLEMS_BODY_H

#include <stdlib.h>

#include "columns/gather.h"
#include "split/split_body.h"
#include "validate/equivalence.h"
#include "validate/validate.h"

/* Whether the row's problems are added; -1 when there is no capacity for all of them, or an answer is wanted. */
FU_NOINLINE static int fu_put_problems(const fu_gather_work *work, const fu_arrow_text *text, const fu_spans *s,
                                       fu_gathering *g) {
    const fu_problem *found = g->answers;
    size_t count = g->answer_count;
    if (!g->is_answered) {
        fu_diagnostics found_here;
        if (fu_shape_of(work->schemes, s->scheme) == FU_SHAPE_CUSTOM) {
            g->asks = 1;
            return -1;
        }
        fu_start_diagnostics(&found_here);
        found_here.problems = g->problems;
        found_here.capacity = g->problem_capacity;
        found_here.grow = work->grow;
        found_here.wanted = UINT32_MAX;
        found_here.window_length = SIZE_MAX;
        fu_validate(work->schemes, text->p, s, work->form, &found_here);
        g->problems = found_here.problems;
        g->problem_capacity = found_here.capacity;
        if (found_here.grow == NULL) {
            g->out_of_memory = 1;
            return -1;
        }
        found = g->problems;
        count = found_here.count;
        fu_sort_problems(g->problems, count);
    }
    if (count > g->capacity - g->used) return -1;
    for (size_t i = 0; i < count; i++, g->used++) {
        g->findings[g->used] = found[i].finding;
        g->starts[g->used] = (int32_t)found[i].start;
        g->ends[g->used] = (int32_t)found[i].end;
    }
    g->is_answered = 0;
    return 1;
}

static inline int fu_gather_problems(const fu_gather_work *work, const fu_arrow_text *text, fu_gathering *g) {
    fu_spans s;
    fu_split_inline(work->schemes, text->p, (size_t)text->length, work->form, FU_CUT_ALL, &s);
    return s.flags & FU_PROVEN_VALID ? 1 : fu_put_problems(work, text, &s, g);
}

/* Whether two texts are equivalent; -1 without memory, or when an answer is wanted. */
FU_NOINLINE static int fu_are_equivalent(const fu_gather_work *work, const fu_arrow_text *a, const fu_arrow_text *b,
                                         fu_gathering *g) {
    const size_t a_n = (size_t)a->length, b_n = (size_t)b->length;
    if (g->key_capacity < a_n + b_n) { /* of at most 2**30 octets each */
        uint8_t *keys = (uint8_t *)realloc(g->keys, 2 * (a_n + b_n));
        if (keys == NULL) {
            g->out_of_memory = 1;
            return -1;
        }
        g->keys = keys;
        g->key_capacity = 2 * (a_n + b_n);
    }
    const fu_key one = fu_write_key(work->kernel, work->schemes, a->p, a_n, g->keys);
    const fu_key two = fu_write_key(work->kernel, work->schemes, b->p, b_n, g->keys + a_n);
    if (!fu_same_keys(&one, g->keys, &two, g->keys + a_n)) return 0;
    g->asks = one.kind == FU_KEY_OF_CUSTOM; /* whose productions may derive one of the two alone */
    return g->asks ? -1 : 1;
}

/* Whether the row of both has a text; -1 when the work stops here. */
static inline int fu_gather_same(const fu_gather_work *work, const fu_arrow_text *text, int is_null, fu_gathering *g) {
    fu_arrow_text other;
    int same;
    if (is_null || !fu_validity_word(g->other, g->row, 1)) return 0;
    g->fault = fu_load_text(g->other, g->row, &other);
    if (g->fault != FU_FAULT_NONE) {
        g->failed_row = g->row;
        g->failed_other = 1;
        return -1;
    }
    if (g->is_answered) {
        same = g->answer;
        g->is_answered = 0;
    } else if (other.length == text->length && memcmp(other.p, text->p, (size_t)text->length) == 0) {
        same = 1;
    } else {
        same = fu_are_equivalent(work, text, &other, g);
    }
    if (same < 0) return -1;
    g->sames |= (uint64_t)same << (g->row & 63);
    return 1;
}

#endif
