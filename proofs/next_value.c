/* The next value of a query that redaction hides: behind the place that is read from, inside the query, and reading goes on
 * behind it. It is shown by induction: a turn that finds none leaves the place further behind, and still inside. */
#define PROOF_TURNS int turn = 0; turn < 1; turn++
#define GIVEN_fu_skip_pairs
#define GIVEN_fu_next_pair
#define GIVEN_fu_is_name
#include "proof.h"
#include "given.h"

#include "percent/query.h"

int main(void) {
    const uint8_t *p = proof_long_text();
    const size_t n = proof_length, at = proof_any_size(0, n + 1);
    const uint8_t letter[1] = {'a'};
    const fu_name name = {letter, 1};
    fu_redaction r;
    r.p = p;
    r.names = &name;
    r.count = 1;
    r.firsts = NULL;
    r.at = at;
    r.end = n;
    fu_next_value(&r);
    assert(r.p == p && r.end == n && r.at <= n + 1);
    if (r.value.start == FU_ABSENT)
        assert(at < n ? at < r.at : at == r.at);
    else
        assert(at < r.value.start && r.value.start <= r.value.end && r.value.end <= n && r.at == r.value.end + 1);
    proof_end();
    return 0;
}
