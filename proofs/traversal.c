/* Proofs of validate/traversal.h. */
#include "proof.h"
#include "any.h"

/* fu_find_traversal reads no byte outside the text and records a finding inside it, for any split that
 * prove_split_blocks allows. */
/* Given: fu_add */
static void prove_traversal(const uint8_t *p, size_t n) {
    const fu_spans *s = proof_any_spans(n, proof_any_choice() ? FU_NO_SCHEME : 0);
    fu_diagnostics v;
    fu_start_diagnostics(&v);
    fu_find_traversal(p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, (fu_shape)proof_any_below(FU_SHAPES), &v);
}
