/* A deduplication key that is equal for URLs of one page: the normal form without tracking parameters and fragment, its query
 * sorted; and the key's 64-bit hash. */
#ifndef FASTURL_DEDUP_H
#define FASTURL_DEDUP_H

#include <stddef.h>
#include <stdint.h>

#include "functions/querylist.h"
#include "split/urllib.h"
#include "functions/normalize.h"

/* XXH64, the 64-bit hash of the xxHash specification, with seed 0. The result is the same on every machine. */

#define FU_PRIME_1 0x9E3779B185EBCA87u
#define FU_PRIME_2 0xC2B2AE3D27D4EB4Fu
#define FU_PRIME_3 0x165667B19E3779F9u
#define FU_PRIME_4 0x85EBCA77C2B2AE63u
#define FU_PRIME_5 0x27D4EB2F165667C5u

/* Read `count` bytes as a little-endian number. */
static inline uint64_t fu_little(const uint8_t *p, unsigned count) {
    uint64_t word = 0;
    for (unsigned i = 0; i < count; i++) word |= (uint64_t)p[i] << (8 * i);
    return word;
}

static inline uint64_t fu_rotate_left(uint64_t x, unsigned bits) { return x << bits | x >> (64 - bits); }

static inline uint64_t fu_hash_round(uint64_t lane, uint64_t word) {
    return fu_rotate_left(lane + word * FU_PRIME_2, 31) * FU_PRIME_1;
}

static inline uint64_t fu_hash_merge(uint64_t hash, uint64_t lane) {
    return (hash ^ fu_hash_round(0, lane)) * FU_PRIME_1 + FU_PRIME_4;
}

static inline uint64_t fu_hash(const uint8_t *p, size_t n) {
    const uint8_t *end = p + n;
    uint64_t hash = FU_PRIME_5;
    if (n >= 32) {
        uint64_t a = FU_PRIME_1 + FU_PRIME_2, b = FU_PRIME_2, c = 0, d = 0 - FU_PRIME_1;
        for (; end - p >= 32; p += 32) {
            a = fu_hash_round(a, fu_little(p, 8));
            b = fu_hash_round(b, fu_little(p + 8, 8));
            c = fu_hash_round(c, fu_little(p + 16, 8));
            d = fu_hash_round(d, fu_little(p + 24, 8));
        }
        hash = fu_rotate_left(a, 1) + fu_rotate_left(b, 7) + fu_rotate_left(c, 12) + fu_rotate_left(d, 18);
        hash = fu_hash_merge(fu_hash_merge(fu_hash_merge(fu_hash_merge(hash, a), b), c), d);
    }
    hash += n;
    for (; end - p >= 8; p += 8) hash = fu_rotate_left(hash ^ fu_hash_round(0, fu_little(p, 8)), 27) * FU_PRIME_1 + FU_PRIME_4;
    if (end - p >= 4) {
        hash = fu_rotate_left(hash ^ fu_little(p, 4) * FU_PRIME_1, 23) * FU_PRIME_2 + FU_PRIME_3;
        p += 4;
    }
    for (; p < end; p++) hash = fu_rotate_left(hash ^ *p * FU_PRIME_5, 11) * FU_PRIME_1;
    hash = (hash ^ hash >> 33) * FU_PRIME_2;
    hash = (hash ^ hash >> 29) * FU_PRIME_3;
    return hash ^ hash >> 32;
}

enum {
    FU_DEDUP_NORMALIZE = 1 << 0,
    FU_DEDUP_SORT = 1 << 1,
    FU_DEDUP_FRAGMENT = 1 << 2, /* drop the fragment */
    FU_DEDUP_DROP = 1 << 3      /* drop pairs that match a pattern, and a "?" left empty */
};

/* The patterns of names that trackers add to a query, which a key drops by default. The sources are the lists of ClearURLs
 * (https://github.com/ClearURLs/Rules/blob/master/data.min.json; si, share_id and rdt are of YouTube, Spotify and Reddit) and of
 * AdGuard (https://github.com/AdguardTeam/AdguardFilters/blob/master/TrackParamFilter/sections/general_url.txt). Others:
 * pk_*: https://matomo.org/faq/how-to/faq_120. epik: https://developers.pinterest.com/docs/api/v5/events-create.
 * ttclid: https://ads.tiktok.com/help/article/tiktok-click-id. li_fat_id:
 * https://learn.microsoft.com/linkedin/marketing/conversions/enabling-first-party-cookies. */
static const char *const fu_tracking_names[] = {
    "utm_*",   "gclid",       "gclsrc",     "dclid",     "gbraid", "wbraid", "srsltid", "fbclid", "msclkid",  "yclid",  "ysclid",
    "twclid",  "ttclid",      "igshid",     "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "_ga",    "_gl",      "_hsenc", "_hsmi",
    "vero_id", "oly_anon_id", "oly_enc_id", "wickedid",  "mtm_*",  "pk_*",   "epik",    "si",     "share_id", "rdt"};
#define FU_TRACKING_NAMES (sizeof fu_tracking_names / sizeof fu_tracking_names[0])

