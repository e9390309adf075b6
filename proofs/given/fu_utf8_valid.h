/* Proved by utf8.c: up to the end, or to an error. */
#include "given.h"

static inline size_t fu_utf8_valid(const uint8_t *p, size_t n) {
    uint32_t code = 0;
    given_part(p, 0, n);
    const size_t valid = proof_any_size(0, n);
    __ESBMC_assume(valid == n || fu_utf8_step(p + valid, n - valid, &code) < 0);
    return valid;
}
