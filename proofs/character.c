/* fu_read_character reads no byte outside the text. The character ends behind its start and inside the text. */
#include "proof.h"
#include "escapes/redaction.h"

static void prove(const uint8_t *p, size_t n) {
    __ESBMC_assume(n > 0);
    const size_t at = proof_any_size(0, n - 1);
    const fu_character c = fu_read_character(p, n, at);
    assert(at < c.end && c.end <= n && c.depth <= FU_DEPTH_MAX);
    assert(c.depth > 0 || (c.end == at + 1 && c.octet == p[at]));
}
