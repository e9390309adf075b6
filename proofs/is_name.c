/* fu_is_name reads no byte outside the query and the name. A name that matches is no longer than the bytes that it matches. */
#include "proof.h"
#include "escapes/query.h"

static void prove(const uint8_t *p, size_t n) {
    fu_name name;
    name.length = proof_any_size(0, PROOF_LENGTH + 1);
    name.octets = proof_buffer(name.length);
    assert(!fu_is_name(p, n, proof_any_choice(), &name) || n >= name.length);
}
