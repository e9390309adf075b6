/* The split, written once for all kernels. Included after a masks_*.h, which defines fu_masks.
 *
 * It splits as urllib does. On the way it proves most web URLs valid and free of hazards (FU_PROVEN_VALID); validation checks
 * the rest. The proof may miss a valid URL, but never accepts an invalid one. */
#ifndef FASTURL_SPLIT_BODY_H
#define FASTURL_SPLIT_BODY_H

#include <string.h>

#include "split/invariants.h"
#include "split/masks.h"
#include "split/schemes.h"

#ifndef FU_LOW_BITS
#define FU_LOW_BITS(n) fu_low_bits(n)
#endif

#define FU_HEAD_IS(head, a, b, c, d, e, f, g, h)                                                                                \
    ((head) == (FU_BYTE(a, 0) | FU_BYTE(b, 1) | FU_BYTE(c, 2) | FU_BYTE(d, 3) | FU_BYTE(e, 4) | FU_BYTE(f, 5) | FU_BYTE(g, 6) | \
                FU_BYTE(h, 7)))
#define FU_SEVEN_BYTES (~FU_BYTE(0xff, 7))
/* Lowers the first four letters of a word that is ORed with it. */
#define FU_FOUR_LETTERS (FU_BYTE(0x20, 0) | FU_BYTE(0x20, 1) | FU_BYTE(0x20, 2) | FU_BYTE(0x20, 3))

/* Split a request target `host:digits`, as CONNECT has it: a netloc and nothing else. Return 0 for any other
 * text. */
static inline int fu_split_authority(const uint8_t *p, size_t n, fu_spans *out) {
    size_t colon = n;
    while (colon > 0 && fu_is(p[colon - 1], TERM_DIGIT)) colon--;
    if (colon == n || colon < 2 || p[colon - 1] != ':') return 0;
    size_t host_end = colon - 1;
    int brackets = p[0] == '[' && p[host_end - 1] == ']';
    for (size_t i = 0; i < host_end; i++) {
        if (p[i] == '/' || p[i] == '?' || p[i] == '#' || p[i] == '@') return 0;
        if (p[i] == ':' && !brackets) return 0;
    }
    out->scheme = FU_NO_SCHEME;
    out->scheme_end = out->netloc_start = 0;
    out->path_start = out->path_end = out->query_end = out->length = n;
    for (int i = 0; i < FU_SUSPECT_BLOCKS; i++) out->suspect[i] = ~(uint64_t)0; /* unknown: validation looks at each byte */
    out->flags = FU_HAS_NETLOC | FU_HAS_SUSPECT | FU_HAS_SUSPECT_BEYOND;
    return 1;
}

/* Return 1 if the host at bits [start, end) of a block is a hostname, 2 <= start < 64. Return 0 for a hostnumber, which is left
 * to validation. */
static inline int fu_block_hostname(const uint8_t *p, const fu_block *m, size_t start, size_t end) {
    const uint64_t host = FU_LOW_BITS(end) & ~FU_LOW_BITS(start);
    const uint64_t dots = m->dot & host;
    /* The host's ends and both neighbors of every dot must be letters or digits. A dot at either end of the host has a
     * delimiter as its neighbor, which is neither. */
    const uint64_t labels = dots | (uint64_t)1 << (start - 1);
    const uint64_t edges = labels << 1 | dots >> 1 | (uint64_t)1 << (end - 1);
    if ((host & ~(m->alnum | m->dot | m->hyphen)) | (edges & ~m->alnum)) return 0;
    return fu_is(p[64 - (size_t)__builtin_clzll(labels)], TERM_ALPHA);
}

/* Record the bytes outside xchar in the block at `base`: their mask in the first blocks, and only their existence after
 * those. */
static inline void fu_mark_non_xchar(const fu_block *m, size_t base, fu_span_detail detail, fu_spans *out, uint64_t *beyond) {
    if (base >= FU_BLOCK * FU_SUSPECT_BLOCKS)
        *beyond |= m->suspect;
    else if (detail == FU_DETAIL_ALL)
        out->suspect[base / FU_BLOCK] = m->suspect;
}

/* Split the common case: a web URL without a fragment whose netloc ends in the first block. For any other text return 0;
 * `out` is then undefined. m: the masks of the first block. detail: FU_DETAIL_NETLOC, which allows a fragment, or
 * FU_DETAIL_PLACES or more */
