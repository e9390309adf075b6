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

/* How many octets at the start of p[0:n] are valid. */
static FU_NOINLINE size_t fu_utf8_valid(const uint8_t *p, size_t n) {
    size_t i = 0;
    uint32_t code;
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
        int step = fu_utf8_step(p + i, n - i, &code);
        if (step < 0) break;
        i += (size_t)step;
    }
    return i;
}

/* Writes p[0:n] with its errors replaced and returns its length. `out` has space for 3 * n octets and does not overlap p. */
static FU_NOINLINE size_t fu_utf8_replace(const uint8_t *p, size_t n, uint8_t *out) {
    uint8_t *start = out;
    uint32_t code;
    while (n) {
        size_t valid = fu_utf8_valid(p, n);
        memcpy(out, p, valid);
        out += valid;
        p += valid;
        n -= valid;
        if (!n) break;
        size_t bad = (size_t)-fu_utf8_step(p, n, &code);
        *out++ = 0xef;
        *out++ = 0xbf;
        *out++ = 0xbd;
        p += bad;
        n -= bad;
    }
    return (size_t)(out - start);
}

#endif
