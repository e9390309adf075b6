/* Quote: each kernel equals a loop over the bytes and writes within its capacity; unquote restores the text. */
#include "common.h"

#include "escapes/quote.h"

#define TABLES 8

static fu_quote_table tables[TABLES];

static void keep_all(uint8_t keep[128], const char *data) {
    for (; *data; data++) keep[(uint8_t)*data] = 1;
}

static void fill_tables(void) {
    static const char *const more[TABLES] = {"_.-~/", "_.-~", "_.-~", "$-_.+!*'(),", "", "", " \"#$%&'()*+,/:;<=>?@[]^`{|}_.-~\\",
                                             "!"};
    for (int i = 0; i < TABLES; i++) {
        uint8_t keep[128] = {0};
        for (int c = 0; c < 128; c++) {
            const int alnum = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
            keep[c] = i == 4   ? 0
                      : i == 5 ? (uint8_t)(c & 1)
                               : (uint8_t)alnum; /* 4 keeps no byte; 5 keeps every second, which is too many ranges */
        }
        keep_all(keep, more[i]);
        fu_quote_table_fill(&tables[i], keep, i == 2 || i == 7);
    }
}

FUZZ_TARGET {
    static fuzz_area wanted_area, out_area, back_area;
    if (!tables[0].dirty[255]) fill_tables();
    const fu_quote_table *table = &tables[in.one % TABLES];
    uint8_t *wanted = fuzz_at_end(&wanted_area, 3 * in.n);
    size_t length = 0, first = in.n;
    for (size_t i = 0; i < in.n; i++) {
        static const char digits[] = "0123456789ABCDEF";
        const uint8_t byte = in.p[i];
        if (table->dirty[byte] && first == in.n) first = i;
        if (!table->dirty[byte]) {
            wanted[length++] = byte;
        } else if (table->plus && byte == ' ') {
            wanted[length++] = '+';
        } else {
            wanted[length++] = '%';
            wanted[length++] = (uint8_t)digits[byte >> 4];
            wanted[length++] = (uint8_t)digits[byte & 15];
        }
    }
    const size_t capacity = length ? in.two * length / 128 : 0; /* too small, exact, or too large */
    for (size_t k = 0; k < runtime->count; k++) {
        const fu_kernel *kernel = runtime->kernels[k];
        FUZZ_CHECK(kernel->quote_find(table, in.p, in.n) == first);
        FUZZ_CHECK(kernel->quote_length(table, in.p, in.n) == length);
        uint8_t *out = fuzz_at_end(&out_area, 3 * in.n + FU_QUOTE_SLACK);
        FUZZ_CHECK(kernel->quote_write(table, in.p, in.n, out) == length && memcmp(out, wanted, length) == 0);
        out = fuzz_at_end(&out_area, capacity);
        const size_t most = capacity < length ? capacity : length;
        FUZZ_CHECK(kernel->quote_write_within(table, in.p, in.n, out, capacity) == most && memcmp(out, wanted, most) == 0);
        /* A table that keeps "%", or that keeps "+" and writes spaces as "+", cannot be inverted. */
        if (!table->dirty['%'] || (table->plus && !table->dirty['+'])) continue;
        uint8_t seen = 0, *back = fuzz_at_end(&back_area, length);
        const uint8_t *text = wanted;
        if (length) memmove(wanted + 3 * in.n - length, wanted, length), text = wanted + 3 * in.n - length;
        const size_t n = kernel->unquote_write(text, length, table->plus, back, &seen);
        FUZZ_CHECK(n == in.n && (n == 0 || memcmp(back, in.p, n) == 0));
        if (length) memmove(wanted, text, length);
    }
}
