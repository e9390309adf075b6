/* What redaction hides: places inside the text, in order and apart, whichever passwords there are. */
#define GIVEN_fu_query_span
#define GIVEN_fu_next_value
#include "proof.h"
#include "given.h"

#include "percent/query.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length;
    const uint8_t letter[1] = {'a'};
    const fu_name name = {letter, 1};
    fu_redaction r;
    r.p = p;
    r.names = &name;
    r.count = 1;
    r.firsts = NULL; /* skip_pairs.c proves the search with them */
    r.password = 0;
    r.password_count = nondet_size();
    __ESBMC_assume(r.password_count <= FU_READINGS);
    for (size_t i = 0; i < r.password_count; i++) { /* what passwords.c proves */
        r.passwords[i].start = nondet_size();
        r.passwords[i].end = nondet_size();
        __ESBMC_assume(r.passwords[i].start <= r.passwords[i].end && r.passwords[i].end <= n);
        __ESBMC_assume(i == 0 || r.passwords[i - 1].end < r.passwords[i].start);
    }
    if (!fu_query_span(p, n, &r.at, &r.end)) r.at = r.end = 0;
    fu_next_value(&r);

    size_t start, end, before = 0;
    int first = 1;
    while (fu_next_hidden(&r, &start, &end)) {
        assert(start <= end && end <= n && (first || before < start));
        before = end;
        first = 0;
    }
    proof_end();
    return 0;
}
