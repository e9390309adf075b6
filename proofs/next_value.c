/* fu_next_value finds a place behind its start and inside the text. The next search starts at the end of the place. */
/* Given: fu_next_secret fu_value_end */
#include "proof.h"
#include "escapes/redaction.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    const uint8_t letter[1] = {'a'};
    const fu_name name = {letter, 1, NULL, 0, 0};
    fu_redaction r;
    r.p = p;
    r.n = n;
    r.names = &name;
    r.count = 1;
    r.firsts = NULL;
    r.value_at = at;
    fu_next_value(&r);
    assert(r.p == p && r.n == n && at <= r.value_at && r.value_at <= n);
    if (r.value.start == FU_ABSENT)
        assert(r.value_at == n);
    else
        assert(at < r.value.start && r.value.start <= r.value.end && r.value.end <= n && r.value_at == r.value.end);
}
