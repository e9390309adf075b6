/* Masks of a block, 16 bytes per step. Included by masks_sse2.h and masks_neon.h, which define the set lookups. */
#include "split/byte_bits_vector.h"

/* Compute the masks of a vector whose first byte is byte `at` of the block. With `more`, add them to the masks in `m`;
 * otherwise overwrite those. Two overlapping loads set the bits of the shared bytes twice, to the same values. */
static inline void fu_add_masks(fu_vector v, size_t at, int more, fu_block *m) {
#define FU_PLACE(vector) ((uint64_t)fu_bits(vector) << at)
#define FU_EQUAL(byte) FU_PLACE(fu_equal(v, fu_splat(byte)))
    m->alnum = (more ? m->alnum : 0) | FU_PLACE(fu_which_alnum(v));
    m->suspect = (more ? m->suspect : 0) | FU_PLACE(fu_xor(fu_which_xchar(v), fu_splat(0xff)));
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

#ifdef FU_HAVE_BITS64
/* Compute the masks of a whole block. Packing the bits of four vectors costs little more than packing those of one. */
static FU_NOINLINE void fu_masks_of_64(const uint8_t *p, fu_block *m) {
    fu_vector text[4], found[4];
    for (int i = 0; i < 4; i++) text[i] = fu_load(p + 16 * i);
#define FU_MASK(name, which)                      \
    for (int i = 0; i < 4; i++) found[i] = which; \
    m->name = fu_bits64(found)
    FU_MASK(alnum, fu_which_alnum(text[i]));
    FU_MASK(suspect, fu_which_xchar(text[i]));
    m->suspect = ~m->suspect;
    FU_MASK(dot, fu_equal(text[i], fu_splat('.')));
    FU_MASK(hyphen, fu_equal(text[i], fu_splat('-')));
    FU_MASK(colon, fu_equal(text[i], fu_splat(':')));
    FU_MASK(slash, fu_equal(text[i], fu_splat('/')));
    FU_MASK(qmark, fu_equal(text[i], fu_splat('?')));
    FU_MASK(hash, fu_equal(text[i], fu_splat('#')));
    FU_MASK(capital, fu_which_capital(text[i]));
#undef FU_MASK
}
#endif

static inline void fu_masks(const uint8_t *p, size_t n, fu_block *out) {
#ifdef FU_HAVE_BITS64
    if (n == 64) {
        fu_masks_of_64(p, out);
        return;
    }
#endif
    if (n >= 16) {
        for (size_t i = 0; i + 16 <= n; i += 16) fu_add_masks(fu_load(p + i), i, i > 0, out);
        if (n & 15) fu_add_masks(fu_load(p + n - 16), n - 16, 1, out);
    } else {
        uint8_t padded[16] = {0};
        memcpy(padded, p, n);
        fu_add_masks(fu_load(padded), 0, 0, out);
        out->suspect &= fu_low_bits(n);
    }
}
