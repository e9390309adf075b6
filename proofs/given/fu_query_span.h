/* Proved by query.c. */
#include "given.h"

static inline int fu_query_span(const uint8_t *p, size_t n, size_t *start, size_t *end) {
    given_part(p, 0, n);
    *start = nondet_size();
    *end = nondet_size();
    if (proof_any_choice()) return 0;
    __ESBMC_assume(1 <= *start && *start <= *end && *end <= n);
    return 1;
}
