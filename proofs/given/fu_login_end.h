/* Proved by readings.c. */
#include "given.h"

static inline size_t fu_login_end(const uint8_t *p, size_t start, size_t end, fu_shape shape) {
    assert(shape < FU_SHAPES);
    given_part(p, start, end);
    return proof_any_size(start, end);
}
