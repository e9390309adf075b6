/* Proofs of split/spans.h, schemes.h and readings.h. */
#include "proof.h"
#include "split/readings.h"
#include "split/schemes.h"
#include "split/spans.h"

/* The searches for a byte return an offset of their range and read nothing outside it. The text ends where the range ends. */
static void prove_find(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n);
    const uint8_t byte = nondet_byte();

    const size_t first = fu_find(p, start, n, byte);
    assert(start <= first && first <= n);
    assert(first == n || p[first] == byte);

    const size_t last = fu_find_last(p, start, n, byte);
    assert(last == FU_ABSENT || (start <= last && last < n));
    assert((last == FU_ABSENT) == (first == n) && (last == FU_ABSENT || first <= last));
}

/* fu_find_scheme reads no byte outside the name, for any table. An entry that it returns has the length of the name. */
static void prove_scheme(const uint8_t *p, size_t n) {
    fu_scheme_table *table = (fu_scheme_table *)proof_buffer(sizeof(fu_scheme_table));
    __ESBMC_assume(table->count <= FU_SCHEMES_MAX);
    for (int i = 0; i < FU_SCHEMES_MAX; i++) __ESBMC_assume(table->entries[i].length <= FU_SCHEME_NAME_MAX);
    const uint32_t found = fu_find_scheme(table, p, n);
    assert(found == FU_NO_SCHEME || (found < table->count && table->entries[found].length == n));
}

/* fu_registered_port reads no byte outside the scheme and returns a port, or FU_NO_PORT. */
static void prove_registered_port(const uint8_t *p, size_t n) {
    const int32_t port = fu_registered_port(p, n);
    assert(port == FU_NO_PORT || (port >= 0 && port <= 65535));
}

static void check_place(size_t start, size_t end, size_t from, size_t to) {
    assert((start == FU_ABSENT) == (end == FU_ABSENT) || start != FU_ABSENT);
    if (start != FU_ABSENT) assert(from <= start && start <= end && end <= to);
}

/* fu_split_login, which calls fu_split_netloc, returns parts that are inside the login and in order. */
/* Given: fu_find fu_find_last */
static void prove_login(const uint8_t *p, size_t n) {
    const size_t start = nondet_size(), end = nondet_size();
    __ESBMC_assume(start <= end && end <= n);
    fu_login login;
    const fu_netloc *at = &login.parts;

    fu_split_login(p, start, end, &login);
    assert(login.start == start && login.end == end);
    check_place(at->user_start, at->user_end, start, end);
    check_place(at->password_start, at->password_end, start, end);
    check_place(at->host_start, at->host_end, start, end);
    check_place(at->port_start, at->port_end, start, end);
    check_place(at->host_text_start, at->host_text_end, start, end);
    assert(at->host_start != FU_ABSENT && at->host_text_start != FU_ABSENT);
    assert(at->user_start == FU_ABSENT || at->user_start == start);
    assert(at->password_start == FU_ABSENT || (at->user_start == start && at->user_end + 1 == at->password_start));
    assert(at->user_start == FU_ABSENT ? at->host_text_start == start : at->user_end < at->host_text_start);
    assert(at->password_start == FU_ABSENT || at->password_end + 1 == at->host_text_start);
    assert(at->port_start == FU_ABSENT || at->port_end == end);
}

/* fu_add_place inserts a place into sorted, disjoint places. They stay sorted and disjoint, the count grows by at most one, and
 * no place exceeds the limit. */
static void prove_add_place(void) {
    fu_range places[FU_READINGS];
    const size_t count = proof_any_size(0, FU_READINGS - 1), start = nondet_size(), end = nondet_size(), limit = nondet_size();
    __ESBMC_assume(start <= end && end <= limit);
    for (size_t i = 0; i < FU_READINGS - 1; i++) {
        if (i >= count) break;
        places[i].start = nondet_size();
        places[i].end = nondet_size();
        __ESBMC_assume(places[i].start <= places[i].end && places[i].end <= limit);
        __ESBMC_assume(i == 0 || places[i - 1].end < places[i].start);
    }
    const size_t more = fu_add_place(places, count, start, end);
    assert(more >= 1 && more <= count + 1);
    for (size_t i = 0; i < FU_READINGS; i++) {
        if (i >= more) break;
        assert(places[i].start <= places[i].end && places[i].end <= limit);
        assert(i == 0 || places[i - 1].end < places[i].start);
    }
}

static void check_rfc(const uint8_t *p, size_t start, size_t n) {
    const size_t stop = fu_login_end(p, start, n, (fu_shape)proof_any_below(FU_SHAPES));
    assert(start <= stop && stop <= n);
}

static void check_browser(const uint8_t *p, size_t start, size_t n) {
    fu_login login;
    const fu_netloc *at = &login.parts;
    if (fu_browser_login(p, start, n, (fu_browser_kind)proof_any_below(FU_BROWSER_RELATIVE + 1), &login)) {
        assert(start <= login.start && login.start <= login.end && login.end <= n);
        assert(at->password_start == FU_ABSENT || (login.start <= at->password_start && at->password_end <= login.end));
        assert(at->password_start == FU_ABSENT || at->password_start <= at->password_end);
    }
}

/* Each reading finds its login inside the part that it reads, and reads no byte outside it.
 * One function per run keeps the number of cases small. */
/* Given: fu_split_netloc */
static void prove_readings(const uint8_t *p, size_t n) {
    switch (proof_any_below(3)) {
    case 0: check_rfc(p, proof_any_size(0, n), n); break;
    case 1: check_browser(p, proof_any_size(0, n), n); break;
    default: assert(fu_browser_kind_of(p, n) < FU_BROWSER_RELATIVE);
    }
}

/* fu_find_passwords returns at most one place per reading. The places are sorted, disjoint and inside the text. */
/* Given: fu_split_netloc fu_login_end fu_browser_login fu_browser_kind_of fu_find_scheme fu_add_place */
static void prove_passwords(const uint8_t *p, size_t n) {
    static fu_scheme_table table;
    fu_range passwords[FU_READINGS];
    table.count = 1;
    table.entries[0].shape = (uint8_t)proof_any_below(FU_SHAPES);
    const size_t count = fu_find_passwords(&table, p, n, passwords);
    assert(count <= FU_READINGS);
    for (size_t i = 0; i < FU_READINGS; i++) {
        if (i >= count) break;
        assert(passwords[i].start <= passwords[i].end && passwords[i].end <= n);
        assert(i == 0 || passwords[i - 1].end < passwords[i].start);
    }
}
