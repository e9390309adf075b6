/* The octets that no production derives, in a text whose split has marked any octets: none outside the text is read. It is shown
 * of one turn of fu_validate_octets: any block, and any of its octets that are left. */
#define GIVEN_fu_add
#define GIVEN_fu_validate_escape
#define GIVEN_fu_validate_octet
#include "proof.h"
#include "given.h"

#include "validate/parts.h"

uint64_t nondet_mask(void);

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length, base = FU_BLOCK * proof_any_size(0, n / FU_BLOCK);
    fu_spans s;
    fu_diagnostics v;
    s.length = n;
    v.only_whether = proof_any_choice();
    v.first_finding = UINT32_MAX;
    if (base >= n) return 0; /* the loop over the blocks is at its end */
    const uint64_t odd = fu_odd_octets(p, &s, base) & nondet_mask();
    if (odd == 0) return 0;
    const size_t i = base + (size_t)__builtin_ctzll(odd);
    assert(base <= i && i < n);
    fu_validate_odd(p, n, i, &v);
    proof_end();
    return 0;
}
