/* The split of texts of one block and of several, with any masks that have the bits of octets that are there and no others: so it
 * holds for every kernel whose masks have what masks.c proves of the scalar ones. */
#define GIVEN_fu_split_authority
#define GIVEN_fu_split_scheme
#define GIVEN_fu_netloc_end
#define GIVEN_fu_find_scheme
#include "proof.h"
#include "given.h"

#include "split/masks.h"

#include "given/fu_masks.h"

int fu_texts_may_change = 0;
#include "split/split_body.h"

int main(void) {
    static fu_scheme_table table;
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length;
    const fu_form form = proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL;
    fu_spans spans;
    table.count = 1;
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    table.https = proof_any_choice() ? FU_SCHEME_HTTP : FU_NO_SCHEME;
    if (n > 0 && proof_any_choice()) { /* the uncommon case of a loop that asks for places alone */
        fu_block m;
        fu_masks(p, n < FU_BLOCK ? n : FU_BLOCK, &m);
        fu_split_rest(&table, p, n, FU_FORM_URL, 0, &m, FU_CUT_PLACES, &spans);
    } else {
        fu_split_any(&table, p, n, form, proof_any_choice(), &spans);
    }
    fu_check_offsets(n, &spans);
    proof_end();
    return 0;
}
