/* fu_validate_escape and fu_validate_octet read no byte outside the text and record findings inside it. */
/* Given: fu_add */
#define PROOF_ANY_LENGTH
#include "proof.h"
#include "validate/primitives.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t at = nondet_size();
    fu_diagnostics v;
    __ESBMC_assume(at < n);
    v.gopher_tabs[0] = nondet_size();
    v.gopher_tabs[1] = nondet_size();
    if (proof_any_choice())
        fu_validate_escape(p, n, at, &v);
    else
        fu_validate_octet(p, at, &v);
}
