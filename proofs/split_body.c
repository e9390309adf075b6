/* Proofs of split/split_body.h. */
#include "proof.h"
#ifdef PROOF_ANY_MASKS
#include "any_masks.h"
#else
#include "split/masks_scalar.h"
#endif
int fu_texts_may_change = 0;
#include "split/split_body.h"

/* fu_split_any reads no byte outside the text. Its offsets are inside the text, in order, and at their delimiters. */
static void prove_split(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    const fu_form form = proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL;
    const int any_first = proof_any_choice();
    fu_spans spans;
    table.count = 0; /* prove_scheme proves the search */
    table.https = proof_any_choice() ? FU_SCHEME_HTTP : FU_NO_SCHEME;
    fu_split_any(&table, p, n, form, any_first, &spans);
    fu_check_offsets(n, &spans);
    fu_check_delimiters(p, &spans);
}

/* fu_split_authority reads no byte outside the text. A request target `host:port` is one netloc. */
static void prove_authority(const uint8_t *p, size_t n) {
    fu_spans spans;
    if (fu_split_authority(p, n, &spans)) {
        assert(spans.scheme == FU_NO_SCHEME && spans.scheme_end == 0 && spans.netloc_start == 0);
        assert(spans.path_start == n && spans.path_end == n && spans.query_end == n && spans.length == n);
        assert(spans.flags == (FU_HAS_NETLOC | FU_HAS_SUSPECT | FU_HAS_SUSPECT_BEYOND));
    }
}

/* fu_split_scheme finds a scheme that ends inside the text with a colon, for any masks, and reads no byte outside the text.
 * It finds every web scheme. */
/* Given: fu_find_scheme */
/* With: PROOF_ANY_MASKS */
static void prove_split_scheme(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    fu_block m;
    fu_spans spans;
    __ESBMC_assume(n > 0);
    fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
    table.count = 1;
    spans.scheme = FU_NO_SCHEME;
    spans.scheme_end = 0;
    const size_t start = fu_split_scheme(&table, p, n, &m, proof_any_choice(), &spans);
    assert(start ? start == spans.scheme_end + 1 && spans.scheme_end >= 1 && start <= n : spans.scheme_end == 0);
    assert(start ? p[spans.scheme_end] == ':' : spans.scheme == FU_NO_SCHEME);
    assert(spans.scheme == FU_NO_SCHEME || spans.scheme == 0);
    if (proof_web_scheme(p, n)) assert(spans.scheme_end == proof_web_scheme(p, n));
}

/* fu_netloc_end returns an offset between the start and the end of the text, for any masks, and reads no byte outside the
 * text. */
/* With: PROOF_ANY_MASKS */
static void prove_netloc_end(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n);
    fu_block m;
    __ESBMC_assume(n > 0);
    fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
    const size_t end = fu_netloc_end(p, n, start, &m);
    assert(start <= end && end <= n);
}

/* fu_split_any and fu_split_rest return offsets inside the text and in order, for texts of one or more blocks and any masks.
 * So the result holds for every kernel whose masks have the properties that prove_masks proves. */
/* Given: fu_find fu_split_authority fu_split_scheme fu_netloc_end fu_find_scheme */
/* With: PROOF_ANY_MASKS */
static void prove_split_blocks(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    const fu_form form = proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL;
    fu_spans spans;
    table.count = 1;
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    table.https = proof_any_choice() ? FU_SCHEME_HTTP : FU_NO_SCHEME;
    if (n > 0 && proof_any_choice()) { /* the slow path of a loop that needs offsets only */
        fu_block m;
        fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
        fu_split_rest(&table, p, n, FU_FORM_URL, 0, &m, FU_DETAIL_PLACES, &spans);
    } else {
        fu_split_any(&table, p, n, form, proof_any_choice(), &spans);
    }
    fu_check_offsets(n, &spans);
}
