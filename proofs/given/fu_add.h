/* Proved by add.c. */
#include "given.h"

/* What else may have been found. */
static inline void given_findings(fu_diagnostics *v) {
    v->findings |= (uint32_t)nondet_int();
    if (proof_any_choice()) v->first_finding = (uint32_t)proof_any_below(FU_VIOLATIONS + 1);
}

static inline void fu_add(fu_diagnostics *v, uint32_t finding, fu_term term, size_t start, size_t end) {
    assert(finding != 0 && term < FU_TERMS);
    assert(start <= end && end <= proof_length);
    v->findings |= finding;
    given_findings(v);
}
