/* Each unit and each range of a quoting table is right, for any set of bytes that stay. No range is stored when no slot is
 * left. */
#define PROOF_WITHOUT_TEXT
#include "proof.h"
#include "escapes/quote.h"

static void any_octet(fu_quote_table *table) {
    const uint8_t *keep = proof_buffer(128);
    const int plus = proof_any_choice(), octet = proof_any_below(256);
    const int stays = octet < 128 && keep[octet] && !(plus && octet == ' ');
    const uint8_t *unit = table->unit[octet];
    fu_quote_unit_fill(table, octet, keep, plus);
    assert(unit[3] == 1 || unit[3] == 3);
    assert(table->dirty[octet] == (stays ? 0 : 0xff));
    assert(!stays || (unit[0] == octet && unit[3] == 1));
    assert(stays || unit[0] == '%' || (plus && octet == ' ' && unit[0] == '+' && unit[3] == 1));
}

static void any_range(fu_quote_table *table) {
    const int first = proof_any_below(128);
    const size_t ranges = proof_any_size(0, 127);
    __ESBMC_assume(table->dirty[first] == 0);
    table->dirty[128] = 0xff; /* as any_octet() shows */
    table->ranges = ranges;
    const int last = fu_quote_range_add(table, first);
    assert(first <= last && last < 128 && table->ranges == ranges + 1);
    if (ranges < FU_QUOTE_RANGES) assert(table->low[ranges][15] == first && table->span[ranges][0] == last - first);
}

static void prove(void) {
    fu_quote_table *table = (fu_quote_table *)proof_buffer(sizeof(fu_quote_table));
    if (proof_any_choice())
        any_octet(table);
    else
        any_range(table);
}
