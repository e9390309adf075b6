/* Arrow's view of a text, and the 32-bit offsets of its strings and lists. A text of up to 12 bytes is stored inline in a view; a
 * longer one is referred to by buffer and offset. */
#ifndef FASTURL_VIEW_H
#define FASTURL_VIEW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"

#define FU_VIEW_INLINE_MAX 12
#define FU_VIEW_COPY_SLACK 12 /* a copy of a view may write this many bytes past its text */

typedef struct {
    int32_t length;
    uint8_t data[4]; /* a short text: these and the next eight bytes; a long one: its first four bytes */
    int32_t buffer;
    int32_t offset;
} fu_view;

FU_STATIC_ASSERT(sizeof(fu_view) == 16 && offsetof(fu_view, data) == 4, "Arrow's layout of a view");

static inline void fu_view_of(fu_view *view, const uint8_t *p, size_t length, int32_t buffer, int64_t offset) {
    fu_view new_view = {(int32_t)length, {0, 0, 0, 0}, 0, 0};
    if (length <= FU_VIEW_INLINE_MAX) {
        uint8_t data[FU_VIEW_INLINE_MAX] = {0};
        memcpy(data, p, length);
        memcpy((uint8_t *)&new_view + 4, data, FU_VIEW_INLINE_MAX);
    } else {
        memcpy(new_view.data, p, 4);
        new_view.buffer = buffer;
        new_view.offset = (int32_t)offset;
    }
    *view = new_view;
}

/* Return the bytes of a view. data: the buffers that views refer to. */
static inline const uint8_t *fu_view_bytes(const fu_view *view, const uint8_t *const *data) {
    return view->length <= FU_VIEW_INLINE_MAX ? view->data : data[view->buffer] + view->offset;
}

/* Return the bit of a row in a bitmap. */
static inline int fu_bit_at(const uint8_t *bits, int64_t row) { return bits[row >> 3] >> (row & 7) & 1; }

/* Copy n bytes from p to `out`, and up to FU_VIEW_COPY_SLACK arbitrary bytes after them. If n is at most FU_VIEW_INLINE_MAX, p must
 * have that many readable bytes, as in a view. Otherwise, no load leaves [p, p + n). For most lengths two overlapping loads are
 * faster than a call of memcpy. */
static inline void fu_copy_of_view(uint8_t *out, const uint8_t *p, size_t n) {
    if (n <= FU_VIEW_INLINE_MAX) {
        memcpy(out, p, FU_VIEW_INLINE_MAX);
    } else if (n <= 16) {
        memcpy(out, p, 8);
        memcpy(out + n - 8, p + n - 8, 8);
    } else if (n <= 32) {
        memcpy(out, p, 16);
        memcpy(out + n - 16, p + n - 16, 16);
    } else {
        memcpy(out, p, n);
    }
}

/* Add `base` to `count` offsets. `to` may be `from`. The sums are below 2^31. */
static inline void fu_shift_offsets(int32_t *to, const int32_t *from, size_t count, int32_t base) {
    size_t i = 0;
    for (; i + 16 <= count; i += 16) { /* of constant length, so that -O2 vectorizes it */
        int32_t block[16];
        memcpy(block, from + i, sizeof block);
        for (int j = 0; j < 16; j++) block[j] += base;
        memcpy(to + i, block, sizeof block);
    }
    for (; i < count; i++) to[i] = from[i] + base;
}

#endif
