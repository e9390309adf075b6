/* fu_split_any reads no byte outside the text. Its offsets are inside the text, in order, and at their delimiters. */
#include "proof.h"
#include "split/masks_scalar.h"
int fu_texts_may_change = 0;
#include "split/split_body.h"

static void prove(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    const fu_form form = proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL;
    const int any_first = proof_any_choice();
    fu_spans spans;
    table.count = 0; /* scheme.c proves the search */
    table.https = proof_any_choice() ? FU_SCHEME_HTTP : FU_NO_SCHEME;
    fu_split_any(&table, p, n, form, any_first, &spans);
    fu_check_offsets(n, &spans);
    fu_check_delimiters(p, &spans);
}
