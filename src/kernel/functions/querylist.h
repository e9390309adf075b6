/* The names and values of a query: all of them, those with given names, and the URL without those that match patterns.
 *
 * Pairs are separated by "&" in the query that fu_split found. Empty pairs are skipped. Names are compared in decoded form,
 * byte by byte. No load leaves the query. */
#ifndef FASTURL_QUERYLIST_H
#define FASTURL_QUERYLIST_H

#include "functions/result.h"
#include "escapes/query.h"

/* Find the first non-empty pair at or after *at, and advance *at past it. Return 0 if there is none. */
static inline int fu_next_nonempty_pair(const uint8_t *p, size_t end, size_t *at, fu_pair *pair) {
    while (*at < end) {
        fu_next_pair(p, end, *at, '&', pair);
        *at = pair->end + 1;
        if (pair->end > pair->start) return 1;
    }
    return 0;
}

/* Find the first pair of each name, from `at` on. `found` points to the first of `count` pairs, each `stride` bytes after the
 * one before. The caller has set each pair's `end` to FU_ABSENT, which stays if no pair has the name. */
static inline void fu_find_values(const uint8_t *p, size_t at, size_t end, const fu_name *names, size_t count, fu_pair *found,
                                  size_t stride) {
    fu_pair pair;
    size_t missing = count;
    while (missing > 0 && fu_next_nonempty_pair(p, end, &at, &pair))
        for (size_t i = 0; i < count; i++) {
            fu_pair *one = (fu_pair *)(void *)((uint8_t *)found + i * stride);
            if (one->end == FU_ABSENT && fu_is_name(p + pair.start, pair.name_end - pair.start, pair.name_marks, &names[i])) {
                *one = pair;
                missing--;
            }
        }
}

/* Return one decoded byte of a name, and in *next the offset after it. */
static inline uint8_t fu_name_byte(const uint8_t *p, size_t i, size_t n, size_t *next) {
    int byte = fu_escape_value(p + i, n - i);
    *next = i + (byte < 0 ? 1 : 3);
    if (byte >= 0) return (uint8_t)byte;
    return p[i] == '+' ? ' ' : p[i];
}

/* Return 1 if p[0:n], decoded, matches a pattern in which "*" stands for any number of bytes. If the text after a "*" does not
 * match, the last "*" takes one byte more. So the cost is at most the product of both lengths. */
static inline int fu_is_of_pattern(const uint8_t *p, size_t n, const fu_name *pattern) {
    size_t i = 0, k = 0, next, star = FU_ABSENT, star_at = 0;
    while (i < n) {
        uint8_t byte = fu_name_byte(p, i, n, &next);
        if (k < pattern->length && pattern->data[k] == '*') {
            star = k++;
            star_at = i;
        } else if (k < pattern->length && pattern->data[k] == byte) {
            k++;
            i = next;
        } else if (star != FU_ABSENT) {
            fu_name_byte(p, star_at, n, &star_at);
            i = star_at;
            k = star + 1;
        } else {
            return 0;
        }
    }
    while (k < pattern->length && pattern->data[k] == '*') k++;
    return k == pattern->length;
}

static inline int fu_is_of_patterns(const uint8_t *p, const fu_pair *pair, const fu_name *patterns, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (fu_is_of_pattern(p + pair->start, pair->name_end - pair->start, &patterns[i])) return 1;
    return 0;
}

/* Write the query [start, end) of p without the pairs that match the patterns, and return its length, 0 if no pair is left.
 * `to` has space for the query. *dropped: 1 if a pair was dropped. */
static inline size_t fu_write_query_without(const uint8_t *p, size_t start, size_t end, const fu_name *patterns, size_t count,
                                            uint8_t *to, int *dropped) {
    size_t length = 0;
    int any = 0, kept = 0;
    *dropped = 0;
    for (size_t at = start; at <= end;) {
        fu_pair pair;
        fu_next_pair(p, end, at, '&', &pair);
        at = pair.end + 1;
        if (pair.end > pair.start && fu_is_of_patterns(p, &pair, patterns, count)) {
            *dropped = 1;
            continue;
        }
        if (kept) to[length++] = '&';
        kept = 1;
        memcpy(to + length, p + pair.start, pair.end - pair.start);
        length += pair.end - pair.start;
        any |= pair.end > pair.start;
    }
    return any ? length : 0;
}

/* Return the URL without the pairs that match the patterns. If no pair is left, the "?" is dropped too. `to` has space for the
 * whole text. */
static inline fu_result fu_drop_params(const uint8_t *p, const fu_spans *s, const fu_name *patterns, size_t count, uint8_t *to) {
    const fu_result whole = fu_part_result(0, s->length);
    int dropped;
    if (!(s->flags & FU_HAS_QUERY)) return whole;
    size_t query = s->path_end + 1;
    size_t length = fu_write_query_without(p, query, s->query_end, patterns, count, to + query, &dropped);
    if (!dropped) return whole;
    size_t written = length ? query + length : s->path_end;
    if (written == s->path_end && s->query_end == s->length) return fu_part_result(0, written);
    memcpy(to, p, length ? query : s->path_end);
    memcpy(to + written, p + s->query_end, s->length - s->query_end);
    return fu_new_text(written + s->length - s->query_end);
}

#endif
