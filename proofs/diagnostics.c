/* Proofs of validate/diagnostics.h. */
#include "proof.h"
#include "split/spans.h"
#include "validate/diagnostics.h"

static size_t text_length;
static fu_problem kept[1];

static void check(const fu_diagnostics *v) {
    assert(v->error_offset == FU_ABSENT || (v->error_offset <= v->first_end && v->first_end <= text_length));
    assert((v->error_offset == FU_ABSENT) == !(v->findings & FU_VIOLATIONS));
    assert((v->first_finding == UINT32_MAX) == (v->error_offset == FU_ABSENT));
}

/* Make room, or fail. */
static int grow(fu_diagnostics *v) {
    if (proof_any_choice()) return 0;
    v->count = 0;
    return 1;
}

/* fu_add records one finding inside the text. Every recorded place stays inside the text. The first violation is absent or
 * inside the text. No problem is written outside its buffer. */
static void prove_add(void) {
    fu_diagnostics v;
    const size_t start = nondet_size(), end = nondet_size();
    const uint32_t finding = (uint32_t)1 << (uint32_t)proof_any_below(25);
    text_length = nondet_size();
    __ESBMC_assume(start <= end && end <= text_length && text_length < FU_ABSENT);
    v.findings = (uint32_t)nondet_int();
    v.first_finding = (uint32_t)nondet_int();
    v.error_offset = nondet_size();
    v.first_end = nondet_size();
    __ESBMC_assume(v.error_offset == FU_ABSENT || (v.error_offset <= v.first_end && v.first_end <= text_length));
    __ESBMC_assume((v.error_offset == FU_ABSENT) == !(v.findings & FU_VIOLATIONS));
    __ESBMC_assume((v.first_finding == UINT32_MAX) == (v.error_offset == FU_ABSENT));
    v.problems = kept;
    v.capacity = 1;
    v.count = proof_any_size(0, 1);
    v.grow = proof_any_choice() ? grow : NULL;
    v.wanted = (uint32_t)nondet_int();
    v.window_start = nondet_size();
    v.window_length = nondet_size();
    const size_t before = v.count;
    fu_add(&v, finding, (fu_term)proof_any_below(FU_TERMS), start, end);
    check(&v);
    assert(v.findings & finding && v.count <= v.capacity);
    if (v.count > before || (v.count == 1 && kept[0].finding == finding)) assert(v.grow != NULL);
    if (v.count > before) assert(kept[0].start == start && kept[0].end == end && kept[0].term < FU_TERMS);
}
