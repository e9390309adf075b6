/* Proved by log_fields.c. */
#include "any_field.h"

static inline const uint8_t *fu_log_number(const uint8_t *p, const uint8_t *end, int at_least, int at_most, uint64_t *number,
                                           int *has) {
    fu_log_field field;
    assert(at_least >= 1 && (at_most == 3 || at_most == FU_LOG_SIZE_DIGITS_MAX));
    *number = nondet_size();
    *has = proof_any_choice();
    __ESBMC_assume(at_most > 3 || *number <= 999);
    return proof_any_field(p, end, 0, SIZE_MAX, &field);
}
