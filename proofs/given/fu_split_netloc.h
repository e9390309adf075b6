/* Proved by login.c. */
#include "given.h"

/* A place of the part, or none. */
static inline int given_place(size_t start, size_t end, size_t from, size_t to) {
    return from == FU_ABSENT ? to == FU_ABSENT : start <= from && from <= to && to <= end;
}

static inline void fu_split_netloc(const uint8_t *p, size_t start, size_t end, fu_netloc *out) {
    fu_netloc any;
    given_part(p, start, end);
    __ESBMC_assume(given_place(start, end, any.user_start, any.user_end));
    __ESBMC_assume(given_place(start, end, any.password_start, any.password_end));
    __ESBMC_assume(given_place(start, end, any.host_start, any.host_end));
    __ESBMC_assume(given_place(start, end, any.port_start, any.port_end));
    __ESBMC_assume(given_place(start, end, any.host_text_start, any.host_text_end));
    __ESBMC_assume(any.host_start != FU_ABSENT && any.host_text_start != FU_ABSENT);
    __ESBMC_assume(any.user_start == FU_ABSENT ? any.host_text_start == start : any.user_end < any.host_text_start);
    __ESBMC_assume(any.user_start == FU_ABSENT || any.user_start == start);
    __ESBMC_assume(any.password_start == FU_ABSENT || (any.user_start == start && any.user_end + 1 == any.password_start));
    __ESBMC_assume(any.password_start == FU_ABSENT || any.password_end + 1 == any.host_text_start);
    __ESBMC_assume(any.port_start == FU_ABSENT || any.port_end == end);
    *out = any;
}
