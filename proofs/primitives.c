/* Proofs of validate/primitives.h. */
#include "proof.h"
#include "validate/primitives.h"
#include "validate/validate.h"

/* fu_validate_escape and fu_validate_byte read no byte outside the text and record findings inside it. */
/* Given: fu_add */
static void prove_validate_escape(const uint8_t *p, size_t n) {
    const size_t at = nondet_size();
    fu_diagnostics v;
    __ESBMC_assume(at < n);
    v.gopher_tabs[0] = nondet_size();
    v.gopher_tabs[1] = nondet_size();
    if (proof_any_choice())
        fu_validate_escape(p, n, at, &v);
    else
        fu_validate_byte(p, at, &v);
}

uint64_t nondet_mask(void);

/* One iteration of fu_validate_bytes reads no byte outside the text, for any block and any marked byte. */
/* Given: fu_add fu_validate_escape fu_validate_byte */
static void prove_validate_bytes(const uint8_t *p, size_t n) {
    const size_t base = FU_BLOCK * proof_any_size(0, n / FU_BLOCK);
    fu_spans s;
    fu_diagnostics v;
    s.length = n;
    v.only_whether = proof_any_choice();
    v.first_finding = UINT32_MAX;
    __ESBMC_assume(base < n);
    const uint64_t suspects = fu_suspect_bytes(p, &s, base) & nondet_mask();
    __ESBMC_assume(suspects != 0);
    const size_t i = base + (size_t)__builtin_ctzll(suspects);
    assert(base <= i && i < n);
    fu_validate_suspect(p, n, i, &v);
}

static void check_break(size_t at, size_t start, size_t end) { assert(at == FU_ABSENT || (start <= at && at <= end)); }

/* The validators of segments, hosts, ports and groups read no byte outside the part and return offsets inside it. The text
 * ends where the part ends. */
/* Given: fu_add */
static void prove_validate_parts(const uint8_t *p, size_t end) {
    const size_t start = proof_any_size(0, end);
    const uint32_t set = (uint32_t)nondet_int();
    fu_diagnostics v;
    v.grow = NULL;
    switch (proof_any_below(6)) {
    case 0: fu_validate_segments(p, start, end, nondet_byte(), set, FU_TERM_FPATH, &v); break;
    case 1: assert(start <= fu_skip(p, start, end, set) && fu_skip(p, start, end, set) <= end); break;
    case 2: check_break(fu_host_breaks_at(p, start, end), start, end); break;
    case 3: assert(fu_port_number(p, start, end) >= -1 && fu_port_number(p, start, end) <= 65535); break;
    case 4: check_break(fu_group_breaks_at(p, start, end), start, end); break;
    default: fu_validate_no_scheme(p, end, &v);
    }
}
