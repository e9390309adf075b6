/* What is said of one octet, and of one escape: none outside the text is read, and what is found is inside it. Of a text of any
 * length. */
#define GIVEN_fu_add
#include "proof.h"
#include "given.h"

#include "validate/parts.h"

int main(void) {
    const uint8_t *p = proof_long_text();
    const size_t at = nondet_size();
    fu_diagnostics v;
    __ESBMC_assume(at < proof_length);
    v.gopher_tabs[0] = nondet_size();
    v.gopher_tabs[1] = nondet_size();
    if (proof_any_choice())
        fu_validate_escape(p, proof_length, at, &v);
    else
        fu_validate_octet(p, at, &v);
    proof_end();
    return 0;
}
