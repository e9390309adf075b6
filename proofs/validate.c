/* fu_validate reads no byte outside the text and records findings inside it, for any split that split_blocks.c and split.c allow. The
 * scheme may have any shape or be absent. */
/* Given: fu_add fu_find fu_find_traversal fu_split_netloc fu_read_logins fu_find_login_hazards fu_is_plain_authority fu_validate_octets
 * fu_validate_segments fu_validate_no_scheme fu_validate_schemepart fu_productions_stop fu_find_gopher_tabs fu_skip
 * fu_host_breaks_at fu_port_number fu_registered_port */
#include "proof.h"
#include "any.h"

static void prove(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    const fu_spans *s = proof_any_spans(n, proof_any_choice() ? FU_NO_SCHEME : 0);
    fu_diagnostics v;
    /* Proved by split.c. */
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
