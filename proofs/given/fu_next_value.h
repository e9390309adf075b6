/* Proved by next_value.c. */
#include "given.h"

static inline void fu_next_value(fu_redaction *r) {
    const size_t at = r->at;
    assert(r->count == 1 && r->at <= r->end + 1);
    given_part(r->p, 0, r->end);
    r->at = nondet_size();
    r->value.start = nondet_size();
    r->value.end = nondet_size();
    if (at >= r->end || proof_any_choice()) {
        __ESBMC_assume(r->value.start == FU_ABSENT && r->end <= r->at && r->at <= r->end + 1);
    } else {
        __ESBMC_assume(at < r->value.start && r->value.start <= r->value.end && r->value.end <= r->end);
        __ESBMC_assume(r->at == r->value.end + 1);
    }
}
