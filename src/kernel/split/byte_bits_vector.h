/* The mask of the bytes that equal one byte, in up to 64 bytes, 16 per step. Requires vector_sse2.h or vector_neon.h. */
#ifndef FASTURL_BYTE_BITS_VECTOR_H
#define FASTURL_BYTE_BITS_VECTOR_H

#include <string.h>

#include "split/masks.h"

static inline uint64_t fu_byte_bits(const uint8_t *p, size_t n, uint8_t byte) {
    const fu_vector wanted = fu_splat(byte);
    uint64_t bits = 0;
    if (n < 16) {
        uint8_t padded[16] = {0};
        memcpy(padded, p, n);
        return fu_bits(fu_equal(fu_load(padded), wanted)) & fu_low_bits(n);
    }
    for (size_t i = 0; i + 16 <= n; i += 16) bits |= (uint64_t)fu_bits(fu_equal(fu_load(p + i), wanted)) << i;
    if (n & 15) bits |= (uint64_t)fu_bits(fu_equal(fu_load(p + n - 16), wanted)) << (n - 16);
    return bits;
}
#define FU_BYTE_BITS fu_byte_bits

/* Return the lanes of the bytes after which a secret name may start (escapes/redaction.h): "#" to "&", ";" to "?", "[" to
 * "]". The ranges include bytes that never precede a name. */
static inline fu_vector fu_name_lanes(fu_vector v) {
    const fu_vector low = fu_in_range(v, fu_splat('#'), fu_splat('&' - '#'));
    const fu_vector high = fu_in_range(v, fu_splat(';'), fu_splat('?' - ';'));
    return fu_or(fu_or(low, high), fu_in_range(v, fu_splat('['), fu_splat(']' - '[')));
}

/* Return the lanes of "@" and "=", and of "%" and "\\", which may start an escaped "@" or "=". Every login and every value
 * contains one of these. */
static inline fu_vector fu_mark_lanes(fu_vector v) {
    const fu_vector raw = fu_or(fu_equal(v, fu_splat('@')), fu_equal(v, fu_splat('=')));
    return fu_or(raw, fu_or(fu_equal(v, fu_splat('%')), fu_equal(v, fu_splat('\\'))));
}

/* Return the lanes of letters, digits, "-" and "_", of which tokens consist (escapes/secrets.h). */
static inline fu_vector fu_run_lanes(fu_vector v) {
    const fu_vector letters = fu_in_range(fu_or(v, fu_splat(0x20)), fu_splat('a'), fu_splat('z' - 'a'));
    const fu_vector marks = fu_or(fu_equal(v, fu_splat('-')), fu_equal(v, fu_splat('_')));
    return fu_or(fu_or(letters, marks), fu_in_range(v, fu_splat('0'), fu_splat('9' - '0')));
}

/* Define a function that returns the mask of the lanes in up to 64 bytes. The lanes must be 0 for a byte of 0. */
#define FU_BITS_OF(name, lanes_of)                                                                         \
    static inline uint64_t name(const uint8_t *p, size_t n) {                                              \
        uint64_t bits = 0;                                                                                 \
        if (n < 16) {                                                                                      \
            uint8_t padded[16] = {0};                                                                      \
            memcpy(padded, p, n);                                                                          \
            return fu_bits(lanes_of(fu_load(padded)));                                                     \
        }                                                                                                  \
        for (size_t i = 0; i + 16 <= n; i += 16) bits |= (uint64_t)fu_bits(lanes_of(fu_load(p + i))) << i; \
        if (n & 15) bits |= (uint64_t)fu_bits(lanes_of(fu_load(p + n - 16))) << (n - 16);                  \
        return bits;                                                                                       \
    }
FU_BITS_OF(fu_mark_bits, fu_mark_lanes)
FU_BITS_OF(fu_name_bits, fu_name_lanes)
FU_BITS_OF(fu_run_bits, fu_run_lanes)
#undef FU_BITS_OF
#define FU_MARK_BITS fu_mark_bits
#define FU_NAME_BITS fu_name_bits
#define FU_RUN_BITS fu_run_bits

static inline void fu_add_pair_bits(fu_vector v, size_t at, uint8_t separator, fu_pair_bits *bits) {
    bits->ends |= (uint64_t)fu_bits(fu_equal(v, fu_splat(separator))) << at;
    bits->equals |= (uint64_t)fu_bits(fu_equal(v, fu_splat('='))) << at;
    bits->marks |= (uint64_t)fu_bits(fu_or(fu_equal(v, fu_splat('%')), fu_equal(v, fu_splat('+')))) << at;
}

static inline void fu_pair_bits_of(const uint8_t *p, size_t n, uint8_t separator, fu_pair_bits *out) {
    fu_pair_bits bits = {0, 0, 0};
    if (n < 16) {
        uint8_t padded[16] = {0};
        memcpy(padded, p, n);
        fu_add_pair_bits(fu_load(padded), 0, separator, &bits);
        bits.ends &= fu_low_bits(n); /* the padding matches a separator of 00 */
    } else {
        for (size_t i = 0; i + 16 <= n; i += 16) fu_add_pair_bits(fu_load(p + i), i, separator, &bits);
        if (n & 15) fu_add_pair_bits(fu_load(p + n - 16), n - 16, separator, &bits);
    }
    *out = bits;
}
#define FU_PAIR_BITS fu_pair_bits_of

#endif
