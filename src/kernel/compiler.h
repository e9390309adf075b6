/* What compilers differ in, and what every kernel needs of the preprocessor. */
#ifndef FASTURL_COMPILER_H
#define FASTURL_COMPILER_H

#include <stdint.h>

#define FU_GLUE_(a, b) a##_##b
#define FU_GLUE(a, b) FU_GLUE_(a, b)
#define FU_QUOTED_(a) #a
#define FU_QUOTED(a) FU_QUOTED_(a)

/* What a loop over a long text reads some blocks later: virtual machines often run without the processor's own prefetch. */
#define FU_PREFETCH_AHEAD(p) FU_PREFETCH((const uint8_t *)((uintptr_t)(p) + 1024))

#if defined(__GNUC__) || defined(__clang__)

#define FU_STATIC_ASSERT(condition, reason) _Static_assert(condition, reason)
#define FU_PREFETCH(p) __builtin_prefetch(p)
/* All that such a function calls becomes a part of it, but for what is FU_NOINLINE: that is once in a kernel, where it is
 * rare or does much at a call. Flattened loops are many, and what each has a copy of is most of a kernel's code. */
#define FU_FLATTEN __attribute__((flatten))
#define FU_NOINLINE __attribute__((noinline, unused)) /* some who include a header call only others of its functions */

#if defined(__x86_64__)
#define FU_HAVE_AVX 1 /* the compiler writes AVX2 and AVX-512 where it is told to; the processor may lack them */
#endif
#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define FU_HAVE_NEON 1
#endif

/* All functions from here on use these instructions; in a source of its own, behind its processor's headers. */
#define FU_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define FU_START_TARGET(names) FU_PRAGMA(clang attribute push(__attribute__((target(names))), apply_to = function))
#define FU_END_TARGET FU_PRAGMA(clang attribute pop)
#else
#define FU_START_TARGET(names) FU_PRAGMA(GCC push_options) FU_PRAGMA(GCC target(names))
#define FU_END_TARGET FU_PRAGMA(GCC pop_options)
#endif

#else /* MSVC, which calls the same things by other names */

#include <intrin.h>

#define FU_STATIC_ASSERT(condition, reason) extern char FU_GLUE(fu_static_assert, __LINE__)[(condition) ? 1 : -1]
#define FU_PREFETCH(p) ((void)0)
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

/* An octet at its place of eight, as memcpy brings them into a word. */
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define FU_OCTET(c, i) ((uint64_t)(c) << (56 - 8 * (i)))
#else
#define FU_LITTLE_ENDIAN 1
#define FU_OCTET(c, i) ((uint64_t)(c) << (8 * (i)))
#endif

#endif
