/* Proved by split_scheme.c. */
#include "given.h"

static inline size_t fu_split_scheme(const fu_scheme_table *table, const uint8_t *p, size_t n, const fu_block *m,
                                     int any_first, fu_spans *out) {
    const size_t web = proof_web_scheme(p, n), end = web ? web : proof_any_size(0, n);
    (void)any_first;
    given_part(p, 0, n);
    assert(n > 0 && !((m->alnum | m->dot | m->hyphen) & ~fu_low_bits(n)));
    out->scheme = fu_find_scheme(table, p, end);
    if (end == 0 || end == n || p[end] != ':') {
        out->scheme = FU_NO_SCHEME; /* what a text without a scheme has */
        return 0;
    }
    out->scheme_end = end;
    return end + 1;
}
