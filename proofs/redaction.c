/* Proofs of escapes/redaction.h. */
#include "proof.h"
#include "escapes/redaction.h"

/* fu_read_character reads no byte outside the text. The character ends behind its start and inside the text. */
static void prove_character(const uint8_t *p, size_t n) {
    __ESBMC_assume(n > 0);
    const size_t at = proof_any_size(0, n - 1);
    const fu_character c = fu_read_character(p, n, at);
    assert(at < c.end && c.end <= n && c.depth <= FU_DEPTH_MAX);
    assert(c.depth > 0 || (c.end == at + 1 && c.byte == p[at]));
}

/* fu_is_browser_colon reads only bytes of the text before the colon. */
/* Given: fu_browser_kind_of */
static void prove_browser_colon(const uint8_t *p, size_t n) { fu_is_browser_colon(p, proof_any_size(0, n)); }

/* The next authority starts behind the offset that the search starts from. The authority and its password are inside the text.
 * One function per run keeps the number of cases small. */
/* Given: fu_read_character fu_is_browser_colon */
static void prove_authorities(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    uint8_t depth = (uint8_t)proof_any_below(FU_DEPTH_MAX + 1);
    if (proof_any_choice()) {
        const size_t start = fu_next_authority(p, n, at, proof_any_choice(), &depth);
        assert(at <= start && start <= n && (at < start || at == n) && depth <= FU_DEPTH_MAX);
    } else {
        fu_range place;
        fu_redaction r;
        r.p = p;
        r.n = n;
        r.is_text = proof_any_choice();
        r.sign_until = proof_any_size(0, n + 1);
        r.sign = proof_any_choice() ? FU_ABSENT : proof_any_size(0, n);
        __ESBMC_assume(r.sign == FU_ABSENT || r.sign < n);
        const size_t end = fu_read_authority(&r, at, depth, &place);
        assert(at <= end && end <= n && r.sign_until <= n + 1 && (r.sign == FU_ABSENT || r.sign < n));
        assert(place.start == FU_ABSENT || (at <= place.start && place.start <= place.end && place.end < n));
        assert(r.hides_users || at < place.start); /* a password is after a colon; FU_ABSENT is above every offset */
    }
}

