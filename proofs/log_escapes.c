/* fu_unescape_next reads no byte outside the text, and writes at most as many bytes as it reads. The proof is by induction
 * over the runs and escapes of the text. */
/* Given: fu_json_character */
#define PROOF_BY_PLACE
#include "proof.h"
#include "logs/escapes.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t read = proof_any_size(0, n), written = proof_any_size(0, read);
    uint8_t *out = proof_buffer(n), *to = out + written;
    __ESBMC_assume(read < n);
    const uint8_t *rest = fu_unescape_next(PROOF_ESCAPED, p + read, p + n, &to);
    const size_t read_then = (size_t)(rest - p), written_then = (size_t)(to - out);
    assert(read < read_then && read_then <= n && written <= written_then && written_then <= read_then);
}
