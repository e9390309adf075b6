/* Proofs of validate/validate.h. */
#include "proof.h"
#include "any.h"

/* fu_read_logins returns at most one login per reading, with its parts inside the text. The RFC's login ends before the
 * fragment. The spans are those of any split. */
/* Given: fu_split_netloc fu_login_end fu_browser_login fu_browser_kind_of */
static void prove_read_logins(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    const fu_spans *s = proof_any_spans(n, proof_any_choice() ? FU_NO_SCHEME : 0);
    fu_logins read;
    table.count = 1;
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    fu_read_logins(&table, p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, proof_any_choice(), &read);
    assert(read.count <= FU_READINGS);
    const size_t i = proof_any_size(0, FU_READINGS - 1);
    const fu_login *login = &read.logins[i];
    if (i < read.count) {
        assert(login->start <= login->end && login->end <= s->query_end);
        assert(login->start <= login->parts.host_text_start && login->parts.host_text_end <= login->end);
    }
    assert(read.urllib == NULL || (read.urllib == &read.logins[0] && read.count > 0));
    assert(read.rfc == NULL || (read.rfc == &read.logins[read.count - 1] && read.count > 0) ||
           (read.rfc == &read.logins[read.count - 2] && read.count > 1));
}

/* fu_find_login_hazards records findings inside the text, for any logins. */
/* Given: fu_add fu_split_netloc fu_find fu_port_number */
static void prove_login_hazards(const uint8_t *p, size_t n) {
    fu_logins read;
    fu_diagnostics v;
    read.count = proof_any_size(0, FU_READINGS);
    for (size_t i = 0; i < FU_READINGS; i++) proof_any_login(p, n, &read.logins[i]);
    read.urllib = read.count && proof_any_choice() ? &read.logins[0] : NULL;
    fu_range part;
    part.end = proof_any_size(0, n);
    part.start = proof_any_size(0, part.end);
    fu_find_login_hazards(p, &read, proof_any_choice(), nondet_int(), proof_any_choice(), part, &v);
}

/* fu_validate reads no byte outside the text and records findings inside it, for any split that prove_split_blocks and
 * prove_split allow. The scheme may have any shape or be absent. */
/* Given: fu_add fu_find fu_find_traversal fu_split_netloc fu_read_logins fu_find_login_hazards fu_is_plain_authority fu_validate_bytes
 * fu_validate_segments fu_validate_no_scheme fu_validate_schemepart fu_productions_stop fu_find_gopher_tabs fu_skip
 * fu_host_breaks_at fu_port_number fu_registered_port */
static void prove_validate(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    const fu_spans *s = proof_any_spans(n, proof_any_choice() ? FU_NO_SCHEME : 0);
    fu_diagnostics v;
    /* Proved by prove_split. */
    __ESBMC_assume(!(s->flags & FU_HAS_QUERY) || p[s->path_end] == '?');
    __ESBMC_assume(!(s->flags & FU_HAS_FRAGMENT) || p[s->query_end] == '#');
    table.count = 1;
    table.entries[0].port = nondet_int();
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    fu_start_diagnostics(&v);
    v.grow = proof_any_choice() ? proof_grow : NULL;
    v.only_whether = proof_any_choice();
    fu_validate(&table, p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, &v);
}