/* fu_next_login finds a place behind its start and inside the text. The next search starts at or behind the end of the place. */
/* Given: fu_next_authority fu_read_authority */
static void prove_next_login(const uint8_t *p, size_t n) {
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

/* The searches for secret names and for values return offsets inside the text and behind their start. They read no byte
 * outside the text and the name. One function per run keeps the number of cases small. */
/* Given: fu_read_character */
static void prove_values(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    fu_redaction r;
    size_t found;
    r.p = p;
    r.n = n;
    r.lasts = NULL;
    r.is_text = proof_any_choice();
    switch (proof_any_below(4)) {
    case 0:
        found = fu_next_name(&r, at);
        assert(at <= found && found <= n && (at < found || at == n));
        break;
    case 1: {
        fu_key_text key;
        found = fu_read_key(&r, at, &key);
        assert(at <= found && found <= n && key.length <= FU_KEY_WINDOW && key.length <= found - at);
        break;
    }
    case 2:
        r.brackets_until = proof_any_size(0, n);
        r.behind_brackets = proof_any_choice() ? FU_ABSENT : proof_any_size(0, n);
        __ESBMC_assume(r.behind_brackets == FU_ABSENT || r.brackets_until < r.behind_brackets);
        found = fu_value_start(&r, at);
        assert(found == FU_ABSENT || (at < found && found <= n));
        assert(r.brackets_until <= n && (r.behind_brackets == FU_ABSENT || r.brackets_until < r.behind_brackets));
        assert(r.behind_brackets == FU_ABSENT || r.behind_brackets <= n);
        break;
    default:
        r.path = proof_any_size(0, n);
        r.query = proof_any_size(0, n);
        r.fragment = proof_any_size(0, n);
        if (at > 0) {
            found = fu_value_end(&r, at);
            assert(at <= found && found <= n);
        }
    }
}

/* fu_next_secret returns the range of a value, which is behind its start and inside the text. */
/* Given: fu_read_character */
static void prove_secret(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    fu_name name = {NULL, 1, NULL, 0, 0, 0};
    fu_redaction r;
    fu_range value;
    name.data = proof_buffer(name.length);
    r.p = p;
    r.n = n;
    r.names = &name;
    r.count = 1;
    r.lasts = NULL;
    r.is_text = proof_any_choice();
    r.brackets_until = 0;
    r.behind_brackets = FU_ABSENT;
    const fu_name *found = fu_next_secret(&r, at, &value);
    assert(found == NULL || (found == &name && at < value.start && value.start <= n));
    assert(found == NULL || value.end == FU_ABSENT || (value.start <= value.end && value.end <= n));
}

/* fu_next_value finds a place behind its start and inside the text. The next search starts at the end of the place. */
/* Given: fu_next_secret fu_value_end */
static void prove_next_value(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    const uint8_t letter[1] = {'a'};
    const fu_name name = {letter, 1, NULL, 0, 0, 0};
    fu_redaction r;
    r.p = p;
    r.n = n;
    r.names = &name;
    r.count = 1;
    r.lasts = NULL;
    r.value_at = at;
    fu_next_value(&r);
    assert(r.p == p && r.n == n && at <= r.value_at && r.value_at <= n);
    if (r.value.start == FU_ABSENT)
        assert(r.value_at == n);
    else
        assert(at < r.value.start && r.value.start <= r.value.end && r.value.end <= n && r.value_at == r.value.end);
}

/* fu_next_shape finds a place inside the text, at or behind its start. The next search starts at or behind the end of it. */
/* Given: fu_next_run fu_run_end fu_secret_of_run */
static void prove_next_shape(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    fu_redaction r;
    r.p = p;
    r.n = n;
    r.shape_at = at;
    fu_next_shape(&r);
    assert(at <= r.shape_at && r.shape_at <= n);
    if (r.shape.start != FU_ABSENT)
        assert(at <= r.shape.start && r.shape.start < r.shape.end && r.shape.end <= r.shape_at);
    else
        assert(r.shape_at == n);
}

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
    if (!is_place(&r->shape, r->shape_at, n, least)) return 0;
    for (size_t i = 0; i < FU_READINGS; i++) { /* as prove_passwords proves */
        if (i >= r->password_count) break;
        if (passwords[i].start > passwords[i].end || passwords[i].end > n) return 0;
        if (i > 0 && passwords[i - 1].end >= passwords[i].start) return 0;
        if (i >= r->password && passwords[i].start < least) return 0;
    }
    return 1;
}

/* A sum that grows with each range that is taken, so that fu_next_hidden ends. */
static size_t taken(const fu_redaction *r) {
    const size_t absent = (r->login.start == FU_ABSENT) + (r->value.start == FU_ABSENT) + (r->shape.start == FU_ABSENT);
    return r->password + r->login_at + r->value_at + r->shape_at + absent;
}

/* fu_next_hidden returns places inside the text, sorted and disjoint, for any passwords, logins, values and shapes. The proof is by
 * induction over the ranges of a place, and over the places. */
/* Given: fu_next_login fu_next_value fu_next_shape */
static void prove_redaction(const uint8_t *p, size_t n) {
    const int is_first = proof_any_choice();
    const size_t least = proof_any_size(0, n + 1);
    fu_range hidden = {FU_ABSENT, 0};
    fu_redaction r;
    r.p = p;
    __ESBMC_assume(is_right(&r, n, least));
    const size_t before = taken(&r);
    if (!is_first) {
        hidden.start = least;
        hidden.end = proof_any_size(least, n);
    }
    if (fu_take_range(&r, &hidden)) {
        assert(least <= hidden.start && hidden.start <= hidden.end && hidden.end <= n && (is_first || hidden.start == least));
        assert(is_right(&r, n, hidden.start) && taken(&r) > before);
    } else if (is_first) {
        assert(r.login.start == FU_ABSENT && r.value.start == FU_ABSENT && r.password == r.password_count);
        assert(r.shape.start == FU_ABSENT);
    } else {
        assert(is_right(&r, n, hidden.end + 1));
    }
}
