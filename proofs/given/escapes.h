/* Stubs for the functions of src/kernel/escapes; proofs/README.md describes their format. */

/* Proved by: browser_colon. */
static inline int fu_is_browser_colon(const uint8_t *p, size_t colon) { return given_answer(p, 0, colon); }

/* Proved by: is_name. */
static inline int fu_is_name(const uint8_t *p, size_t n, int marks, const fu_name *name) {
    const int is_it = proof_any_choice();
    (void)marks;
    given_part(p, 0, n);
    __ESBMC_assume(!is_it || n >= name->length);
    return is_it;
}

/* Proved by: authorities. */
static inline size_t fu_next_authority(const uint8_t *p, size_t n, size_t at, int is_text, uint8_t *depth) {
    (void)is_text;
    given_part(p, at, n);
    *depth = (uint8_t)proof_any_below(FU_DEPTH_MAX + 1);
    if (at == n) return n;
    return proof_any_size(at + 1, n);
}

static inline size_t fu_read_authority(fu_redaction *r, size_t start, uint8_t depth, fu_range *place) {
    assert(depth <= FU_DEPTH_MAX);
    given_part(r->p, start, r->n);
    place->start = place->end = FU_ABSENT;
    if (start < r->n && proof_any_choice()) {
        place->start = proof_any_size(start + 1, r->n);
        place->end = proof_any_size(start + 1, r->n);
        __ESBMC_assume(place->start <= place->end && place->end < r->n);
    }
    return proof_any_size(start, r->n);
}

/* Proved by: next_login. */
static FU_NOINLINE void fu_next_login(fu_redaction *r) {
    const size_t at = r->login_at;
    assert(at <= r->n);
    given_part(r->p, 0, r->n);
    r->login_at = proof_any_size(at, r->n);
    r->login.start = r->login.end = FU_ABSENT;
    if (r->login_at == r->n && proof_any_choice()) return;
    __ESBMC_assume(at < r->n);
    r->login.start = proof_any_size(at + 1, r->n);
    r->login.end = proof_any_size(at + 1, r->n);
    __ESBMC_assume(r->login.start <= r->login.end && r->login.end < r->n && r->login.end <= r->login_at);
}

/* Proved by: query. */
static inline void fu_next_pair(const uint8_t *p, size_t n, size_t at, uint8_t separator, fu_pair *pair) {
    (void)separator;
    given_part(p, at, n);
    pair->start = at;
    pair->name_end = proof_any_size(at, n);
    pair->value = proof_any_size(pair->name_end, n);
    pair->end = proof_any_size(pair->value, n);
    pair->has_value = proof_any_choice();
    pair->name_marks = nondet_int();
    pair->value_marks = nondet_int();
    __ESBMC_assume(pair->has_value ? pair->value == pair->name_end + 1 : pair->value == pair->end);
}

/* Proved by: secret. */
static inline const fu_name *fu_next_secret(fu_redaction *r, size_t at, fu_range *place) {
    assert(r->count == 1 && at <= r->n);
    given_part(r->p, at, r->n);
    if (at == r->n || proof_any_choice()) return NULL;
    place->start = proof_any_size(at + 1, r->n);
    place->end = proof_any_choice() ? FU_ABSENT : proof_any_size(place->start, r->n);
    return &r->names[0];
}

/* Proved by: next_shape. */
static FU_NOINLINE void fu_next_shape(fu_redaction *r) {
    const size_t at = r->shape_at;
    assert(at <= r->n);
    given_part(r->p, 0, r->n);
    r->shape_at = proof_any_size(at, r->n);
    r->shape.start = r->shape.end = FU_ABSENT;
    if (r->shape_at == r->n && proof_any_choice()) return;
    r->shape.start = proof_any_size(at, r->n);
    r->shape.end = proof_any_size(at, r->shape_at);
    __ESBMC_assume(r->shape.start < r->shape.end);
}

