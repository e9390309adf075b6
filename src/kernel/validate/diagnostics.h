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
    fu_problem *problems;
    size_t capacity, count;
    int (*grow)(fu_diagnostics *v); /* raises capacity; 0 when it cannot. NULL: no problem is kept */
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
    if (v->count == v->capacity && (v->grow == NULL || !v->grow(v))) return;
    fu_problem *problem = &v->problems[v->count++];
    problem->finding = finding;
    problem->term = (uint32_t)term;
    problem->start = start;
    problem->end = end;
}

#endif
