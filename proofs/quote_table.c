/* Every table of quote: for any set of octets that stay, what quote.c takes for granted holds of each octet, and the ranges
 * are as many as there is space for. Its loops are of 256 octets, so it has no length. */
#include "proof.h"

#include "percent/quote.h"

int main(void) {
    static fu_quote_table table;
    const uint8_t *keep = proof_buffer(128);
    const int plus = proof_any_choice();
    fu_quote_table_fill(&table, keep, plus);

    const uint8_t octet = nondet_octet();
    const uint8_t *unit = table.unit[octet];
    const int stays = octet < 128 && keep[octet] && !(plus && octet == ' ');
    assert(unit[3] == 1 || unit[3] == 3);
    assert(table.dirty[octet] == (stays ? 0 : 0xff));
    assert(!stays || (unit[0] == octet && unit[3] == 1));
    assert(stays || unit[0] == '%' || (plus && octet == ' ' && unit[0] == '+' && unit[3] == 1));
    assert(table.ranges <= FU_QUOTE_RANGES);
    proof_end();
    return 0;
}
