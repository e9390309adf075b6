/* Proved by query.c. */
#include "given.h"

static inline void fu_next_pair(const uint8_t *p, size_t n, size_t at, uint8_t separator, fu_pair *pair) {
    (void)separator;
    given_part(p, at, n);
    pair->start = at;
    pair->name_end = proof_any_size(at, n);
    pair->value = proof_any_size(pair->name_end, n);
    pair->end = proof_any_size(pair->value, n);
    pair->has_value = proof_any_choice();
    pair->name_marks = nondet_int();
    pair->value_marks = nondet_int();
    __ESBMC_assume(pair->has_value ? pair->value == pair->name_end + 1 : pair->value == pair->end);
}
