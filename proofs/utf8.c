/* fu_utf8_step reads a sequence inside the text. fu_utf8_valid_next, which fu_utf8_valid repeats, reads no byte outside the
 * text. It moves on inside the text, or stops at an error inside the text. The proof is by induction. */
#include "proof.h"
#include "escapes/utf8.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    uint32_t code = 0;
    __ESBMC_assume(at < n);
    const size_t next = fu_utf8_valid_next(p, n, at);
    const int step = fu_utf8_step(p + at, n - at, &code);
    assert(at <= next && next <= n);
    assert(next > at || step < 0);
    assert(step != 0 && step >= -3 && step <= 4 && (size_t)(step < 0 ? -step : step) <= n - at);
}
