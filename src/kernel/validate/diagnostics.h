/* The result of validation: one bit per finding, the first violation, and on request every problem (a finding with its
 * range). */
#ifndef FASTURL_DIAGNOSTICS_H
#define FASTURL_DIAGNOSTICS_H

#include <stddef.h>
#include <stdint.h>

#include "validate/findings.h"

typedef struct {
    uint32_t finding;
    uint32_t term;
    size_t start, end;
} fu_problem;

/* The characters of a text whose bytes are p: UTF-8 if width is 0, else an array of code points of `width` bytes. */
typedef struct {
    const void *points;
    int width;
} fu_characters;

typedef struct fu_diagnostics fu_diagnostics;
struct fu_diagnostics {
    uint32_t findings;
    uint32_t first_finding; /* the violation with the smallest start; the lowest bit if several start there */
    uint32_t first_term;
    size_t error_offset; /* FU_ABSENT without a violation */
    size_t first_end;
    fu_problem *problems; /* the problems of `wanted` that start in the window, in no particular order */
    size_t capacity, count;
    uint32_t wanted;
    size_t window_start, window_length;
    int (*grow)(fu_diagnostics *v); /* raises capacity; returns 0 on failure. If NULL, no problem is recorded */
    int has_nested_dot; /* an escaped dot beside another dot, or an escape that may be a dot once it is decoded again */
    int only_whether; /* the caller needs only the existence of a violation: validation may stop at any violation */
    fu_characters text; /* the characters that the bytes stand for; fu_start_diagnostics sets UTF-8 */
    size_t gopher_tabs[2]; /* the two "%09" that delimit the parts of a gopher URL and are not a hazard, or FU_ABSENT */
};

static inline void fu_add(fu_diagnostics *v, uint32_t finding, fu_term term, size_t start, size_t end) {
    v->findings |= finding;
    if (finding & FU_VIOLATIONS && (start < v->error_offset || (start == v->error_offset && finding < v->first_finding))) {
        v->error_offset = start;
        v->first_end = end;
        v->first_finding = finding;
        v->first_term = (uint32_t)term;
    }
    if (v->grow == NULL || start - v->window_start >= v->window_length || !(finding & v->wanted)) return;
    if (v->count == v->capacity && !v->grow(v)) return;
    fu_problem *problem = &v->problems[v->count++];
    problem->finding = finding;
    problem->term = (uint32_t)term;
    problem->start = start;
    problem->end = end;
}

static inline int fu_is_settled(const fu_diagnostics *v) { return v->only_whether && v->first_finding != UINT32_MAX; }

static inline int fu_is_before(const fu_problem *a, const fu_problem *b) {
    if (a->start != b->start) return a->start < b->start;
    return a->finding != b->finding ? a->finding < b->finding : a->end < b->end;
}

/* Restore the heap of `count` problems below index `i`. */
static inline void fu_sink_problem(fu_problem *heap, size_t i, size_t count) {
    const fu_problem sinking = heap[i];
    for (size_t child = 2 * i + 1; child < count; child = 2 * i + 1) {
        if (child + 1 < count && fu_is_before(&heap[child], &heap[child + 1])) child++;
        if (!fu_is_before(&sinking, &heap[child])) break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = sinking;
}

/* Sort by start, finding and end, in place. Heap sort, because no text may cause quadratic time. Sorted input returns early,
 * because most input is sorted. */
static inline void fu_sort_problems(fu_problem *problems, size_t count) {
    size_t sorted = count ? 1 : 0;
    while (sorted < count && !fu_is_before(&problems[sorted], &problems[sorted - 1])) sorted++;
    if (sorted == count) return;
    for (size_t i = count / 2; i-- > 0;) fu_sink_problem(problems, i, count);
    for (size_t last = count; last-- > 1;) {
        const fu_problem greatest = problems[0];
        problems[0] = problems[last];
        problems[last] = greatest;
        fu_sink_problem(problems, 0, last);
    }
}

#endif
