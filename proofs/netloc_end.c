/* fu_netloc_end returns an offset between the start and the end of the text, for any masks, and reads no byte outside the
 * text. */
#include "proof.h"
#include "any_masks.h"
int fu_texts_may_change = 0;
#include "split/split_body.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n);
    fu_block m;
    __ESBMC_assume(n > 0);
    fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
    const size_t end = fu_netloc_end(p, n, start, &m);
    assert(start <= end && end <= n);
}
