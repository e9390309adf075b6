/* The value of one escape. RFC 1738 section 2.2. */
#ifndef FASTURL_ESCAPE_VALUE_H
#define FASTURL_ESCAPE_VALUE_H

#include <stddef.h>
#include <stdint.h>

#include "octets.h"

/* Return the octet that the escape at p[0:n] encodes, or -1 if there is no escape. */
static inline int fu_escape_value(const uint8_t *p, size_t n) {
    int high, low;
    if (n < 3 || p[0] != '%') return -1;
    high = HEX_VALUE[p[1]];
    low = HEX_VALUE[p[2]];
    return (high | low) < 0 ? -1 : high << 4 | low;
}

#endif
