/* Sixteen octets at a time, where the target always has it: SSE2 on x86-64. FASTURL_NO_SIMD builds the plain loops alone. */
#ifndef FASTURL_SIXTEEN_H
#define FASTURL_SIXTEEN_H

#include <stdint.h>

#if (defined(__SSE2__) || defined(_M_X64)) && !defined(FASTURL_NO_SIMD)
#define FU_SSE2 1
#include <emmintrin.h>
#else
#define FU_SSE2 0
#endif

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
static inline uint32_t fu_lowest_bit(uint32_t mask) {
    unsigned long bit;
    _BitScanForward(&bit, mask);
    return (uint32_t)bit;
}
#else
static inline uint32_t fu_lowest_bit(uint32_t mask) { return (uint32_t)__builtin_ctz(mask); }
#endif

#endif
