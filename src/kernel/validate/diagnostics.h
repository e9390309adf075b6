/* What validation found: one bit a finding, the first violation, and on request every finding with its place. */
#ifndef FASTURL_DIAGNOSTICS_H
#define FASTURL_DIAGNOSTICS_H

#include <stddef.h>
#include <stdint.h>

/* The order is fixed: the bits are stored in users' columns. */
enum {
    FU_NO_SCHEME_READ = 1 << 0,
    FU_BAD_SCHEME = 1 << 1,
    FU_CONTROL = 1 << 2,
    FU_NON_ASCII = 1 << 3,
    FU_UNSAFE = 1 << 4,
    FU_FRAGMENT = 1 << 5,
    FU_BAD_ESCAPE = 1 << 6,
    FU_RESERVED = 1 << 7,
    FU_BAD_HOST = 1 << 8,
    FU_BAD_PORT = 1 << 9,
    FU_LOGIN = 1 << 10,
    FU_MISSING = 1 << 11,
    FU_BAD_PART = 1 << 12,

    FU_PASSWORD = 1 << 16,
    FU_NONDEFAULT_PORT = 1 << 17,
    FU_RESERVED_PORT = 1 << 18,
    FU_ENCODED_CONTROL = 1 << 19,
    FU_DOUBLE_ENCODED = 1 << 20,
    FU_OVERLONG_UTF8 = 1 << 21,
    FU_BACKSLASH = 1 << 22,
    FU_MULTIPLE_AT = 1 << 23,
    FU_AMBIGUOUS_AUTHORITY = 1 << 24,

    FU_VIOLATIONS = 0x0000ffff
};

/* The RFC's term for the place of a finding. FU_TERM_OCTET: any place; the reader asks the spans. */
typedef enum {
    FU_TERM_OCTET,
    FU_TERM_SCHEME,
    FU_TERM_SCHEMEPART,
    FU_TERM_LOGIN,
    FU_TERM_USER,
    FU_TERM_PASSWORD,
    FU_TERM_HOSTPORT,
    FU_TERM_HOST,
    FU_TERM_PORT,
    FU_TERM_URLPATH,
    FU_TERM_FPATH,
    FU_TERM_FTPTYPE,
    FU_TERM_HPATH,
    FU_TERM_SEARCH,
    FU_TERM_SELECTOR,
    FU_TERM_ENCODED822ADDR,
    FU_TERM_GROUPPART,
    FU_TERM_GROUP,
    FU_TERM_ARTICLE,
    FU_TERM_DIGITS,
    FU_TERM_DATABASE,
    FU_TERM_WTYPE,
    FU_TERM_WPATH,
    FU_TERM_PPATH,
    FU_TERM_FIELDSPEC,
    FU_TERM_FIELDNAME,
    FU_TERM_FIELDVALUE,
    FU_TERM_FRAGMENT,
    FU_TERMS
} fu_term;

typedef struct {
    uint32_t finding;
    uint32_t term;
    size_t start, end;
} fu_problem;

typedef struct fu_diagnostics fu_diagnostics;
struct fu_diagnostics {
    uint32_t findings;
    uint32_t first_finding; /* the violation of the smallest start; of several there, the lowest bit */
    uint32_t first_term;
    size_t error_offset; /* FU_ABSENT without a violation */
    size_t first_end;
    fu_problem *problems; /* those of `wanted` that start in the window; in which order is not said */
    size_t capacity, count;
    uint32_t wanted;
    size_t window_start, window_length;
    int (*grow)(fu_diagnostics *v); /* raises capacity; 0 when it cannot. NULL: no problem is kept */
    int only_whether; /* the caller asks only whether there is a violation: the first one that is found is enough */
    size_t gopher_tabs[2]; /* the "%09"s that divide a gopher URL, FU_ABSENT without: no hazards */
};

static inline void fu_add(fu_diagnostics *v, uint32_t finding, fu_term term, size_t start, size_t end) {
    v->findings |= finding;
    if (finding & FU_VIOLATIONS &&
        (start < v->error_offset || (start == v->error_offset && finding < v->first_finding))) {
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

static inline int fu_is_settled(const fu_diagnostics *v) {
    return v->only_whether && v->first_finding != UINT32_MAX;
}

static inline int fu_is_before(const fu_problem *a, const fu_problem *b) {
    if (a->start != b->start) return a->start < b->start;
    return a->finding != b->finding ? a->finding < b->finding : a->end < b->end;
}

/* Puts the problem at `i` of a heap of `count` in its place below. */
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

/* By start, finding and end, in place. A heap sort, as no text may make it slow; most come in order. */
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
