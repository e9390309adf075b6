/* What redaction hides: places inside the text, in order and apart, whichever passwords there are. It is shown by induction: what
 * holds before the first place holds behind each. */
#define GIVEN_fu_query_span
#define GIVEN_fu_next_value
#include "proof.h"
#include "given.h"

#include "percent/query.h"

/* Whether what is left to hide stands inside the text, in order, and from `least` on. */
static int is_right(const fu_redaction *r, size_t n, size_t least) {
    const fu_place *value = &r->value, *passwords = r->passwords;
    if (r->end > n || r->at > r->end + 1 || r->password > r->password_count || r->password_count > FU_READINGS) return 0;
    if (value->start != FU_ABSENT && (value->start < least || value->start > value->end || value->end > n)) return 0;
    if (value->start != FU_ABSENT && value->end + 1 != r->at) return 0;
    for (size_t i = 0; i < FU_READINGS; i++) { /* what passwords.c proves */
        if (i >= r->password_count) break;
        if (passwords[i].start > passwords[i].end || passwords[i].end > n) return 0;
        if (i > 0 && passwords[i - 1].end >= passwords[i].start) return 0;
        if (i >= r->password && passwords[i].start < least) return 0;
    }
    return 1;
}

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length, least = proof_any_size(0, n + 1);
    const uint8_t letter[1] = {'a'};
    const fu_name name = {letter, 1};
    fu_redaction r;
    r.p = p;
    r.names = &name;
    r.count = 1;
    r.firsts = NULL; /* skip_pairs.c proves the search with them */
    if (proof_any_choice()) {
        r.password = 0;
        r.password_count = 0;
        if (!fu_query_span(p, n, &r.at, &r.end)) r.at = r.end = 0;
        fu_next_value(&r);
        assert(is_right(&r, n, 0));
    } else {
        size_t start, end;
        __ESBMC_assume(is_right(&r, n, least));
        if (fu_next_hidden(&r, &start, &end)) {
            assert(least <= start && start <= end && end <= n);
            assert(is_right(&r, n, end + 1));
        }
    }
    proof_end();
    return 0;
}
