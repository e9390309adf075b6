/* The masks of a block, 16 octets at a time, for kernels whose sets masks_sse2.h or masks_neon.h looks up: included by them. */
#include "split/octet_bits_vector.h"

/* The masks of one vector, whose first octet is octet `at` of the block, added to those of `more`. Octets seen twice,
 * because two loads overlap, give the same bits twice. */
static inline void fu_add_masks(fu_vector v, size_t at, int more, fu_block *m) {
#define FU_PLACE(vector) ((uint64_t)fu_bits(vector) << at)
#define FU_EQUAL(octet) FU_PLACE(fu_equal(v, fu_splat(octet)))
    m->alnum = (more ? m->alnum : 0) | FU_PLACE(fu_which_alnum(v));
    m->non_xchar = (more ? m->non_xchar : 0) | FU_PLACE(fu_xor(fu_which_xchar(v), fu_splat(0xff)));
    m->dot = (more ? m->dot : 0) | FU_EQUAL('.');
    m->hyphen = (more ? m->hyphen : 0) | FU_EQUAL('-');
    m->colon = (more ? m->colon : 0) | FU_EQUAL(':');
    m->slash = (more ? m->slash : 0) | FU_EQUAL('/');
    m->qmark = (more ? m->qmark : 0) | FU_EQUAL('?');
    m->hash = (more ? m->hash : 0) | FU_EQUAL('#');
    m->capital = (more ? m->capital : 0) | FU_PLACE(fu_which_capital(v));
#undef FU_PLACE
#undef FU_EQUAL
}

static inline void fu_masks(const uint8_t *p, size_t n, fu_block *out) {
    if (n >= 16) {
        for (size_t i = 0; i + 16 <= n; i += 16) fu_add_masks(fu_load(p + i), i, i > 0, out);
        if (n & 15) fu_add_masks(fu_load(p + n - 16), n - 16, 1, out);
    } else {
        uint8_t padded[16] = {0};
        memcpy(padded, p, n);
        fu_add_masks(fu_load(padded), 0, 0, out);
        out->non_xchar &= fu_low_bits(n);
    }
}
