/* fu_log_quoted reads no byte outside the line. The field and its quotes are inside the line. `backslash` is any offset. */
#define PROOF_BY_PLACE
#include "proof.h"
#include "logs/line.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    const uint8_t *end = p + n;
    fu_slice field;
    const uint8_t *next = fu_log_quoted(p + at, end, p + proof_any_size(0, n), &field);
    if (next != NULL) {
        assert(next >= p + at + 2 && next <= end);
        assert(field.p > p + at && field.p < end && field.n < (size_t)(end - field.p));
    }
}
