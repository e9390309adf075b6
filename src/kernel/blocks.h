/* Sixty-four octets at a time, one bit an octet: which octets of a block are delimiters, letters and digits, or odd.
 *
 * Every kernel answers the same question, so the split above them is written once (split_body.h):
 *   scalar   one table look-up an octet; always built, and the one that the others are tested against
 *   avx2     nibble look-ups, 32 octets at a time
 *   avx512   one 128-entry look-up for 64 octets (AVX-512 BW and VBMI)
 *   neon     nibble look-ups, 16 octets at a time
 *
 * No load leaves [p, p + n): a masked load cannot fault, and the others end with a load that overlaps the one before. */
#ifndef FASTURL_BLOCKS_H
#define FASTURL_BLOCKS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "octets.h"
#include "spans.h"

typedef struct {
    uint64_t alnum, dot, hyphen; /* what hosts and scheme names are made of */
    uint64_t colon, slash, qmark, hash;
    uint64_t odd;     /* no xchar */
    uint64_t capital; /* an upper-case letter */
} fu_masks;

/* One bit a mask for each octet: the scalar kernel's and AVX-512's view of the same sets. */
enum {
    FU_BIT_ALNUM = 1 << 0,
    FU_BIT_DOT = 1 << 1,
    FU_BIT_HYPHEN = 1 << 2,
    FU_BIT_COLON = 1 << 3,
    FU_BIT_SLASH = 1 << 4,
    FU_BIT_QMARK = 1 << 5,
    FU_BIT_CAPITAL = 1 << 6,
    FU_BIT_XCHAR = 1 << 7
};
static uint8_t fu_octet_bits[256];

/* For look-ups by nibble: bit h of fu_*_by_low[l] says whether octet 16*h + l is in the set (all below 80). */
static uint8_t fu_alnum_by_low[16];
static uint8_t fu_xchar_by_low[16];
static uint8_t fu_capital_by_low[16];

static inline void fu_fill_block_tables(void) {
    for (int octet = 0; octet < 256; octet++) {
        uint32_t terms = OCTET_TERMS[octet];
        uint8_t bits = 0;
        if (terms & TERM_ALPHADIGIT) bits |= FU_BIT_ALNUM;
        if (terms & TERM_XCHAR) bits |= FU_BIT_XCHAR;
        if (OCTET_CLASS[octet] & CLASS_HIALPHA) bits |= FU_BIT_CAPITAL;
        switch (octet) {
            case '.': bits |= FU_BIT_DOT; break;
            case '-': bits |= FU_BIT_HYPHEN; break;
            case ':': bits |= FU_BIT_COLON; break;
            case '/': bits |= FU_BIT_SLASH; break;
            case '?': bits |= FU_BIT_QMARK; break;
            default: break;
        }
        fu_octet_bits[octet] = bits;
        if (octet < 0x80) {
            if (bits & FU_BIT_ALNUM) fu_alnum_by_low[octet & 15] |= (uint8_t)(1 << (octet >> 4));
            if (bits & FU_BIT_XCHAR) fu_xchar_by_low[octet & 15] |= (uint8_t)(1 << (octet >> 4));
            if (bits & FU_BIT_CAPITAL) fu_capital_by_low[octet & 15] |= (uint8_t)(1 << (octet >> 4));
        }
    }
}

/* The kernels below: 1 <= n <= 64, bits at and above n are 0. */

static inline void fu_masks_scalar(const uint8_t *p, size_t n, fu_masks *out) {
    fu_masks m;
    m.alnum = m.dot = m.hyphen = m.colon = m.slash = m.qmark = m.hash = m.odd = m.capital = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t bits = fu_octet_bits[p[i]];
        uint64_t one = (uint64_t)1 << i;
        if (bits & FU_BIT_ALNUM) { /* an xchar */
            m.alnum |= one;
            m.capital |= bits & FU_BIT_CAPITAL ? one : 0;
            continue;
        }
        m.dot |= bits & FU_BIT_DOT ? one : 0;
        m.hyphen |= bits & FU_BIT_HYPHEN ? one : 0;
        m.colon |= bits & FU_BIT_COLON ? one : 0;
        m.slash |= bits & FU_BIT_SLASH ? one : 0;
        m.qmark |= bits & FU_BIT_QMARK ? one : 0;
        m.hash |= p[i] == '#' ? one : 0;
        m.odd |= bits & FU_BIT_XCHAR ? 0 : one;
    }
    *out = m;
}

