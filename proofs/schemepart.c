/* fu_validate_schemepart reads no byte outside the text and records findings inside it, with any login or none. PROOF_SHAPE
 * is the shape of the scheme. */
/* Given: fu_add fu_find fu_find_last fu_split_netloc fu_validate_segments fu_skip fu_host_breaks_at fu_port_number
 * fu_group_breaks_at */
#include "proof.h"
#include "any.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t end = proof_any_size(0, n), start = proof_any_size(0, end);
    fu_login login;
    fu_diagnostics v;
    v.grow = proof_any_choice() ? proof_grow : NULL;
    proof_any_login(p, end, &login);
    fu_validate_schemepart(PROOF_SHAPE, p, start, end, proof_any_choice() ? &login : NULL, &v);
}
