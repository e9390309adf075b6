/* The quoting functions write what they counted, into the documented space. The table has the properties that quote_table.c
 * proves. */
#include "proof.h"
#include "escapes/escapes_scalar.h"
#include "escapes/quote_body.h"

/* Any table with the properties of its entries for the bytes of the text. */
static const fu_quote_table *any_table(const uint8_t *p, size_t n) {
    fu_quote_table *table = (fu_quote_table *)proof_buffer(sizeof(fu_quote_table));
    for (size_t i = 0; i < n; i++) {
        const uint8_t *unit = table->unit[p[i]];
        __ESBMC_assume(unit[3] == 1 || unit[3] == 3);
        __ESBMC_assume(table->dirty[p[i]] || (unit[0] == p[i] && unit[3] == 1));
    }
    return table;
}

static void prove(const uint8_t *p, size_t n) {
    const fu_quote_table *table = any_table(p, n);
    const size_t at = fu_quote_find(table, p, n), length = fu_quote_length(table, p, n);
    assert(at <= n && length >= n && length <= 3 * n);
    assert(at < n ? table->dirty[p[at]] : length == n);
    assert(fu_quote_write(table, p, n, proof_buffer(3 * n + FU_QUOTE_SLACK)) == length);
}
