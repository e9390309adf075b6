/* fu_quote_write_within writes at most `capacity` bytes, whatever the text needs. */
/* Given: fu_quote_write */
#define PROOF_BY_PLACE
#include "proof.h"
#include "escapes/escapes_scalar.h"
#include "escapes/quote_body.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t capacity = proof_any_size(0, 3 * n);
    uint8_t *out = proof_buffer(capacity);
    const size_t written = fu_quote_write_within(NULL, p, n, out, capacity);
    assert(written <= capacity && (written == capacity || written >= n));
}
