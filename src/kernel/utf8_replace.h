/* UTF-8 with its errors replaced by U+FFFD, as Python decodes it: one for each part of a sequence that could have become a
 * valid one, and one for each octet that starts none.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_UTF8_REPLACE_H
#define FASTURL_UTF8_REPLACE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include "builtins.h"
#define FU_LITTLE_ENDIAN 1
#elif defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define FU_LITTLE_ENDIAN 1
#endif

/* The sequence at p[0:n], n > 0: how many octets it takes, less than 0 when they are an error. */
static inline int fu_utf8_step(const uint8_t *p, size_t n) {
    uint8_t first = p[0], low = 0x80, high = 0xbf;
    int length;
    if (first < 0x80) return 1;
    if (first < 0xc2 || first > 0xf4) return -1;
    length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    /* The second octet tells overlong forms, surrogates and what is above 10FFFF. */
    if (first == 0xe0) low = 0xa0;
    if (first == 0xed) high = 0x9f;
    if (first == 0xf0) low = 0x90;
    if (first == 0xf4) high = 0x8f;
    for (int i = 1; i < length; i++) {
        if ((size_t)i == n || p[i] < low || p[i] > high) return -i;
        low = 0x80;
        high = 0xbf;
    }
    return length;
}

/* How many octets at the start of p[0:n] are valid. */
static inline size_t fu_utf8_valid(const uint8_t *p, size_t n) {
    size_t i = 0;
    while (i < n) {
        if (n - i >= 8) {
            uint64_t eight;
            memcpy(&eight, p + i, 8);
            eight &= 0x8080808080808080u;
            if (eight == 0) {
                i += 8;
                continue;
            }
#ifdef FU_LITTLE_ENDIAN
            i += (size_t)__builtin_ctzll(eight) >> 3;
#endif
        }
        int step = fu_utf8_step(p + i, n - i);
        if (step < 0) break;
        i += (size_t)step;
    }
    return i;
}

/* Writes p[0:n] with its errors replaced and returns its length. `out` has room for 3 * n octets and does not overlap p. */
static inline size_t fu_utf8_replace(const uint8_t *p, size_t n, uint8_t *out) {
    uint8_t *start = out;
    while (n) {
        size_t valid = fu_utf8_valid(p, n);
        memcpy(out, p, valid);
        out += valid;
        p += valid;
        n -= valid;
        if (!n) break;
        size_t bad = (size_t)-fu_utf8_step(p, n);
        *out++ = 0xef;
        *out++ = 0xbf;
        *out++ = 0xbd;
        p += bad;
        n -= bad;
    }
    return (size_t)(out - start);
}

#endif
