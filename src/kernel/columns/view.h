/* Arrow's view of a text, and the 32-bit offsets of its strings and lists. A text of up to 12 bytes is stored inline in a view; a
 * longer one is referred to by buffer and offset. */
#ifndef FASTURL_VIEW_H
#define FASTURL_VIEW_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"

#define FU_VIEW_INLINE_MAX 12

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
