/* Invariants of the spans of every text: asserts, which builds with NDEBUG omit. */
#ifndef FASTURL_INVARIANTS_H
#define FASTURL_INVARIANTS_H

#include <assert.h>

#include "validate/validate.h"

/* 1 if another owner of the memory may write a text while it is read, for example the producer of a column. Asserts then skip
 * every check that reads the text again. Only asserts read this variable. */
extern FU_EXPORT int fu_texts_may_change;

#ifdef NDEBUG
#define FU_CHECK_SPLIT(table, p, n, form, s) ((void)0)
#else
#define FU_CHECK_SPLIT(table, p, n, form, s) fu_check_split(table, p, n, form, s)

static inline int fu_implies(uint32_t flags, uint32_t given, uint32_t others) {
    return !(flags & given) || (flags & others) == others;
}

static inline void fu_check_offsets(size_t n, const fu_spans *s) {
    const uint32_t flags = s->flags;
    assert(s->length == n);
    assert(s->scheme_end <= s->netloc_start && s->netloc_start <= s->path_start);
    assert(s->path_start <= s->path_end && s->path_end <= s->query_end && s->query_end <= n);
    assert(!(flags & FU_HAS_SCHEME) == !s->scheme_end);
    assert(flags & FU_HAS_SCHEME ? s->scheme_end < s->netloc_start : s->scheme == FU_NO_SCHEME);
    assert(flags & FU_HAS_NETLOC || s->netloc_start == s->path_start);
    assert(!(flags & FU_HAS_NETLOC) || s->netloc_start != 1);
    assert(flags & FU_HAS_QUERY ? s->path_end < s->query_end : s->path_end == s->query_end);
    assert(flags & FU_HAS_FRAGMENT ? s->query_end < n : s->query_end == n);
}

static inline void fu_check_delimiters(const uint8_t *p, const fu_spans *s) {
    const uint32_t flags = s->flags;
    assert(!(flags & FU_HAS_SCHEME) || p[s->scheme_end] == ':');
    if (flags & FU_HAS_NETLOC && s->netloc_start) /* only the netloc of a request target `host:port` starts at 0 */
        assert(p[s->netloc_start - 1] == '/' && p[s->netloc_start - 2] == '/');
    assert(!(flags & FU_HAS_QUERY) || p[s->path_end] == '?');
    assert(!(flags & FU_HAS_FRAGMENT) || p[s->query_end] == '#');
}

static inline void fu_check_split(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, const fu_spans *s) {
    const uint32_t flags = s->flags;
    fu_check_offsets(n, s);
    assert(fu_implies(flags, FU_HAS_SUSPECT_BEYOND, FU_HAS_SUSPECT));
    assert(fu_implies(flags, FU_NETLOC_IS_HOSTNAME, FU_HAS_NETLOC));
    assert(fu_implies(flags, FU_PLAIN_HTTP, FU_HAS_SCHEME | FU_NETLOC_IS_HOSTNAME));
    assert(!(flags & FU_PLAIN_HTTP) || !(flags & FU_HAS_FRAGMENT));
    assert(fu_implies(flags, FU_NO_STRAY_RESERVED, FU_HAS_SCHEME | FU_NETLOC_IS_HOSTNAME));
    assert(!(flags & FU_PROVEN_VALID) || !(flags & FU_HAS_SUSPECT));
    if (fu_texts_may_change) return;
    fu_check_delimiters(p, s);
    size_t i = 0;
    while (i < n && fu_is(p[i], TERM_XCHAR)) i++;
    assert(i == n || flags & FU_HAS_SUSPECT);
    if (flags & FU_PROVEN_VALID) {
        fu_diagnostics found;
        fu_start_diagnostics(&found);
        fu_validate(table, p, s, form, &found);
        assert(found.findings == 0);
    }
}
#endif

#endif
