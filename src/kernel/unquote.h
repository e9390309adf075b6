/* Reading escapes: %XX becomes the octet, a % that is no escape stays. RFC 1738 section 2.2.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_UNQUOTE_H
#define FASTURL_UNQUOTE_H

#include "escape_level.h"
#include "octets.h"

/* The octet that the escape at p[0:n] stands for; -1 when there is no escape. */
static inline int fu_escape_value(const uint8_t *p, size_t n) {
    int high, low;
    if (n < 3 || p[0] != '%') return -1;
    high = HEX_VALUE[p[1]];
    low = HEX_VALUE[p[2]];
    return (high | low) < 0 ? -1 : high << 4 | low;
}

static inline size_t fu_unquote_find_scalar(const uint8_t *p, size_t n, int plus) {
    size_t i = 0;
    while (i < n && p[i] != '%' && !(plus && p[i] == '+')) i++;
    return i;
}

static inline size_t fu_unquote_write_scalar(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
    const uint8_t *end = p + n;
    uint8_t *start = out;
    uint8_t bits = 0;
    while (p < end) {
        int octet = *p == '%' ? fu_escape_value(p, (size_t)(end - p)) : -1;
        if (octet >= 0) {
            *out++ = (uint8_t)octet;
            bits |= (uint8_t)octet;
            p += 3;
        } else {
            *out++ = plus && *p == '+' ? ' ' : *p;
            p++;
        }
    }
    *seen |= bits;
    return (size_t)(out - start);
}

#ifdef FU_ESCAPE_HAS_SSE2
static inline size_t fu_unquote_find_sse2(const uint8_t *p, size_t n, int plus) {
    const __m128i percent = _mm_set1_epi8('%');
    const __m128i other = _mm_set1_epi8(plus ? '+' : '%');
    if (n < 16) return fu_unquote_find_scalar(p, n, plus);
    for (size_t i = 0;; i = n - i < 32 ? n - 16 : i + 16) {
        __m128i octets = _mm_loadu_si128((const __m128i *)(p + i));
        __m128i found = _mm_or_si128(_mm_cmpeq_epi8(octets, percent), _mm_cmpeq_epi8(octets, other));
        uint32_t mask = (uint32_t)_mm_movemask_epi8(found);
        if (mask) return i + fu_lowest_bit(mask);
        if (i == n - 16) return n;
    }
}

static inline size_t fu_unquote_write_sse2(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
    const __m128i percent = _mm_set1_epi8('%');
    const __m128i plus_sign = _mm_set1_epi8('+');
    const __m128i to_space = _mm_set1_epi8(plus ? '+' ^ ' ' : 0);
    const uint8_t *end = p + n;
    uint8_t *start = out;
    uint8_t bits = 0;
    while (end - p >= 16) {
        __m128i octets = _mm_loadu_si128((const __m128i *)p);
        uint32_t mask = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(octets, percent));
        uint32_t run = mask ? fu_lowest_bit(mask) : 16;
        /* Of out, no more than of p was taken: sixteen octets have room. */
        octets = _mm_xor_si128(octets, _mm_and_si128(_mm_cmpeq_epi8(octets, plus_sign), to_space));
        _mm_storeu_si128((__m128i *)out, octets);
        p += run;
        out += run;
        while (p < end && *p == '%') {
            int octet = fu_escape_value(p, (size_t)(end - p));
            if (octet >= 0) {
                *out++ = (uint8_t)octet;
                bits |= (uint8_t)octet;
                p += 3;
            } else {
                *out++ = *p++;
            }
        }
    }
    *seen |= bits;
    out += fu_unquote_write_scalar(p, (size_t)(end - p), plus, out, seen);
    return (size_t)(out - start);
}
#endif

#ifdef FU_ESCAPE_HAS_AVX512
#include "unquote_avx512.h"
#endif

/* Where the first % stands (or, with `plus`, the first + or %); n when there is none. */
static inline size_t fu_unquote_find(const uint8_t *p, size_t n, int plus) {
#ifdef FU_ESCAPE_HAS_AVX512
    if (fu_escape_level == FU_ESCAPE_AVX512) return fu_unquote_find_avx512(p, n, plus);
#endif
#ifdef FU_ESCAPE_HAS_SSE2
    if (fu_escape_level >= FU_ESCAPE_SSE2) return fu_unquote_find_sse2(p, n, plus);
#endif
    return fu_unquote_find_scalar(p, n, plus);
}

/* Writes what p[0:n] decodes to, at most n octets, and returns its length; with `plus`, a + becomes a space first.
 * `out` has room for n octets and does not overlap p. `seen` gathers the highest bit of all octets that came from escapes:
 * below 80, ASCII text has stayed ASCII. */
static inline size_t fu_unquote_write(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
#ifdef FU_ESCAPE_HAS_AVX512
    if (fu_escape_level == FU_ESCAPE_AVX512) return fu_unquote_write_avx512(p, n, plus, out, seen);
#endif
#ifdef FU_ESCAPE_HAS_SSE2
    if (fu_escape_level >= FU_ESCAPE_SSE2) return fu_unquote_write_sse2(p, n, plus, out, seen);
#endif
    return fu_unquote_write_scalar(p, n, plus, out, seen);
}

#endif
