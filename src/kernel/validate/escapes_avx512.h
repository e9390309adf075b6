/* Escapes that harm nobody, 64 octets at a time with AVX-512: what validation need not look at one by one. */
#ifndef FASTURL_ESCAPES_AVX512_H
#define FASTURL_ESCAPES_AVX512_H

#include <immintrin.h>

#include "percent/unquote_avx512.h"

#define FU_HAS_HARMLESS_ESCAPES 1

/* A bit for each octet of the first 64 of p[0:n] that starts a whole escape there, of an octet that is none of
 * FU_ESCAPED_HAZARDS (validate/parts.h). */
static inline uint64_t fu_harmless_escapes(const uint8_t *p, size_t n) {
    const fu_unquote_block b = fu_unquote_load(p, n);
    const __m512i octets = fu_unquote_values(b.values);
#define FU_SPLAT(octet) _mm512_set1_epi8((char)(octet))
    const __m512i c0_c1 = _mm512_and_si512(octets, FU_SPLAT(0xfe)), e0_f0 = _mm512_and_si512(octets, FU_SPLAT(0xef));
    const uint64_t hazards = _mm512_cmplt_epu8_mask(octets, FU_SPLAT(0x20)) | _mm512_cmpeq_epi8_mask(octets, FU_SPLAT(0x7f)) |
                             _mm512_cmpeq_epi8_mask(octets, FU_SPLAT('%')) | _mm512_cmpeq_epi8_mask(c0_c1, FU_SPLAT(0xc0)) |
                             _mm512_cmpeq_epi8_mask(e0_f0, FU_SPLAT(0xe0));
#undef FU_SPLAT
    return b.starts & ~hazards;
}

#endif
