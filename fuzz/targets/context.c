/* URLs in running text: every kernel finds what the scalar kernel finds, in text of one, two and four bytes per character, and
 * in pieces as in the whole. */
#include "common.h"

#include "functions/context.h"

#define MATCHES (FUZZ_TEXT_MAX / 2 + 1)

typedef struct {
    fu_context_match found[MATCHES];
    size_t count;
} matches;

static void check_match(const fu_context_match *m, size_t n, size_t after) {
    FUZZ_CHECK(after <= m->start && m->start <= m->body && m->body <= m->hash && m->hash <= m->stop);
    FUZZ_CHECK(m->stop <= m->end && m->end <= n && m->start < m->end);
}

/* Find all matches. piece: search so many characters at a time, each from where the last search stopped. */
static void search(const fu_kernel *kernel, const fu_scheme_table *table, const void *text, size_t n, int width, int flags,
                   size_t piece, matches *out) {
    fu_context at = {0, 0};
    fu_context_match match;
    out->count = 0;
    for (size_t limit = piece ? piece : n;; limit += piece) {
        if (limit > n) limit = n;
        memset(&match, 0, sizeof match);
        while (kernel->context_next(table, text, n, width, flags, &at, limit, &match)) {
            check_match(&match, n, out->count ? out->found[out->count - 1].end : 0);
            FUZZ_CHECK(out->count < MATCHES);
            out->found[out->count++] = match;
            memset(&match, 0, sizeof match);
        }
        if (limit == n) return;
    }
}

static void check_same(const matches *a, const matches *b) {
    FUZZ_CHECK(a->count == b->count);
    for (size_t i = 0; i < a->count; i++) {
        const fu_context_match *one = &a->found[i], *two = &b->found[i];
        FUZZ_CHECK(one->start == two->start && one->end == two->end && one->body == two->body && one->stop == two->stop);
        FUZZ_CHECK(one->hash == two->hash && one->url_spaced == two->url_spaced && one->hyphen == two->hyphen);
        FUZZ_CHECK(one->fragment_spaced == two->fragment_spaced);
    }
}

static void check_squeezed(const void *text, int width, const matches *of) {
    static fuzz_area area;
    for (size_t i = 0; i < of->count; i++) {
        const fu_context_match *m = &of->found[i];
        uint8_t *out = fuzz_at_end(&area, (m->stop - m->body) * (size_t)width);
        const size_t count = fu_context_squeeze(text, width, m->body, m->stop, out);
        FUZZ_CHECK(count <= m->stop - m->body);
        if (!m->url_spaced && !m->fragment_spaced) FUZZ_CHECK(count == m->stop - m->body);
    }
}

FUZZ_TARGET {
    static matches wanted, found;
    static fuzz_area wide_area;
    const int flags = in.one & 1 ? FU_CONTEXT_BARE : 0, width = 1 << (in.one >> 1 & 3) % 3;
    const void *text = in.p;
    if (width > 1) { /* bytes above 7F become characters that no URL has */
        uint8_t *wide = fuzz_at(&wide_area, in.n * (size_t)width, in.two < 0x80);
        for (size_t i = 0; i < in.n; i++) {
            const uint32_t c = in.p[i] < 0x80 ? in.p[i] : in.p[i] < 0xc0 ? in.p[i] : 0x0100u + (in.p[i] & 0x7f);
            const uint16_t two = (uint16_t)c;
            memcpy(wide + i * (size_t)width, width == 2 ? (const void *)&two : &c, (size_t)width);
        }
        text = wide;
    }
    search(runtime->kernels[0], runtime->schemes, text, in.n, width, flags, 0, &wanted);
    for (FUZZ_EACH_WIDER(kernel, runtime)) {
        search(kernel, runtime->schemes, text, in.n, width, flags, 0, &found);
        check_same(&wanted, &found);
    }
    if (in.one & 8) {
        search(runtime->kernels[in.two % runtime->count], runtime->schemes, text, in.n, width, flags, 1 + in.two % 80, &found);
        check_same(&wanted, &found);
    }
    check_squeezed(text, width, &wanted);
}
