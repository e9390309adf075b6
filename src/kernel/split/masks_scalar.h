/* Masks of a block by one table lookup per byte. Tests compare the other kernels with this one. */
#ifndef FASTURL_MASKS_SCALAR_H
#define FASTURL_MASKS_SCALAR_H

#include "split/masks.h"

static inline void fu_masks(const uint8_t *p, size_t n, fu_block *out) {
    fu_block m;
    m.alnum = m.dot = m.hyphen = m.colon = m.slash = m.qmark = m.hash = m.suspect = m.capital = 0;
    for (size_t i = 0; i < n; i++) {
        uint8_t bits = BYTE_SPLIT[p[i]];
        uint64_t one = (uint64_t)1 << i;
        if (bits & SPLIT_ALNUM) { /* every letter and digit is an xchar */
            m.alnum |= one;
            m.capital |= bits & SPLIT_CAPITAL ? one : 0;
            continue;
        }
        m.dot |= bits & SPLIT_DOT ? one : 0;
        m.hyphen |= bits & SPLIT_HYPHEN ? one : 0;
        m.colon |= bits & SPLIT_COLON ? one : 0;
        m.slash |= bits & SPLIT_SLASH ? one : 0;
        m.qmark |= bits & SPLIT_QMARK ? one : 0;
        m.hash |= p[i] == '#' ? one : 0;
        m.suspect |= bits & SPLIT_XCHAR ? 0 : one;
    }
    *out = m;
}

#endif
