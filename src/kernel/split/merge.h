/* Merge a relative path with its base path, as urllib.parse.urljoin does since Python 3.5: RFC 3986 section 5.2 with urllib's
 * deviations. ".." may remove the empty segment before the first "/". Empty segments between the first and the last are dropped
 * if the reference is relative, and kept if it starts with "/".
 *
 * The output buffer is the stack of segments, joined by "/". No segment holds a "/", so a pop scans back to the last "/". Each
 * byte is pushed once and popped at most once, so time is linear in the input. */
#ifndef FASTURL_MERGE_H
#define FASTURL_MERGE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    uint8_t *out;
    size_t length;
    size_t segments;
} fu_merged;

static inline void fu_push_segment(fu_merged *m, const uint8_t *segment, size_t n) {
    if (n == 1 && segment[0] == '.') return;
    if (n == 2 && segment[0] == '.' && segment[1] == '.') {
        if (m->segments == 0) return;
        m->segments--;
        if (m->segments == 0) {
            m->length = 0;
        } else {
            do m->length--;
            while (m->out[m->length] != '/');
        }
        return;
    }
    if (m->segments++) m->out[m->length++] = '/';
    memcpy(m->out + m->length, segment, n);
    m->length += n;
}

static inline size_t fu_segment_end(const uint8_t *p, size_t start, size_t n) {
    const uint8_t *slash = start < n ? (const uint8_t *)memchr(p + start, '/', n - start) : NULL;
    return slash ? (size_t)(slash - p) : n;
}

/* Write the merged path to `out`, which has space for base_n + n + 2 bytes; n > 0. Return its length, at least 1. */
static inline size_t fu_merge_paths(const uint8_t *base, size_t base_n, const uint8_t *path, size_t n, uint8_t *out) {
    fu_merged m = {out, 0, 0};
    size_t seen = 0; /* segments read so far; the filter never drops the first or the last */
    int absolute = path[0] == '/';
    if (!absolute) {
        /* Push all segments of the base except the last. urllib keeps an empty last segment, but its filter then drops that
         * segment, unless the whole base path is empty. */
        if (base_n == 0) {
            fu_push_segment(&m, base, 0);
            seen = 1;
        }
        for (size_t start = 0, end = fu_segment_end(base, 0, base_n); end < base_n;
             start = end + 1, end = fu_segment_end(base, start, base_n), seen++)
            if (end > start || seen == 0) fu_push_segment(&m, base + start, end - start);
    }
    size_t start = 0;
    for (;;) {
        size_t end = fu_segment_end(path, start, n);
        int last = end == n;
        if (end > start || absolute || seen == 0 || last) fu_push_segment(&m, path + start, end - start);
        seen++;
        if (last) break;
        start = end + 1;
    }
    size_t tail = n - start;
    if ((tail == 1 && path[start] == '.') || (tail == 2 && path[start] == '.' && path[start + 1] == '.')) {
        if (m.segments++) m.out[m.length++] = '/';
    }
    if (m.length == 0) m.out[m.length++] = '/';
    return m.length;
}

#endif
