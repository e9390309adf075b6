/* Decoding of escapes: %XX becomes the byte; a "%" that starts no escape stays. RFC 1738 section 2.2.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_UNQUOTE_H
#define FASTURL_UNQUOTE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ascii.h"

/* Return the offset of the first "%" (with `plus`, of the first "+" or "%"), or n if there is none. */
static inline size_t fu_unquote_find_scalar(const uint8_t *p, size_t n, int plus) {
    size_t i = 0;
    while (i < n && p[i] != '%' && !(plus && p[i] == '+')) i++;
    return i;
}

/* Write p[0:n] decoded, at most n bytes, and return the length. With `plus`, each "+" becomes a space, and "%2B" becomes "+".
 * `out` has space for n bytes and does not overlap p. *seen collects the high bit of the bytes that come from escapes: if it
 * is below 80, ASCII input gives ASCII output. */
static inline size_t fu_unquote_write_scalar(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
    const uint8_t *end = p + n;
    uint8_t *start = out;
    uint8_t bits = 0;
    while (p < end) {
        int byte = *p == '%' ? fu_escape_value(p, (size_t)(end - p)) : -1;
        if (byte >= 0) {
            *out++ = (uint8_t)byte;
            bits |= (uint8_t)byte;
            p += 3;
        } else {
            *out++ = plus && *p == '+' ? ' ' : *p;
            p++;
        }
    }
    *seen |= bits;
    return (size_t)(out - start);
}

#endif
