/* fu_vector for NEON: 16 bytes, and the operations that code shared by several instruction sets uses. */
#ifndef FASTURL_VECTOR_NEON_H
#define FASTURL_VECTOR_NEON_H

#include <arm_neon.h>
#include <stdint.h>

#define FU_HAS_VECTOR 1
typedef uint8x16_t fu_vector;

static inline fu_vector fu_load(const uint8_t *p) { return vld1q_u8(p); }
static inline void fu_store(uint8_t *p, fu_vector v) { vst1q_u8(p, v); }
static inline fu_vector fu_splat(uint8_t byte) { return vdupq_n_u8(byte); }
static inline fu_vector fu_or(fu_vector a, fu_vector b) { return vorrq_u8(a, b); }
static inline fu_vector fu_and(fu_vector a, fu_vector b) { return vandq_u8(a, b); }
static inline fu_vector fu_xor(fu_vector a, fu_vector b) { return veorq_u8(a, b); }
static inline fu_vector fu_equal(fu_vector a, fu_vector b) { return vceqq_u8(a, b); }

/* Set each byte from `low` to `low` + `span` to 0xFF, and all others to 0. */
static inline fu_vector fu_in_range(fu_vector v, fu_vector low, fu_vector span) { return vcleq_u8(vsubq_u8(v, low), span); }

/* Reduce each 0xFF byte to its bit in the mask of its half: byte i of a half keeps bit i. */
static inline fu_vector fu_weigh_lanes(fu_vector v) {
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vandq_u8(v, vld1q_u8(weights));
}

/* Return a mask with a bit per byte that is 0xFF, the first byte's bit lowest; all other bytes must be 0. Neighbours are added
 * three times, until a byte is the sum of eight. */
static inline uint32_t fu_bits(fu_vector v) {
    fu_vector sums = fu_weigh_lanes(v);
    for (int i = 0; i < 3; i++) sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u16(vreinterpretq_u16_u8(sums), 0);
}

#define FU_HAVE_BITS64 1
/* Return the mask of four vectors, the first vector's bits lowest. Four additions do for all four; fu_bits takes three for
 * one vector. */
static inline uint64_t fu_bits64(const fu_vector v[4]) {
    fu_vector first = vpaddq_u8(fu_weigh_lanes(v[0]), fu_weigh_lanes(v[1]));
    fu_vector second = vpaddq_u8(fu_weigh_lanes(v[2]), fu_weigh_lanes(v[3]));
    fu_vector sums = vpaddq_u8(first, second);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

#endif
