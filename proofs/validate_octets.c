/* One iteration of fu_validate_octets reads no byte outside the text, for any block and any marked byte. */
/* Given: fu_add fu_validate_escape fu_validate_octet */
#include "proof.h"
#include "validate/primitives.h"

uint64_t nondet_mask(void);

static void prove(const uint8_t *p, size_t n) {
    const size_t base = FU_BLOCK * proof_any_size(0, n / FU_BLOCK);
    fu_spans s;
    fu_diagnostics v;
    s.length = n;
    v.only_whether = proof_any_choice();
    v.first_finding = UINT32_MAX;
    __ESBMC_assume(base < n);
    const uint64_t suspects = fu_suspect_octets(p, &s, base) & nondet_mask();
    __ESBMC_assume(suspects != 0);
    const size_t i = base + (size_t)__builtin_ctzll(suspects);
    assert(base <= i && i < n);
    fu_validate_suspect(p, n, i, &v);
}
