/* Whether some octets, with their escapes read, are a name: no octet is read outside the two, and a name that they are is no
 * longer than they. */
#include "proof.h"

#include "percent/query.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    fu_name name;
    name.length = proof_any_size(0, PROOF_LENGTH + 1);
    name.octets = proof_buffer(name.length);
    assert(!fu_is_name(p, n, proof_any_choice(), &name) || n >= name.length);
    proof_end();
    return 0;
}
