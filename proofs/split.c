/* The split: no octet outside the text is read; every place that it tells is inside the text, in order, and at its
 * delimiter. */
#include "proof.h"

#include "split/masks_scalar.h"

int fu_texts_may_change = 0;
#include "split/split_body.h"

int main(void) {
    static fu_scheme_table table;
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    const fu_form form = proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL;
    const int any_first = proof_any_choice();
    fu_spans spans;
    table.count = 0; /* scheme.c is the proof of its search */
    table.https = proof_any_choice() ? FU_SCHEME_HTTP : FU_NO_SCHEME;
    fu_split_any(&table, p, n, form, any_first, &spans);
    fu_check_offsets(n, &spans);
    fu_check_delimiters(p, &spans);
    proof_end();
    return 0;
}
