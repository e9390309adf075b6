/* Writing octets as text in which some of them are escapes: %XX, hex digits in upper case.
 *
 * A table holds what each octet becomes, so one loop serves quote (any `safe`), quote_plus and RFC 1738's escapes; no set
 * of characters is known here. No load leaves [p, p + n). */
#ifndef FASTURL_QUOTE_H
#define FASTURL_QUOTE_H

#include "escape_level.h"

#define FU_QUOTE_RANGES 10
/* How far past the last octet that counts fu_quote_write may write. */
#define FU_QUOTE_SLACK 16

typedef struct {
    uint8_t unit[256][4]; /* what an octet becomes; in the last place, how many octets that is: 1 or 3 */
    uint8_t dirty[256];   /* FF where that differs from the octet itself */
    int plus;             /* a space becomes + */
    size_t ranges;        /* of octets that stay, for SSE2; 0 when there are too many of them to be worth testing */
    uint8_t low[FU_QUOTE_RANGES][16];  /* a range's first octet, sixteen times */
    uint8_t span[FU_QUOTE_RANGES][16]; /* its last less its first, sixteen times */
} fu_quote_table;

/* keep[octet] is not 0 for the octets below 80 that stay; all others are escaped. With `plus`, a space becomes + (whether
 * + itself stays is for `keep` to say). */
static inline void fu_quote_table_fill(fu_quote_table *table, const uint8_t keep[128], int plus) {
    static const char digits[] = "0123456789ABCDEF";
    size_t ranges = 0;
    for (int octet = 0; octet < 256; octet++) {
        uint8_t *unit = table->unit[octet];
        int spaced = plus && octet == ' ';
        int stays = octet < 128 && keep[octet] && !spaced;
        table->dirty[octet] = stays ? 0 : 0xff;
        unit[0] = (uint8_t)(spaced ? '+' : stays ? octet : '%');
        unit[1] = (uint8_t)digits[octet >> 4];
        unit[2] = (uint8_t)digits[octet & 15];
        unit[3] = spaced || stays ? 1 : 3;
    }
    for (int octet = 0; octet < 128; octet++) {
        int first = octet;
        if (table->dirty[octet]) continue;
        while (!table->dirty[octet + 1]) octet++;
        if (ranges == FU_QUOTE_RANGES) {
            ranges = 0;
            break;
        }
        memset(table->low[ranges], first, 16);
        memset(table->span[ranges], octet - first, 16);
        ranges++;
    }
    table->ranges = ranges;
    table->plus = plus;
}

static inline size_t fu_quote_find_scalar(const fu_quote_table *table, const uint8_t *p, size_t n) {
    size_t i = 0;
    while (i < n && !table->dirty[p[i]]) i++;
    return i;
}

static inline size_t fu_quote_write_scalar(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
    uint8_t *start = out;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *unit = table->unit[p[i]];
        memcpy(out, unit, 4);
        out += unit[3];
    }
    return (size_t)(out - start);
}

#ifdef FU_ESCAPE_HAS_SSE2
/* One bit for each of sixteen octets that does not stay. */
static inline uint32_t fu_quote_mask_sse2(const fu_quote_table *table, __m128i octets) {
    __m128i stay = _mm_setzero_si128();
    for (size_t r = 0; r < table->ranges; r++) {
        __m128i low = _mm_loadu_si128((const __m128i *)table->low[r]);
        __m128i span = _mm_loadu_si128((const __m128i *)table->span[r]);
        __m128i above = _mm_sub_epi8(octets, low);
        stay = _mm_or_si128(stay, _mm_cmpeq_epi8(_mm_min_epu8(above, span), above));
    }
    return (uint32_t)_mm_movemask_epi8(stay) ^ 0xffffu;
}

static inline size_t fu_quote_find_sse2(const fu_quote_table *table, const uint8_t *p, size_t n) {
    if (!table->ranges || n < 16) return fu_quote_find_scalar(table, p, n);
    for (size_t i = 0;; i = n - i < 32 ? n - 16 : i + 16) {
        uint32_t mask = fu_quote_mask_sse2(table, _mm_loadu_si128((const __m128i *)(p + i)));
        if (mask) return i + fu_lowest_bit(mask);
        if (i == n - 16) return n;
    }
}

static inline size_t fu_quote_write_sse2(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
    const uint8_t *end = p + n;
    uint8_t *start = out;
    while (table->ranges && end - p >= 16) {
        __m128i octets = _mm_loadu_si128((const __m128i *)p);
        uint32_t mask = fu_quote_mask_sse2(table, octets);
        uint32_t run = mask ? fu_lowest_bit(mask) : 16;
        _mm_storeu_si128((__m128i *)out, octets);
        /* The rest of the block octet by octet, without a branch on its content: octets to escape come in flocks. */
        out += run;
        out += fu_quote_write_scalar(table, p + run, 16 - run, out);
        p += 16;
    }
    out += fu_quote_write_scalar(table, p, (size_t)(end - p), out);
    return (size_t)(out - start);
}
#endif

#ifdef FU_ESCAPE_HAS_AVX512
#include "quote_avx512.h"
#endif

/* Where the first octet stands that does not stay; n when all do. */
static inline size_t fu_quote_find(const fu_quote_table *table, const uint8_t *p, size_t n) {
#ifdef FU_ESCAPE_HAS_AVX512
    if (fu_escape_level == FU_ESCAPE_AVX512) return fu_quote_find_avx512(table, p, n);
#endif
#ifdef FU_ESCAPE_HAS_SSE2
    if (fu_escape_level >= FU_ESCAPE_SSE2) return fu_quote_find_sse2(table, p, n);
#endif
    return fu_quote_find_scalar(table, p, n);
}

/* How many octets p[0:n] becomes; at most 3 * n. */
static inline size_t fu_quote_length(const fu_quote_table *table, const uint8_t *p, size_t n) {
    size_t total = 0;
#ifdef FU_ESCAPE_HAS_AVX512
    if (fu_escape_level == FU_ESCAPE_AVX512) return fu_quote_length_avx512(table, p, n);
#endif
    for (size_t i = 0; i < n; i++) total += table->unit[p[i]][3];
    return total;
}

/* Writes what p[0:n] becomes and returns its length. `out` has room for 3 * n + FU_QUOTE_SLACK octets. */
static inline size_t fu_quote_write(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
#ifdef FU_ESCAPE_HAS_AVX512
    if (fu_escape_level == FU_ESCAPE_AVX512) return fu_quote_write_avx512(table, p, n, out);
#endif
#ifdef FU_ESCAPE_HAS_SSE2
    if (fu_escape_level >= FU_ESCAPE_SSE2) return fu_quote_write_sse2(table, p, n, out);
#endif
    return fu_quote_write_scalar(table, p, n, out);
}

#endif
