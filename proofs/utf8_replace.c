/* fu_utf8_replace_next reads no byte outside the text, and writes at most three bytes per byte that it reads. The proof is by
 * induction over the errors. */
/* Given: fu_utf8_valid */
#include "proof.h"
#include "escapes/utf8.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t read = proof_any_size(0, n), written = proof_any_size(0, 3 * read);
    uint8_t *out = proof_buffer(3 * n), *to = out + written;
    __ESBMC_assume(read < n);
    const size_t read_then = (size_t)(fu_utf8_replace_next(p + read, n - read, &to) - p);
    assert(read < read_then && read_then <= n);
    assert(to > out + written && (size_t)(to - out) <= 3 * read_then);
}
