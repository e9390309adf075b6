/* Proved by add_place.c. */
#include "given.h"

static inline size_t fu_add_place(fu_place *places, size_t count, size_t start, size_t end) {
    const size_t more = proof_any_size(1, count + 1);
    assert(count < FU_READINGS && start <= end && end <= proof_length);
    for (size_t i = 0; i < FU_READINGS; i++) {
        if (i >= count) break;
        assert(places[i].start <= places[i].end && places[i].end <= proof_length);
        assert(i == 0 || places[i - 1].end < places[i].start);
    }
    for (size_t i = 0; i < FU_READINGS; i++) {
        if (i >= more) break;
        places[i].start = nondet_size();
        places[i].end = nondet_size();
        __ESBMC_assume(places[i].start <= places[i].end && places[i].end <= proof_length);
        __ESBMC_assume(i == 0 || places[i - 1].end < places[i].start);
    }
    return more;
}