#if (defined(__x86_64__) || defined(_M_X64)) && (defined(__GNUC__) || defined(__clang__))
#define FU_HAVE_X86 1
#include <immintrin.h>

#define FU_TARGET_AVX2 __attribute__((target("avx2,bmi,bmi2,lzcnt,popcnt")))
#define FU_TARGET_AVX512 __attribute__((target("avx512f,avx512bw,avx512vl,avx512vbmi,bmi,bmi2,lzcnt,popcnt")))

/* The masks of one 32-octet vector, whose first octet is octet `at` of the block, added to those of `more`. Octets seen
 * twice, because two loads overlap, give the same bits twice. `high_at` is where the vector's upper half stands: at + 16
 * but for the halves of a short block. */
FU_TARGET_AVX2 static inline void fu_add_masks_avx2(__m256i v, size_t at, size_t high_at, int more, fu_masks *m) {
    const __m256i low_nibble = _mm256_set1_epi8(0x0f);
    const __m256i bit_of = _mm256_setr_epi8(1, 2, 4, 8, 16, 32, 64, (char)128, 0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64,
                                            (char)128, 0, 0, 0, 0, 0, 0, 0, 0);
    __m256i low = _mm256_and_si256(v, low_nibble);
    __m256i high = _mm256_shuffle_epi8(bit_of, _mm256_and_si256(_mm256_srli_epi16(v, 4), low_nibble));
    __m256i alnum_by_low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)fu_alnum_by_low));
    __m256i capital_by_low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)fu_capital_by_low));
    __m256i xchar_by_low = _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)fu_xchar_by_low));
    __m256i zero = _mm256_setzero_si256();
#define FU_PLACE(bits) \
    (((uint64_t)((uint32_t)(bits) & 0xffff) << at) | ((uint64_t)((uint32_t)(bits) >> 16) << high_at))
#define FU_NOT_IN(by_low) \
    (uint32_t) _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_and_si256(_mm256_shuffle_epi8(by_low, low), high), zero))
#define FU_EQUAL(octet) (uint32_t) _mm256_movemask_epi8(_mm256_cmpeq_epi8(v, _mm256_set1_epi8(octet)))
    m->alnum = (more ? m->alnum : 0) | FU_PLACE(~FU_NOT_IN(alnum_by_low));
    m->odd = (more ? m->odd : 0) | FU_PLACE(FU_NOT_IN(xchar_by_low));
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

FU_TARGET_AVX2 static inline void fu_masks_avx2(const uint8_t *p, size_t n, fu_masks *out) {
    if (n >= 32) {
        fu_add_masks_avx2(_mm256_loadu_si256((const __m256i *)p), 0, 16, 0, out);
        if (n > 32) fu_add_masks_avx2(_mm256_loadu_si256((const __m256i *)(p + n - 32)), n - 32, n - 16, 1, out);
    } else if (n >= 16) {
        __m128i low = _mm_loadu_si128((const __m128i *)p);
        __m128i high = _mm_loadu_si128((const __m128i *)(p + n - 16));
        fu_add_masks_avx2(_mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1), 0, n - 16, 0, out);
    } else {
        uint8_t padded[16] = {0};
        memcpy(padded, p, n);
        __m128i low = _mm_loadu_si128((const __m128i *)padded);
        fu_add_masks_avx2(_mm256_inserti128_si256(_mm256_castsi128_si256(low), low, 1), 0, 0, 0, out);
        out->odd &= fu_low_bits(n);
    }
}

