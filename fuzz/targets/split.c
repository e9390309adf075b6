/* Split and validation: each kernel equals the scalar kernel, and that one equals a split as urllib documents it. The parts
 * together are the text. Findings, offsets and flags agree. */
#include "common.h"

#include "validate/validate.h"

/* --- the cut, byte by byte ------------------------------------------------------------------------------------------- */

static size_t cut_until(const uint8_t *p, size_t start, size_t end, const char *stops) {
    while (start < end && (p[start] == 0 || strchr(stops, p[start]) == NULL)) start++;
    return start;
}

static int is_authority(const uint8_t *p, size_t n) {
    size_t digits = n;
    while (digits > 0 && p[digits - 1] >= '0' && p[digits - 1] <= '9') digits--;
    if (digits == n || digits < 2 || p[digits - 1] != ':') return 0;
    const size_t host = digits - 1;
    if (cut_until(p, 0, host, "/?#@") < host) return 0;
    return (p[0] == '[' && p[host - 1] == ']') || cut_until(p, 0, host, ":") == host;
}

static void check_cut(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, int any_first, const fu_spans *s) {
    size_t scheme = 0, netloc, path, query, fragment;
    const int is_target = form == FU_FORM_TARGET, is_origin = is_target && n && p[0] == '/';
    if (is_target && !is_origin && is_authority(p, n)) {
        FUZZ_CHECK(s->flags & FU_HAS_NETLOC && !(s->flags & (FU_HAS_SCHEME | FU_HAS_QUERY | FU_HAS_FRAGMENT)));
        FUZZ_CHECK(s->netloc_start == 0 && s->path_start == n && s->query_end == n);
        return;
    }
    if (!is_origin) {
        while (scheme < n && fu_is(p[scheme], TERM_SCHEME)) scheme++;
        if (scheme == n || p[scheme] != ':') scheme = 0;
        if (scheme && !any_first && !fu_is(p[0], TERM_ALPHA) && fu_find_scheme(table, p, scheme) == FU_NO_SCHEME) scheme = 0;
    }
    FUZZ_CHECK(s->scheme_end == scheme);
    FUZZ_CHECK(s->scheme == (scheme ? fu_find_scheme(table, p, scheme) : FU_NO_SCHEME));
    netloc = path = scheme ? scheme + 1 : 0;
    const int has_netloc = !is_origin && n - netloc >= 2 && p[netloc] == '/' && p[netloc + 1] == '/';
    if (has_netloc) {
        netloc += 2;
        path = cut_until(p, netloc, n, "/?#");
    }
    fragment = cut_until(p, path, n, "#");
    query = cut_until(p, path, fragment, "?");
    FUZZ_CHECK(s->netloc_start == netloc && s->path_start == path);
    FUZZ_CHECK(s->path_end == query && s->query_end == fragment && s->length == n);
    FUZZ_CHECK(!(s->flags & FU_HAS_SCHEME) == !scheme);
    FUZZ_CHECK(!(s->flags & FU_HAS_NETLOC) == !has_netloc);
    FUZZ_CHECK(!(s->flags & FU_HAS_QUERY) == (query == fragment));
    FUZZ_CHECK(!(s->flags & FU_HAS_FRAGMENT) == (fragment == n));
}

/* --- the text again ---------------------------------------------------------------------------------------------------- */

static void check_together(const uint8_t *p, size_t n, const fu_spans *s) {
    static uint8_t joined[FUZZ_TEXT_MAX + 8];
    size_t k = 0;
#define FUZZ_ADD(from, to) (memcpy(joined + k, p + (from), (to) - (from)), k += (to) - (from))
    if (s->flags & FU_HAS_SCHEME) {
        FUZZ_ADD(0, s->scheme_end);
        joined[k++] = ':';
    }
    if (s->flags & FU_HAS_NETLOC && s->netloc_start) {
        joined[k++] = '/';
        joined[k++] = '/';
    }
    FUZZ_ADD(s->netloc_start, s->path_start);
    FUZZ_ADD(s->path_start, s->path_end);
    if (s->flags & FU_HAS_QUERY) {
        joined[k++] = '?';
        FUZZ_ADD(s->path_end + 1, s->query_end);
    }
    if (s->flags & FU_HAS_FRAGMENT) {
        joined[k++] = '#';
        FUZZ_ADD(s->query_end + 1, n);
    }
#undef FUZZ_ADD
    FUZZ_CHECK(k == n && memcmp(joined, p, n) == 0);
}

