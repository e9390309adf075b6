/* fu_next_login finds a place behind its start and inside the text. The next search starts at or behind the end of the place. */
/* Given: fu_next_authority fu_read_authority */
#include "proof.h"
#include "escapes/redaction.h"

static void prove(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    fu_redaction r;
    r.p = p;
    r.n = n;
    r.is_text = proof_any_choice();
    r.login_at = at;
    fu_next_login(&r);
    assert(r.p == p && r.n == n && at <= r.login_at && r.login_at <= n);
    if (r.login.start == FU_ABSENT)
        assert(r.login_at == n);
    else
        assert(at < r.login.start && r.login.start <= r.login.end && r.login.end < n && r.login.end <= r.login_at);
}
