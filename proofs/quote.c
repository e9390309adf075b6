/* Writing escapes keeps within the promised space, counts what it writes, and stops at a capacity. The table is any that has
 * what quote_table.c proves of every table. */
#include "proof.h"

#include "any_table.h"
#include "percent/escapes_scalar.h"
#include "percent/quote_body.h"

static void check_counts(const fu_quote_table *table, const uint8_t *p, size_t n) {
    const size_t at = fu_quote_find(table, p, n);
    assert(at <= n);
    assert_octets(at == n || table->dirty[p[at]]);

    const size_t length = fu_quote_length(table, p, n);
    assert(length >= n && length <= 3 * n);
    assert_octets(at < n || length == n);
    assert_octets(fu_quote_write(table, p, n, proof_buffer(3 * n + FU_QUOTE_SLACK)) == length);
}

static void check_output(const fu_quote_table *table, const uint8_t *p, size_t n) {
    uint8_t *out = proof_output(3 * n + FU_QUOTE_SLACK);
    const size_t written = fu_quote_write(table, p, n, out);
    assert(written >= n && written <= 3 * n);
    assert_written(out, written);
}

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    const fu_quote_table *table = proof_any_table(p, n);
    check_counts(table, p, n);
    check_output(table, p, n);
    proof_end();
    return 0;
}
