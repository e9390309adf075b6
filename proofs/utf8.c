/* Proofs of escapes/utf8.h. */
#include "proof.h"
#include "escapes/utf8.h"

/* fu_utf8_step reads a sequence inside the text. fu_utf8_valid_next, which fu_utf8_valid repeats, reads no byte outside the
 * text. It moves on inside the text, or stops at an error inside the text. The proof is by induction. */
static void prove_utf8(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    uint32_t code = 0;
    __ESBMC_assume(at < n);
    const size_t next = fu_utf8_valid_next(p, n, at);
    const int step = fu_utf8_step(p + at, n - at, &code);
    assert(at <= next && next <= n);
    assert(next > at || step < 0);
    assert(step != 0 && step >= -3 && step <= 4 && (size_t)(step < 0 ? -step : step) <= n - at);
}

/* fu_utf8_replace_next reads no byte outside the text, and writes at most three bytes per byte that it reads. The proof is by
 * induction over the errors. */
/* Given: fu_utf8_valid */
static void prove_utf8_replace(const uint8_t *p, size_t n) {
    const size_t read = proof_any_size(0, n), written = proof_any_size(0, 3 * read);
    uint8_t *out = proof_buffer(3 * n), *to = out + written;
    __ESBMC_assume(read < n);
    const size_t read_then = (size_t)(fu_utf8_replace_next(p + read, n - read, &to) - p);
    assert(read < read_then && read_then <= n);
    assert(to > out + written && (size_t)(to - out) <= 3 * read_then);
}
