/* Which instructions the escape kernels use here: SSE2 where the target always has it (x86-64), AVX-512 with VBMI where the
 * processor does. The plain loops are always built; the others are tested against them. */
#ifndef FASTURL_ESCAPE_LEVEL_H
#define FASTURL_ESCAPE_LEVEL_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { FU_ESCAPE_SCALAR, FU_ESCAPE_SSE2, FU_ESCAPE_AVX512 };

#if defined(__SSE2__) || defined(_M_X64)
#define FU_ESCAPE_HAS_SSE2 1
#include <emmintrin.h>
#endif

#if defined(__x86_64__) && (defined(__GNUC__) || defined(__clang__))
#define FU_ESCAPE_HAS_AVX512 1
#include <immintrin.h>
#define FU_ESCAPE_TARGET \
    __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,avx512vbmi2,bmi,bmi2,lzcnt,popcnt")))
#endif

static inline uint64_t fu_first_bits(size_t n) { return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1; }

/* Set once, when a module is loaded, before any text is read. */
static int fu_escape_level = FU_ESCAPE_SCALAR;

static inline int fu_escape_best_level(void) {
#ifdef FU_ESCAPE_HAS_AVX512
    __builtin_cpu_init();
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl") &&
        __builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2") && __builtin_cpu_supports("bmi2") &&
        __builtin_cpu_supports("popcnt"))
        return FU_ESCAPE_AVX512;
#endif
#ifdef FU_ESCAPE_HAS_SSE2
    return FU_ESCAPE_SSE2;
#else
    return FU_ESCAPE_SCALAR;
#endif
}

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
