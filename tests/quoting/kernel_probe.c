/* The escape kernels as a library that a test can call on any address. */
#include "escapes/query.h"
#include "split/readings.h"
#include "escapes/quote.h"
#include "escapes/unquote.h"
#include "escapes/unquote_safe.h"
#include "escapes/utf8.h"
#include "runtime.h"

static fu_quote_table tables[2];
static fu_runtime *runtime;

size_t probe_kernels(void) {
    runtime = fu_start_runtime();
    return runtime->count;
}

void probe_use(int kernel) { runtime->kernel = runtime->kernels[kernel]; }

void probe_keep(const uint8_t keep[128]) {
    fu_quote_table_fill(&tables[0], keep, 0);
    fu_quote_table_fill(&tables[1], keep, 1);
}

size_t probe_quote_find(int plus, const uint8_t *p, size_t n) { return runtime->kernel->quote_find(&tables[plus], p, n); }
size_t probe_quote_length(int plus, const uint8_t *p, size_t n) { return runtime->kernel->quote_length(&tables[plus], p, n); }
size_t probe_quote_write(int plus, const uint8_t *p, size_t n, uint8_t *out) { return runtime->kernel->quote_write(&tables[plus], p, n, out); }
size_t probe_quote_write_within(int plus, const uint8_t *p, size_t n, uint8_t *out, size_t capacity) {
    return runtime->kernel->quote_write_within(&tables[plus], p, n, out, capacity);
}
size_t probe_quote_slack(void) { return FU_QUOTE_SLACK; }
size_t probe_unquote_find(int plus, const uint8_t *p, size_t n) { return runtime->kernel->unquote_find(p, n, plus); }
size_t probe_unquote_write(int plus, const uint8_t *p, size_t n, uint8_t *out) {
    uint8_t seen = 0;
    return runtime->kernel->unquote_write(p, n, plus, out, &seen);
}
size_t probe_unquote_safe_write(int keep, const uint8_t *p, size_t n, uint8_t *out) {
    uint8_t seen = 0;
    return fu_unquote_safe_write(p, n, keep, out, &seen);
}
size_t probe_pairs(const uint8_t *p, size_t n) {
    size_t i = 0, count = 0, start = 0, end = 0;
    fu_pair pair;
    for (; i < n; count++, i = pair.end + 1) fu_next_pair(p, n, i, '&', &pair);
    count += (size_t)fu_query_span(p, n, &start, &end);
    fu_range passwords[FU_READINGS];
    return count + fu_find_passwords(runtime->schemes, p, n, passwords);
}

/* Return 1 if the kernel finds the same pairs, `most` at a time, as fu_next_pair one by one. */
size_t probe_pairs_agree(const uint8_t *p, size_t n, uint8_t separator, size_t most) {
    fu_pair cut[8], one;
    size_t at = 0, i = 0, count;
    do {
        count = runtime->kernel->cut_pairs(p, n, &at, separator, cut, most);
        for (size_t k = 0; k < count; k++, i = one.end + 1) {
            const fu_pair *other = &cut[k];
            if (i >= n) return 0;
            fu_next_pair(p, n, i, separator, &one);
            if (other->start != one.start || other->name_end != one.name_end || other->value != one.value) return 0;
            if (other->end != one.end || other->has_value != one.has_value) return 0;
            if (other->name_marks != one.name_marks || other->value_marks != one.value_marks) return 0;
        }
        if (count < most && i < n) return 0;
    } while (count == most);
    return i >= n && at >= n;
}

size_t probe_utf8_decode(const uint8_t *p, size_t n, uint32_t *out) { return fu_utf8_decode(p, n, out); }
size_t probe_utf8_encode(const void *p, size_t n, int width, uint8_t *out) { return fu_utf8_encode(p, n, width, out); }
size_t probe_unquote_wide(const void *p, size_t n, int width, int plus, uint32_t *out) {
    return fu_unquote_wide(p, n, width, plus, out);
}
