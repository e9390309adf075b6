/* Validation of any split whose places are as split_blocks.c proves them: no octet outside the text is read, and what is found
 * is inside it. The scheme's shape is any, and there may be none. */
#define GIVEN_fu_add
#define GIVEN_fu_find
#define GIVEN_fu_split_netloc
#define GIVEN_fu_read_logins
#define GIVEN_fu_find_login_hazards
#define GIVEN_fu_validate_octets
#define GIVEN_fu_validate_segments
#define GIVEN_fu_validate_no_scheme
#define GIVEN_fu_validate_schemepart
#define GIVEN_fu_find_gopher_tabs
#define GIVEN_fu_skip
#define GIVEN_fu_host_breaks_at
#define GIVEN_fu_port_number
#include "proof.h"
#include "given.h"

#include "validate/validate.h"

#include "any_logins.h"
#include "any_spans.h"

static int grow(fu_diagnostics *v) {
    (void)v;
    return 0;
}

int main(void) {
    static fu_scheme_table table;
    const uint8_t *p = proof_some_text();
    const fu_spans *s = proof_any_spans(proof_length, proof_any_choice() ? FU_NO_SCHEME : 0);
    fu_diagnostics v;
    table.count = 1;
    table.entries[0].port = nondet_int();
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    fu_start_diagnostics(&v);
    v.grow = proof_any_choice() ? grow : NULL;
    v.only_whether = proof_any_choice();
    fu_validate(&table, p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, &v);
    proof_end();
    return 0;
}
