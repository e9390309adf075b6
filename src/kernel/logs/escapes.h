/* What servers write into logs in place of octets: Apache a backslash before a quote and a backslash, \n and the like;
 * Apache and nginx \xhh for what is not graphic. */
#ifndef FASTURL_LOGS_ESCAPES_H
#define FASTURL_LOGS_ESCAPES_H

#include <string.h>

#include "octets.h"

/* What a backslash and this letter stand for, -1 for nothing. */
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

/* Writes the octets that the server was sent and returns how many, at most n. A backslash that starts no escape stays. */
static inline size_t fu_unescape_log(const uint8_t *p, size_t n, uint8_t *out) {
    const uint8_t *end = p + n;
    uint8_t *start = out;
    while (p < end) {
        const uint8_t *backslash = (const uint8_t *)memchr(p, '\\', (size_t)(end - p));
        const size_t run = (size_t)((backslash == NULL ? end : backslash) - p);
        int octet = -1;
        size_t taken = 2;
        memcpy(out, p, run);
        out += run;
        p += run;
        if (p == end) break;
        if (end - p >= 4 && p[1] == 'x' && HEX_VALUE[p[2]] >= 0 && HEX_VALUE[p[3]] >= 0) {
            octet = HEX_VALUE[p[2]] * 16 + HEX_VALUE[p[3]];
            taken = 4;
        } else if (end - p >= 2) {
            octet = fu_log_escape(p[1]);
        }
        *out++ = (uint8_t)(octet < 0 ? '\\' : octet);
        p += octet < 0 ? 1 : taken;
    }
    return (size_t)(out - start);
}

#endif
