/* fu_add_place inserts a place into sorted, disjoint places. They stay sorted and disjoint, the count grows by at most one, and
 * no place exceeds the limit. */
#define PROOF_WITHOUT_TEXT
#include "proof.h"
#include "split/readings.h"

static void prove(void) {
    fu_range places[FU_READINGS];
    const size_t count = proof_any_size(0, FU_READINGS - 1), start = nondet_size(), end = nondet_size(), limit = nondet_size();
    __ESBMC_assume(start <= end && end <= limit);
    for (size_t i = 0; i < FU_READINGS - 1; i++) {
        if (i >= count) break;
        places[i].start = nondet_size();
        places[i].end = nondet_size();
        __ESBMC_assume(places[i].start <= places[i].end && places[i].end <= limit);
        __ESBMC_assume(i == 0 || places[i - 1].end < places[i].start);
    }
    const size_t more = fu_add_place(places, count, start, end);
    assert(more >= 1 && more <= count + 1);
    for (size_t i = 0; i < FU_READINGS; i++) {
        if (i >= more) break;
        assert(places[i].start <= places[i].end && places[i].end <= limit);
        assert(i == 0 || places[i - 1].end < places[i].start);
    }
}