static inline int fu_split_plain_http(const fu_scheme_table *table, const uint8_t *p, size_t n, const fu_block *m,
                                      fu_span_detail detail, fu_spans *out) {
    const uint64_t hash = m->hash;
    uint64_t head;
    if (n < 8 || (hash && detail != FU_DETAIL_NETLOC)) return 0;
    memcpy(&head, p, 8);
    head |= FU_FOUR_LETTERS;
    /* Without a branch, because http and https alternate unpredictably. */
    const size_t https = FU_HEAD_IS(head | FU_BYTE(0x20, 4), 'h', 't', 't', 'p', 's', ':', '/', '/');
    const size_t http = FU_HEAD_IS(head & FU_SEVEN_BYTES, 'h', 't', 't', 'p', ':', '/', '/', 0);
    if (!(https | http) || table->https == FU_NO_SCHEME) return 0;
    const size_t start = 7 + https;
    const uint64_t ends = (m->slash | m->qmark | hash) & ~FU_LOW_BITS(start);
    if (!ends && n > FU_BLOCK) return 0;
    const size_t delimiter = ends ? (size_t)__builtin_ctzll(ends) : n;
    uint32_t flags = FU_HAS_SCHEME | FU_HAS_NETLOC;
    out->scheme = https ? table->https : FU_SCHEME_HTTP;
    out->scheme_end = 4 + https;
    out->netloc_start = start;
    out->path_start = delimiter;
    out->query_end = out->length = n;
    if (detail == FU_DETAIL_NETLOC) {
        out->path_end = n;
        out->flags = flags | (fu_block_hostname(p, m, start, delimiter) ? FU_NETLOC_IS_HOSTNAME | FU_PLAIN_HTTP : 0);
        return 1;
    }
    const uint64_t qmarks = m->qmark & ~FU_LOW_BITS(delimiter);
    size_t query = qmarks ? (size_t)__builtin_ctzll(qmarks) : n;
    /* The proof collects what would contradict it. Each mask may have bits too many, which only sends a valid URL to validation.
     *
     * reserved: bit for each "/" and "?" after the first '?', because RFC 1738 allows neither in a search. x ^ (x - 1) has all
     * bits up to and including the lowest bit of x, so its complement leaves the bytes after the first '?'. Without a '?', x is 0,
     * x ^ (x - 1) is all ones, and nothing is left. The last term adds a '?' that ends the netloc: the path is then empty, which
     * RFC 1738 does not allow before a search. delimiter is at most 64: a bit below 64, or n if the whole text fits this block.
     * At 64, a shift by 64 would be undefined. `& 63` then reads bit 0 instead, which is 0 because the first byte is "h".
     * later, beyond: bytes outside xchar after the first block, and after the blocks whose masks are recorded.
     * pairs: a dot after a dot. Without one, no ".." segment is possible. last_dot carries the dot at the end of a block. */
    uint64_t reserved = ((m->slash | m->qmark) & ~(qmarks ^ (qmarks - 1))) | (m->qmark >> (delimiter & 63) & 1);
    uint64_t later = 0, beyond = 0;
    uint64_t pairs = m->dot & m->dot << 1, last_dot = m->dot >> 63;
    fu_mark_non_xchar(m, 0, detail, out, &beyond);
    for (size_t base = FU_BLOCK; base < n; base += FU_BLOCK) {
        fu_block next;
        FU_PREFETCH_AHEAD(p + base);
        fu_masks(p + base, n - base < FU_BLOCK ? n - base : FU_BLOCK, &next);
        if (next.hash) return 0;
        later |= next.suspect;
        fu_mark_non_xchar(&next, base, detail, out, &beyond);
        uint64_t searched = ~(uint64_t)0;
        if (query == n) {
            pairs |= next.dot & (next.dot << 1 | last_dot);
            last_dot = next.dot >> 63;
            if (next.qmark) query = base + (size_t)__builtin_ctzll(next.qmark);
            searched = ~(next.qmark ^ (next.qmark - 1)); /* after the first '?', as above */
        }
        reserved |= (next.slash | next.qmark) & searched;
    }
    flags |= query < n ? FU_HAS_QUERY : 0;
    if (detail == FU_DETAIL_ALL) {
        flags |= m->suspect | later ? FU_HAS_SUSPECT : 0;
        flags |= beyond ? FU_HAS_SUSPECT_BEYOND : 0;
        flags |= pairs ? FU_HAS_DOT_PAIR : 0;
    }
    if (detail >= FU_DETAIL_HOST && fu_block_hostname(p, m, start, delimiter)) {
        flags |= FU_NETLOC_IS_HOSTNAME | FU_PLAIN_HTTP;
        if (detail == FU_DETAIL_ALL) {
            flags |= reserved ? 0 : FU_NO_STRAY_RESERVED;
            /* The host is a hostname, so there is no login and no port. All bytes are xchar without escapes, the search has no
             * reserved byte, and no segment is "..". So section 5 derives the URL, and it has no hazard. */
            flags |= m->suspect | later | reserved | pairs ? 0 : FU_PROVEN_VALID;
        }
    }
    out->path_end = query;
    out->flags = flags;
    return 1;
}

