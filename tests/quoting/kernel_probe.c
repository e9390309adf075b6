/* The escape kernels as a library that a test can call on any address. */
#include "query.h"
#include "quote.h"
#include "unquote.h"
#include "unquote_safe.h"
#include "unquote_wide.h"
#include "utf8.h"

static fu_quote_table tables[2];

int probe_best(void) { return fu_escape_best_level(); }

void probe_level(int level) { fu_escape_level = level; }

void probe_keep(const uint8_t keep[128]) {
    fu_quote_table_fill(&tables[0], keep, 0);
    fu_quote_table_fill(&tables[1], keep, 1);
}

size_t probe_quote_find(int plus, const uint8_t *p, size_t n) { return fu_quote_find(&tables[plus], p, n); }
size_t probe_quote_length(int plus, const uint8_t *p, size_t n) { return fu_quote_length(&tables[plus], p, n); }
size_t probe_quote_write(int plus, const uint8_t *p, size_t n, uint8_t *out) { return fu_quote_write(&tables[plus], p, n, out); }
size_t probe_quote_slack(void) { return FU_QUOTE_SLACK; }
size_t probe_unquote_find(int plus, const uint8_t *p, size_t n) { return fu_unquote_find(p, n, plus); }
size_t probe_unquote_write(int plus, const uint8_t *p, size_t n, uint8_t *out) {
    uint8_t seen = 0;
    return fu_unquote_write(p, n, plus, out, &seen);
}
size_t probe_unquote_safe_write(int keep, const uint8_t *p, size_t n, uint8_t *out) {
    uint8_t seen = 0;
    return fu_unquote_safe_write(p, n, keep, out, &seen);
}
size_t probe_pairs(const uint8_t *p, size_t n) {
    size_t i = 0, count = 0, start = 0, end = 0;
    fu_pair pair;
    for (; i < n; count++, i = pair.end + 1) fu_next_pair(p, n, i, '&', &pair);
    count += (size_t)fu_query_span(p, n, &start, &end) + (size_t)fu_password_span(p, n, &start, &end);
    return count;
}

size_t probe_utf8_decode(const uint8_t *p, size_t n, uint32_t *out) { return fu_utf8_decode(p, n, out); }
size_t probe_utf8_encode(const void *p, size_t n, int width, uint8_t *out) { return fu_utf8_encode(p, n, width, out); }
size_t probe_unquote_wide(const void *p, size_t n, int width, int plus, uint32_t *out) {
    return fu_unquote_wide(p, n, width, plus, out);
}