/* Proved by: next_value. */
static FU_NOINLINE void fu_next_value(fu_redaction *r) {
    const size_t at = r->value_at;
    assert(at <= r->n);
    given_part(r->p, 0, r->n);
    r->value_at = proof_any_size(at, r->n);
    r->value.start = r->value.end = FU_ABSENT;
    if (r->value_at == r->n && proof_any_choice()) return;
    __ESBMC_assume(at < r->n);
    r->value.start = proof_any_size(at + 1, r->n);
    r->value.end = r->value_at;
    __ESBMC_assume(r->value.start <= r->value.end);
}

/* Proved by: quote. */
static inline size_t fu_quote_write(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
    const size_t written = proof_any_size(n, 3 * n);
    (void)table;
    given_part(p, 0, n);
    /* Writing the ends of the output shows that it fits, and is quicker to check than writing all of it. */
    out[0] = out[3 * n + FU_QUOTE_SLACK - 1] = nondet_byte();
    return written;
}

/* Proved by: character. */
static inline fu_character fu_read_character(const uint8_t *p, size_t n, size_t at) {
    fu_character c;
    assert(at < n);
    given_part(p, at, n);
    c.end = proof_any_size(at + 1, n);
    c.byte = nondet_byte();
    c.depth = (uint8_t)proof_any_below(FU_DEPTH_MAX + 1);
    return c;
}

/* Proved by: skip_pairs. */
static inline size_t fu_skip_pairs(const uint8_t *p, size_t n, size_t at, const fu_name *name, const fu_first_bytes *firsts) {
    (void)name, (void)firsts;
    if (at >= n) return at;
    given_part(p, at, n);
    return proof_any_size(at, n);
}

/* Proved by: utf8. */
static inline int fu_utf8_step(const uint8_t *p, size_t n, uint32_t *code) {
    const int length = proof_any_below(8) - 3;
    assert(n > 0);
    given_part(p, 0, n);
    *code = (uint32_t)nondet_int();
    __ESBMC_assume(length != 0 && (size_t)(length < 0 ? -length : length) <= n);
    return length;
}

static inline size_t fu_utf8_valid(const uint8_t *p, size_t n) {
    uint32_t code = 0;
    given_part(p, 0, n);
    const size_t valid = proof_any_size(0, n);
    __ESBMC_assume(valid == n || fu_utf8_step(p + valid, n - valid, &code) < 0);
    return valid;
}

/* Proved by: values. */
static inline size_t fu_value_end(const fu_redaction *r, size_t at) {
    assert(at > 0 && at <= r->n);
    given_part(r->p, 0, r->n);
    return proof_any_size(at, r->n);
}

/* Proved by: runs. */
static inline size_t fu_run_end(const uint8_t *p, size_t n, size_t at) {
    given_part(p, at, n);
    const size_t end = proof_any_size(at, n);
    __ESBMC_assume(at < end || at == n || !fu_is_run_byte(p[at]));
    return end;
}

static inline size_t fu_next_run(const uint8_t *p, size_t n, size_t at) {
    given_part(p, at, n);
    const size_t start = proof_any_size(at, n);
    __ESBMC_assume(start == n || fu_is_run_byte(p[start]));
    return start;
}

/* Proved by: run_start. */
static inline size_t fu_run_start(const uint8_t *p, size_t start, size_t end) {
    assert(start < end);
    given_part(p, 0, end);
    return proof_any_size(start, SIZE_MAX);
}

/* Proved by: looks. */
static inline int fu_is_kind(const uint8_t *p, size_t n, int kind) {
    (void)kind;
    return given_answer(p, 0, n);
}

static inline int fu_is_small(const uint8_t *p, size_t n) { return given_answer(p, 0, n); }

static inline int fu_looks_random(const uint8_t *p, size_t n) { return given_answer(p, 0, n); }

/* Proved by: tokens. */
static inline size_t fu_token_end(const uint8_t *p, size_t n, size_t at) {
    given_part(p, at, n);
    return proof_any_size(at, n);
}

static inline int fu_is_behind_bot(const uint8_t *p, size_t at) { return given_answer(p, 0, at); }

/* Proved by: slash_before. */
static inline size_t fu_slash_before(const uint8_t *p, size_t at) {
    given_part(p, 0, at);
    return proof_any_size(at < 5 ? 0 : at - 5, at);
}

