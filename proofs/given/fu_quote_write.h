/* Proved by quote.c. */
#include "given.h"

static inline size_t fu_quote_write(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
    const size_t written = proof_any_size(n, 3 * n);
    (void)table;
    given_part(p, 0, n);
    /* All that it may write; the ends say as much of a buffer, and are quicker. */
#ifdef __FRAMAC__
    memset(out, 0, 3 * n + FU_QUOTE_SLACK);
#else
    out[0] = out[3 * n + FU_QUOTE_SLACK - 1] = nondet_octet();
#endif
    return written;
}
