/* fu_next_hidden returns places inside the text, sorted and disjoint, for any passwords, logins and values. The proof is by
 * induction over the places. */
/* Given: fu_next_login fu_next_value */
#include "proof.h"
#include "escapes/redaction.h"

/* Return true if the place is absent, or inside the text from `least` on and in front of the next search. */
static int is_place(const fu_range *place, size_t at, size_t n, size_t least) {
    if (at > n) return 0;
    if (place->start == FU_ABSENT) return 1;
    return least <= place->start && place->start <= place->end && place->end <= at;
}

/* Return true if all places that remain are inside the text, in order, and from `least` on. */
static int is_right(const fu_redaction *r, size_t n, size_t least) {
    const fu_range *passwords = r->passwords;
    if (r->n != n || r->password > r->password_count || r->password_count > FU_READINGS) return 0;
    if (!is_place(&r->login, r->login_at, n, least) || !is_place(&r->value, r->value_at, n, least)) return 0;
    for (size_t i = 0; i < FU_READINGS; i++) { /* as passwords.c proves */
        if (i >= r->password_count) break;
        if (passwords[i].start > passwords[i].end || passwords[i].end > n) return 0;
        if (i > 0 && passwords[i - 1].end >= passwords[i].start) return 0;
        if (i >= r->password && passwords[i].start < least) return 0;
    }
    return 1;
}

static void prove(const uint8_t *p, size_t n) {
    const size_t least = proof_any_size(0, n + 1);
    size_t start, end;
    fu_redaction r;
    r.p = p;
    __ESBMC_assume(is_right(&r, n, least));
    if (fu_next_hidden(&r, &start, &end)) {
        assert(least <= start && start <= end && end <= n);
        assert(is_right(&r, n, end + 1));
    } else {
        assert(r.login.start == FU_ABSENT && r.value.start == FU_ABSENT && r.password == r.password_count);
    }
}
