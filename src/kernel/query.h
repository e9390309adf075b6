/* Where a URL's query and password stand, and one pair of a query at a time. Offsets count octets.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_QUERY_H
#define FASTURL_QUERY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What stands between the first ? and the first #; 0 when a # or nothing comes before any ?. */
static inline int fu_query_span(const uint8_t *p, size_t n, size_t *start, size_t *end) {
    const uint8_t *hash = n ? (const uint8_t *)memchr(p, '#', n) : NULL;
    const uint8_t *mark;
    *end = hash ? (size_t)(hash - p) : n;
    mark = *end ? (const uint8_t *)memchr(p, '?', *end) : NULL;
    if (!mark) return 0;
    *start = (size_t)(mark - p) + 1;
    return 1;
}

typedef struct {
    size_t start, name_end, value, end; /* name: [start, name_end); value: [value, end) */
    int has_value;                      /* an = stands between the two; else both are empty at the end */
    int name_marks, value_marks;        /* whether a % or a + is in it */
} fu_pair;

/* The pair that starts at p[at]: it ends before the next `separator` or at n, and so may be empty. */
static inline void fu_next_pair(const uint8_t *p, size_t n, size_t at, uint8_t separator, fu_pair *pair) {
    int marks = 0;
    size_t i = at;
    pair->start = at;
    pair->name_marks = 0;
    for (; i < n && p[i] != separator && p[i] != '='; i++) marks |= p[i] == '%' || p[i] == '+';
    pair->name_end = i;
    pair->name_marks = marks;
    pair->has_value = i < n && p[i] != separator;
    pair->value = i;
    marks = 0;
    if (pair->has_value) {
        pair->value = ++i;
        for (; i < n && p[i] != separator; i++) marks |= p[i] == '%' || p[i] == '+';
    }
    pair->end = i;
    pair->value_marks = marks;
}

/* The password in the login of p[0:n]: from the first : of what stands between // and the netloc's last @, to that @.
 * The netloc starts at a // that is the text's first / ? or #, and that a : or nothing stands before; whatever claims to be
 * the scheme is not judged, since a URL with a bad scheme has a password to hide all the same. */
static inline int fu_password_span(const uint8_t *p, size_t n, size_t *start, size_t *end) {
    size_t i = 0, colon, stop, at;
    while (i < n && p[i] != '/' && p[i] != '?' && p[i] != '#') i++;
    if (n - i < 2 || p[i] != '/' || p[i + 1] != '/' || (i > 0 && p[i - 1] != ':')) return 0;
    i += 2;
    at = n;
    colon = n;
    for (stop = i; stop < n && p[stop] != '/' && p[stop] != '?' && p[stop] != '#'; stop++) {
        if (p[stop] == '@') at = stop;
        if (p[stop] == ':' && colon == n) colon = stop;
    }
    if (at == n || colon > at) return 0;
    *start = colon + 1;
    *end = at;
    return 1;
}

#endif
