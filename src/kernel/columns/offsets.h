/* The 32-bit offsets of Arrow's strings and lists. */
#ifndef FASTURL_OFFSETS_H
#define FASTURL_OFFSETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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
