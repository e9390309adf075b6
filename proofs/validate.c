/* Proofs of validate/primitives.h, traversal.h, validate.h, by_scheme.h, plain.h, rfc3986.h and productions.h. */
#include "proof.h"
#include "validate/by_scheme.h"
#include "validate/plain.h"
#include "validate/primitives.h"
#include "validate/productions.h"
#include "validate/rfc3986.h"
#include "validate/validate.h"
#include "any.h"

/* fu_validate_escape and fu_validate_byte read no byte outside the text and record findings inside it. */
/* Given: fu_add */
static void prove_validate_escape(const uint8_t *p, size_t n) {
    const size_t at = nondet_size();
    fu_diagnostics v;
    __ESBMC_assume(at < n);
    v.gopher_tabs[0] = nondet_size();
    v.gopher_tabs[1] = nondet_size();
    if (proof_any_choice())
        fu_validate_escape(p, n, at, &v);
    else
        fu_validate_byte(p, at, &v);
}

uint64_t nondet_mask(void);

/* One iteration of fu_validate_bytes reads no byte outside the text, for any block and any marked byte. */
/* Given: fu_add fu_validate_escape fu_validate_byte */
static void prove_validate_bytes(const uint8_t *p, size_t n) {
    const size_t base = FU_BLOCK * proof_any_size(0, n / FU_BLOCK);
    fu_spans s;
    fu_diagnostics v;
    s.length = n;
    v.only_whether = proof_any_choice();
    v.first_finding = UINT32_MAX;
    __ESBMC_assume(base < n);
    const uint64_t suspects = fu_suspect_bytes(p, &s, base) & nondet_mask();
    __ESBMC_assume(suspects != 0);
    const size_t i = base + (size_t)__builtin_ctzll(suspects);
    assert(base <= i && i < n);
    fu_validate_suspect(p, n, i, &v);
}

static void check_break(size_t at, size_t start, size_t end) { assert(at == FU_ABSENT || (start <= at && at <= end)); }

/* The validators of segments, hosts, ports and groups read no byte outside the part and return offsets inside it. The text
 * ends where the part ends. */
/* Given: fu_add */
static void prove_validate_parts(const uint8_t *p, size_t end) {
    const size_t start = proof_any_size(0, end);
    const uint32_t set = (uint32_t)nondet_int();
    fu_diagnostics v;
    v.grow = NULL;
    switch (proof_any_below(6)) {
    case 0: fu_validate_segments(p, start, end, nondet_byte(), set, FU_TERM_FPATH, &v); break;
    case 1: assert(start <= fu_skip(p, start, end, set) && fu_skip(p, start, end, set) <= end); break;
    case 2: check_break(fu_host_breaks_at(p, start, end), start, end); break;
    case 3: assert(fu_port_number(p, start, end) >= -1 && fu_port_number(p, start, end) <= 65535); break;
    case 4: check_break(fu_group_breaks_at(p, start, end), start, end); break;
    default: fu_validate_no_scheme(p, end, &v);
    }
}

/* fu_find_traversal reads no byte outside the text and records a finding inside it, for any split that
 * prove_split_blocks allows. */
/* Given: fu_add */
static void prove_traversal(const uint8_t *p, size_t n) {
    const fu_spans *s = proof_any_spans(n, proof_any_choice() ? FU_NO_SCHEME : 0);
    fu_diagnostics v;
    fu_start_diagnostics(&v);
    fu_find_traversal(p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, (fu_shape)proof_any_below(FU_SHAPES), &v);
}

/* fu_read_logins returns at most one login per reading, with its parts inside the text. The RFC's login ends before the
 * fragment. The spans are those of any split. */
