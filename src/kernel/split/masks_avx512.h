/* Masks of a block with AVX-512: one lookup in a table of 128 entries covers 64 bytes. */
#ifndef FASTURL_MASKS_AVX512_H
#define FASTURL_MASKS_AVX512_H

#include <immintrin.h>

#include "split/masks.h"

/* Return a mask of the bits below n; n <= 64. */
#define FU_LOW_BITS(n) _bzhi_u64(~(uint64_t)0, (unsigned)(n))

static inline void fu_masks(const uint8_t *p, size_t n, fu_block *out) {
    __mmask64 lanes = fu_low_bits(n);
    __m512i v = _mm512_maskz_loadu_epi8(lanes, p);
    __m512i table_low = _mm512_loadu_si512(BYTE_SPLIT);
    __m512i table_high = _mm512_loadu_si512(BYTE_SPLIT + 64);
    __mmask64 ascii = lanes & ~_mm512_movepi8_mask(v);
    __m512i bits = _mm512_maskz_permutex2var_epi8(ascii, table_low, v, table_high);
#define FU_HAS(bit) _mm512_test_epi8_mask(bits, _mm512_set1_epi8((char)(bit)))
    out->alnum = FU_HAS(SPLIT_ALNUM);
    out->dot = FU_HAS(SPLIT_DOT);
    out->hyphen = FU_HAS(SPLIT_HYPHEN);
    out->colon = FU_HAS(SPLIT_COLON);
    out->slash = FU_HAS(SPLIT_SLASH);
    out->qmark = FU_HAS(SPLIT_QMARK);
    out->capital = FU_HAS(SPLIT_CAPITAL);
    out->suspect = lanes & ~FU_HAS(SPLIT_XCHAR);
    out->hash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('#'));
#undef FU_HAS
}

static inline uint64_t fu_byte_bits(const uint8_t *p, size_t n, uint8_t byte) {
    __mmask64 lanes = FU_LOW_BITS(n);
    return _mm512_mask_cmpeq_epi8_mask(lanes, _mm512_maskz_loadu_epi8(lanes, p), _mm512_set1_epi8((char)byte));
}
#define FU_BYTE_BITS fu_byte_bits

/* Return the mask of the bytes after which a secret name may start (escapes/redaction.h): "#" to "&", ";" to "?", "[" to "]".
 * The ranges include bytes that never precede a name. */
static inline uint64_t fu_name_bits(const uint8_t *p, size_t n) {
    const __m512i v = _mm512_maskz_loadu_epi8(FU_LOW_BITS(n), p);
#define FU_FROM(first, last) \
    _mm512_cmple_epu8_mask(_mm512_sub_epi8(v, _mm512_set1_epi8(first)), _mm512_set1_epi8((last) - (first)))
    return FU_FROM('#', '&') | FU_FROM(';', '?') | FU_FROM('[', ']');
#undef FU_FROM
}
#define FU_NAME_BITS fu_name_bits

/* Return the mask of letters, digits, "-" and "_", of which tokens consist (escapes/secrets.h). */
static inline uint64_t fu_run_bits(const uint8_t *p, size_t n) {
    fu_block m;
    fu_masks(p, n, &m);
    return m.alnum | m.hyphen | fu_byte_bits(p, n, '_');
}
#define FU_RUN_BITS fu_run_bits

/* Return the mask of "@" and "=", and of "%" and "\\", which may start an escaped "@" or "=". Every login and every value
 * contains one of these. */
static inline uint64_t fu_mark_bits(const uint8_t *p, size_t n) {
    const __m512i v = _mm512_maskz_loadu_epi8(FU_LOW_BITS(n), p);
#define FU_IS(byte) _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8(byte))
    return FU_IS('@') | FU_IS('=') | FU_IS('%') | FU_IS('\\');
#undef FU_IS
}
#define FU_MARK_BITS fu_mark_bits

static inline void fu_pair_bits_of(const uint8_t *p, size_t n, uint8_t separator, fu_pair_bits *out) {
    const __mmask64 lanes = FU_LOW_BITS(n);
    const __m512i v = _mm512_maskz_loadu_epi8(lanes, p);
    out->ends = _mm512_mask_cmpeq_epi8_mask(lanes, v, _mm512_set1_epi8((char)separator));
    out->equals = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('='));
    out->marks = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('%')) | _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('+'));
}
#define FU_PAIR_BITS fu_pair_bits_of

#endif
