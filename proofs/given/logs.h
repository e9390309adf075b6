/* Stubs for the functions of src/kernel/logs; proofs/README.md describes their format. */

/* Return the offset behind any field of the line's rest, or NULL. The field has at least `least` and at most `most` bytes. */
static inline const uint8_t *given_field(const uint8_t *p, const uint8_t *end, size_t least, size_t most, fu_slice *field) {
    fu_slice any;
    if (p == NULL) return NULL;
    assert(end == proof_text + proof_length);
    given_part(p, 0, (size_t)(end - p));
    const size_t at = (size_t)(p - proof_text), start = nondet_size(), next = nondet_size();
    if (at == proof_length || proof_any_choice()) return NULL;
    __ESBMC_assume(at < next && next <= proof_length && at <= start && start <= proof_length);
    __ESBMC_assume(least <= any.n && any.n <= most && any.n <= proof_length - start);
    any.p = proof_text + start;
    *field = any;
    return proof_text + next;
}

/* Proved by: hex_unit. */
static inline int fu_hex_unit(const uint8_t *p, const uint8_t *end) {
    const int unit = nondet_int();
    assert(__ESBMC_same_object(p, proof_text) && p >= proof_text && p <= end && end == proof_text + proof_length);
    __ESBMC_assume(unit >= -1 && unit <= 0xffff && (unit < 0 || end - p >= 4));
    return unit;
}

/* Proved by: json_character. */
static inline size_t fu_json_character(const uint8_t *p, const uint8_t *end, uint8_t **out) {
    const size_t taken = 6 * proof_any_size(0, 2), written = taken == 12 ? 4 : taken == 6 ? proof_any_size(1, 3) : 0;
    assert(__ESBMC_same_object(p, proof_text) && p >= proof_text && p < end && end == proof_text + proof_length);
    __ESBMC_assume(taken <= (size_t)(end - p));
    memset(*out, 0, end - p < 4 ? (size_t)(end - p) : 4); /* all bytes that it may write */
    *out += written;
    return taken;
}

/* Proved by: log_more. */
static inline int fu_log_more_is_fields(const uint8_t *p, const uint8_t *end) {
    assert(p > proof_text && end == proof_text + proof_length);
    return given_answer(p, 0, (size_t)(end - p));
}

/* Proved by: log_fields. */
static inline const uint8_t *fu_log_more_word(const uint8_t *p, const uint8_t *end) {
    assert(end == proof_text + proof_length);
    given_part(p, 0, (size_t)(end - p));
    return proof_any_choice() ? NULL : p + proof_any_size(0, (size_t)(end - p));
}

static inline const uint8_t *fu_log_number(const uint8_t *p, const uint8_t *end, int at_least, int at_most, uint64_t *number,
                                           int *has) {
    fu_slice field;
    assert(at_least >= 1 && (at_most == 3 || at_most == FU_LOG_SIZE_DIGITS_MAX));
    *number = nondet_size();
    *has = proof_any_choice();
    __ESBMC_assume(at_most > 3 || *number <= 999);
    return given_field(p, end, 0, SIZE_MAX, &field);
}

static inline const uint8_t *fu_log_time(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    return given_field(p, end, 1, FU_LOG_TIME_MAX, field);
}

static inline const uint8_t *fu_log_user(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    return given_field(p, end, 0, SIZE_MAX, field);
}

static inline const uint8_t *fu_log_word(const uint8_t *p, const uint8_t *end, fu_slice *field) {
    const uint8_t *next = given_field(p, end, 1, SIZE_MAX, field);
    __ESBMC_assume(next == NULL || (field->p == p && (size_t)(next - p) == field->n + 1));
    return next;
}

/* Proved by: log_quoted. */
static inline const uint8_t *fu_log_quoted(const uint8_t *p, const uint8_t *end, const uint8_t *backslash, fu_slice *field) {
    given_part(backslash, 0, (size_t)(end - backslash));
    return given_field(p, end, 0, SIZE_MAX, field);
}

/* Proved by: log_request. No harness that uses this reads the offsets. */
static inline fu_request_line fu_split_request(const uint8_t *p, size_t n) {
    fu_request_line any;
    given_part(p, 0, n);
    return any;
}
