/* Writing escapes keeps within the promised space, counts what it writes, and stops at a capacity. The table is any that has
 * what quote_table.c proves of every table. */
#include "proof.h"

#include "percent/escapes_scalar.h"
#include "percent/quote_body.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    const fu_quote_table *table = (const fu_quote_table *)proof_buffer(sizeof(fu_quote_table));
    for (size_t i = 0; i < n; i++) {
        const uint8_t *unit = table->unit[p[i]];
        __ESBMC_assume(unit[3] == 1 || unit[3] == 3);
        __ESBMC_assume(table->dirty[p[i]] || (unit[0] == p[i] && unit[3] == 1));
    }

    const size_t at = fu_quote_find(table, p, n);
    assert(at <= n);
    assert(at == n || table->dirty[p[at]]);

    const size_t length = fu_quote_length(table, p, n);
    assert(length >= n && length <= 3 * n);
    assert(at < n || length == n);
    assert(fu_quote_write(table, p, n, proof_buffer(3 * n + FU_QUOTE_SLACK)) == length);
    proof_end();
    return 0;
}
