/* The escapes of logs: no more octets are written than are read. */
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
    const size_t n = proof_length;
    assert(fu_unescape_as(PROOF_ESCAPED, p, n, proof_buffer(n)) <= n);
    proof_end();
    return 0;
}
