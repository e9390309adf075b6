/* unquote.h for output to a terminal or a log: escapes that would become control characters stay escaped. And unquote.h for
 * characters above FF, or above 7F in a text: code points in, code points out. */
#ifndef FASTURL_UNQUOTE_SAFE_H
#define FASTURL_UNQUOTE_SAFE_H

#include "escapes/unquote.h"

/* The escapes that stay. Each level also keeps the escapes of the levels before it. */
enum {
    FU_KEEP_CONTROLS, /* 00-1F and 7F */
    FU_KEEP_UTF8,     /* and the two bytes of U+0080 to U+009F in UTF-8 */
    FU_KEEP_C1,       /* and 80-9F */
    FU_KEEP_HIGH,     /* and 80-FF */
    FU_KEEP_ALL
};

static inline int fu_escape_stays(int byte, int keep) {
    if (byte < 0x20 || byte == 0x7f) return 1;
    if (byte < 0x80) return keep == FU_KEEP_ALL;
    return keep >= FU_KEEP_HIGH || (keep == FU_KEEP_C1 && byte < 0xa0);
}

/* Decode the byte or escape at p, write it at *to, and return the start of the rest. *lead: the escape from which the last
 * written byte was decoded, or NULL. start: the start of the output. */
static inline const uint8_t *fu_unquote_safe_next(const uint8_t *p, const uint8_t *end, int keep, const uint8_t *start,
                                                  uint8_t **to, const uint8_t **lead, uint8_t *seen) {
    uint8_t *out = *to;
    int byte = fu_escape_value(p, (size_t)(end - p));
    int value = byte < 0 ? *p : byte;
    int decodes = byte >= 0 && !fu_escape_stays(byte, keep);
    if (keep == FU_KEEP_UTF8 && value >= 0x80 && value < 0xa0 && out > start && out[-1] == 0xc2 && (*lead || byte >= 0)) {
        /* C2 always starts a sequence, so the two bytes would form a control character. */
        if (*lead) {
            memcpy(out - 1, *lead, 3);
            out += 2;
        }
        decodes = 0;
    }
    *lead = decodes ? p : NULL;
    if (decodes) {
        *out++ = (uint8_t)byte;
        *seen |= (uint8_t)byte;
    } else if (byte >= 0) {
        memcpy(out, p, 3);
        out += 3;
    } else {
        *out++ = *p;
    }
    *to = out;
    return p + (byte < 0 ? 1 : 3);
}

/* Write p[0:n] with its escapes decoded, except those that `keep` keeps, and return the length, at most n. `out` has space
 * for n bytes and does not overlap p. *seen collects the bits of the bytes that come from escapes. */
static inline size_t fu_unquote_safe_write(const uint8_t *p, size_t n, int keep, uint8_t *out, uint8_t *seen) {
    const uint8_t *end = p + n;
    const uint8_t *lead = NULL;
    uint8_t *start = out;
    while (p < end) p = fu_unquote_safe_next(p, end, keep, start, &out, &lead, seen);
    return (size_t)(out - start);
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
