/* Proved by login.c. */
#include "given.h"

/* Only what it says of a password counts in the harnesses that give it. */
static inline void fu_split_netloc(const uint8_t *p, size_t start, size_t end, fu_netloc *out) {
    const size_t from = nondet_size(), to = nondet_size();
    given_part(p, start, end);
    __ESBMC_assume(from == FU_ABSENT || (start <= from && from <= to && to <= end));
    out->password_start = from;
    out->password_end = to;
}
