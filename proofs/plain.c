/* fu_is_plain_authority reads no byte outside the text, for any spans that split_blocks.c allows. Texts are UTF-8. */
/* Given: fu_find fu_find_last fu_skip fu_browser_kind_of fu_is_plain_hostport fu_may_reach_host */
#include "proof.h"
#include "any.h"

static void prove(const uint8_t *p, size_t n) {
    const fu_characters text = {NULL, 0};
    const fu_spans *s = proof_any_spans(n, FU_NO_SCHEME);
    (void)fu_is_plain_authority(p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, &text);
}
