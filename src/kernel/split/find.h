/* Find a byte between two offsets, in blocks of 64 bytes where the kernel has vectors (split/masks.h). */
#ifndef FASTURL_FIND_H
#define FASTURL_FIND_H

#include "split/spans.h"

#ifdef FU_BYTE_BITS

/* Return the offset of the first `byte` in [start, end), or end. */
static inline size_t fu_first_of(const uint8_t *p, size_t start, size_t end, uint8_t byte) {
    for (; start < end; start += end - start < 64 ? end - start : 64) {
        const uint64_t bits = FU_BYTE_BITS(p + start, end - start < 64 ? end - start : 64, byte);
        if (bits) return start + (size_t)__builtin_ctzll(bits);
    }
    return end;
}

/* Return the offset of the last `byte` in [start, end), or FU_ABSENT. */
static inline size_t fu_last_of(const uint8_t *p, size_t start, size_t end, uint8_t byte) {
    while (start < end) {
        const size_t n = end - start < 64 ? end - start : 64;
        const uint64_t bits = FU_BYTE_BITS(p + end - n, n, byte);
        if (bits) return end - n + 63 - (size_t)__builtin_clzll(bits); /* the highest of bits [0, n) */
        end -= n;
    }
    return FU_ABSENT;
}

#else

static inline uint64_t fu_byte_bits_one_by_one(const uint8_t *p, size_t n, uint8_t byte) {
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) bits |= (uint64_t)(p[i] == byte) << i;
    return bits;
}
#define FU_BYTE_BITS fu_byte_bits_one_by_one
#define fu_first_of fu_find
#define fu_last_of fu_find_last

#endif

/* Return the offset of the first `byte` in [start, end), or end. Reads 16 bytes per step, for a byte that is expected soon: on
 * pairs of 14 bytes up to 1.5 times as fast as fu_first_of, whose masked load of 64 bytes has a longer latency. */
static inline size_t fu_first_near(const uint8_t *p, size_t start, size_t end, uint8_t byte) {
#ifdef FU_HAS_VECTOR
    for (; end - start >= 16; start += 16) {
        const uint32_t found = fu_bits(fu_equal(fu_load(p + start), fu_splat(byte)));
        if (found) return start + (size_t)__builtin_ctz(found);
    }
#endif
    return fu_find(p, start, end, byte);
}

#endif
