/* The escapes of logs: no more octets are written than are read. */
#include "proof.h"

#include "logs/escapes.h"

#ifndef PROOF_ESCAPED
#define PROOF_ESCAPED FU_ESCAPED_BY_SERVER
#endif

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    assert(fu_unescape_as(PROOF_ESCAPED, p, n, proof_buffer(n)) <= n);
    proof_end();
    return 0;
}