/* Find the scheme of a text by the masks of its first block. Return the offset after its ":", or 0 without a scheme. any_first:
 * the scheme may also start with a digit, "+", "-" or ".", as in RFC 1738; urllib requires a letter. A registered scheme may
 * start with any of these, whatever any_first is. */
static inline size_t fu_split_scheme(const fu_scheme_table *table, const uint8_t *p, size_t n, const fu_block *m, int any_first,
                                     fu_spans *out) {
    uint64_t other = ~(m->alnum | m->dot | m->hyphen);
    size_t end = other ? (size_t)__builtin_ctzll(other) : FU_BLOCK;
    if (end >= n || p[end] == '+' || end == FU_BLOCK)
        while (end < n && fu_is(p[end], TERM_SCHEME)) end++;
    if (end >= n || p[end] != ':' || end == 0) return 0;
    out->scheme = fu_find_scheme(table, p, end);
    if (!any_first && !fu_is(p[0], TERM_ALPHA) && out->scheme == FU_NO_SCHEME) return 0;
    out->scheme_end = end;
    return end + 1;
}

/* Return the end of the netloc that starts at `start`, by the masks of the text's first block. */
static inline size_t fu_netloc_end(const uint8_t *p, size_t n, size_t start, const fu_block *m) {
    uint64_t ends = (m->slash | m->qmark | m->hash) & ~fu_low_bits(start);
    if (ends) return (size_t)__builtin_ctzll(ends);
    size_t end = start;
    if (end < FU_BLOCK) end = n < FU_BLOCK ? n : FU_BLOCK;
    while (end < n && p[end] != '/' && p[end] != '?' && p[end] != '#') end++;
    return end;
}

typedef struct {
    size_t query, fragment; /* the first '?' and '#', or FU_ABSENT */
    uint64_t suspect, beyond, reserved, dot_pairs;
} fu_tail;

/* Scan the text from `start` once, block by block: find the first '?' and '#', the reserved bytes in the query, and the bytes
 * outside xchar. m: the masks of the first block on entry, those of the last block on return. */
static inline fu_tail fu_split_tail(const uint8_t *p, size_t n, size_t start, fu_block *m, fu_span_detail detail, fu_spans *out) {
    fu_tail tail = {FU_ABSENT, FU_ABSENT, m->suspect, 0, 0, m->dot & m->dot << 1};
    uint64_t last_dot = m->dot >> 63;
    size_t base = 0;
    uint64_t from = ~fu_low_bits(start);
    fu_mark_non_xchar(m, 0, detail, out, &tail.beyond);
    for (;;) {
        /* from: the bytes of this block at or after `start`. before: those before the '#', or all. searched: those of the query. */
        if (tail.fragment == FU_ABSENT) {
            uint64_t hash = m->hash & from, before = ~(uint64_t)0;
            if (hash) {
                before = (hash & (~hash + 1)) - 1; /* all bits below the lowest bit of hash */
                tail.fragment = base + (size_t)__builtin_ctzll(hash);
            }
            uint64_t searched = tail.query == FU_ABSENT ? 0 : before;
            if (tail.query == FU_ABSENT) {
                uint64_t qmark = m->qmark & from & before;
                if (qmark) {
                    tail.query = base + (size_t)__builtin_ctzll(qmark);
                    searched = before & ~(qmark ^ (qmark - 1));
                }
            }
            tail.reserved |= (m->slash | m->qmark) & searched;
        }
        base += FU_BLOCK;
        if (base >= n) return tail;
        FU_PREFETCH_AHEAD(p + base);
        fu_masks(p + base, n - base < FU_BLOCK ? n - base : FU_BLOCK, m);
        tail.suspect |= m->suspect;
        if (tail.query == FU_ABSENT) {
            tail.dot_pairs |= m->dot & (m->dot << 1 | last_dot);
            last_dot = m->dot >> 63;
        }
        fu_mark_non_xchar(m, base, detail, out, &tail.beyond);
        from = start <= base ? ~(uint64_t)0 : ~fu_low_bits(start - base);
    }
}

