/* Validation of a schemepart, with any login that a text may have or none: no octet outside the text is read, and what is found is
 * inside it. PROOF_SHAPE is the scheme's shape. */
#define GIVEN_fu_add
#define GIVEN_fu_find
#define GIVEN_fu_find_last
#define GIVEN_fu_split_netloc
#define GIVEN_fu_validate_segments
#define GIVEN_fu_skip
#define GIVEN_fu_host_breaks_at
#define GIVEN_fu_port_number
#define GIVEN_fu_group_breaks_at
#include "proof.h"
#include "given.h"

#ifndef PROOF_SHAPE
#define PROOF_SHAPE FU_SHAPE_FTP
#endif

#include "validate/validate.h"

#include "any_logins.h"

static int grow(fu_diagnostics *v) {
    (void)v;
    return 0;
}

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t end = proof_any_size(0, proof_length), start = proof_any_size(0, end);
    fu_login login;
    fu_diagnostics v;
    v.grow = proof_any_choice() ? grow : NULL;
    proof_any_login(p, end, &login);
    fu_validate_schemepart(PROOF_SHAPE, p, start, end, proof_any_choice() ? &login : NULL, &v);
    proof_end();
    return 0;
}
