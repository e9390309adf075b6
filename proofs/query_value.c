/* One value of a query: the search by any name reads no octet outside the query or the name, and finds a pair inside. */
#define PROOF_NAME 3
#define GIVEN_fu_skip_pairs
#define GIVEN_fu_next_pair
#define GIVEN_fu_is_name
#include "proof.h"
#include "given.h"

#include "percent/query.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length;
    fu_name name;
    fu_pair pair;
    name.length = proof_any_size(0, PROOF_NAME);
    name.octets = proof_buffer(name.length);
    if (fu_find_pair(p, n, &name, NULL, &pair)) {
        assert(pair.start < pair.end && pair.start <= pair.name_end && pair.name_end <= pair.value);
        assert(pair.value <= pair.end && pair.end <= n);
        assert(pair.name_end - pair.start >= name.length);
    }
    proof_end();
    return 0;
}
