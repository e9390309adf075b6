/* Masks of a block of 64 bytes, one bit per byte: delimiters, letters and digits, and bytes outside xchar.
 *
 * Each kernel defines fu_masks in its own header (masks_scalar.h, masks_sse2.h and so on). All definitions give the same
 * result, so split_body.h contains the split only once:
 *
 *     static inline void fu_masks(const uint8_t *p, size_t n, fu_block *out);    1 <= n <= 64
 *
 * Bits at and above n are 0. No load leaves [p, p + n): a masked load cannot fault, and kernels without masked loads end with a
 * load that overlaps the one before.
 *
 * Kernels with vectors also define FU_BYTE_BITS, the mask of the bytes that equal `byte`; split/find.h defines it for the
 * others:
 *
 *     static inline uint64_t fu_byte_bits(const uint8_t *p, size_t n, uint8_t byte);    n <= 64
 *
 * and FU_PAIR_BITS, the masks of the bytes that divide a query (escapes/pairs_body.h):
 *
 *     static inline void fu_pair_bits_of(const uint8_t *p, size_t n, uint8_t separator, fu_pair_bits *out);    1 <= n <= 64
 */
#ifndef FASTURL_MASKS_H
#define FASTURL_MASKS_H

#include <stddef.h>
#include <stdint.h>

#include "chars.h"
#include "split/spans.h"

typedef struct {
    uint64_t alnum, dot, hyphen; /* the bytes of hosts and, with "+", of scheme names */
    uint64_t colon, slash, qmark, hash;
    uint64_t suspect; /* bytes outside xchar */
    uint64_t capital;   /* upper-case letters */
} fu_block;

typedef struct {
    uint64_t ends;   /* separators of pairs */
    uint64_t equals; /* = */
    uint64_t marks;  /* % and + */
} fu_pair_bits;

#endif
