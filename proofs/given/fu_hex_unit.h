/* Proved by hex_unit.c. */
#include "given.h"

static inline int fu_hex_unit(const uint8_t *p, const uint8_t *end) {
    const int unit = nondet_int();
    assert(__ESBMC_same_object(p, proof_text) && p >= proof_text && p <= end && end == proof_text + proof_length);
    __ESBMC_assume(unit >= -1 && unit <= 0xffff && (unit < 0 || end - p >= 4));
    return unit;
}