/* Given: fu_split_netloc fu_login_end fu_browser_login fu_browser_kind_of */
static void prove_read_logins(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    const fu_spans *s = proof_any_spans(n, proof_any_choice() ? FU_NO_SCHEME : 0);
    fu_logins read;
    table.count = 1;
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    fu_read_logins(&table, p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, proof_any_choice(), &read);
    assert(read.count <= FU_READINGS);
    const size_t i = proof_any_size(0, FU_READINGS - 1);
    const fu_login *login = &read.logins[i];
    if (i < read.count) {
        assert(login->start <= login->end && login->end <= s->query_end);
        assert(login->start <= login->parts.host_text_start && login->parts.host_text_end <= login->end);
    }
    assert(read.urllib == NULL || (read.urllib == &read.logins[0] && read.count > 0));
    assert(read.rfc == NULL || (read.rfc == &read.logins[read.count - 1] && read.count > 0) ||
           (read.rfc == &read.logins[read.count - 2] && read.count > 1));
}

/* fu_find_login_hazards records findings inside the text, for any logins. */
/* Given: fu_add fu_split_netloc fu_find fu_port_number */
static void prove_login_hazards(const uint8_t *p, size_t n) {
    fu_logins read;
    fu_diagnostics v;
    read.count = proof_any_size(0, FU_READINGS);
    for (size_t i = 0; i < FU_READINGS; i++) proof_any_login(p, n, &read.logins[i]);
    read.urllib = read.count && proof_any_choice() ? &read.logins[0] : NULL;
    fu_range part;
    part.end = proof_any_size(0, n);
    part.start = proof_any_size(0, part.end);
    fu_find_login_hazards(p, &read, proof_any_choice(), nondet_int(), proof_any_choice(), part, &v);
}

/* fu_validate reads no byte outside the text and records findings inside it, for any split that prove_split_blocks and
 * prove_split allow. The scheme may have any shape or be absent. */
/* Given: fu_add fu_find fu_find_traversal fu_split_netloc fu_read_logins fu_find_login_hazards fu_is_plain_authority fu_validate_bytes
 * fu_validate_segments fu_validate_no_scheme fu_validate_schemepart fu_productions_stop fu_find_gopher_tabs fu_skip
 * fu_host_breaks_at fu_port_number fu_registered_port */
static void prove_validate(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    const fu_spans *s = proof_any_spans(n, proof_any_choice() ? FU_NO_SCHEME : 0);
    fu_diagnostics v;
    /* Proved by prove_split. */
    __ESBMC_assume(!(s->flags & FU_HAS_QUERY) || p[s->path_end] == '?');
    __ESBMC_assume(!(s->flags & FU_HAS_FRAGMENT) || p[s->query_end] == '#');
    table.count = 1;
    table.entries[0].port = nondet_int();
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    fu_start_diagnostics(&v);
    v.grow = proof_any_choice() ? proof_grow : NULL;
    v.only_whether = proof_any_choice();
    fu_validate(&table, p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, &v);
}

/* fu_find_gopher_tabs reads no byte outside the part. Each tab that it finds is an escape inside the part, and the second
 * follows the first. The text ends where the part ends. */
/* Given: fu_find */
static void prove_gopher_tabs(const uint8_t *p, size_t end) {
    size_t tabs[2] = {FU_ABSENT, FU_ABSENT};
    fu_find_gopher_tabs(p, proof_any_size(0, end), end, tabs);
    assert(tabs[0] == FU_ABSENT ? tabs[1] == FU_ABSENT : tabs[0] <= end && end - tabs[0] >= 3);
    assert(tabs[1] == FU_ABSENT || (tabs[1] >= tabs[0] + 3 && tabs[1] <= end && end - tabs[1] >= 3));
}

#ifdef PROOF_SHAPE
/* fu_validate_schemepart reads no byte outside the text and records findings inside it, with any login or none. PROOF_SHAPE
 * is the shape of the scheme. */
/* Given: fu_add fu_find fu_find_last fu_split_netloc fu_validate_segments fu_skip fu_host_breaks_at fu_port_number
 * fu_group_breaks_at */
static void prove_schemepart(const uint8_t *p, size_t n) {
    const size_t end = proof_any_size(0, n), start = proof_any_size(0, end);
    fu_login login;
    fu_diagnostics v;
    v.grow = proof_any_choice() ? proof_grow : NULL;
    proof_any_login(p, end, &login);
    fu_validate_schemepart(PROOF_SHAPE, p, start, end, proof_any_choice() ? &login : NULL, &v);
}
#endif

