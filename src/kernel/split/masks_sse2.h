/* Masks of a block with SSE2, which has no table lookup: each set is a few ranges of bytes. */
#ifndef FASTURL_MASKS_SSE2_H
#define FASTURL_MASKS_SSE2_H

#include <string.h>

#include "split/masks.h"
#include "vector_sse2.h"

#define FU_RANGE(first, last) found = fu_or(found, fu_in_range(v, fu_splat(first), fu_splat((last) - (first))));
#define FU_WHICH(name, ranges)                             \
    static inline fu_vector fu_which_##name(fu_vector v) { \
        fu_vector found = fu_splat(0);                     \
        ranges(FU_RANGE) return found;                     \
    }
FU_WHICH(alnum, SPLIT_ALNUM_RANGES)
FU_WHICH(capital, SPLIT_CAPITAL_RANGES)
FU_WHICH(xchar, SPLIT_XCHAR_RANGES)
#undef FU_RANGE
#undef FU_WHICH

#include "split/masks_vector.h"

#endif
