/* Writing escapes into a buffer of exactly `capacity` octets, whatever the text needs: it is never left. */
#include "proof.h"

#include "percent/escapes_scalar.h"
#include "percent/quote_body.h"

int main(void) {
    const size_t n = proof_any_length(), capacity = nondet_size();
    __ESBMC_assume(capacity <= 3 * n);
    const uint8_t *p = proof_buffer(n);
    const fu_quote_table *table = (const fu_quote_table *)proof_buffer(sizeof(fu_quote_table));
    for (size_t i = 0; i < n; i++) __ESBMC_assume(table->unit[p[i]][3] == 1 || table->unit[p[i]][3] == 3);
    assert(fu_quote_write_within(table, p, n, proof_buffer(capacity), capacity) <= capacity);
    proof_end();
    return 0;
}
