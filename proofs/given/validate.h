/* Stubs for the functions of src/kernel/validate; proofs/README.md describes their format. */

static inline void given_findings(fu_diagnostics *v) {
    v->findings |= (uint32_t)nondet_int();
    if (proof_any_choice()) v->first_finding = (uint32_t)proof_any_below(FU_VIOLATIONS + 1);
}

/* Proved by: add. */
static inline void fu_add(fu_diagnostics *v, uint32_t finding, fu_term term, size_t start, size_t end) {
    assert(finding != 0 && term < FU_TERMS);
    assert(start <= end && end <= proof_length);
    v->findings |= finding;
    given_findings(v);
}

/* Proved by: gopher_tabs. */
static inline void fu_find_gopher_tabs(const uint8_t *p, size_t start, size_t end, size_t tabs[2]) {
    given_part(p, start, end);
    tabs[0] = nondet_size();
    tabs[1] = nondet_size();
}

/* Proved by: login_hazards. */
static inline void fu_find_login_hazards(const uint8_t *p, const fu_logins *read, int has_scheme, int32_t own, int is_plain,
                                         fu_range part, fu_diagnostics *v) {
    (void)has_scheme, (void)own, (void)is_plain;
    assert(read->count <= FU_READINGS && part.start <= part.end && part.end <= proof_length);
    given_part(p, 0, proof_length);
    given_findings(v);
}

/* Proved by: ipv6. */
static inline int fu_is_ip_future(const uint8_t *p, size_t n) { return given_answer(p, 0, n); }

/* Proved by: plain_character. */
static inline int fu_is_plain_character(uint32_t code) {
    (void)code;
    return proof_any_choice();
}

/* Proved by: plain_parts. */
static inline int fu_is_plain_hostport(const uint8_t *p, size_t start, size_t end, fu_browser_kind kind,
                                       const fu_characters *text) {
    (void)kind, (void)text;
    return given_answer(p, start, end);
}

static inline int fu_may_reach_host(const uint8_t *p, size_t start, size_t n, int backslashes) {
    (void)backslashes;
    return given_answer(p, start, n);
}

/* Proved by: plain. */
static inline int fu_is_plain_authority(const uint8_t *p, const fu_spans *s, fu_form form, const fu_characters *text) {
    (void)form, (void)text;
    return given_answer(p, 0, s->length);
}

/* Proved by: validate_parts. */
static inline size_t fu_group_breaks_at(const uint8_t *p, size_t start, size_t end) {
    given_part(p, start, end);
    return proof_any_choice() ? FU_ABSENT : proof_any_size(start, end);
}

static inline size_t fu_host_breaks_at(const uint8_t *p, size_t start, size_t end) {
    given_part(p, start, end);
    return proof_any_choice() ? FU_ABSENT : proof_any_size(start, end);
}

static inline int32_t fu_port_number(const uint8_t *p, size_t start, size_t end) {
    given_part(p, start, end);
    return proof_any_below(65537) - 1;
}

static inline size_t fu_skip(const uint8_t *p, size_t start, size_t end, uint32_t set) {
    (void)set;
    given_part(p, start, end);
    return proof_any_size(start, end);
}

static inline void fu_validate_no_scheme(const uint8_t *p, size_t n, fu_diagnostics *v) {
    given_part(p, 0, n);
    given_findings(v);
}

static inline void fu_validate_segments(const uint8_t *p, size_t start, size_t end, uint8_t divider, uint32_t set, fu_term term,
                                        fu_diagnostics *v) {
    (void)divider, (void)set;
    assert(term < FU_TERMS);
    given_part(p, start, end);
    given_findings(v);
}

/* Proved by: productions. */
static inline size_t fu_productions_stop(const fu_productions *g, const uint8_t *p, size_t start, size_t end) {
    (void)g;
    given_part(p, start, end);
    return proof_any_choice() ? FU_ABSENT : proof_any_size(start, end);
}

/* Proved by: read_logins. */
#include "any.h"
/* Only the parts of urllib's and the RFC's login are read: prove_login_hazards proves the hazards of all logins. */
static inline void fu_read_logins(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form, int browser,
                                  fu_logins *out) {
    (void)table, (void)form, (void)browser;
    given_part(p, 0, s->length);
    out->count = proof_any_size(0, FU_READINGS);
    out->urllib = out->rfc = NULL;
    proof_any_login(p, s->query_end, &out->logins[0]);
    proof_any_login(p, s->query_end, &out->logins[1]);
    if (out->count > 0 && proof_any_choice()) out->urllib = &out->logins[0];
    if (out->count > 0 && proof_any_choice()) out->rfc = &out->logins[out->count > 1 && proof_any_choice()];
}

/* Proved by: validate_escape. */
static inline void fu_validate_escape(const uint8_t *p, size_t n, size_t i, fu_diagnostics *v) {
    given_part(p, i, n);
    assert(i < n);
    given_findings(v);
}

static inline void fu_validate_byte(const uint8_t *p, size_t i, fu_diagnostics *v) {
    given_part(p, i, i + 1);
    given_findings(v);
}

/* Proved by: traversal. */
static inline void fu_find_traversal(const uint8_t *p, const fu_spans *s, fu_form form, fu_shape shape, fu_diagnostics *v) {
    (void)form;
    assert(shape < FU_SHAPES);
    given_part(p, 0, s->query_end);
    given_findings(v);
}

/* Proved by: validate_bytes. */
static inline void fu_validate_bytes(const uint8_t *p, const fu_spans *s, fu_diagnostics *v) {
    given_part(p, 0, s->length);
    given_findings(v);
}

/* Proved by: schemepart. */
static inline void fu_validate_schemepart(fu_shape shape, const uint8_t *p, size_t start, size_t end, const fu_login *login,
                                          fu_diagnostics *v) {
    assert(shape < FU_SHAPES);
    given_part(p, start, end);
    if (login != NULL) given_part(p, login->start, login->end);
    assert(login == NULL || login->end <= end);
    given_findings(v);
}
