/* The split of texts of several blocks, with any masks that have the bits of octets that are there and no others: so it holds
 * for every kernel whose masks have what masks.c proves of the scalar ones. */
#include "proof.h"

#include "split/masks.h"

static inline void fu_masks(const uint8_t *p, size_t n, fu_block *out) {
    assert(n >= 1 && n <= FU_BLOCK);
    const uint64_t there = fu_low_bits(n);
    const volatile uint8_t first = p[0], last = p[n - 1];
    fu_block m;
    m.alnum = nondet_size() & there;
    m.dot = nondet_size() & there;
    m.hyphen = nondet_size() & there;
    m.colon = nondet_size() & there;
    m.slash = nondet_size() & there;
    m.qmark = nondet_size() & there;
    m.hash = nondet_size() & there;
    m.non_xchar = nondet_size() & there;
    m.capital = nondet_size() & there;
    /* An octet is one thing. */
    __ESBMC_assume(!(m.slash & (m.qmark | m.hash | m.alnum | m.dot | m.hyphen)));
    __ESBMC_assume(!(m.qmark & (m.hash | m.alnum | m.dot | m.hyphen)) && !(m.hash & (m.alnum | m.dot | m.hyphen)));
    (void)first;
    (void)last;
    *out = m;
}

int fu_texts_may_change = 0;
#include "split/split_body.h"

int main(void) {
    static fu_scheme_table table;
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    const fu_form form = proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL;
    fu_spans spans;
    table.count = 0;
    table.https = FU_SCHEME_HTTP;
    fu_split_any(&table, p, n, form, proof_any_choice(), &spans);
    assert(spans.length == n && spans.scheme_end <= spans.netloc_start && spans.netloc_start <= spans.path_start);
    assert(spans.path_start <= spans.path_end && spans.path_end <= spans.query_end && spans.query_end <= n);
    proof_end();
    return 0;
}
