/* Sixteen octets with NEON: what the bodies that are written once over fu_vector need. */
#ifndef FASTURL_VECTOR_NEON_H
#define FASTURL_VECTOR_NEON_H

#include <arm_neon.h>
#include <stdint.h>

#define FU_HAS_VECTOR 1
typedef uint8x16_t fu_vector;

static inline fu_vector fu_load(const uint8_t *p) { return vld1q_u8(p); }
static inline void fu_store(uint8_t *p, fu_vector v) { vst1q_u8(p, v); }
static inline fu_vector fu_splat(uint8_t octet) { return vdupq_n_u8(octet); }
static inline fu_vector fu_or(fu_vector a, fu_vector b) { return vorrq_u8(a, b); }
static inline fu_vector fu_and(fu_vector a, fu_vector b) { return vandq_u8(a, b); }
static inline fu_vector fu_xor(fu_vector a, fu_vector b) { return veorq_u8(a, b); }
static inline fu_vector fu_equal(fu_vector a, fu_vector b) { return vceqq_u8(a, b); }

/* FF for the octets from `low` to `low` + `span`. */
static inline fu_vector fu_in_range(fu_vector v, fu_vector low, fu_vector span) {
    return vcleq_u8(vsubq_u8(v, low), span);
}

/* The weight of each octet in the bits of its half. */
static inline fu_vector fu_weighted(fu_vector v) {
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    return vandq_u8(v, vld1q_u8(weights));
}

/* A bit for each octet that is FF, the first octet's lowest; the others are 0. Neighbours are added three times, until an
 * octet is the sum of eight. */
static inline uint32_t fu_bits(fu_vector v) {
    fu_vector sums = fu_weighted(v);
    for (int i = 0; i < 3; i++) sums = vpaddq_u8(sums, sums);
    return vgetq_lane_u16(vreinterpretq_u16_u8(sums), 0);
}

#define FU_HAVE_BITS64 1
/* The same of four vectors, the first one's lowest: with four additions, where one vector takes three. */
static inline uint64_t fu_bits64(const fu_vector v[4]) {
    fu_vector first = vpaddq_u8(fu_weighted(v[0]), fu_weighted(v[1]));
    fu_vector second = vpaddq_u8(fu_weighted(v[2]), fu_weighted(v[3]));
    fu_vector sums = vpaddq_u8(first, second);
    return vgetq_lane_u64(vreinterpretq_u64_u8(vpaddq_u8(sums, sums)), 0);
}

#endif
