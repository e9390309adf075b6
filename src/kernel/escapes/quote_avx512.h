/* quote.h and unquote.h with AVX-512, without a branch on the positions of escapes. Quoting looks up 64 bytes per step, and writes
 * 21 of them as up to 63 bytes. Decoding takes up to 64 bytes per step. Loads are masked, and so are stores, except where quoting
 * has space for 64 bytes, so none leaves its buffer. */
#ifndef FASTURL_QUOTE_AVX512_H
#define FASTURL_QUOTE_AVX512_H

#include <immintrin.h>

#include "escapes/quote.h"
#include "escapes/unquote.h"
#include "split/spans.h"

/* Return the mask of the bytes in these lanes that change. */
static inline uint64_t fu_quote_mask(const fu_quote_table *table, __m512i data, uint64_t lanes) {
    __m512i looked_up = _mm512_permutex2var_epi8(_mm512_loadu_si512(table->dirty), data, _mm512_loadu_si512(table->dirty + 64));
    return lanes & _mm512_movepi8_mask(_mm512_or_si512(looked_up, data));
}

static inline size_t fu_quote_find(const fu_quote_table *table, const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i += 64) {
        uint64_t lanes = fu_low_bits(n - i);
        uint64_t mask = fu_quote_mask(table, _mm512_maskz_loadu_epi8(lanes, p + i), lanes);
        if (mask) return i + (size_t)_tzcnt_u64(mask);
    }
    return n;
}

static inline size_t fu_quote_length(const fu_quote_table *table, const uint8_t *p, size_t n) {
    size_t total = n;
    for (size_t i = 0; i < n; i += 64) {
        uint64_t lanes = fu_low_bits(n - i);
        __m512i data = _mm512_maskz_loadu_epi8(lanes, p + i);
        uint64_t mask = fu_quote_mask(table, data, lanes);
        if (table->plus) mask &= ~_mm512_cmpeq_epi8_mask(data, _mm512_set1_epi8(' '));
        total += 2 * (size_t)_mm_popcnt_u64(mask);
    }
    return total;
}

/* The output of a block: each byte or '%', and the two hex digits of each byte. */
typedef struct {
    __m512i first, high, low;
    uint64_t escaped;
} fu_quote_block;

/* Write `count` bytes (at most 21) of a block from byte i on; return the length. space: 1 if `out` takes a 64-byte store. */
static inline size_t fu_quote_write_some(const fu_quote_block *b, size_t i, size_t count, int space, uint8_t *out) {
    /* Bit 3 * i is set, and byte i is repeated three times, for i below 21. */
    const uint64_t thirds = 0x1249249249249249;
    static const uint8_t thrice[64] = {0,  0,  0,  1,  1,  1,  2,  2,  2,  3,  3,  3,  4,  4,  4,  5,  5,  5,  6,  6,  6,  7,
                                       7,  7,  8,  8,  8,  9,  9,  9,  10, 10, 10, 11, 11, 11, 12, 12, 12, 13, 13, 13, 14, 14,
                                       14, 15, 15, 15, 16, 16, 16, 17, 17, 17, 18, 18, 18, 19, 19, 19, 20, 20, 20, 63};
    const __m512i from = _mm512_add_epi8(_mm512_loadu_si512(thrice), _mm512_set1_epi8((char)i));
    const uint64_t escaped = _pdep_u64(b->escaped >> i, thirds & fu_low_bits(3 * count));
    const uint64_t keep = (thirds & fu_low_bits(3 * count)) | escaped << 1 | escaped << 2;
    const size_t length = (size_t)_mm_popcnt_u64(keep);
    __m512i three = _mm512_permutexvar_epi8(from, b->first);
    three = _mm512_mask_permutexvar_epi8(three, escaped << 1, from, b->high);
    three = _mm512_mask_permutexvar_epi8(three, escaped << 2, from, b->low);
    three = _mm512_maskz_compress_epi8(keep, three);
    if (space)
        _mm512_storeu_si512(out, three);
    else
        _mm512_mask_storeu_epi8(out, fu_low_bits(length), three);
    return length;
}

static inline size_t fu_quote_write(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
    const __m512i digits =
        _mm512_broadcast_i32x4(_mm_setr_epi8('0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'));
    const __m512i nibble = _mm512_set1_epi8(0x0f);
    uint8_t *start = out;
    while (n) {
        uint64_t lanes = fu_low_bits(n);
        size_t block = n < 64 ? n : 64;
        FU_PREFETCH_AHEAD(p);
        __m512i data = _mm512_maskz_loadu_epi8(lanes, p);
        uint64_t mask = fu_quote_mask(table, data, lanes);
        if (table->plus) {
            uint64_t spaces = lanes & _mm512_cmpeq_epi8_mask(data, _mm512_set1_epi8(' '));
            data = _mm512_mask_mov_epi8(data, spaces, _mm512_set1_epi8('+'));
            mask &= ~spaces;
        }
        if (!mask) {
            _mm512_mask_storeu_epi8(out, lanes, data);
            out += block;
        } else {
            const fu_quote_block b = {
                _mm512_mask_mov_epi8(data, mask, _mm512_set1_epi8('%')),
                _mm512_shuffle_epi8(digits, _mm512_and_si512(_mm512_srli_epi16(data, 4), nibble)),
                _mm512_shuffle_epi8(digits, _mm512_and_si512(data, nibble)),
                mask,
            };
            if (block == 64) {
                /* Three steps of 21 bytes. At the last one, 22 or more bytes are left: `out` has space for 3 * 22. */
                block = 63;
                for (size_t i = 0; i < 63; i += 21) out += fu_quote_write_some(&b, i, 21, 1, out);
            } else {
                for (size_t i = 0; i < block; i += 21) out += fu_quote_write_some(&b, i, block - i < 21 ? block - i : 21, 0, out);
            }
        }
        p += block;
        n -= block;
    }
    return (size_t)(out - start);
}

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
