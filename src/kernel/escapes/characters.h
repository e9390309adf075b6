/* A text character by character, with the escapes decoded on the way: the redactor and the recogniser of addresses see through
 * escapes of any depth. No load leaves [p, p + n). */
#ifndef FASTURL_CHARACTERS_H
#define FASTURL_CHARACTERS_H

#include "ascii.h"
#include "compiler.h"

/* A character after its escapes are decoded `depth` times: "/" (depth 0), "%2F" and "\u002f" (depth 1), "%252F" and
 * "\\u002f" (depth 2). */
typedef struct {
    size_t end;
    uint8_t octet, depth;
} fu_character;

/* Deeper escapes count as this depth, so that nested logins cost a bounded number of visits. */
enum { FU_DEPTH_MAX = 3 };
/* The most backslashes that one escape may start with. In a longer run, the first ones are characters themselves. */
enum { FU_BACKSLASHES_MAX = 8 };

static inline int fu_hex_octet(const uint8_t *p, size_t n, size_t at) {
    if (at > n || n - at < 2) return -1;
    const int high = HEX_VALUE[p[at]], low = HEX_VALUE[p[at + 1]];
    return (high | low) < 0 ? -1 : high << 4 | low;
}

static FU_NOINLINE fu_character fu_read_escaped(const uint8_t *p, size_t n, size_t at) {
    fu_character c = {at + 1, p[at], 0};
    size_t digits = at + 1;
    if (p[at] == '%') {
        unsigned depth = 1;
        for (; fu_hex_octet(p, n, digits) == '%' && fu_hex_octet(p, n, digits + 2) >= 0; digits += 2)
            if (depth < FU_DEPTH_MAX) depth++;
        c.depth = (uint8_t)depth;
    } else {
        size_t letter = at + 1; /* after the backslashes, which each level of JSON doubles */
        while (letter < n && letter - at < FU_BACKSLASHES_MAX && p[letter] == '\\') letter++;
        const uint8_t depth = letter - at < 2 ? 1 : letter - at < 4 ? 2 : FU_DEPTH_MAX;
        if (n - letter >= 5 && p[letter] == 'u' && p[letter + 1] == '0' && p[letter + 2] == '0') {
            digits = letter + 3;
            c.depth = depth;
        } else if (n - letter >= 3 && p[letter] == 'x') {
            digits = letter + 1;
            c.depth = depth;
        }
    }
    const int octet = c.depth ? fu_hex_octet(p, n, digits) : -1;
    if (octet < 0) {
        c.depth = 0;
        return c;
    }
    c.octet = (uint8_t)octet;
    c.end = digits + 2;
    return c;
}

static inline fu_character fu_read_character(const uint8_t *p, size_t n, size_t at) {
    if (p[at] == '%' || p[at] == '\\') return fu_read_escaped(p, n, at);
    const fu_character c = {at + 1, p[at], 0};
    return c;
}

#endif
