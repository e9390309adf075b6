/* Proofs of validate/rfc3986.h. */
#include "proof.h"
#include "validate/rfc3986.h"
#include "any.h"

/* fu_is_ipv4, fu_is_ipv6 and fu_is_ip_future read no byte outside the address. */
static void prove_ipv6(const uint8_t *p, size_t n) {
    switch (proof_any_below(3)) {
    case 0: (void)fu_is_ipv4(p, n); break;
    case 1: (void)fu_is_ipv6(p, n); break;
    default: (void)fu_is_ip_future(p, n);
    }
}

/* fu_validate_3986 reads no byte outside the text and records findings inside it, for any split that prove_split_blocks allows.
 * The bytes outside xchar are validated one by one, at any place. */
/* Given: fu_add fu_find_last fu_skip fu_is_ipv6 fu_is_ip_future fu_validate_no_scheme */
static void prove_rfc3986(const uint8_t *p, size_t n) {
    const fu_form form = proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL;
    const fu_spans *s = proof_any_spans(n, FU_NO_SCHEME);
    fu_diagnostics v;
    fu_start_diagnostics(&v);
    v.grow = proof_any_choice() ? proof_grow : NULL;
    v.only_whether = proof_any_choice();
    if (proof_any_choice())
        fu_validate_3986(p, s, form, 1, &v);
    else if (n > 0)
        fu_validate_suspect_3986(p, s, form, proof_any_below((uint32_t)n), &v);
}