/* --- findings ---------------------------------------------------------------------------------------------------------- */

static void check_findings(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form, int with_places) {
    static fu_problem *problems;
    static size_t capacity;
    fu_diagnostics found, whether;
    fu_start_diagnostics(&found);
    if (with_places) {
        found.problems = problems;
        found.capacity = capacity;
        found.grow = fuzz_grow;
        found.wanted = UINT32_MAX;
        found.window_length = SIZE_MAX;
    }
    fu_validate(table, p, s, form, &found);
    FUZZ_CHECK(!(s->flags & FU_PROVEN_VALID) || found.findings == 0);
    FUZZ_CHECK(!(found.findings & FU_VIOLATIONS) == (found.error_offset == FU_ABSENT));
    FUZZ_CHECK(found.error_offset == FU_ABSENT || (found.error_offset <= found.first_end && found.first_end <= s->length));
    fu_start_diagnostics(&whether);
    whether.only_whether = 1;
    fu_validate(table, p, s, form, &whether);
    FUZZ_CHECK(!(whether.findings & FU_VIOLATIONS) == !(found.findings & FU_VIOLATIONS));
    if (!with_places) return;
    problems = found.problems;
    capacity = found.capacity;
    uint32_t all = 0;
    size_t first = FU_ABSENT;
    for (size_t i = 0; i < found.count; i++) {
        const fu_problem *one = &problems[i];
        FUZZ_CHECK(one->start <= one->end && one->end <= s->length && one->term < FU_TERMS);
        all |= one->finding;
        if (one->finding & FU_VIOLATIONS && one->start < first) first = one->start;
    }
    FUZZ_CHECK(found.count < 65536 && all == found.findings && first == found.error_offset);
    fu_sort_problems(problems, found.count);
    for (size_t i = 1; i < found.count; i++) FUZZ_CHECK(!fu_is_before(&problems[i], &problems[i - 1]));
}

/* --- one input --------------------------------------------------------------------------------------------------------- */

static void check_same(const fu_spans *a, const fu_spans *b, size_t n) {
    const size_t blocks = (n + FU_BLOCK - 1) / FU_BLOCK;
    FUZZ_CHECK(a->scheme_end == b->scheme_end && a->netloc_start == b->netloc_start && a->path_start == b->path_start);
    FUZZ_CHECK(a->path_end == b->path_end && a->query_end == b->query_end && a->length == b->length);
    FUZZ_CHECK(a->flags == b->flags && a->scheme == b->scheme);
    for (size_t i = 0; i < blocks && i < FU_SUSPECT_BLOCKS; i++) FUZZ_CHECK(a->suspect[i] == b->suspect[i]);
}

FUZZ_TARGET {
    fu_spans spans, other;
    const fu_form form = in.one & 1 ? FU_FORM_TARGET : FU_FORM_URL;
    const int any_first = (in.one & 2) != 0;
    runtime->kernels[0]->split(runtime->schemes, in.p, in.n, form, any_first, &spans);
    for (FUZZ_EACH_WIDER(kernel, runtime)) {
        kernel->split(runtime->schemes, in.p, in.n, form, any_first, &other);
        check_same(&spans, &other, in.n);
    }
    check_cut(runtime->schemes, in.p, in.n, form, any_first, &spans);
    check_together(in.p, in.n, &spans);
    check_findings(runtime->schemes, in.p, &spans, form, in.one & 4);
}
