/* Writing escapes into a buffer of exactly `capacity` octets, whatever the text needs: it is never left. */
#include "proof.h"

#include "any_table.h"
#include "percent/escapes_scalar.h"
#include "percent/quote_body.h"

int main(void) {
    const size_t n = proof_any_length(), capacity = proof_any_size(0, 3 * n);
    const uint8_t *p = proof_buffer(n);
    const fu_quote_table *table = proof_any_table(p, n);
    assert(fu_quote_write_within(table, p, n, proof_buffer(capacity), capacity) <= capacity);
    proof_end();
    return 0;
}
