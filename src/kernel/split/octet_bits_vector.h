/* Which octets of up to 64 are one octet, 16 octets at a time: behind vector_sse2.h or vector_neon.h. */
#ifndef FASTURL_OCTET_BITS_VECTOR_H
#define FASTURL_OCTET_BITS_VECTOR_H

#include <string.h>

#include "split/spans.h"

static inline uint64_t fu_octet_bits(const uint8_t *p, size_t n, uint8_t octet) {
    const fu_vector wanted = fu_splat(octet);
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
#define FU_OCTET_BITS fu_octet_bits

#endif
