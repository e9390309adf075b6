/* Masks of a block with AVX2: nibble lookup tables, 32 bytes per step. */
#ifndef FASTURL_MASKS_AVX2_H
#define FASTURL_MASKS_AVX2_H

#include <immintrin.h>
#include <string.h>

#include "split/masks.h"

/* Return a mask of the bits below n; n <= 64. */
#define FU_LOW_BITS(n) _bzhi_u64(~(uint64_t)0, (unsigned)(n))

/* Compute the masks of a 32-byte vector whose first byte is byte `at` of the block. With `more`, add them to the masks in `m`;
 * otherwise overwrite those. Two overlapping loads set the bits of the shared bytes twice, to the same values. high_at: the
 * block offset of the vector's upper half, which is at + 16 except in a block shorter than 32 bytes. */
static inline void fu_add_masks(__m256i v, size_t at, size_t high_at, int more, fu_block *m) {
    const __m256i low_nibble = _mm256_set1_epi8(0x0f);
    const __m256i bit_of = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64,
                                            (char)128, 0, 0, 0, 0, 0, 0, 0, 0);
    __m256i low = _mm256_and_si256(v, low_nibble);
    __m256i high = _mm256_shuffle_epi8(bit_of, _mm256_and_si256(_mm256_srli_epi16(v, 4), low_nibble));
    __m256i alnum_by_low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)SPLIT_ALNUM_BY_LOW));
    __m256i capital_by_low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)SPLIT_CAPITAL_BY_LOW));
    __m256i xchar_by_low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)SPLIT_XCHAR_BY_LOW));
    __m256i zero = _mm256_setzero_si256();
#define FU_PLACE(bits) (((uint64_t)((uint32_t)(bits) & 0xffff) << at) | ((uint64_t)((uint32_t)(bits) >> 16) << high_at))
#define FU_NOT_IN(by_low) \
    (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(by_low, low), high), zero))
#define FU_EQUAL(byte) (uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(byte)))
    m->alnum = (more ? m->alnum : 0) | FU_PLACE(~FU_NOT_IN(alnum_by_low));
    m->suspect = (more ? m->suspect : 0) | FU_PLACE(FU_NOT_IN(xchar_by_low));
    m->dot = (more ? m->dot : 0) | FU_PLACE(FU_EQUAL('.'));
    m->hyphen = (more ? m->hyphen : 0) | FU_PLACE(FU_EQUAL('-'));
    m->colon = (more ? m->colon : 0) | FU_PLACE(FU_EQUAL(':'));
    m->slash = (more ? m->slash : 0) | FU_PLACE(FU_EQUAL('/'));
    m->qmark = (more ? m->qmark : 0) | FU_PLACE(FU_EQUAL('?'));
    m->hash = (more ? m->hash : 0) | FU_PLACE(FU_EQUAL('#'));
    m->capital = (more ? m->capital : 0) | FU_PLACE(~FU_NOT_IN(capital_by_low));
#undef FU_PLACE
#undef FU_NOT_IN
#undef FU_EQUAL
}

static inline void fu_masks(const uint8_t *p, size_t n, fu_block *out) {
    if (n >= 32) {
        fu_add_masks(_mm256_loadu_si256((const __m256i *)p), 0, 16, 0, out);
        if (n > 32) fu_add_masks(_mm256_loadu_si256((const __m256i *)(p + n - 32)), n - 32, n - 16, 1, out);
    } else if (n >= 16) {
        __m128i low = _mm_loadu_si128((const __m128i *)p);
        __m128i high = _mm_loadu_si128((const __m128i *)(p + n - 16));
        fu_add_masks(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1), 0, n - 16, 0, out);
    } else {
        uint8_t padded[16] = {0};
        memcpy(padded, p, n);
        __m128i low = _mm_loadu_si128((const __m128i *)padded);
        fu_add_masks(_mm256_inserti128_si256(_mm256_castsi128_si256(low), low, 1), 0, 0, 0, out);
        out->suspect &= fu_low_bits(n);
    }
}

#endif
