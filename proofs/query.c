/* Proofs of escapes/query.h. */
#include "proof.h"
#include "escapes/query.h"

static void check_span(const uint8_t *p, size_t n) {
    size_t start, end;
    if (fu_query_span(p, n, &start, &end)) {
        assert(start >= 1 && start <= end && end <= n);
        assert(p[start - 1] == '?');
        assert(end == n || p[end] == '#');
    }
}

static void check_pair(const uint8_t *p, size_t n, size_t at) {
    fu_pair pair;
    fu_next_pair(p, n, at, nondet_byte(), &pair);
    assert(pair.start == at && at <= pair.name_end && pair.name_end <= pair.value);
    assert(pair.value <= pair.end && pair.end <= n);
    assert(pair.has_value ? pair.value == pair.name_end + 1 : pair.value == pair.end);
}

/* fu_query_span and fu_next_pair return offsets inside the text, in order. */
static void prove_query(const uint8_t *p, size_t n) {
    check_span(p, n);
    check_pair(p, n, proof_any_size(0, n));
}

/* fu_is_name reads no byte outside the query and the name. A name that matches is no longer than the bytes that it matches. */
static void prove_is_name(const uint8_t *p, size_t n) {
    fu_name name;
    name.length = proof_any_size(0, PROOF_LENGTH + 1);
    name.data = proof_buffer(name.length);
    assert(!fu_is_name(p, n, proof_any_choice(), &name) || n >= name.length);
}

/* fu_set_first_bytes reads no byte outside the name. Afterwards the table admits every query that starts with the name. */
static void prove_first_bytes(void) {
    static fu_first_bytes firsts;
    const size_t length = nondet_size();
    __ESBMC_assume(length <= SIZE_MAX / 4);
    const fu_name name = {proof_buffer(length), length};
    const uint8_t at = length ? name.data[0] : '=', next = length < 2 ? nondet_byte() : name.data[1];
    fu_set_first_bytes(&firsts, &name);
    assert(((uint32_t)firsts.seconds[at] >> ((uint32_t)next & 15) & 1) == 1);
}

/* fu_skip_pairs reads no byte outside the query, and returns an offset at or behind its start, for any table of first bytes. */
/* Given: fu_find */
static void prove_skip_pairs(const uint8_t *p, size_t n) {
    const size_t start = proof_any_size(0, n + 1);
    const fu_first_bytes *firsts = (const fu_first_bytes *)proof_buffer(sizeof(fu_first_bytes));
    fu_name name;
    name.length = proof_any_size(0, 3);
    name.data = proof_buffer(name.length);
    const size_t at = fu_skip_pairs(p, n, start, &name, proof_any_choice() ? firsts : NULL);
    assert(start < n ? start <= at && at <= n : at == start);
}

/* fu_find_pair reads no byte outside the query and the name, and returns a pair inside the query. */
/* Given: fu_skip_pairs fu_next_pair fu_is_name */
static void prove_query_value(const uint8_t *p, size_t n) {
    fu_name name;
    fu_pair pair;
    name.length = proof_any_size(0, 3);
    name.data = proof_buffer(name.length);
    if (fu_find_pair(p, n, &name, NULL, &pair)) {
        assert(pair.start < pair.end && pair.start <= pair.name_end && pair.name_end <= pair.value);
        assert(pair.value <= pair.end && pair.end <= n);
        assert(pair.name_end - pair.start >= name.length);
    }
}
