/* Code points to UTF-8, for text that is short enough to be encoded on the stack. */
#ifndef FASTURL_UTF8_H
#define FASTURL_UTF8_H

#include <stddef.h>
#include <stdint.h>

/* Encodes n code points of `width` octets each (1, 2 or 4); returns the octets written, at most 4 * n (2 * n and 3 * n for
 * width 1 and 2), or SIZE_MAX when one of them is a surrogate, which UTF-8 cannot hold. */
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

#endif
