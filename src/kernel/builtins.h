/* What MSVC calls by other names. */
#ifndef FASTURL_BUILTINS_H
#define FASTURL_BUILTINS_H

#include <intrin.h>
#define __builtin_popcountll __popcnt64
#include <stdint.h>

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
