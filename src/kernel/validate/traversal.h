/* TRAVERSAL: dot segments that climb above the root of a path (RFC 3986 section 5.2.4), plain, escaped up to three levels deep, or
 * divided by "\". */
#ifndef FASTURL_TRAVERSAL_H
#define FASTURL_TRAVERSAL_H

#include "ascii.h"
#include "split/shapes.h"
#include "split/spans.h"
#include "validate/diagnostics.h"

/* Return the end of the two hex digits that start at `at`, each raw or escaped; 0 if they are none. After a "%" or its escape, such
 * digits are an escape once the text is decoded. */
static inline size_t fu_nested_digits_end(const uint8_t *p, size_t n, size_t at) {
    for (int digit = 0; digit < 2; digit++) {
        if (at >= n) return 0;
        const int byte = fu_escape_value(p + at, n - at);
        if (HEX_VALUE[byte < 0 ? p[at] : byte] < 0) return 0;
        at += byte < 0 ? 1 : 3;
    }
    return at;
}

/* Return 1 if the digits at `at`, which fu_nested_digits_end has found, may become a dot: they stand for a dot, for a "%", or for a
 * digit of an escape. */
static inline int fu_may_become_dot(const uint8_t *p, size_t n, size_t at) {
    const int first = fu_escape_value(p + at, n - at);
    const size_t second_at = at + (first < 0 ? 1 : 3);
    const int second = fu_escape_value(p + second_at, n - second_at);
    const int byte = HEX_VALUE[first < 0 ? p[at] : first] << 4 | HEX_VALUE[second < 0 ? p[second_at] : second];
    return byte == '.' || byte == '%' || HEX_VALUE[byte & 255] >= 0;
}

/* Return 1 if another dot, raw or escaped once, stands beside the escaped dot at p[i]. */
static inline int fu_has_dot_beside(const uint8_t *p, size_t n, size_t i) {
    if (i > 0 && p[i - 1] == '.') return 1;
    return i + 3 < n && (p[i + 3] == '.' || fu_escape_value(p + i + 3, n - i - 3) == '.');
}

enum { FU_TRAVERSAL_LEVELS = 3 };

/* Read one byte at *at of p[0:end], which is decoded `levels` times, and advance *at; *at < end. A byte has at most 27 bytes of
 * text, so the cost of a text stays linear. */
static inline uint8_t fu_decoded_once(const uint8_t *p, size_t end, size_t *at) {
    const int byte = fu_escape_value(p + *at, end - *at);
    const uint8_t raw = p[*at];
    *at += byte < 0 ? 1 : 3;
    return byte < 0 ? raw : (uint8_t)byte;
}

#define FU_DECODE_AGAIN(name, below)                                            \
    static FU_NOINLINE uint8_t name(const uint8_t *p, size_t end, size_t *at) { \
        const uint8_t byte = below(p, end, at);                                 \
        size_t next = *at;                                                      \
        if (byte != '%' || next >= end) return byte;                            \
        const int high = HEX_VALUE[below(p, end, &next)];                       \
        if (high < 0 || next >= end) return byte;                               \
        const int low = HEX_VALUE[below(p, end, &next)];                        \
        if (low < 0) return byte;                                               \
        *at = next;                                                             \
        return (uint8_t)(high << 4 | low);                                      \
    }
FU_DECODE_AGAIN(fu_decoded_twice, fu_decoded_once)
FU_DECODE_AGAIN(fu_decoded_thrice, fu_decoded_twice)

static inline uint8_t fu_decoded_at(const uint8_t *p, size_t end, size_t *at, int levels) {
    switch (levels) {
    case 0: return p[(*at)++];
    case 1: return fu_decoded_once(p, end, at);
    case 2: return fu_decoded_twice(p, end, at);
    default: return fu_decoded_thrice(p, end, at);
    }
}

/* Find the first segment of the path [start, end) that climbs above its root after decoding `levels` times. Return 1 with its
 * range. An empty segment is none, as in a file system. `data_qmark`: a "?" is data in one reading and ends the path in another.
 * *more: whether a "%" is left, which another decoding may change. */
static inline int fu_climbs(const uint8_t *p, size_t start, size_t end, int levels, int data_qmark, int *more, fu_range *found) {
    size_t depth = 0, segment = start, dots = 0;
    int is_name = 0; /* the segment holds something else than dots */
    *more = 0;
    for (size_t at = start;;) {
        const size_t here = at;
        const uint8_t byte = at < end ? fu_decoded_at(p, end, &at, levels) : '/';
        const int divides = byte == '/' || byte == '\\';
        if ((divides || (data_qmark && p[here] == '?')) && !is_name && dots == 2 && depth == 0) {
            found->start = segment;
            found->end = here;
            return 1;
        }
        if (here >= end) return 0;
        if (!divides) {
            *more |= byte == '%';
            is_name |= byte != '.';
            dots += byte == '.';
            continue;
        }
        if (is_name || dots > 2)
            depth++;
        else if (dots == 2)
            depth--;
        segment = at;
        dots = 0;
        is_name = 0;
    }
}

/* Report TRAVERSAL once: at the segment that climbs after the fewest decodings. A path starts with a "/" or a "\"; only a request
 * target's may start with a segment. */
static FU_NOINLINE void fu_find_traversal(const uint8_t *p, const fu_spans *s, fu_form form, fu_shape shape, fu_diagnostics *v) {
    const int has_scheme = (s->flags & FU_HAS_SCHEME) != 0, data_qmark = has_scheme && fu_traits[shape].qmark == FU_QMARK_DATA;
    const size_t end = data_qmark ? s->query_end : s->path_end;
    size_t start = has_scheme ? s->scheme_end + 1 : 0;
    if (has_scheme && fu_traits[shape].login == FU_LOGIN_NONE) return;
    if (s->flags & FU_HAS_NETLOC) { /* in a browser's reading, a "\" ends the login too */
        start = s->netloc_start;
        while (start < end && p[start] != '/' && p[start] != '\\') start++;
    } else if (start >= end || (p[start] != '/' && p[start] != '\\' && (has_scheme || form != FU_FORM_TARGET))) {
        return;
    }
    fu_range found;
    int more = 1;
    for (int levels = 0; levels <= FU_TRAVERSAL_LEVELS && more; levels++)
        if (fu_climbs(p, start, end, levels, data_qmark, &more, &found)) {
            fu_add(v, FU_TRAVERSAL, FU_TERM_BYTE, found.start, found.end);
            return;
        }
}

#endif
