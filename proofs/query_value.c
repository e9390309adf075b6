/* fu_find_pair reads no byte outside the query and the name, and returns a pair inside the query. */
/* Given: fu_skip_pairs fu_next_pair fu_is_name */
#define PROOF_NAME 3
#include "proof.h"
#include "escapes/query.h"

static void prove(const uint8_t *p, size_t n) {
    fu_name name;
    fu_pair pair;
    name.length = proof_any_size(0, PROOF_NAME);
    name.octets = proof_buffer(name.length);
    if (fu_find_pair(p, n, &name, NULL, &pair)) {
        assert(pair.start < pair.end && pair.start <= pair.name_end && pair.name_end <= pair.value);
        assert(pair.value <= pair.end && pair.end <= n);
        assert(pair.name_end - pair.start >= name.length);
    }
}
