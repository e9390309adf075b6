/* UTF-8 with errors replaced by U+FFFD, as Python decodes it: one per truncated sequence, and one per byte that starts no
 * sequence.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_UTF8_REPLACE_H
#define FASTURL_UTF8_REPLACE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "escapes/utf8.h"

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
