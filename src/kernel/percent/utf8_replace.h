/* UTF-8 with its errors replaced by U+FFFD, as Python decodes it: one for each part of a sequence that could have become a
 * valid one, and one for each octet that starts none.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_UTF8_REPLACE_H
#define FASTURL_UTF8_REPLACE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "percent/utf8.h"

/* Where reading goes on behind octet i, i < n, up to which all is valid: behind the next sequence, or more that is valid; i where
 * an error stands there. */
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

/* How many octets at the start of p[0:n] are valid. */
static FU_NOINLINE size_t fu_utf8_valid(const uint8_t *p, size_t n) {
    size_t i = 0, next;
    while (i < n && (next = fu_utf8_valid_next(p, n, i)) > i) i = next;
    return i;
}

/* The valid octets at the start of p[0:n], n > 0, and the error behind them, written to *out. Returns where reading goes on. */
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

/* Writes p[0:n] with its errors replaced and returns its length. `out` has space for 3 * n octets and does not overlap p. */
static FU_NOINLINE size_t fu_utf8_replace(const uint8_t *p, size_t n, uint8_t *out) {
    const uint8_t *end = p + n;
    uint8_t *to = out;
    while (p < end) p = fu_utf8_replace_next(p, (size_t)(end - p), &to);
    return (size_t)(to - out);
}

#endif
