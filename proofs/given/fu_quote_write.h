/* Proved by quote.c. */
#include "given.h"

static inline size_t fu_quote_write(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
    const size_t written = proof_any_size(n, 3 * n);
    (void)table;
    given_part(p, 0, n);
    memset(out, 0, 3 * n + FU_QUOTE_SLACK); /* all that it may write */
    return written;
}
