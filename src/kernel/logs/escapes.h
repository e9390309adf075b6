/* Undo the escape sequences that servers write into logs. Apache writes a backslash before a quote and a backslash, \n and
 * the like. Apache and nginx write \xhh for bytes that are not graphic. nginx with escape=json writes those of JSON. */
#ifndef FASTURL_LOGS_ESCAPES_H
#define FASTURL_LOGS_ESCAPES_H

#include <string.h>

#include "chars.h"

/* Return the byte that a backslash and this letter stand for, or -1. */
static inline int fu_log_escape(uint8_t letter) {
    switch (letter) {
    case '"':
    case '\\': return letter;
    case 'a': return '\a';
    case 'b': return '\b';
    case 'f': return '\f';
    case 'n': return '\n';
    case 'r': return '\r';
    case 't': return '\t';
    case 'v': return '\v';
    default: return -1;
    }
}

/* Write the byte of the escape sequence at p, or the backslash if it starts none. Return the number of bytes read. */
static inline size_t fu_log_byte(const uint8_t *p, const uint8_t *end, uint8_t **out) {
    int byte = -1;
    size_t taken = 2;
    if (end - p >= 4 && p[1] == 'x' && HEX_VALUE[p[2]] >= 0 && HEX_VALUE[p[3]] >= 0) {
        byte = HEX_VALUE[p[2]] * 16 + HEX_VALUE[p[3]];
        taken = 4;
    } else if (end - p >= 2) {
        byte = fu_log_escape(p[1]);
    }
    *(*out)++ = (uint8_t)(byte < 0 ? '\\' : byte);
    return byte < 0 ? 1 : taken;
}

/* --- JSON ------------------------------------------------------------------------------------------------------------ */

/* How the server escaped the fields of a format. In a table of values, a quote within quotes is doubled. */
enum { FU_ESCAPED_BY_SERVER, FU_ESCAPED_AS_JSON, FU_NOT_ESCAPED, FU_QUOTES_DOUBLED };

/* Return the value of four hex digits, or -1. */
static inline int fu_hex_unit(const uint8_t *p, const uint8_t *end) {
    int unit = 0;
    if (end - p < 4) return -1;
    for (int i = 0; i < 4; i++) {
        const int digit = HEX_VALUE[p[i]];
        if (digit < 0) return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

/* Write the character of one \uhhhh, or of a surrogate pair, as UTF-8. Return the number of bytes read, 0 for none. */
static inline size_t fu_json_character(const uint8_t *p, const uint8_t *end, uint8_t **out) {
    uint8_t *to = *out;
    size_t taken = 6;
    int code = end - p < 6 || p[1] != 'u' ? -1 : fu_hex_unit(p + 2, end);
    if (code >= 0xD800 && code < 0xDC00 && end - p >= 12 && p[6] == '\\' && p[7] == 'u') {
        const int low = fu_hex_unit(p + 8, end);
        if (low < 0xDC00 || low > 0xDFFF) return 0;
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        taken = 12;
    }
    if (code >= 0xDC80 && code < 0xDD00) { /* a byte that is not UTF-8, as `--invalid-bytes surrogate` writes it */
        *(*out)++ = (uint8_t)code;
        return taken;
    }
    if (code < 0 || (code >= 0xD800 && code < 0xE000)) return 0;
    if (code < 0x80) {
        *to++ = (uint8_t)code;
    } else if (code < 0x800) {
        *to++ = (uint8_t)(0xC0 | code >> 6);
    } else if (code < 0x10000) {
        *to++ = (uint8_t)(0xE0 | code >> 12);
        *to++ = (uint8_t)(0x80 | (code >> 6 & 0x3F));
    } else {
        *to++ = (uint8_t)(0xF0 | code >> 18);
        *to++ = (uint8_t)(0x80 | (code >> 12 & 0x3F));
        *to++ = (uint8_t)(0x80 | (code >> 6 & 0x3F));
    }
    if (code >= 0x80) *to++ = (uint8_t)(0x80 | (code & 0x3F));
    *out = to;
    return taken;
}

/* As fu_log_byte, for JSON. */
static inline size_t fu_json_byte(const uint8_t *p, const uint8_t *end, uint8_t **out) {
    const size_t taken = fu_json_character(p, end, out);
    if (taken != 0) return taken;
    const uint8_t letter = end - p < 2 ? 0 : p[1];
    const int byte = letter == '/' ? '/' : letter == 'a' || letter == 'v' ? -1 : fu_log_escape(letter);
    *(*out)++ = (uint8_t)(byte < 0 ? '\\' : byte);
    return byte < 0 ? 1 : 2;
}

/* --- texts ----------------------------------------------------------------------------------------------------------- */

/* Write the text before the next backslash and the byte of its escape sequence. Return the start of the rest. */
static inline const uint8_t *fu_unescape_next(int escaped, const uint8_t *p, const uint8_t *end, uint8_t **out) {
    const uint8_t *backslash = (const uint8_t *)memchr(p, '\\', (size_t)(end - p));
    const size_t run = (size_t)((backslash == NULL ? end : backslash) - p);
    memcpy(*out, p, run);
    *out += run;
    p += run;
    if (p == end) return p;
    return p + (escaped == FU_ESCAPED_AS_JSON ? fu_json_byte(p, end, out) : fu_log_byte(p, end, out));
}

/* Undo the escape sequences and return the number of bytes written, which is at most n. */
static inline size_t fu_unescape_as(int escaped, const uint8_t *p, size_t n, uint8_t *out) {
    const uint8_t *end = p + n;
    uint8_t *start = out;
    if (escaped == FU_NOT_ESCAPED) {
        if (n) memcpy(out, p, n);
        return n;
    }
    while (escaped != FU_QUOTES_DOUBLED && p < end) p = fu_unescape_next(escaped, p, end, &out);
    for (; p < end; p++) {
        *out++ = *p;
        if (*p == '"' && end - p > 1 && p[1] == '"') p++;
    }
    return (size_t)(out - start);
}

#endif
