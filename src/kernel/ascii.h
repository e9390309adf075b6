/* Tests and conversions of text, eight bytes at a time; decimal numbers; the value of one escape (RFC 1738 section 2.2). */
#ifndef FASTURL_ASCII_H
#define FASTURL_ASCII_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "chars.h"

/* A text inside a larger one. If `p` is NULL, there is none. */
typedef struct {
    const uint8_t *p;
    size_t n;
} fu_slice;

#define FU_EACH(byte) (0x0101010101010101ull * (byte))

/* Return nonzero if a byte of the word equals `byte`. */
static inline uint64_t fu_word_has(uint64_t word, uint8_t byte) {
    uint64_t other = word ^ FU_EACH(byte);
    return (other - FU_EACH(1)) & ~other & FU_EACH(0x80);
}

/* Return 1 for the white space of ASCII. */
static inline int fu_is_space(uint32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static inline int fu_is_ascii(const uint8_t *p, size_t n) {
    const uint64_t high_bits = 0x8080808080808080u;
    uint64_t word, seen = 0;
    size_t i = 0;
    for (; n - i >= sizeof word; i += sizeof word) {
        memcpy(&word, p + i, sizeof word);
        seen |= word;
    }
    for (; i < n; i++) seen |= p[i];
    return (seen & high_bits) == 0;
}

static inline uint64_t fu_capital_bits(uint64_t word) {
    const uint64_t ones = 0x0101010101010101u;
    return (word + ones * (0x80 - 'A')) & ~(word + ones * (0x80 - 'Z' - 1));
}

/* Return 1 if ASCII text contains an upper-case letter. Each byte is below 0x80, so no sum carries into the next byte. */
static inline int fu_ascii_has_capital(const uint8_t *p, size_t n) {
    uint64_t word, seen = 0;
    size_t i = 0;
    for (; n - i >= sizeof word; i += sizeof word) {
        memcpy(&word, p + i, sizeof word);
        seen |= fu_capital_bits(word);
    }
    for (; i < n; i++) seen |= fu_capital_bits(p[i]);
    return (seen & 0x8080808080808080u) != 0;
}

/* Copy ASCII text to `out` in lower case. `out` has space for n bytes and does not overlap p. */
static inline void fu_ascii_lower(const uint8_t *p, size_t n, uint8_t *out) {
    uint64_t word;
    for (size_t i = 0; n >= sizeof word; i = n - i < 2 * sizeof word ? n - sizeof word : i + sizeof word) {
        memcpy(&word, p + i, sizeof word);
        word |= (fu_capital_bits(word) & 0x8080808080808080u) >> 2;
        memcpy(out + i, &word, sizeof word);
        if (i == n - sizeof word) return;
    }
    for (size_t i = 0; i < n; i++) out[i] = (uint8_t)(p[i] | (fu_capital_bits(p[i]) & 0x80) >> 2);
}

/* Write a number in decimal digits. Return their count, at most 20. */
static inline size_t fu_write_number(uint64_t value, uint8_t *to) {
    uint8_t digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (uint8_t)('0' + value % 10);
        value /= 10;
    } while (value);
    memcpy(to, digits + at, sizeof digits - at);
    return sizeof digits - at;
}

/* Return a character of a text whose characters have one, two or four bytes. */
static inline uint32_t fu_point_at(const void *points, size_t i, int width) {
    return width == 1 ? ((const uint8_t *)points)[i] : width == 2 ? ((const uint16_t *)points)[i] : ((const uint32_t *)points)[i];
}

/* Return the byte that the escape at p[0:n] encodes, or -1 if there is no escape. */
static inline int fu_escape_value(const uint8_t *p, size_t n) {
    int high, low;
    if (n < 3 || p[0] != '%') return -1;
    high = HEX_VALUE[p[1]];
    low = HEX_VALUE[p[2]];
    return (high | low) < 0 ? -1 : high << 4 | low;
}

#endif
