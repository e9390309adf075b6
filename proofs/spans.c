/* Proofs of split/spans.h. */
#include "proof.h"
#include "split/spans.h"

/* The searches for a byte return an offset of their range and read nothing outside it. The text ends where the range ends. */
static void prove_find(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n);
    const uint8_t byte = nondet_byte();

    const size_t first = fu_find(p, start, n, byte);
    assert(start <= first && first <= n);
    assert(first == n || p[first] == byte);

    const size_t last = fu_find_last(p, start, n, byte);
    assert(last == FU_ABSENT || (start <= last && last < n));
    assert((last == FU_ABSENT) == (first == n) && (last == FU_ABSENT || first <= last));
}