/* Proved by: segment_before. */
static inline int fu_segment_before(const uint8_t *p, size_t at, size_t *start, size_t *end) {
    given_part(p, 0, at);
    if (at == 0 || proof_any_choice()) return 0;
    *end = proof_any_size(0, at - 1);
    *start = proof_any_size(0, *end);
    return 1;
}

/* Proved by: is_word. */
static inline int fu_is_word(const uint8_t *p, size_t n, const char *word) {
    const size_t any = nondet_size();
    (void)word;
    given_part(p, 0, n);
    assert(any >= n || fu_is(p[any], TERM_ALPHA));
    return proof_any_choice();
}

/* Proved by: names_secret. */
static inline int fu_names_secret(const uint8_t *p, size_t start, size_t end) { return given_answer(p, start, end); }

/* Proved by: secret_place. */
static inline int fu_is_secret_place(const uint8_t *p, size_t at) { return given_answer(p, 0, at); }

/* Proved by: secret_of_run. */
static FU_NOINLINE int fu_secret_of_run(const uint8_t *p, size_t n, size_t start, size_t end, fu_range *out) {
    given_part(p, 0, n);
    assert(start < end && end <= n);
    out->start = proof_any_size(0, end - 1);
    out->end = proof_any_size(end, n);
    return proof_any_choice();
}

/* Proved by: read_digits. */
static inline int fu_read_digits(const uint8_t *p, size_t n, size_t *at, int count) {
    assert(count == 2 || count == 4);
    given_part(p, *at, n);
    if (n - *at < (size_t)count || proof_any_choice()) return -1;
    *at = proof_any_size(*at + (size_t)count, n);
    return proof_any_below(0x10000);
}

/* Proved by: any_escape. */
static FU_NOINLINE fu_character fu_read_any_escape(const uint8_t *p, size_t n, size_t at) {
    fu_character c = {0, 0, 0};
    assert(at < n);
    given_part(p, at, n);
    c.end = proof_any_size(at + 1, n);
    c.byte = nondet_byte();
    return c;
}

/* Proved by: address_character. */
static inline fu_character fu_address_character(const uint8_t *p, size_t n, size_t at) {
    fu_character c = {at, 0, 0};
    given_part(p, at, n);
    if (at == n) return c;
    c.end = proof_any_size(at + 1, n);
    c.byte = nondet_byte();
    return c;
}

/* Proved by: ipv4. */
static inline int fu_match_ipv4(const uint8_t *p, size_t n, size_t at, int is_inner, fu_address *out) {
    (void)is_inner;
    given_part(p, at, n);
    if (n - at < 3 || proof_any_choice()) return 0;
    out->sign = proof_any_size(at + 1, n);
    out->sign_end = proof_any_size(at + 1, n);
    out->end = proof_any_size(at + 1, n);
    __ESBMC_assume(out->sign < out->sign_end && out->sign_end < out->end);
    out->size = 4;
    out->packed[0] = out->packed[1] = out->packed[2] = out->packed[3] = nondet_byte();
    return 1;
}

/* Proved by: take_ipv6. */
static inline int fu_take_ipv6(const uint8_t *p, size_t n, size_t at, const uint16_t *groups, int count, int gap,
                               fu_address *out) {
    (void)groups;
    assert(count >= 0 && count <= 8 && gap >= -1 && gap <= count);
    given_part(p, at, n);
    if (gap < 0 ? count != 8 : count > 7) return 0;
    if (proof_any_choice()) return 0;
    out->end = at;
    out->size = proof_any_choice() ? 4 : 16;
    return 1;
}

/* Proved by: match_ipv6. */
static FU_NOINLINE int fu_match_ipv6(const uint8_t *p, size_t n, size_t at, uint8_t before, fu_address *out) {
    (void)before;
    given_part(p, at, n);
    if (at == n || proof_any_choice()) return 0;
    out->sign = proof_any_size(at, n);
    out->sign_end = proof_any_size(at, n);
    out->end = proof_any_size(at, n);
    __ESBMC_assume(out->sign < out->sign_end && out->sign_end <= out->end);
    return 1;
}
