/* Proofs of validate/plain.h. */
#include "proof.h"
#include "validate/plain.h"
#include "any.h"

/* fu_is_plain_character reads no place outside its table, for any code point. */
static void prove_plain_character(void) { (void)fu_is_plain_character((uint32_t)nondet_int()); }

/* The parts of fu_is_plain_authority read no byte outside the text. Texts are UTF-8, or code points of 2 or 4 bytes. */
/* Given: fu_find_last fu_skip fu_port_number fu_is_plain_character fu_is_ipv4 fu_is_ipv6 fu_utf8_step */
static void prove_plain_parts(const uint8_t *p, size_t n) {
    const size_t end = proof_any_size(0, n), start = proof_any_size(0, end);
    const fu_characters text = {NULL, 0};
    const fu_browser_kind kind = (fu_browser_kind)proof_any_below(FU_BROWSER_RELATIVE);
    switch (proof_any_below(4)) {
    case 0: (void)fu_is_plain_host(p, start, end, proof_any_choice(), &text); break;
    case 1: (void)fu_is_plain_hostport(p, start, end, kind, &text); break;
    case 2: (void)fu_may_reach_host(p, start, n, proof_any_choice()); break;
    default: (void)fu_is_plain_scheme(p, end);
    }
}

/* fu_is_plain_authority reads no byte outside the text, for any spans that prove_split_blocks allows. Texts are UTF-8. */
/* Given: fu_find fu_find_last fu_skip fu_browser_kind_of fu_is_plain_hostport fu_may_reach_host */
static void prove_plain(const uint8_t *p, size_t n) {
    const fu_characters text = {NULL, 0};
    const fu_spans *s = proof_any_spans(n, FU_NO_SCHEME);
    (void)fu_is_plain_authority(p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, &text);
}
