/* Proved by netloc_end.c. */
#include "given.h"

static inline size_t fu_netloc_end(const uint8_t *p, size_t n, size_t start, const fu_block *m) {
    (void)m;
    given_part(p, start, n);
    return proof_any_size(start, n);
}
