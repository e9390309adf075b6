/* Proofs of split/masks_scalar.h. */
#include "proof.h"
#include "split/masks_scalar.h"

/* The scalar masks of a block set bits for existing bytes only, and each bit says what its byte is. any_masks.h assumes these
 * properties of every kernel's masks. */
static void prove_masks(const uint8_t *p, size_t n) {
    __ESBMC_assume(n > 0);
    fu_block m;
    fu_masks(p, n, &m);
    const uint64_t all = m.alnum | m.dot | m.hyphen | m.colon | m.slash | m.qmark | m.hash | m.suspect | m.capital;
    assert((all & ~fu_low_bits(n)) == 0);
    assert(!(m.slash & (m.qmark | m.hash | m.alnum | m.dot | m.hyphen)));
    assert(!(m.qmark & (m.hash | m.alnum | m.dot | m.hyphen)) && !(m.hash & (m.alnum | m.dot | m.hyphen)));
    assert(!(m.alnum & (m.dot | m.hyphen)) && !(m.dot & m.hyphen));

    const size_t i = nondet_size();
    __ESBMC_assume(i < n);
    const uint64_t one = (uint64_t)1 << i;
    assert(!(m.slash & one) == (p[i] != '/'));
    assert(!(m.qmark & one) == (p[i] != '?'));
    assert(!(m.hash & one) == (p[i] != '#'));
    assert(!(m.colon & one) == (p[i] != ':'));
    assert(!(m.dot & one) == (p[i] != '.'));
    assert(!(m.hyphen & one) == (p[i] != '-'));
    assert(!(m.alnum & one) == !fu_is(p[i], TERM_ALPHADIGIT));
    assert(!(m.suspect & one) == fu_is(p[i], TERM_XCHAR));
}
