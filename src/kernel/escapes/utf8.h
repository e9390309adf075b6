/* UTF-8: decode one sequence; encode and decode whole texts that fit on the stack; replace errors by U+FFFD, as Python decodes it:
 * one per truncated sequence, and one per byte that starts no sequence.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_UTF8_H
#define FASTURL_UTF8_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ascii.h"
#include "compiler.h"

static inline int fu_utf8_follows(const uint8_t *p, size_t n, size_t i) { return i < n && (p[i] & 0xc0) == 0x80; }

/* Decode the sequence at p[0:n], n > 0, into *code and return its length. For an error, such as an overlong form or a
 * surrogate, return the negated number of bytes that are a prefix of a valid sequence, at least 1. */
static inline int fu_utf8_step(const uint8_t *p, size_t n, uint32_t *code) {
    uint32_t first = p[0];
    if (first < 0x80) {
        *code = first;
        return 1;
    }
    if (first < 0xc2 || first > 0xf4 || !fu_utf8_follows(p, n, 1)) return -1;
    if (first < 0xe0) {
        *code = (first & 0x1f) << 6 | (p[1] & 0x3fu);
        return 2;
    }
    if (first < 0xf0) {
        if ((first == 0xe0 && p[1] < 0xa0) || (first == 0xed && p[1] > 0x9f)) return -1;
        if (!fu_utf8_follows(p, n, 2)) return -2;
        *code = (first & 0x0f) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
        return 3;
    }
    if ((first == 0xf0 && p[1] < 0x90) || (first == 0xf4 && p[1] > 0x8f)) return -1;
    if (!fu_utf8_follows(p, n, 2)) return -2;
    if (!fu_utf8_follows(p, n, 3)) return -3;
    *code = (first & 0x07) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
    return 4;
}

/* Encode n code points of `width` bytes each (1, 2 or 4). Return the length: at most 2 * n, 3 * n or 4 * n for these widths.
 * Return SIZE_MAX if there is a surrogate, which UTF-8 cannot encode. */
static inline size_t fu_utf8_encode(const void *points, size_t n, int width, uint8_t *out) {
    uint8_t *start = out;
    for (size_t i = 0; i < n; i++) {
        const uint32_t c = fu_point_at(points, i, width);
        if (c < 0x80) {
            *out++ = (uint8_t)c;
        } else if (c < 0x800) {
            *out++ = (uint8_t)(0xc0 | c >> 6);
            *out++ = (uint8_t)(0x80 | (c & 0x3f));
        } else if (c < 0x10000) {
            if (c >= 0xd800 && c < 0xe000) return SIZE_MAX;
            *out++ = (uint8_t)(0xe0 | c >> 12);
            *out++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
            *out++ = (uint8_t)(0x80 | (c & 0x3f));
        } else {
            *out++ = (uint8_t)(0xf0 | c >> 18);
            *out++ = (uint8_t)(0x80 | (c >> 12 & 0x3f));
            *out++ = (uint8_t)(0x80 | (c >> 6 & 0x3f));
            *out++ = (uint8_t)(0x80 | (c & 0x3f));
        }
    }
    return (size_t)(out - start);
}

/* Decode p[0:n] and return the number of code points, at most n. Return SIZE_MAX for invalid UTF-8, which callers handle. */
static inline size_t fu_utf8_decode(const uint8_t *p, size_t n, uint32_t *out) {
    uint32_t *start = out;
    for (size_t i = 0; i < n; out++) {
        int step = fu_utf8_step(p + i, n - i, out);
        if (step < 0) return SIZE_MAX;
        i += (size_t)step;
    }
    return (size_t)(out - start);
}

/* Return an offset after i, i < n, up to which p[0:n] is valid if it is valid up to i. Return i if an error starts there. */
static inline size_t fu_utf8_valid_next(const uint8_t *p, size_t n, size_t i) {
    uint32_t code;
    if (n - i >= 8) {
        uint64_t eight;
        memcpy(&eight, p + i, 8);
        eight &= 0x8080808080808080u;
        if (eight == 0) return i + 8;
#ifdef FU_LITTLE_ENDIAN
        i += (size_t)__builtin_ctzll(eight) >> 3;
#endif
    }
    const int step = fu_utf8_step(p + i, n - i, &code);
    return step < 0 ? i : i + (size_t)step;
}

/* Return the length of the valid start of p[0:n]. */
static FU_NOINLINE size_t fu_utf8_valid(const uint8_t *p, size_t n) {
    size_t i = 0, next;
    while (i < n && (next = fu_utf8_valid_next(p, n, i)) > i) i = next;
    return i;
}

/* Copy the valid start of p[0:n], n > 0, and replace the error after it. Return the start of the rest. */
static inline const uint8_t *fu_utf8_replace_next(const uint8_t *p, size_t n, uint8_t **out) {
    const size_t valid = fu_utf8_valid(p, n);
    uint32_t code;
    memcpy(*out, p, valid);
    *out += valid;
    if (valid == n) return p + n;
    const int bad = -fu_utf8_step(p + valid, n - valid, &code);
    *(*out)++ = 0xef;
    *(*out)++ = 0xbf;
    *(*out)++ = 0xbd;
    return p + valid + bad;
}

/* Write p[0:n] with errors replaced and return the length. `out` has space for 3 * n bytes and does not overlap p. */
static FU_NOINLINE size_t fu_utf8_replace(const uint8_t *p, size_t n, uint8_t *out) {
    const uint8_t *end = p + n;
    uint8_t *to = out;
    while (p < end) p = fu_utf8_replace_next(p, (size_t)(end - p), &to);
    return (size_t)(to - out);
}

#endif
