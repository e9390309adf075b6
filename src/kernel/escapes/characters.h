/* A text character by character, with its escapes decoded on the way. The redactor reads with fu_read_character, and the
 * recogniser of addresses with fu_read_any_escape. No load leaves [p, p + n). */
#ifndef FASTURL_CHARACTERS_H
#define FASTURL_CHARACTERS_H

#include "ascii.h"
#include "compiler.h"

/* A character after its escapes are decoded `depth` times: "/" (depth 0), "%2F" and "\u002f" (depth 1), "%252F" and
 * "\\u002f" (depth 2). */
typedef struct {
    size_t end;
    uint8_t byte, depth;
} fu_character;

/* Deeper escapes count as this depth, so that nested logins cost a bounded number of visits. */
enum { FU_DEPTH_MAX = 3 };
/* The most backslashes that one escape may start with. In a longer run, the first ones are characters themselves. */
enum { FU_BACKSLASHES_MAX = 8 };

static inline int fu_hex_byte(const uint8_t *p, size_t n, size_t at) {
    if (at > n || n - at < 2) return -1;
    const int high = HEX_VALUE[p[at]], low = HEX_VALUE[p[at + 1]];
    return (high | low) < 0 ? -1 : high << 4 | low;
}

static FU_NOINLINE fu_character fu_read_escaped(const uint8_t *p, size_t n, size_t at) {
    fu_character c = {at + 1, p[at], 0};
    size_t digits = at + 1;
    if (p[at] == '%') {
        unsigned depth = 1;
        for (; fu_hex_byte(p, n, digits) == '%' && fu_hex_byte(p, n, digits + 2) >= 0; digits += 2)
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
    const int byte = c.depth ? fu_hex_byte(p, n, digits) : -1;
    if (byte < 0) {
        c.depth = 0;
        return c;
    }
    c.byte = (uint8_t)byte;
    c.end = digits + 2;
    return c;
}

static inline fu_character fu_read_character(const uint8_t *p, size_t n, size_t at) {
    if (p[at] == '%' || p[at] == '\\') return fu_read_escaped(p, n, at);
    const fu_character c = {at + 1, p[at], 0};
    return c;
}

/* Read `count` hexadecimal digits, which may be escapes themselves. Return their value, or -1 and leave *at. */
static inline int fu_read_digits(const uint8_t *p, size_t n, size_t *at, int count) {
    int value = 0;
    size_t i = *at;
    while (count-- > 0) {
        if (i >= n) return -1;
        const fu_character c = fu_read_character(p, n, i);
        if (HEX_VALUE[c.byte] < 0) return -1;
        value = value << 4 | HEX_VALUE[c.byte];
        i = c.end;
    }
    *at = i;
    return value;
}

static inline int fu_is_alnum(uint8_t byte) { return (BYTE_SPLIT[byte] & SPLIT_ALNUM) != 0; }

/* As fu_read_character. It also decodes "%u002e", any "\u2026" (as 0xFF), the letters of JSON ("\n", as a line feed), a
 * backslash before a sign ("\."), and escapes whose first character is escaped ("%5Cn", "%25u002e", "\u00252e"). */
static FU_NOINLINE fu_character fu_read_any_escape(const uint8_t *p, size_t n, size_t at) {
    fu_character c = fu_read_character(p, n, at);
    for (int turn = 0; turn < 2 && (c.byte == '%' || c.byte == '\\') && c.end < n; turn++) {
        const int is_percent = c.byte == '%';
        int value = -1;
        size_t end = c.end;
        fu_character next = fu_read_character(p, n, end);
        for (int slashes = 1; !is_percent && next.byte == '\\' && slashes < FU_BACKSLASHES_MAX && next.end < n; slashes++) {
            end = next.end;
            next = fu_read_character(p, n, end);
        }
        if (next.byte == 'u' || (next.byte == 'x' && !is_percent)) {
            end = next.end;
            value = fu_read_digits(p, n, &end, next.byte == 'u' ? 4 : 2);
        } else if (is_percent) {
            value = fu_read_digits(p, n, &end, 2);
        } else if (!fu_is_alnum(next.byte)) {
            value = next.byte;
            end = next.end;
        } else if (next.byte == 'n' || next.byte == 't' || next.byte == 'r' || next.byte == 'b' || next.byte == 'f') {
            value = '\n';
            end = next.end;
        }
        if (value < 0) break;
        c.byte = (uint8_t)(value > 0xFF ? 0xFF : value);
        c.end = end;
        if (c.depth == 0) c.depth = 1;
    }
    return c;
}

#endif
