/* Reading escapes: %XX becomes the octet, a % that is no escape stays. RFC 1738 section 2.2.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_UNQUOTE_H
#define FASTURL_UNQUOTE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "percent/escape_value.h"

/* Where the first % stands (or, with `plus`, the first + or %); n when there is none. */
static inline size_t fu_unquote_find_scalar(const uint8_t *p, size_t n, int plus) {
    size_t i = 0;
    while (i < n && p[i] != '%' && !(plus && p[i] == '+')) i++;
    return i;
}

/* Writes what p[0:n] decodes to, at most n octets, and returns its length; with `plus`, a + becomes a space first.
 * `out` has space for n octets and does not overlap p. `seen` gathers the highest bit of all octets that came from escapes:
 * below 80, ASCII text has stayed ASCII. */
static inline size_t fu_unquote_write_scalar(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
    const uint8_t *end = p + n;
    uint8_t *start = out;
    uint8_t bits = 0;
    while (p < end) {
        int octet = *p == '%' ? fu_escape_value(p, (size_t)(end - p)) : -1;
        if (octet >= 0) {
            *out++ = (uint8_t)octet;
            bits |= (uint8_t)octet;
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
