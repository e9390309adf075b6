/* The escapes of logs: no octet is read outside the text, and no more are written than are read. It is shown by induction: what
 * holds where a run and the escape behind it begin holds where they end, and nothing is left of the text at its end. */
#define PROOF_BY_PLACE
#define GIVEN_fu_json_character
#include "proof.h"
#include "given.h"

#include "logs/escapes.h"

#ifndef PROOF_ESCAPED
#define PROOF_ESCAPED FU_ESCAPED_BY_SERVER
#endif

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length, read = proof_any_size(0, n), written = proof_any_size(0, read);
    uint8_t *out = proof_buffer(n), *to = out + written;
    if (read == n) return 0;
    const uint8_t *rest = fu_unescape_next(PROOF_ESCAPED, p + read, p + n, &to);
    const size_t read_then = (size_t)(rest - p), written_then = (size_t)(to - out);
    assert(read < read_then && read_then <= n && written <= written_then && written_then <= read_then);
    proof_end();
    return 0;
}
