/* The scalar masks of a block: bits of octets that are there, each octet in the sets that it belongs to. given/fu_masks.h
 * is any masks that are so, of whichever kernel. */
#include "proof.h"

#include "split/masks_scalar.h"

int main(void) {
    const size_t n = proof_any_length();
    __ESBMC_assume(n > 0);
    const uint8_t *p = proof_buffer(n);
    fu_block m;
    fu_masks(p, n, &m);
    const uint64_t all = m.alnum | m.dot | m.hyphen | m.colon | m.slash | m.qmark | m.hash | m.non_xchar | m.capital;
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
    assert(!(m.non_xchar & one) == fu_is(p[i], TERM_XCHAR));
    proof_end();
    return 0;
}
