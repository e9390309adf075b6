/* Reading escapes among code points of one, two or four octets. */
#include "proof.h"

#include "percent/unquote_wide.h"

int main(void) {
    const size_t n = proof_any_length();
    const int plus = proof_any_choice();
#ifndef PROOF_WIDTH
#define PROOF_WIDTH 2
#endif
    const void *points = proof_buffer(n * PROOF_WIDTH);
    uint32_t *out = (uint32_t *)proof_buffer(n * sizeof(uint32_t));

    const size_t written = fu_unquote_wide_of(points, n, PROOF_WIDTH, plus, out);
    assert(written == SIZE_MAX || (written <= n && written * 3 >= n));
    proof_end();
    return 0;
}
