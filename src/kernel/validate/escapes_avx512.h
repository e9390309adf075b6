/* Suspect bytes, which validation must check one by one: all but xchars and harmless escapes. 64 bytes per step with
 * AVX-512. */
#ifndef FASTURL_ESCAPES_AVX512_H
#define FASTURL_ESCAPES_AVX512_H

#include <immintrin.h>

#include "chars.h"
#include "split/spans.h"

#define FU_HAS_HARMFUL_SUSPECTS 1

/* Look up each byte in a table of 128 entries. Bytes beyond ASCII give 0. */
static inline __m512i fu_look_up(const uint8_t *table, __m512i data) {
    const __m512i entries = _mm512_permutex2var_epi8(_mm512_loadu_si512(table), data, _mm512_loadu_si512(table + 64));
    return _mm512_maskz_mov_epi8(~_mm512_movepi8_mask(data), entries);
}

/* Return the mask of the first 64 bytes of p[0:n] that are not an xchar and do not start a harmless escape; n > 0. */
static inline uint64_t fu_harmful_suspects(const uint8_t *p, size_t n) {
    const uint64_t lanes = fu_low_bits(n);
    const __m512i data = _mm512_maskz_loadu_epi8(lanes, p);
    const __m512i first = _mm512_maskz_loadu_epi8(fu_low_bits(n - 1), p + 1);
    const __m512i second = _mm512_maskz_loadu_epi8(n > 1 ? fu_low_bits(n - 2) : 0, p + 2);
    const __m512i shared = _mm512_and_si512(fu_look_up(ESCAPE_FIRST, first), fu_look_up(ESCAPE_SECOND, second));
    const uint64_t escapes = _mm512_cmpeq_epi8_mask(data, _mm512_set1_epi8('%'));
    const uint64_t harmless = _mm512_cmpeq_epi8_mask(shared, _mm512_set1_epi8(1));
    const uint64_t xchars = _mm512_test_epi8_mask(fu_look_up(BYTE_SPLIT, data), _mm512_set1_epi8((char)SPLIT_XCHAR));
    return lanes & ~xchars & ~(escapes & harmless);
}

#endif
