/* Sixty-four octets at a time, one bit an octet: which octets of a block are delimiters, letters and digits, or no xchar.
 *
 * Each kernel has its own fu_masks (masks_scalar.h, masks_sse2.h and so on), which answers the same question, so the split
 * above them is written once (split_body.h):
 *
 *     static inline void fu_masks(const uint8_t *p, size_t n, fu_block *out);    1 <= n <= 64
 *
 * Bits at and above n are 0. No load leaves [p, p + n): a masked load cannot fault, and the others end with a load that
 * overlaps the one before.
 *
 * Kernels with vectors also say which octets are one octet, a bit each, as FU_OCTET_BITS; split/find.h has it for all:
 *
 *     static inline uint64_t fu_octet_bits(const uint8_t *p, size_t n, uint8_t octet);    n <= 64
 *
 * and, as FU_PAIR_BITS, where the octets stand that divide a query (percent/pairs_body.h):
 *
 *     static inline void fu_pair_bits_of(const uint8_t *p, size_t n, uint8_t separator, fu_pair_bits *out);    1 <= n <= 64
 */
#ifndef FASTURL_MASKS_H
#define FASTURL_MASKS_H

#include <stddef.h>
#include <stdint.h>

#include "octets.h"
#include "split/spans.h"

typedef struct {
    uint64_t alnum, dot, hyphen; /* what hosts and scheme names are made of */
    uint64_t colon, slash, qmark, hash;
    uint64_t non_xchar; /* no xchar */
    uint64_t capital;   /* an upper-case letter */
} fu_block;

typedef struct {
    uint64_t ends;   /* the separator of pairs */
    uint64_t equals; /* = */
    uint64_t marks;  /* % and + */
} fu_pair_bits;

#endif
