/* The end of a netloc, with any masks: inside the text, not before its start, and no octet outside the text is read. */
#include "proof.h"
#include "given.h"

#include "split/masks.h"

#include "given/fu_masks.h"

int fu_texts_may_change = 0;
#include "split/split_body.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length, start = proof_any_size(0, n);
    fu_block m;
    __ESBMC_assume(n > 0);
    fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
    const size_t end = fu_netloc_end(p, n, start, &m);
    assert(start <= end && end <= n);
    proof_end();
    return 0;
}
