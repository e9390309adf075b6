/* Unquote: each kernel equals a loop over the bytes. The safe, wide and replacing functions stay in bounds, and agree where their
 * rules are the same. */
#include "common.h"

#include "escapes/unquote_safe.h"
#include "escapes/utf8.h"

static void check_wide(const uint8_t *p, size_t n, int plus, const uint8_t *want, size_t length, uint8_t seen) {
    static fuzz_area points_area, out_area;
    for (int width = 1; width <= 4; width *= 2) {
        uint8_t *points = fuzz_at_end(&points_area, n * (size_t)width);
        uint32_t *out = (uint32_t *)(void *)fuzz_at_end(&out_area, 4 * n);
        for (size_t i = 0; i < n; i++) {
            const uint16_t two = p[i];
            const uint32_t four = p[i];
            memcpy(points + i * (size_t)width,
                   width == 1   ? (const void *)&p[i]
                   : width == 2 ? (const void *)&two
                                : &four,
                   (size_t)width);
        }
        const size_t written = fu_unquote_wide(points, n, width, plus, out);
        FUZZ_CHECK((written == SIZE_MAX) == (seen >= 0x80));
        FUZZ_CHECK(written == SIZE_MAX || written == length);
        for (size_t i = 0; written != SIZE_MAX && i < written; i++) FUZZ_CHECK(out[i] == want[i]);
    }
}

static void check_safe(const uint8_t *p, size_t n, int keep, size_t decoded) {
    static fuzz_area out_area;
    uint8_t seen = 0, *out = fuzz_at_end(&out_area, n);
    const size_t length = fu_unquote_safe_write(p, n, keep, out, &seen);
    FUZZ_CHECK(length <= n && length >= decoded);
    if (keep == FU_KEEP_ALL) FUZZ_CHECK(seen < 0x80);
    /* No escape decodes to a control character: all control characters are from the text. */
    size_t before = 0, after = 0;
    for (size_t i = 0; i < n; i++) before += p[i] < 0x20 || p[i] == 0x7f;
    for (size_t i = 0; i < length; i++) after += out[i] < 0x20 || out[i] == 0x7f;
    FUZZ_CHECK(before == after);
}

static void check_replaced(const uint8_t *p, size_t n) {
    static fuzz_area out_area;
    uint8_t *out = fuzz_at_end(&out_area, 3 * n);
    const size_t length = fu_utf8_replace(p, n, out), valid = fu_utf8_valid(p, n);
    FUZZ_CHECK(length <= 3 * n && fu_utf8_valid(out, length) == length);
    FUZZ_CHECK(valid == 0 || memcmp(p, out, valid) == 0);
    FUZZ_CHECK((valid == n) == (length == n && (n == 0 || memcmp(p, out, n) == 0)));
}

FUZZ_TARGET {
    static fuzz_area wanted_area, out_area;
    const int plus = in.one & 1;
    uint8_t wanted_seen = 0, *wanted = fuzz_at_end(&wanted_area, in.n);
    const size_t length = fuzz_unquote(in.p, in.n, plus, wanted, &wanted_seen);
    size_t first = 0;
    while (first < in.n && in.p[first] != '%' && !(plus && in.p[first] == '+')) first++;
    for (size_t k = 0; k < runtime->count; k++) {
        const fu_kernel *kernel = runtime->kernels[k];
        uint8_t seen = 0, *out = fuzz_at_end(&out_area, in.n);
        FUZZ_CHECK(kernel->unquote_find(in.p, in.n, plus) == first);
        FUZZ_CHECK(kernel->unquote_write(in.p, in.n, plus, out, &seen) == length);
        FUZZ_CHECK((length == 0 || memcmp(out, wanted, length) == 0) && (seen & 0x80) == (wanted_seen & 0x80));
    }
    if (in.one & 2) check_wide(in.p, in.n, plus, wanted, length, wanted_seen);
    if (in.one & 4) check_safe(in.p, in.n, (in.one >> 4) % (FU_KEEP_ALL + 1), 0);
    if (in.one & 8) {
        check_replaced(in.p, in.n);
        check_replaced(wanted, length);
    }
}
