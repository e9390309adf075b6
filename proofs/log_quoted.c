/* A quoted field of a log: no octet outside the line is read, and the field and its quotes are inside it. `backslash` may stand
 * anywhere in the line. */
#define PROOF_BY_PLACE
#include "proof.h"
#include "given.h"

#include "logs/line.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length, at = proof_any_size(0, n);
    const uint8_t *end = p + n;
    fu_log_field field;
    const uint8_t *next = fu_log_quoted(p + at, end, p + proof_any_size(0, n), &field);
    if (next != NULL) {
        assert(next >= p + at + 2 && next <= end);
        assert(field.start > p + at && field.start < end && field.length < (size_t)(end - field.start));
    }
    proof_end();
    return 0;
}
