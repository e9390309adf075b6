/* fu_vector for SSE2: 16 bytes, and the operations that code shared by several instruction sets uses. */
#ifndef FASTURL_VECTOR_SSE2_H
#define FASTURL_VECTOR_SSE2_H

#include <emmintrin.h>
#include <stdint.h>

#define FU_VECTOR_SSE2 1
#define FU_HAS_VECTOR 1
typedef __m128i fu_vector;

static inline fu_vector fu_load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void fu_store(uint8_t *p, fu_vector v) { _mm_storeu_si128((__m128i *)p, v); }
static inline fu_vector fu_splat(uint8_t byte) { return _mm_set1_epi8((char)byte); }
static inline fu_vector fu_or(fu_vector a, fu_vector b) { return _mm_or_si128(a, b); }
static inline fu_vector fu_and(fu_vector a, fu_vector b) { return _mm_and_si128(a, b); }
static inline fu_vector fu_xor(fu_vector a, fu_vector b) { return _mm_xor_si128(a, b); }
static inline fu_vector fu_equal(fu_vector a, fu_vector b) { return _mm_cmpeq_epi8(a, b); }

/* Set each byte from `low` to `low` + `span` to 0xFF, and all others to 0. */
static inline fu_vector fu_in_range(fu_vector v, fu_vector low, fu_vector span) {
    fu_vector above = _mm_sub_epi8(v, low);
    return _mm_cmpeq_epi8(_mm_min_epu8(above, span), above);
}

/* Return a mask with a bit per byte that is 0xFF, the first byte's bit lowest; all other bytes must be 0. */
static inline uint32_t fu_bits(fu_vector v) { return (uint32_t)_mm_movemask_epi8(v); }

#endif