FU_TARGET_AVX512 static inline void fu_masks_avx512(const uint8_t *p, size_t n, fu_masks *out) {
    __mmask64 present = fu_low_bits(n);
    __m512i v = _mm512_maskz_loadu_epi8(present, p);
    __m512i table_low = _mm512_loadu_si512(fu_octet_bits);
    __m512i table_high = _mm512_loadu_si512(fu_octet_bits + 64);
    __mmask64 ascii = present & ~_mm512_movepi8_mask(v);
    __m512i bits = _mm512_maskz_permutex2var_epi8(ascii, table_low, v, table_high);
#define FU_HAS(bit) _mm512_test_epi8_mask(bits, _mm512_set1_epi8((char)(bit)))
    out->alnum = FU_HAS(FU_BIT_ALNUM);
    out->dot = FU_HAS(FU_BIT_DOT);
    out->hyphen = FU_HAS(FU_BIT_HYPHEN);
    out->colon = FU_HAS(FU_BIT_COLON);
    out->slash = FU_HAS(FU_BIT_SLASH);
    out->qmark = FU_HAS(FU_BIT_QMARK);
    out->capital = FU_HAS(FU_BIT_CAPITAL);
    out->odd = present & ~FU_HAS(FU_BIT_XCHAR);
    out->hash = _mm512_cmpeq_epi8_mask(v, _mm512_set1_epi8('#'));
#undef FU_HAS
}
#endif

#if defined(__aarch64__) && defined(__ARM_NEON) && (defined(__GNUC__) || defined(__clang__))
#define FU_HAVE_NEON 1
#include <arm_neon.h>

static inline uint64_t fu_movemask_neon(uint8x16_t v) {
    static const uint8_t weights[16] = {1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128};
    uint8x16_t bits = vandq_u8(v, vld1q_u8(weights));
    return (uint64_t)vaddv_u8(vget_low_u8(bits)) | (uint64_t)vaddv_u8(vget_high_u8(bits)) << 8;
}

static inline void fu_add_masks_neon(uint8x16_t v, size_t at, int more, fu_masks *m) {
    static const uint8_t bit_of[16] = {1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0};
    uint8x16_t low = vandq_u8(v, vdupq_n_u8(0x0f));
    uint8x16_t high = vqtbl1q_u8(vld1q_u8(bit_of), vshrq_n_u8(v, 4));
    uint8x16_t alnum = vtstq_u8(vqtbl1q_u8(vld1q_u8(fu_alnum_by_low), low), high);
    uint8x16_t capital = vtstq_u8(vqtbl1q_u8(vld1q_u8(fu_capital_by_low), low), high);
    uint8x16_t xchar = vtstq_u8(vqtbl1q_u8(vld1q_u8(fu_xchar_by_low), low), high);
#define FU_EQUAL(octet) (fu_movemask_neon(vceqq_u8(v, vdupq_n_u8(octet))) << at)
    m->alnum = (more ? m->alnum : 0) | (fu_movemask_neon(alnum) << at);
    m->odd = (more ? m->odd : 0) | (fu_movemask_neon(vmvnq_u8(xchar)) << at);
    m->dot = (more ? m->dot : 0) | (FU_EQUAL('.'));
    m->hyphen = (more ? m->hyphen : 0) | (FU_EQUAL('-'));
    m->colon = (more ? m->colon : 0) | (FU_EQUAL(':'));
    m->slash = (more ? m->slash : 0) | (FU_EQUAL('/'));
    m->qmark = (more ? m->qmark : 0) | (FU_EQUAL('?'));
    m->hash = (more ? m->hash : 0) | (FU_EQUAL('#'));
    m->capital = (more ? m->capital : 0) | (fu_movemask_neon(capital) << at);
#undef FU_EQUAL
}

static inline void fu_masks_neon(const uint8_t *p, size_t n, fu_masks *out) {
    if (n >= 16) {
        for (size_t i = 0; i + 16 <= n; i += 16) fu_add_masks_neon(vld1q_u8(p + i), i, i > 0, out);
        if (n & 15) fu_add_masks_neon(vld1q_u8(p + n - 16), n - 16, 1, out);
    } else {
        uint8_t padded[16] = {0};
        memcpy(padded, p, n);
        fu_add_masks_neon(vld1q_u8(padded), 0, 0, out);
        out->odd &= fu_low_bits(n);
    }
}
#endif

#endif
