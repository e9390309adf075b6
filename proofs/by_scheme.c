/* Proofs of validate/by_scheme.h. */
#include "proof.h"
#include "validate/by_scheme.h"
#include "any.h"

/* fu_find_gopher_tabs reads no byte outside the part. Each tab that it finds is an escape inside the part, and the second
 * follows the first. The text ends where the part ends. */
/* Given: fu_find */
static void prove_gopher_tabs(const uint8_t *p, size_t end) {
    size_t tabs[2] = {FU_ABSENT, FU_ABSENT};
    fu_find_gopher_tabs(p, proof_any_size(0, end), end, tabs);
    assert(tabs[0] == FU_ABSENT ? tabs[1] == FU_ABSENT : tabs[0] <= end && end - tabs[0] >= 3);
    assert(tabs[1] == FU_ABSENT || (tabs[1] >= tabs[0] + 3 && tabs[1] <= end && end - tabs[1] >= 3));
}

#ifdef PROOF_SHAPE
/* fu_validate_schemepart reads no byte outside the text and records findings inside it, with any login or none. PROOF_SHAPE
 * is the shape of the scheme. */
/* Given: fu_add fu_find fu_find_last fu_split_netloc fu_validate_segments fu_skip fu_host_breaks_at fu_port_number
 * fu_group_breaks_at */
static void prove_schemepart(const uint8_t *p, size_t n) {
    const size_t end = proof_any_size(0, n), start = proof_any_size(0, end);
    fu_login login;
    fu_diagnostics v;
    v.grow = proof_any_choice() ? proof_grow : NULL;
    proof_any_login(p, end, &login);
    fu_validate_schemepart(PROOF_SHAPE, p, start, end, proof_any_choice() ? &login : NULL, &v);
}
#endif
