/* Sixteen octets with NEON: what the bodies that are written once over fu_vector need. */
#ifndef FASTURL_VECTOR_NEON_H
#define FASTURL_VECTOR_NEON_H

#include <arm_neon.h>
#include <stdint.h>

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

/* A bit for each octet that is FF, the first octet's lowest; the others are 0. */
static inline uint32_t fu_bits(fu_vector v) {
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(v, vld1q_u8(weights));
    return (uint32_t)vaddv_u8(vget_low_u8(bits)) | (uint32_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

#endif
