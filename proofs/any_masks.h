/* Any masks of a block that have the properties that prove_masks proves of the scalar kernel's masks. */
#include "split/masks.h"

static inline void fu_masks(const uint8_t *p, size_t n, fu_block *out) {
    const uint64_t there = fu_low_bits(n);
    fu_block m;
    given_part(p, 0, n);
    assert(n >= 1 && n <= FU_BLOCK);
    m.alnum = nondet_size() & there;
    m.dot = nondet_size() & there;
    m.hyphen = nondet_size() & there;
    m.colon = nondet_size() & there;
    m.slash = nondet_size() & there;
    m.qmark = nondet_size() & there;
    m.hash = nondet_size() & there;
    m.suspect = nondet_size() & there;
    m.capital = nondet_size() & there;
    /* A byte belongs to one set. */
    __ESBMC_assume(!(m.slash & (m.qmark | m.hash | m.alnum | m.dot | m.hyphen)));
    __ESBMC_assume(!(m.qmark & (m.hash | m.alnum | m.dot | m.hyphen)) && !(m.hash & (m.alnum | m.dot | m.hyphen)));
    __ESBMC_assume(!(m.alnum & (m.dot | m.hyphen)) && !(m.dot & m.hyphen));
    /* Its set is the right one, for the bytes that a scheme may have. */
    for (size_t i = 0; i < 6 && i < n; i++)
        __ESBMC_assume(!((m.alnum | m.dot | m.hyphen) >> i & 1) == !(fu_is(p[i], TERM_ALPHADIGIT) || p[i] == '.' || p[i] == '-'));
    *out = m;
}
