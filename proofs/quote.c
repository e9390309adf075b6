/* Proofs of escapes/quote.h and quote_body.h. */
#include "proof.h"
#include "escapes/quote.h"
#include "escapes/escapes_scalar.h"
#include "escapes/quote_body.h"

static void any_byte(fu_quote_table *table) {
    const uint8_t *keep = proof_buffer(128);
    const int plus = proof_any_choice(), byte = proof_any_below(256);
    const int stays = byte < 128 && keep[byte] && !(plus && byte == ' ');
    const uint8_t *unit = table->unit[byte];
    fu_quote_unit_fill(table, byte, keep, plus);
    assert(unit[3] == 1 || unit[3] == 3);
    assert(table->dirty[byte] == (stays ? 0 : 0xff));
    assert(!stays || (unit[0] == byte && unit[3] == 1));
    assert(stays || unit[0] == '%' || (plus && byte == ' ' && unit[0] == '+' && unit[3] == 1));
}

static void any_range(fu_quote_table *table) {
    const int first = proof_any_below(128);
    const size_t ranges = proof_any_size(0, 127);
    __ESBMC_assume(table->dirty[first] == 0);
    table->dirty[128] = 0xff; /* as any_byte() shows */
    table->ranges = ranges;
    const int last = fu_quote_range_add(table, first);
    assert(first <= last && last < 128 && table->ranges == ranges + 1);
    if (ranges < FU_QUOTE_RANGES) assert(table->low[ranges][15] == first && table->span[ranges][0] == last - first);
}

/* Each unit and each range of a quoting table is right, for any set of bytes that stay. No range is stored when no slot is
 * left. */
static void prove_quote_table(void) {
    fu_quote_table *table = (fu_quote_table *)proof_buffer(sizeof(fu_quote_table));
    if (proof_any_choice())
        any_byte(table);
    else
        any_range(table);
}

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

/* The quoting functions write what they counted, into the documented space. The table has the properties that prove_quote_table
 * proves. */
static void prove_quote(const uint8_t *p, size_t n) {
    const fu_quote_table *table = any_table(p, n);
    const size_t at = fu_quote_find(table, p, n), length = fu_quote_length(table, p, n);
    assert(at <= n && length >= n && length <= 3 * n);
    assert(at < n ? table->dirty[p[at]] : length == n);
    assert(fu_quote_write(table, p, n, proof_buffer(3 * n + FU_QUOTE_SLACK)) == length);
}

/* fu_quote_write_within writes at most `capacity` bytes, whatever the text needs. */
/* Given: fu_quote_write */
/* With: PROOF_BY_PLACE */
static void prove_quote_within(const uint8_t *p, size_t n) {
    const size_t capacity = proof_any_size(0, 3 * n);
    uint8_t *out = proof_buffer(capacity);
    const size_t written = fu_quote_write_within(NULL, p, n, out, capacity);
    assert(written <= capacity && (written == capacity || written >= n));
}
