/* Escapes decoded byte by byte, to compare the kernels with. */
#ifndef FASTURL_FUZZ_PLAIN_H
#define FASTURL_FUZZ_PLAIN_H

#include <stddef.h>
#include <stdint.h>

static inline int fuzz_hex_of(uint8_t octet) {
    if (octet >= '0' && octet <= '9') return octet - '0';
    octet |= 0x20;
    return octet >= 'a' && octet <= 'f' ? octet - 'a' + 10 : -1;
}

/* seen: the union of all decoded bytes. out: room for n bytes. */
static inline size_t fuzz_unquote(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
    size_t k = 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] == '%' && n - i > 2 && fuzz_hex_of(p[i + 1]) >= 0 && fuzz_hex_of(p[i + 2]) >= 0) {
            out[k] = (uint8_t)(fuzz_hex_of(p[i + 1]) << 4 | fuzz_hex_of(p[i + 2]));
            *seen |= out[k++];
            i += 2;
        } else {
            out[k++] = plus && p[i] == '+' ? ' ' : p[i];
        }
    }
    return k;
}

#endif
