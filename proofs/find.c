/* The searches for an octet between two places: what they find is between them, and nothing outside is read. The text ends where
 * the search does. */
#include "proof.h"

#include "split/spans.h"

int main(void) {
    const size_t n = proof_any_length(), start = proof_any_size(0, n);
    const uint8_t *p = proof_buffer(n);
    const uint8_t octet = nondet_octet();

    const size_t first = fu_find(p, start, n, octet);
    assert(start <= first && first <= n);
    assert_octets(first == n || p[first] == octet);

    const size_t last = fu_find_last(p, start, n, octet);
    assert(last == FU_ABSENT || (start <= last && last < n));
    assert_octets((last == FU_ABSENT) == (first == n) && (last == FU_ABSENT || first <= last));
    proof_end();
    return 0;
}
