/* Validation of any split that has what split.c proves: no octet outside the text is read, and every finding is inside it.
 * PROOF_SHAPE is the scheme's shape. fu_split_netloc is any that has what login.c proves of it. */
#include "proof.h"

#ifndef PROOF_SHAPE
#define PROOF_SHAPE FU_SHAPE_FTP
#endif

int fu_texts_may_change = 0;
#include "split/invariants.h"

static size_t text_length;
static fu_problem kept[1];

static void check_problem(void) {
    assert(kept[0].start <= kept[0].end && kept[0].end <= text_length);
    assert(kept[0].term < FU_TERMS && kept[0].finding != 0);
}

/* Is asked for space at each finding but the first. */
static int grow(fu_diagnostics *v) {
    check_problem();
    v->count = 0;
    return 1;
}

int main(void) {
    static fu_scheme_table table;
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    const fu_form form = proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL;
    fu_spans *s = (fu_spans *)proof_buffer(sizeof(fu_spans));
    table.count = 1;
    table.entries[0].shape = PROOF_SHAPE;
    table.entries[0].port = nondet_int();
    s->length = n;
    __ESBMC_assume(s->scheme_end <= s->netloc_start && s->netloc_start <= s->path_start && s->path_start <= s->path_end);
    __ESBMC_assume(s->path_end <= s->query_end && s->query_end <= n);
    __ESBMC_assume(!(s->flags & FU_HAS_SCHEME) == !s->scheme_end);
    __ESBMC_assume(s->scheme_end == 0 ? s->scheme == FU_NO_SCHEME : s->scheme == 0);
    __ESBMC_assume(s->scheme_end == 0 || (s->scheme_end < s->netloc_start && p[s->scheme_end] == ':'));
    __ESBMC_assume(s->flags & FU_HAS_NETLOC || s->netloc_start == s->path_start);
    __ESBMC_assume(!(s->flags & FU_HAS_NETLOC) || s->netloc_start == 0 || s->netloc_start >= s->scheme_end + 2);
    __ESBMC_assume(s->flags & FU_HAS_QUERY ? s->path_end < s->query_end && p[s->path_end] == '?' : s->path_end == s->query_end);
    __ESBMC_assume(s->flags & FU_HAS_FRAGMENT ? s->query_end < n && p[s->query_end] == '#' : s->query_end == n);

    fu_diagnostics v;
    fu_start_diagnostics(&v);
    text_length = n;
    v.problems = kept;
    v.capacity = 1;
    v.grow = grow;
    v.wanted = UINT32_MAX;
    v.window_length = SIZE_MAX;
    v.only_whether = proof_any_choice();
    fu_validate(&table, p, s, form, &v);
    if (v.count) check_problem();
    assert(v.error_offset == FU_ABSENT || (v.error_offset <= v.first_end && v.first_end <= n));
    assert((v.error_offset == FU_ABSENT) == !(v.findings & FU_VIOLATIONS));
    proof_end();
    return 0;
}
