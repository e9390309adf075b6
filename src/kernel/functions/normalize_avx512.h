/* Normalize escapes with AVX-512, up to 64 bytes per step, without a branch on their positions. Masked loads and stores stay
 * inside the buffers. */
#ifndef FASTURL_NORMALIZE_AVX512_H
#define FASTURL_NORMALIZE_AVX512_H

#include <immintrin.h>

#include "chars.h"
#include "escapes/quote_avx512.h"
#include "validate/escapes_avx512.h"

#define FU_HAS_NORMAL_BLOCKS 1

/* Write p[0:n] with the escapes of plain bytes (in a key, of unreserved bytes) decoded and the hex digits of other escapes in
 * upper case. Stop at the first block in which a "%" starts no escape. Return the bytes read; *written: the bytes written, which
 * are no more. */
static inline size_t fu_normal_blocks(const uint8_t *p, size_t n, int key, uint8_t *out, size_t *written) {
    const uint8_t *table = key ? BYTE_CLASS : BYTE_SPLIT;
    const __m512i members = _mm512_set1_epi8((char)(key ? CLASS_LOWALPHA | CLASS_HIALPHA | CLASS_DIGIT | CLASS_SAFE | CLASS_EXTRA
                                                        : SPLIT_ALNUM | SPLIT_DOT | SPLIT_HYPHEN));
    const __m512i underscore = _mm512_set1_epi8('_'); /* plain and unreserved, but no set of the split */
    uint8_t *const first = out;
    uint64_t dropped = 0, raised = 0; /* the first bytes of a block that are digits of an escape in the block before */
    size_t i = 0;
    while (i < n) {
        FU_PREFETCH_AHEAD(p + i);
        const fu_unquote_block b = fu_unquote_load(p + i, n - i);
        const uint64_t percents = _mm512_cmpeq_epi8_mask(b.data, _mm512_set1_epi8('%'));
        const int goes_on = n - i > 64;
        if (!(percents | dropped | raised)) { /* nothing to change */
            const size_t block = goes_on ? 64 : n - i;
            _mm512_mask_storeu_epi8(out, fu_low_bits(block), b.data);
            out += block;
            i += block;
            continue;
        }
        /* Take 62 bytes, whatever they are. Every escape that starts in them ends in the block, and the start of the next block
         * does not depend on this one's contents. */
        const size_t take = goes_on ? 62 : n - i;
        const uint64_t taken = fu_low_bits(take), own = taken & ~(dropped | raised);
        const uint64_t starts = b.starts & own;
        if (percents & own & ~starts) break;

        const __m512i values = fu_unquote_values(b.values);
        const uint64_t decoded =
            starts & (_mm512_test_epi8_mask(fu_look_up(table, values), members) | _mm512_cmpeq_epi8_mask(values, underscore));
        const uint64_t drop = decoded << 1 | decoded << 2, raise = (starts & ~decoded) << 1 | (starts & ~decoded) << 2;
        const uint64_t lower = (raise | raised) & _mm512_cmpge_epu8_mask(b.data, _mm512_set1_epi8('a'));
        __m512i data = _mm512_mask_sub_epi8(b.data, lower, b.data, _mm512_set1_epi8('a' - 'A'));
        data = _mm512_mask_mov_epi8(data, decoded, values);
        const uint64_t keep = taken & ~(drop | dropped);
        const size_t length = (size_t)_mm_popcnt_u64(keep);
        _mm512_mask_storeu_epi8(out, fu_low_bits(length), _mm512_maskz_compress_epi8(keep, data));
        dropped = goes_on ? drop >> 62 : 0;
        raised = goes_on ? raise >> 62 : 0;
        out += length;
        i += take;
    }
    for (uint64_t digits = dropped | raised; digits; digits >>= 1, i++)
        if (raised) *out++ = p[i] >= 'a' ? (uint8_t)(p[i] - ('a' - 'A')) : p[i];
    *written = (size_t)(out - first);
    return i;
}

#endif
