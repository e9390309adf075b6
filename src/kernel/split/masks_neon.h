/* Masks of a block with NEON: nibble lookup tables. */
#ifndef FASTURL_MASKS_NEON_H
#define FASTURL_MASKS_NEON_H

#include <string.h>

#include "split/masks.h"
#include "vector_neon.h"

static inline fu_vector fu_in_set(fu_vector v, const uint8_t by_low[16]) {
    static const uint8_t bit_of[16] = {1, 2, 4, 8, 16, 32, 64, 128, 0, 0, 0, 0, 0, 0, 0, 0};
    fu_vector low = vandq_u8(v, vdupq_n_u8(0x0f));
    fu_vector high = vqtbl1q_u8(vld1q_u8(bit_of), vshrq_n_u8(v, 4));
    return vtstq_u8(vqtbl1q_u8(vld1q_u8(by_low), low), high);
}
static inline fu_vector fu_which_alnum(fu_vector v) { return fu_in_set(v, SPLIT_ALNUM_BY_LOW); }
static inline fu_vector fu_which_capital(fu_vector v) { return fu_in_set(v, SPLIT_CAPITAL_BY_LOW); }
static inline fu_vector fu_which_xchar(fu_vector v) { return fu_in_set(v, SPLIT_XCHAR_BY_LOW); }

#include "split/masks_vector.h"

#endif