/* Write path_end and query_end, and return the flags of query and fragment. */
static inline uint32_t fu_put_tail(const fu_tail *tail, size_t n, fu_spans *out) {
    out->query_end = tail->fragment == FU_ABSENT ? n : tail->fragment;
    out->path_end = tail->query == FU_ABSENT ? out->query_end : tail->query;
    return (tail->fragment == FU_ABSENT ? 0u : FU_HAS_FRAGMENT) | (tail->query == FU_ABSENT ? 0u : FU_HAS_QUERY);
}

/* Split a text that fu_split_plain_http refused. n: at least 1. m: the masks of the first block; overwritten. detail:
 * FU_DETAIL_PLACES or FU_DETAIL_ALL */
static inline void fu_split_rest(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, int any_first,
                                 fu_block *m, fu_span_detail detail, fu_spans *out) {
    const int origin = form == FU_FORM_TARGET && p[0] == '/';
    out->scheme = FU_NO_SCHEME;
    out->scheme_end = 0;
    out->length = n;
    size_t start = origin ? 0 : fu_split_scheme(table, p, n, m, any_first, out);
    uint32_t flags = start ? FU_HAS_SCHEME : 0;
    out->netloc_start = start;
    if (!origin && n - start >= 2 && p[start] == '/' && p[start + 1] == '/') {
        flags |= FU_HAS_NETLOC;
        out->netloc_start = start + 2;
        start = fu_netloc_end(p, n, start + 2, m);
    }
    const fu_tail tail = fu_split_tail(p, n, start, m, detail, out);
    out->path_start = start;
    out->flags = flags |= fu_put_tail(&tail, n, out);
    if (detail == FU_DETAIL_PLACES) return;
    flags |= tail.suspect ? FU_HAS_SUSPECT : 0;
    flags |= tail.beyond ? FU_HAS_SUSPECT_BEYOND : 0;
    flags |= tail.dot_pairs ? FU_HAS_DOT_PAIR : 0;
    if (flags & FU_HAS_NETLOC && out->netloc_start < start && start <= FU_BLOCK) {
        if (n > FU_BLOCK) fu_masks(p, FU_BLOCK, m);
        if (fu_block_hostname(p, m, out->netloc_start, start)) flags |= FU_NETLOC_IS_HOSTNAME;
    }
    if (!tail.reserved) {
        int is_http = flags & FU_NETLOC_IS_HOSTNAME && fu_shape_of(table, out->scheme) == FU_SHAPE_HTTP;
        if (is_http && (tail.query == FU_ABSENT || tail.query > start)) flags |= FU_NO_STRAY_RESERVED;
        const int is_valid = origin || (flags & FU_NO_STRAY_RESERVED && fu_is_plain_scheme(p, out->scheme_end));
        if (!tail.suspect && !tail.dot_pairs && is_valid) flags |= FU_PROVEN_VALID;
    }
    out->flags = flags;
}

static inline void fu_split_any(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, int any_first,
                                fu_spans *out) {
    fu_block m;
    if (n == 0) {
        out->scheme = FU_NO_SCHEME;
        out->scheme_end = out->netloc_start = out->path_start = out->path_end = out->query_end = out->length = 0;
        out->flags = 0;
        return;
    }
    if (form == FU_FORM_TARGET && p[0] != '/' && fu_split_authority(p, n, out)) return;
    fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
    if (fu_split_plain_http(table, p, n, &m, FU_DETAIL_ALL, out)) return;
    fu_split_rest(table, p, n, form, any_first, &m, FU_DETAIL_ALL, out);
}

#ifdef NDEBUG
#define FU_CHECK_DETAIL(table, p, n, form, detail, s) ((void)0)
#else
#define FU_CHECK_DETAIL(table, p, n, form, detail, s) fu_check_detail(table, p, n, form, detail, s)

