/* One value of a query: the search by any name reads no octet outside the query or the name, and finds a pair inside. */
#define PROOF_NAME 3
#include "proof.h"

#include "percent/query.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    fu_name name;
    fu_first_octets firsts;
    fu_pair pair;
    name.length = proof_any_size(0, PROOF_NAME);
    name.octets = proof_buffer(name.length);
    const int with_firsts = proof_any_choice();
    if (with_firsts) fu_set_first_octets(&firsts, &name, 1);
    if (fu_find_pair(p, n, &name, with_firsts ? &firsts : NULL, &pair)) {
        assert(pair.start < pair.end && pair.start <= pair.name_end && pair.name_end <= pair.value);
        assert(pair.value <= pair.end && pair.end <= n);
        assert(pair.name_end - pair.start >= name.length);
    }
    proof_end();
    return 0;
}
