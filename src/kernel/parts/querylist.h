/* The names and values of a query: all of them, those of some names, and the URL without those that some patterns name.
 *
 * A pair is what stands between two "&" of the query that fu_split found; one of no octets is none. Names are compared as
 * they decode, octet by octet. No load leaves the query. */
#ifndef FASTURL_QUERYLIST_H
#define FASTURL_QUERYLIST_H

#include "parts/result.h"
#include "percent/query.h"

/* The pair at or after *at that has any octet, and *at past it; 0 when there is none. */
static inline int fu_next_listed(const uint8_t *p, size_t end, size_t *at, fu_pair *pair) {
    while (*at < end) {
        fu_next_pair(p, end, *at, '&', pair);
        *at = pair->end + 1;
        if (pair->end > pair->start) return 1;
    }
    return 0;
}

/* The first pair of each of these names, from `at` on. `found` is the first of as many pairs, each `stride` octets behind the
 * one before, whose `end` is FU_ABSENT: it stays so where no pair has the name. */
static inline void fu_find_values(const uint8_t *p, size_t at, size_t end, const fu_name *names, size_t count, fu_pair *found,
                                  size_t stride) {
    fu_pair pair;
    size_t missing = count;
    while (missing > 0 && fu_next_listed(p, end, &at, &pair))
        for (size_t i = 0; i < count; i++) {
            fu_pair *one = (fu_pair *)(void *)((uint8_t *)found + i * stride);
            if (one->end == FU_ABSENT &&
                fu_is_name(p + pair.start, pair.name_end - pair.start, pair.name_marks, &names[i])) {
                *one = pair;
                missing--;
            }
        }
}

/* One octet of a name as it decodes, and how far it reaches. */
static inline uint8_t fu_name_octet(const uint8_t *p, size_t i, size_t n, size_t *next) {
    int octet = fu_escape_value(p + i, n - i);
    *next = i + (octet < 0 ? 1 : 3);
    if (octet >= 0) return (uint8_t)octet;
    return p[i] == '+' ? ' ' : p[i];
}

/* Whether p[0:n], decoded, is of a pattern in which "*" stands for any octets, none too. When the rest after a "*" does not
 * fit, the last "*" takes one octet more, so that the cost is the product of both lengths at most. */
static inline int fu_is_of_pattern(const uint8_t *p, size_t n, const fu_name *pattern) {
    size_t i = 0, k = 0, next, star = FU_ABSENT, star_at = 0;
    while (i < n) {
        uint8_t octet = fu_name_octet(p, i, n, &next);
        if (k < pattern->length && pattern->octets[k] == '*') {
            star = k++;
            star_at = i;
        } else if (k < pattern->length && pattern->octets[k] == octet) {
            k++;
            i = next;
        } else if (star != FU_ABSENT) {
            fu_name_octet(p, star_at, n, &star_at);
            i = star_at;
            k = star + 1;
        } else {
            return 0;
        }
    }
    while (k < pattern->length && pattern->octets[k] == '*') k++;
    return k == pattern->length;
}

static inline int fu_is_of_patterns(const uint8_t *p, const fu_pair *pair, const fu_name *patterns, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (fu_is_of_pattern(p + pair->start, pair->name_end - pair->start, &patterns[i])) return 1;
    return 0;
}

/* Write the query [start, end) of p without the pairs of these patterns; `to` has space for it. Returns how many octets; 0
 * when no pair is left. *dropped: whether any pair went. */
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

/* The URL without them; without an empty "?" when that is all that they leave. `to` has space for all of the text. */
static inline fu_result fu_drop_query(const uint8_t *p, const fu_spans *s, const fu_name *patterns, size_t count,
                                      uint8_t *to) {
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
    return fu_made_result(written + s->length - s->query_end);
}

#endif
