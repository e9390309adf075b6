/* fu_split_any and fu_split_rest return offsets inside the text and in order, for texts of one or more blocks and any masks.
 * So the result holds for every kernel whose masks have the properties that masks.c proves. */
/* Given: fu_find fu_split_authority fu_split_scheme fu_netloc_end fu_find_scheme */
#include "proof.h"
#include "any_masks.h"
int fu_texts_may_change = 0;
#include "split/split_body.h"

static void prove(const uint8_t *p, size_t n) {
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