/* Assert that a partial split agrees with the whole split. */
static inline void fu_check_detail(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, fu_span_detail detail,
                                   const fu_spans *s) {
    uint32_t flags = FU_HAS_QUERY | FU_HAS_FRAGMENT;
    fu_spans whole;
    if (detail == FU_DETAIL_ALL) fu_check_split(table, p, n, form, s);
    fu_check_offsets(n, s);
    if (detail == FU_DETAIL_ALL || fu_texts_may_change) return;
    fu_split_any(table, p, n, form, 0, &whole);
    if (detail >= FU_DETAIL_PLACES) flags |= FU_HAS_SCHEME | FU_HAS_NETLOC;
    if (detail >= FU_DETAIL_HOST) flags |= FU_NETLOC_IS_HOSTNAME | FU_PLAIN_HTTP;
    if (detail == FU_DETAIL_NETLOC) flags = FU_HAS_SCHEME | FU_HAS_NETLOC | FU_NETLOC_IS_HOSTNAME;
    assert(((s->flags ^ whole.flags) & flags) == 0);
    if (detail != FU_DETAIL_NETLOC) assert(s->path_end == whole.path_end && s->query_end == whole.query_end);
    if (detail == FU_DETAIL_TAIL) return;
    assert(s->scheme_end == whole.scheme_end && s->netloc_start == whole.netloc_start && s->path_start == whole.path_start);
    assert(s->scheme == whole.scheme);
}
#endif

FU_FLATTEN static FU_NOINLINE void fu_split(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, int any_first,
                                            fu_spans *out) {
    fu_split_any(table, p, n, form, any_first, out);
    FU_CHECK_SPLIT(table, p, n, form, out);
}

/* The uncommon case of fu_split_inline. It computes the masks again: to pass them, the common case would have to store all
 * of them, and it reads only a few. */
static inline void fu_split_uncommon(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_span_detail detail,
                                     fu_spans *out) {
    fu_block m;
    fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
    fu_split_rest(table, p, n, FU_FORM_URL, 0, &m, detail, out);
}

/* Out of line, so that all loops share one copy. */
FU_FLATTEN static FU_NOINLINE void fu_split_rest_to_places(const fu_scheme_table *table, const uint8_t *p, size_t n,
                                                           fu_spans *out) {
    fu_split_uncommon(table, p, n, FU_DETAIL_PLACES, out);
}

FU_FLATTEN static FU_NOINLINE void fu_split_whole_rest(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_spans *out) {
    fu_split_uncommon(table, p, n, FU_DETAIL_ALL, out);
}

/* Split like fu_split, with the common case inlined, for loops over many texts. Return 1 for the common case. detail: any
 * but FU_DETAIL_TAIL */
static inline int fu_split_inline(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, fu_span_detail detail,
                                  fu_spans *out) {
    if (form != FU_FORM_URL || n == 0) {
        fu_split(table, p, n, form, 0, out);
        return 0;
    }
    fu_block m;
    fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
    const int is_common = fu_split_plain_http(table, p, n, &m, detail, out);
    if (!is_common && detail == FU_DETAIL_PLACES)
        fu_split_rest_to_places(table, p, n, out);
    else if (!is_common)
        fu_split_whole_rest(table, p, n, out);
    FU_CHECK_DETAIL(table, p, n, form, is_common || detail == FU_DETAIL_PLACES ? detail : FU_DETAIL_ALL, out);
    return is_common;
}

/* Split a text of either form with FU_DETAIL_TAIL. No scheme, netloc or `host:port` contains "?" or "#", so the query and the
 * fragment are found without them. */
static inline void fu_split_tail_inline(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, fu_spans *out) {
    fu_tail tail = {FU_ABSENT, FU_ABSENT, 0, 0, 0, 0};
    if (n > 0) {
        fu_block m;
        fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
        tail = fu_split_tail(p, n, 0, &m, FU_DETAIL_TAIL, out);
    }
    out->scheme = FU_NO_SCHEME;
    out->scheme_end = out->netloc_start = out->path_start = 0;
    out->length = n;
    out->flags = fu_put_tail(&tail, n, out);
    FU_CHECK_DETAIL(table, p, n, form, FU_DETAIL_TAIL, out);
    (void)table, (void)form; /* unused if NDEBUG is defined */
}

#endif
