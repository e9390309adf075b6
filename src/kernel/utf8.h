/* Code points to UTF-8 and back, for text that is short enough to stand on the stack. */
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

/* Decodes p[0:n]; returns the code points written, at most n, or SIZE_MAX for what is no UTF-8 (overlong forms and
 * surrogates among it), whose errors are for others to handle. */
static inline size_t fu_utf8_decode(const uint8_t *p, size_t n, uint32_t *out) {
    const uint8_t *end = p + n;
    uint32_t *start = out;
    while (p < end) {
        uint32_t c = *p;
        if (c < 0x80) {
            *out++ = c;
            p++;
        } else if (c < 0xe0) {
            if (c < 0xc2 || end - p < 2 || (p[1] & 0xc0) != 0x80) return SIZE_MAX;
            *out++ = (c & 0x1f) << 6 | (p[1] & 0x3fu);
            p += 2;
        } else if (c < 0xf0) {
            if (end - p < 3 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80) return SIZE_MAX;
            c = (c & 0x0f) << 12 | (p[1] & 0x3fu) << 6 | (p[2] & 0x3fu);
            if (c < 0x800 || (c >= 0xd800 && c < 0xe000)) return SIZE_MAX;
            *out++ = c;
            p += 3;
        } else {
            if (c > 0xf4 || end - p < 4 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80 || (p[3] & 0xc0) != 0x80)
                return SIZE_MAX;
            c = (c & 0x07) << 18 | (p[1] & 0x3fu) << 12 | (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
            if (c < 0x10000 || c > 0x10ffff) return SIZE_MAX;
            *out++ = c;
            p += 4;
        }
    }
    return (size_t)(out - start);
}

#endif
