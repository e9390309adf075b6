/* Writing escapes into a buffer of exactly `capacity` octets, whatever the text needs: it is never left. */
#define PROOF_BY_PLACE
#define GIVEN_fu_quote_write
#include "proof.h"
#include "given.h"

#include "percent/escapes_scalar.h"
#include "percent/quote_body.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length, capacity = proof_any_size(0, 3 * n);
    uint8_t *out = proof_output(capacity);
    const size_t written = fu_quote_write_within(NULL, p, n, out, capacity);
    assert(written <= capacity && (written == capacity || written >= n));
    assert_written(out, written);
    proof_end();
    return 0;
}
