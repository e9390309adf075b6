/* unquote.h with AVX-512: it decodes up to 64 bytes per step, without a branch on the positions of escapes. Loads and stores
 * are masked, so none leaves its buffer. */
#ifndef FASTURL_UNQUOTE_AVX512_H
#define FASTURL_UNQUOTE_AVX512_H

#include <immintrin.h>

#include "escapes/unquote.h"
#include "split/spans.h"

static inline size_t fu_unquote_find(const uint8_t *p, size_t n, int plus) {
    const __m512i other = _mm512_set1_epi8(plus ? '+' : '%');
    for (size_t i = 0; i < n; i += 64) {
        uint64_t lanes = fu_low_bits(n - i);
        __m512i data = _mm512_maskz_loadu_epi8(lanes, p + i);
        uint64_t mask = _mm512_cmpeq_epi8_mask(data, _mm512_set1_epi8('%')) | _mm512_cmpeq_epi8_mask(data, other);
        if (mask) return i + (size_t)_tzcnt_u64(mask);
    }
    return n;
}

/* A block of 1 to 64 bytes: the value of each as a hex digit, and the mask of the bytes that start a complete escape. */
typedef struct {
    __m512i data, values;
    uint64_t starts;
} fu_unquote_block;

static inline fu_unquote_block fu_unquote_load(const uint8_t *p, size_t n) {
    fu_unquote_block b;
    uint64_t lanes = fu_low_bits(n);
    uint64_t percent, hex;
    b.data = _mm512_maskz_loadu_epi8(lanes, p);
    b.values = _mm512_permutex2var_epi8(_mm512_loadu_si512(HEX_VALUE), b.data, _mm512_loadu_si512(HEX_VALUE + 64));
    percent = _mm512_cmpeq_epi8_mask(b.data, _mm512_set1_epi8('%'));
    hex = ~(uint64_t)_mm512_movepi8_mask(_mm512_or_si512(b.values, b.data));
    b.starts = percent & hex >> 1 & hex >> 2;
    return b;
}

/* Return, for each byte of a block, the value of the two hex digits after it. */
static inline __m512i fu_unquote_values(__m512i values) {
    static const uint8_t next[66] = {1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22,
                                     23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44,
                                     45, 46, 47, 48, 49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 63, 63, 63};
    __m512i digits = _mm512_and_si512(values, _mm512_set1_epi8(0x0f));
    __m512i high = _mm512_permutexvar_epi8(_mm512_loadu_si512(next), digits);
    __m512i low = _mm512_permutexvar_epi8(_mm512_loadu_si512(next + 1), digits);
    return _mm512_or_si512(_mm512_slli_epi16(high, 4), low);
}

static inline size_t fu_unquote_write(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
    uint8_t *start = out;
    uint64_t high_bits = 0, digits = 0; /* digits: bytes that end an escape of the block before */
    while (n) {
        fu_unquote_block b = fu_unquote_load(p, n);
        /* Always take 62 bytes: escapes that start there end in the block. So the start of the next block does not depend on
         * the content of this one. */
        const size_t take = n > 64 ? 62 : n;
        const uint64_t behind = b.starts << 1 | b.starts << 2;
        uint64_t keep = fu_low_bits(take) & ~(behind | digits);
        digits = n > 64 ? behind >> 62 : 0;
        size_t length = (size_t)_mm_popcnt_u64(keep);
        __m512i data = b.data;
        __m512i decoded = fu_unquote_values(b.values);
        if (plus) {
            data = _mm512_mask_mov_epi8(data, _mm512_cmpeq_epi8_mask(data, _mm512_set1_epi8('+')), _mm512_set1_epi8(' '));
        }
        high_bits |= b.starts & _mm512_movepi8_mask(decoded);
        data = _mm512_maskz_compress_epi8(keep, _mm512_mask_mov_epi8(data, b.starts, decoded));
        _mm512_mask_storeu_epi8(out, fu_low_bits(length), data);
        out += length;
        p += take;
        n -= take;
    }
    if (high_bits) *seen |= 0x80;
    return (size_t)(out - start);
}

#endif
