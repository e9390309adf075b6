/* Passing the pairs that cannot have a name, by any table of first octets or by none: no octet is read outside the query, and the
 * place is inside and not before the first. */
#define PROOF_NAME 3
#define GIVEN_fu_find
#include "proof.h"
#include "given.h"

#include "percent/query.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length, start = proof_any_size(0, n + 1);
    const fu_first_octets *firsts = (const fu_first_octets *)proof_buffer(sizeof(fu_first_octets));
    fu_name name;
    name.length = proof_any_size(0, PROOF_NAME);
    name.octets = proof_buffer(name.length);
    const size_t at = fu_skip_pairs(p, n, start, &name, 1, proof_any_choice() ? firsts : NULL);
    assert(start < n ? start <= at && at <= n : at == start);
    proof_end();
    return 0;
}
