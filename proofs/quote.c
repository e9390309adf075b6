/* Writing escapes keeps within the promised space, counts what it writes, and stops at a capacity. The table is any that has
 * what quote_table.c proves of every table. */
#include "proof.h"

#include "any_table.h"
#include "percent/escapes_scalar.h"
#include "percent/quote_body.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    const fu_quote_table *table = proof_any_table(p, n);

    const size_t at = fu_quote_find(table, p, n);
    assert(at <= n);
    assert_octets(at == n || table->dirty[p[at]]);

    const size_t length = fu_quote_length(table, p, n);
    assert(length >= n && length <= 3 * n);
    assert_octets(at < n || length == n);
    const size_t written = fu_quote_write(table, p, n, proof_buffer(3 * n + FU_QUOTE_SLACK));
    assert(written >= n && written <= 3 * n);
    assert_octets(written == length);
    proof_end();
    return 0;
}
