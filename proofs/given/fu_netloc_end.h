/* Proved by netloc_end.c. */
#include "given.h"

static inline size_t fu_netloc_end(const uint8_t *p, size_t n, size_t start, const fu_block *m) {
    given_part(p, start, n);
    assert(p == proof_text && n > 0 && !((m->slash | m->qmark | m->hash) & ~fu_low_bits(n)));
    return proof_any_size(start, n);
}
