/* Stubs for the functions of src/kernel/split; proofs/README.md describes their format. */

static inline int given_place(size_t start, size_t end, size_t from, size_t to) {
    return from == FU_ABSENT ? to == FU_ABSENT : start <= from && from <= to && to <= end;
}

/* Proved by: add_place. */
static inline size_t fu_add_place(fu_range *places, size_t count, size_t start, size_t end) {
    const size_t more = proof_any_size(1, count + 1);
    assert(count < FU_READINGS && start <= end && end <= proof_length);
    for (size_t i = 0; i < FU_READINGS; i++) {
        if (i >= count) break;
        assert(places[i].start <= places[i].end && places[i].end <= proof_length);
        assert(i == 0 || places[i - 1].end < places[i].start);
    }
    for (size_t i = 0; i < FU_READINGS; i++) {
        if (i >= more) break;
        places[i].start = nondet_size();
        places[i].end = nondet_size();
        __ESBMC_assume(places[i].start <= places[i].end && places[i].end <= proof_length);
        __ESBMC_assume(i == 0 || places[i - 1].end < places[i].start);
    }
    return more;
}

/* Proved by: readings. */
static inline fu_browser_kind fu_browser_kind_of(const uint8_t *scheme, size_t length) {
    given_part(scheme, 0, length);
    return (fu_browser_kind)proof_any_below(FU_BROWSER_RELATIVE);
}

static inline size_t fu_login_end(const uint8_t *p, size_t start, size_t end, fu_shape shape) {
    assert(shape < FU_SHAPES);
    given_part(p, start, end);
    return proof_any_size(start, end);
}

/* Proved by: readings login. */
static inline int fu_browser_login(const uint8_t *p, size_t part, size_t end, fu_browser_kind kind, fu_login *out) {
    fu_login any;
    assert(kind <= FU_BROWSER_RELATIVE);
    given_part(p, part, end);
    if (proof_any_choice()) return 0;
    any.start = proof_any_size(part, end);
    any.end = proof_any_size(any.start, end);
    fu_split_netloc(p, any.start, any.end, &any.parts);
    *out = any;
    return 1;
}

/* Proved by: ipv6. */
static inline int fu_is_ipv4(const uint8_t *p, size_t n) { return given_answer(p, 0, n); }

static inline int fu_is_ipv6(const uint8_t *p, size_t n) { return given_answer(p, 0, n); }

/* Proved by: registered_port. */
static inline int32_t fu_registered_port(const uint8_t *p, size_t length) {
    given_part(p, 0, length);
    return proof_any_below(65537) - 1;
}

/* Proved by: find. */
static inline size_t fu_find(const uint8_t *p, size_t start, size_t end, uint8_t byte) {
    (void)byte;
    given_part(p, start, end);
    return proof_any_size(start, end);
}

static inline size_t fu_find_last(const uint8_t *p, size_t start, size_t end, uint8_t byte) {
    (void)byte;
    given_part(p, start, end);
    return start == end || proof_any_choice() ? FU_ABSENT : proof_any_size(start, end - 1);
}

/* Proved by: scheme. */
static inline uint32_t fu_find_scheme(const fu_scheme_table *table, const uint8_t *p, size_t length) {
    given_part(p, 0, length);
    assert(table->count == 1); /* one scheme of any shape stands for all schemes */
    return proof_any_choice() ? FU_NO_SCHEME : 0;
}

/* Proved by: netloc_end. */
static inline size_t fu_netloc_end(const uint8_t *p, size_t n, size_t start, const fu_block *m) {
    given_part(p, start, n);
    assert(p == proof_text && n > 0 && !((m->slash | m->qmark | m->hash) & ~fu_low_bits(n)));
    return proof_any_size(start, n);
}

/* Proved by: authority. */
static inline int fu_split_authority(const uint8_t *p, size_t n, fu_spans *out) {
    given_part(p, 0, n);
    if (proof_any_choice()) return 0;
    out->scheme = FU_NO_SCHEME;
    out->scheme_end = out->netloc_start = 0;
    out->path_start = out->path_end = out->query_end = out->length = n;
    out->flags = FU_HAS_NETLOC | FU_HAS_SUSPECT | FU_HAS_SUSPECT_BEYOND;
    return 1;
}

/* Proved by: login. */
static inline void fu_split_netloc(const uint8_t *p, size_t start, size_t end, fu_netloc *out) {
    fu_netloc any;
    given_part(p, start, end);
    __ESBMC_assume(given_place(start, end, any.user_start, any.user_end));
    __ESBMC_assume(given_place(start, end, any.password_start, any.password_end));
    __ESBMC_assume(given_place(start, end, any.host_start, any.host_end));
    __ESBMC_assume(given_place(start, end, any.port_start, any.port_end));
    __ESBMC_assume(given_place(start, end, any.host_text_start, any.host_text_end));
    __ESBMC_assume(any.host_start != FU_ABSENT && any.host_text_start != FU_ABSENT);
    __ESBMC_assume(any.user_start == FU_ABSENT ? any.host_text_start == start : any.user_end < any.host_text_start);
    __ESBMC_assume(any.user_start == FU_ABSENT || any.user_start == start);
    __ESBMC_assume(any.password_start == FU_ABSENT || (any.user_start == start && any.user_end + 1 == any.password_start));
    __ESBMC_assume(any.password_start == FU_ABSENT || any.password_end + 1 == any.host_text_start);
    __ESBMC_assume(any.port_start == FU_ABSENT || any.port_end == end);
    *out = any;
}

/* Proved by: split_scheme. */
static inline size_t fu_split_scheme(const fu_scheme_table *table, const uint8_t *p, size_t n, const fu_block *m, int any_first,
                                     fu_spans *out) {
    const size_t web = proof_web_scheme(p, n), end = web ? web : proof_any_size(0, n);
    (void)any_first;
    given_part(p, 0, n);
    assert(n > 0 && !((m->alnum | m->dot | m->hyphen) & ~fu_low_bits(n)));
    out->scheme = fu_find_scheme(table, p, end);
    if (end == 0 || end == n || p[end] != ':') {
        out->scheme = FU_NO_SCHEME; /* as in a text without a scheme */
        return 0;
    }
    out->scheme_end = end;
    return end + 1;
}
