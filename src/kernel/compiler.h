/* Differences between compilers, and the macros that every kernel uses. */
#ifndef FASTURL_COMPILER_H
#define FASTURL_COMPILER_H

#include <stdint.h>

#define FU_GLUE_(a, b) a##_##b
#define FU_GLUE(a, b) FU_GLUE_(a, b)
#define FU_QUOTED_(a) #a
#define FU_QUOTED(a) FU_QUOTED_(a)

/* Prefetch the bytes that a loop over a long text reads 16 blocks later. Virtual machines often run without the processor's
 * own prefetch. */
#define FU_PREFETCH_AHEAD(p) FU_PREFETCH((const uint8_t *)((uintptr_t)(p) + 1024))

#if defined(__GNUC__) || defined(__clang__)

#define FU_STATIC_ASSERT(condition, reason) _Static_assert(condition, reason)
#define FU_PREFETCH(p) __builtin_prefetch(p)
/* FU_EXPORT: libfasturl shows this name to the extensions; all others are hidden. */
#define FU_EXPORT __attribute__((visibility("default")))
/* FU_FLATTEN inlines every call in a function, except calls of FU_NOINLINE functions. A kernel has many flattened loops, and
 * the copies inlined into them are most of its code. So a function that is called rarely, or does much per call, is
 * FU_NOINLINE: the kernel holds it once. */
#define FU_FLATTEN __attribute__((flatten))
#define FU_NOINLINE __attribute__((noinline, unused)) /* unused: a header's includer may call only some of its functions */

#if defined(__x86_64__)
#define FU_HAVE_AVX 1 /* the compiler can emit AVX2 and AVX-512; the processor may lack them */
#endif
#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define FU_HAVE_NEON 1
#endif

/* Compile all functions up to FU_END_TARGET for these instructions. Use FU_START_TARGET after the processor's headers, in a
 * source file that holds one kernel. */
#define FU_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define FU_START_TARGET(names) FU_PRAGMA(clang attribute push(__attribute__((target(names))), apply_to = function))
#define FU_END_TARGET FU_PRAGMA(clang attribute pop)
#else
#define FU_START_TARGET(names) FU_PRAGMA(GCC push_options) FU_PRAGMA(GCC target(names))
#define FU_END_TARGET FU_PRAGMA(GCC pop_options)
#endif

#else /* MSVC, which has other names for the same features */

#include <intrin.h>

#define FU_STATIC_ASSERT(condition, reason) extern char FU_GLUE(fu_static_assert, __LINE__)[(condition) ? 1 : -1]
#define FU_PREFETCH(p) ((void)0)
#define FU_EXPORT
#define FU_FLATTEN
#define FU_NOINLINE __declspec(noinline)
#define __builtin_popcountll __popcnt64

static __forceinline int __builtin_ctzll(uint64_t x) {
    unsigned long index;
    _BitScanForward64(&index, x);
    return (int)index;
}

static __forceinline int __builtin_clzll(uint64_t x) {
    unsigned long index;
    _BitScanReverse64(&index, x);
    return 63 - (int)index;
}

#endif

#if defined(__SSE2__) || defined(_M_X64)
#define FU_HAVE_SSE2 1
#endif

/* The byte `c` at index `i` of a 64-bit word, as memcpy from eight bytes loads it. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FU_BYTE(c, i) ((uint64_t)(c) << (56 - 8 * (i)))
#else
#define FU_LITTLE_ENDIAN 1
#define FU_BYTE(c, i) ((uint64_t)(c) << (8 * (i)))
#endif

#endif
