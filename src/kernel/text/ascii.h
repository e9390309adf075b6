/* Whether octets are all ASCII. */
#ifndef FASTURL_ASCII_H
#define FASTURL_ASCII_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

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

#endif
