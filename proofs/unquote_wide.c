/* fu_unquote_wide_of decodes escapes among code points of one, two or four bytes, and writes at most as many as it reads. */
#define PROOF_WITHOUT_TEXT
#include "proof.h"
#include "escapes/unquote_safe.h"

static void prove(void) {
    const size_t n = proof_any_length();
    const int plus = proof_any_choice();
    const void *points = proof_buffer(n * PROOF_WIDTH);
    uint32_t *out = (uint32_t *)proof_buffer(n * sizeof(uint32_t));

    const size_t written = fu_unquote_wide_of(points, n, PROOF_WIDTH, plus, out);
    assert(written == SIZE_MAX || (written <= n && written * 3 >= n));
}
