/* One value of a query: the search by any name reads no octet outside the query or the name, and finds a pair inside. */
#define PROOF_NAME 3
#include "proof.h"

#include "percent/query.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    fu_name name;
    fu_pair pair;
    name.length = proof_any_size(0, PROOF_NAME);
    name.octets = proof_buffer(name.length);
    const fu_first_octets *firsts = NULL; /* or any table: what is read does not depend on a right one */
    if (proof_any_choice()) firsts = (const fu_first_octets *)proof_buffer(sizeof *firsts);
    if (fu_find_pair(p, n, &name, firsts, &pair)) {
        assert(pair.start < pair.end && pair.start <= pair.name_end && pair.name_end <= pair.value);
        assert(pair.value <= pair.end && pair.end <= n);
        assert(pair.name_end - pair.start >= name.length);
    }
    proof_end();
    return 0;
}