/* Return the memory for the pairs of a query in a text of n bytes, wherever it starts. */
static inline size_t fu_pieces_size(size_t n) { return (n / 2 + 4) * sizeof(fu_slice); }

/* Return the first aligned slice in such memory. */
static inline fu_slice *fu_pieces_in(uint8_t *memory) {
    return (fu_slice *)(void *)(memory + sizeof(fu_slice) - (uintptr_t)memory % sizeof(fu_slice));
}

/* Return the memory that fu_dedup_key needs for a text of n bytes: the key, a working copy, and the pairs of its query. */
static inline size_t fu_dedup_capacity(size_t n) { return 2 * n + 1 + fu_pieces_size(n); }

/* The order of two slices: 1 if the first comes before the second. */
typedef int (*fu_slice_order)(const fu_slice *a, const fu_slice *b);

static inline int fu_slice_before(const fu_slice *a, const fu_slice *b) {
    int order = memcmp(a->p, b->p, a->n < b->n ? a->n : b->n);
    return order != 0 ? order < 0 : a->n < b->n;
}

/* Restore the heap of `count` slices below index i. The top of the heap is the last slice in order. */
static inline void fu_sink_piece(fu_slice *pieces, size_t i, size_t count, fu_slice_order is_before) {
    const fu_slice moved = pieces[i];
    for (size_t child; (child = 2 * i + 1) < count; i = child) {
        if (child + 1 < count && is_before(&pieces[child], &pieces[child + 1])) child++;
        if (!is_before(&moved, &pieces[child])) break;
        pieces[i] = pieces[child];
    }
    pieces[i] = moved;
}

static inline void fu_sort_pieces(fu_slice *pieces, size_t count, fu_slice_order is_before) {
    for (size_t i = count / 2; i-- > 0;) fu_sink_piece(pieces, i, count, is_before);
    for (size_t last = count; last-- > 1;) {
        const fu_slice top = pieces[0];
        pieces[0] = pieces[last];
        pieces[last] = top;
        fu_sink_piece(pieces, 0, last, is_before);
    }
}

/* Write the query [start, end) without empty pairs, and return its length. FU_DEDUP_DROP omits the pairs that match a pattern.
 * FU_DEDUP_SORT sorts the pairs by their bytes. */
static inline size_t fu_write_key_query(const uint8_t *p, size_t start, size_t end, unsigned steps, const fu_name *patterns,
                                        size_t patterns_count, fu_slice *pieces, uint8_t *to) {
    size_t count = 0, length = 0, at = start;
    fu_pair pair;
    while (fu_next_nonempty_pair(p, end, &at, &pair)) {
        if (steps & FU_DEDUP_DROP && fu_is_of_patterns(p, &pair, patterns, patterns_count)) continue;
        pieces[count].p = p + pair.start;
        pieces[count++].n = pair.end - pair.start;
    }
    if (steps & FU_DEDUP_SORT) fu_sort_pieces(pieces, count, fu_slice_before);
    for (size_t i = 0; i < count; i++) {
        if (i > 0) to[length++] = '&';
        memcpy(to + length, pieces[i].p, pieces[i].n);
        length += pieces[i].n;
    }
    return length;
}

/* Write the key of a text to `to`, which has fu_dedup_capacity(n) bytes. */
static inline fu_result fu_dedup_key(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, unsigned steps,
                                     const fu_name *patterns, size_t count, uint8_t *to) {
    const uint8_t *const text = p;
    size_t n = s->length, start, end;
    uint8_t *copy = to + n + 1;
    fu_slice *pieces = fu_pieces_in(copy + n);
    if (steps & FU_DEDUP_NORMALIZE) {
        n = fu_normal(table, p, s, 0, copy);
        p = copy;
    }
    const int has_query = fu_query_span(p, n, &start, &end);
    size_t length = has_query ? start - 1 : end;
    if (length) memcpy(to, p, length);
    /* http://h is http://h/ (section 3.3). */
    if (steps & FU_DEDUP_NORMALIZE && s->flags & FU_HAS_NETLOC && s->path_start == s->path_end &&
        fu_shape_of(table, s->scheme) == FU_SHAPE_HTTP)
        to[length++] = '/';
    if (has_query) {
        size_t query = end - start;
        if (steps & (FU_DEDUP_DROP | FU_DEDUP_SORT))
            query = fu_write_key_query(p, start, end, steps, patterns, count, pieces, to + length + 1);
        else if (query)
            memcpy(to + length + 1, p + start, query);
        if (query || !(steps & FU_DEDUP_DROP)) {
            to[length] = '?';
            length += 1 + query;
        } else if (steps & FU_DEDUP_NORMALIZE && fu_traits[fu_shape_of(table, s->scheme)].qmark != FU_QMARK_SEARCH) {
            fu_spans rest = *s; /* without the "?", the text before it may be a host */
            rest.query_end = rest.length = s->path_end;
            length = fu_normal(table, text, &rest, 0, to);
        }
    }
    if (!(steps & FU_DEDUP_FRAGMENT) && end < n) {
        memcpy(to + length, p + end, n - end);
        length += n - end;
    }
    return fu_new_text(length);
}

#endif
