/* fu_skip_pairs reads no byte outside the query, and returns an offset at or behind its start, for any table of first bytes. */
/* Given: fu_find */
#define PROOF_NAME 3
#include "proof.h"
#include "escapes/query.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n + 1);
    const fu_first_octets *firsts = (const fu_first_octets *)proof_buffer(sizeof(fu_first_octets));
    fu_name name;
    name.length = proof_any_size(0, PROOF_NAME);
    name.octets = proof_buffer(name.length);
    const size_t at = fu_skip_pairs(p, n, start, &name, 1, proof_any_choice() ? firsts : NULL);
    assert(start < n ? start <= at && at <= n : at == start);
}
