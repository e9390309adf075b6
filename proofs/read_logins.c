/* fu_read_logins returns at most one login per reading, with its parts inside the text. The RFC's login ends before the
 * fragment. The spans are those of any split. */
/* Given: fu_split_netloc fu_login_end fu_browser_login fu_browser_kind_of */
#define PROOF_ANY_LENGTH
#include "proof.h"
#include "any.h"

static void prove(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    const fu_spans *s = proof_any_spans(n, proof_any_choice() ? FU_NO_SCHEME : 0);
    fu_logins read;
    table.count = 1;
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    fu_read_logins(&table, p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, proof_any_choice(), &read);
    assert(read.count <= FU_READINGS);
    const size_t i = proof_any_size(0, FU_READINGS - 1);
    const fu_login *login = &read.logins[i];
    if (i < read.count) {
        assert(login->start <= login->end && login->end <= s->query_end);
        assert(login->start <= login->parts.host_text_start && login->parts.host_text_end <= login->end);
    }
    assert(read.urllib == NULL || (read.urllib == &read.logins[0] && read.count > 0));
    assert(read.rfc == NULL || (read.rfc == &read.logins[read.count - 1] && read.count > 0) ||
           (read.rfc == &read.logins[read.count - 2] && read.count > 1));
}
