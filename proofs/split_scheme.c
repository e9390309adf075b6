/* fu_split_scheme finds a scheme that ends inside the text with a colon, for any masks, and reads no byte outside the text.
 * It finds every web scheme. */
/* Given: fu_find_scheme */
#include "proof.h"
#include "any_masks.h"
int fu_texts_may_change = 0;
#include "split/split_body.h"

static void prove(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    fu_block m;
    fu_spans spans;
    __ESBMC_assume(n > 0);
    fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
    table.count = 1;
    spans.scheme = FU_NO_SCHEME;
    spans.scheme_end = 0;
    const size_t start = fu_split_scheme(&table, p, n, &m, proof_any_choice(), &spans);
    assert(start ? start == spans.scheme_end + 1 && spans.scheme_end >= 1 && start <= n : spans.scheme_end == 0);
    assert(start ? p[spans.scheme_end] == ':' : spans.scheme == FU_NO_SCHEME);
    assert(spans.scheme == FU_NO_SCHEME || spans.scheme == 0);
    if (proof_web_scheme(p, n)) assert(spans.scheme_end == proof_web_scheme(p, n));
}
