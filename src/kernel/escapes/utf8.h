/* UTF-8: decode one sequence; encode and decode whole texts that fit on the stack.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_UTF8_H
#define FASTURL_UTF8_H

#include <stddef.h>
#include <stdint.h>

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
        uint32_t c = width == 1   ? ((const uint8_t *)points)[i]
                     : width == 2 ? ((const uint16_t *)points)[i]
                                  : ((const uint32_t *)points)[i];
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

#endif
