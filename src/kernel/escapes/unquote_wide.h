/* unquote.h for characters above FF, or above 7F in a text: code points in, code points out. */
#ifndef FASTURL_UNQUOTE_WIDE_H
#define FASTURL_UNQUOTE_WIDE_H

#include "escapes/unquote.h"

static inline uint32_t fu_point_at(const void *points, size_t i, int width) {
    return width == 1 ? ((const uint8_t *)points)[i] : width == 2 ? ((const uint16_t *)points)[i] : ((const uint32_t *)points)[i];
}

static inline int fu_hex_point(uint32_t point) { return point < 0x80 ? HEX_VALUE[point] : -1; }

static inline size_t fu_unquote_wide_of(const void *points, size_t n, int width, int plus, uint32_t *out) {
    uint32_t *start = out;
    for (size_t i = 0; i < n; i++) {
        uint32_t point = fu_point_at(points, i, width);
        if (point == '%' && n - i > 2) {
            int high = fu_hex_point(fu_point_at(points, i + 1, width));
            int low = fu_hex_point(fu_point_at(points, i + 2, width));
            if ((high | low) >= 0) {
                if (high > 7) return SIZE_MAX;
                point = (uint32_t)(high << 4 | low);
                i += 2;
            }
        } else if (point == '+' && plus) {
            point = ' ';
        }
        *out++ = point;
    }
    return (size_t)(out - start);
}

/* Decode n code points of `width` bytes each (1, 2 or 4) and return the number written, at most n. Return SIZE_MAX if an
 * escape is above 7F: it needs a charset. */
static inline size_t fu_unquote_wide(const void *points, size_t n, int width, int plus, uint32_t *out) {
    if (width == 1) return fu_unquote_wide_of(points, n, 1, plus, out);
    if (width == 2) return fu_unquote_wide_of(points, n, 2, plus, out);
    return fu_unquote_wide_of(points, n, 4, plus, out);
}

#endif
