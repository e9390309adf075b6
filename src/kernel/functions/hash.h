/* XXH64, the 64-bit hash of the xxHash specification, with seed 0. The result is the same on every machine. */
#ifndef FASTURL_HASH_H
#define FASTURL_HASH_H

#include <stddef.h>
#include <stdint.h>

#define FU_PRIME_1 0x9E3779B185EBCA87u
#define FU_PRIME_2 0xC2B2AE3D27D4EB4Fu
#define FU_PRIME_3 0x165667B19E3779F9u
#define FU_PRIME_4 0x85EBCA77C2B2AE63u
#define FU_PRIME_5 0x27D4EB2F165667C5u

/* Read `count` bytes as a little-endian number. */
static inline uint64_t fu_little(const uint8_t *p, unsigned count) {
    uint64_t word = 0;
    for (unsigned i = 0; i < count; i++) word |= (uint64_t)p[i] << (8 * i);
    return word;
}

static inline uint64_t fu_rotated(uint64_t x, unsigned bits) { return x << bits | x >> (64 - bits); }

static inline uint64_t fu_hash_round(uint64_t lane, uint64_t word) {
    return fu_rotated(lane + word * FU_PRIME_2, 31) * FU_PRIME_1;
}

static inline uint64_t fu_hash_merge(uint64_t hash, uint64_t lane) {
    return (hash ^ fu_hash_round(0, lane)) * FU_PRIME_1 + FU_PRIME_4;
}

static inline uint64_t fu_hash(const uint8_t *p, size_t n) {
    const uint8_t *end = p + n;
    uint64_t hash = FU_PRIME_5;
    if (n >= 32) {
        uint64_t a = FU_PRIME_1 + FU_PRIME_2, b = FU_PRIME_2, c = 0, d = 0 - FU_PRIME_1;
        for (; end - p >= 32; p += 32) {
            a = fu_hash_round(a, fu_little(p, 8));
            b = fu_hash_round(b, fu_little(p + 8, 8));
            c = fu_hash_round(c, fu_little(p + 16, 8));
            d = fu_hash_round(d, fu_little(p + 24, 8));
        }
        hash = fu_rotated(a, 1) + fu_rotated(b, 7) + fu_rotated(c, 12) + fu_rotated(d, 18);
        hash = fu_hash_merge(fu_hash_merge(fu_hash_merge(fu_hash_merge(hash, a), b), c), d);
    }
    hash += n;
    for (; end - p >= 8; p += 8) hash = fu_rotated(hash ^ fu_hash_round(0, fu_little(p, 8)), 27) * FU_PRIME_1 + FU_PRIME_4;
    if (end - p >= 4) {
        hash = fu_rotated(hash ^ fu_little(p, 4) * FU_PRIME_1, 23) * FU_PRIME_2 + FU_PRIME_3;
        p += 4;
    }
    for (; p < end; p++) hash = fu_rotated(hash ^ *p * FU_PRIME_5, 11) * FU_PRIME_1;
    hash = (hash ^ hash >> 33) * FU_PRIME_2;
    hash = (hash ^ hash >> 29) * FU_PRIME_3;
    return hash ^ hash >> 32;
}

#endif