/* fu_is_plain_character reads no place outside its table, for any code point. */
static void prove_plain_character(void) { (void)fu_is_plain_character((uint32_t)nondet_int()); }

/* The parts of fu_is_plain_authority read no byte outside the text. Texts are UTF-8, or code points of 2 or 4 bytes. */
/* Given: fu_find_last fu_skip fu_port_number fu_is_plain_character fu_is_ipv4 fu_is_ipv6 fu_utf8_step */
static void prove_plain_parts(const uint8_t *p, size_t n) {
    const size_t end = proof_any_size(0, n), start = proof_any_size(0, end);
    const fu_characters text = {NULL, 0};
    const fu_browser_kind kind = (fu_browser_kind)proof_any_below(FU_BROWSER_RELATIVE);
    switch (proof_any_below(4)) {
    case 0: (void)fu_is_plain_host(p, start, end, proof_any_choice(), &text); break;
    case 1: (void)fu_is_plain_hostport(p, start, end, kind, &text); break;
    case 2: (void)fu_may_reach_host(p, start, n, proof_any_choice()); break;
    default: (void)fu_is_plain_scheme(p, end);
    }
}

/* fu_is_plain_authority reads no byte outside the text, for any spans that prove_split_blocks allows. Texts are UTF-8. */
/* Given: fu_find fu_find_last fu_skip fu_browser_kind_of fu_is_plain_hostport fu_may_reach_host */
static void prove_plain(const uint8_t *p, size_t n) {
    const fu_characters text = {NULL, 0};
    const fu_spans *s = proof_any_spans(n, FU_NO_SCHEME);
    (void)fu_is_plain_authority(p, s, proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL, &text);
}

/* fu_is_ipv4, fu_is_ipv6 and fu_is_ip_future read no byte outside the address. */
static void prove_ipv6(const uint8_t *p, size_t n) {
    switch (proof_any_below(3)) {
    case 0: (void)fu_is_ipv4(p, n); break;
    case 1: (void)fu_is_ipv6(p, n); break;
    default: (void)fu_is_ip_future(p, n);
    }
}

/* fu_validate_3986 reads no byte outside the text and records findings inside it, for any split that prove_split_blocks allows.
 * The bytes outside xchar are validated one by one, at any place. */
/* Given: fu_add fu_find_last fu_skip fu_is_ipv6 fu_is_ip_future fu_validate_no_scheme */
static void prove_rfc3986(const uint8_t *p, size_t n) {
    const fu_form form = proof_any_choice() ? FU_FORM_TARGET : FU_FORM_URL;
    const fu_spans *s = proof_any_spans(n, FU_NO_SCHEME);
    fu_diagnostics v;
    fu_start_diagnostics(&v);
    v.grow = proof_any_choice() ? proof_grow : NULL;
    v.only_whether = proof_any_choice();
    if (proof_any_choice())
        fu_validate_3986(p, s, form, 1, &v);
    else if (n > 0)
        fu_validate_suspect_3986(p, s, form, proof_any_below((uint32_t)n), &v);
}

enum { STATES = 3, WIDTH = 2 };

/* fu_productions_stop reads no byte outside the part and no entry outside the table, and stops inside the part or at its end. */
static void prove_productions(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n);
    static uint32_t rows[STATES * WIDTH];
    static uint8_t accepting[STATES];
    static fu_productions table;
    table.width = WIDTH;
    table.states = STATES;
    table.rows = rows;
    table.accepting = accepting;
    table.columns['a'] = table.columns['%'] = 1;
    for (size_t i = 0; i < STATES * WIDTH; i++) rows[i] = WIDTH * (uint32_t)proof_any_below(STATES);
    for (size_t i = 0; i < STATES; i++) accepting[i] = (uint8_t)proof_any_choice();
    const size_t stop = fu_productions_stop(&table, p, start, n);
    assert(stop == FU_ABSENT || (start <= stop && stop <= n));
}
