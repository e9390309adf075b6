/* Any table of quote that has what quote_table.c proves of every table. */
#ifndef FASTURL_ANY_TABLE_H
#define FASTURL_ANY_TABLE_H

#include "percent/quote.h"

static const fu_quote_table *proof_any_table(const uint8_t *p, size_t n) {
    fu_quote_table *table = (fu_quote_table *)proof_buffer(sizeof(fu_quote_table));
#ifdef __FRAMAC__ /* which knows octets by their places: so all units, and no octet is compared with its unit */
    (void)p, (void)n;
    for (int octet = 0; octet < 256; octet++) table->unit[octet][3] = proof_any_of(1, 3);
#else
    for (size_t i = 0; i < n; i++) {
        const uint8_t *unit = table->unit[p[i]];
        __ESBMC_assume(unit[3] == 1 || unit[3] == 3);
        __ESBMC_assume(table->dirty[p[i]] || (unit[0] == p[i] && unit[3] == 1));
    }
#endif
    return table;
}

#endif
