/* Proofs of escapes/addresses.h. */
#include "proof.h"
#include "escapes/addresses.h"

/* fu_read_digits reads no byte outside the text. It moves the offset forward, inside the text. */
/* Given: fu_read_character */
static void prove_read_digits(const uint8_t *p, size_t n) {
    size_t at = proof_any_size(0, n);
    const size_t start = at;
    const int count = proof_any_choice() ? 2 : 4;
    const int value = fu_read_digits(p, n, &at, count);
    assert(value < 0 ? at == start && value == -1 : at - start >= (size_t)count && at <= n && value <= 0xFFFF);
}

/* fu_read_any_escape reads no byte outside the text. The character ends behind its start and inside the text. */
/* Given: fu_read_character fu_read_digits */
static void prove_any_escape(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    __ESBMC_assume(at < n);
    const fu_character c = fu_read_any_escape(p, n, at);
    assert(at < c.end && c.end <= n);
}

/* fu_address_character reads no byte outside the text. Its character ends behind its start, and at the end there is a NUL. */
/* Given: fu_read_any_escape */
static void prove_address_character(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    const fu_character c = fu_address_character(p, n, at);
    assert(at < n ? at < c.end && c.end <= n : c.end == at && c.byte == 0);
}

/* An IPv4 address has its end and its first dot inside the text, in order. */
/* Given: fu_address_character */
static void prove_ipv4(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    const int is_inner = proof_any_choice();
    fu_address out;
    if (fu_match_ipv4(p, n, at, is_inner, &out)) {
        assert(at < out.sign && out.sign < out.sign_end && out.sign_end < out.end && out.end <= n);
        assert(out.size == 4);
    }
}

/* fu_take_ipv6 reads no byte outside the text, the groups and the address. It keeps the sign, and the address ends where it was taken. */
/* Given: fu_address_character */
static void prove_take_ipv6(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    const int count = proof_any_below(9), gap = proof_any_below(10) - 1;
    uint16_t groups[8];
    fu_address out;
    __ESBMC_assume(gap <= count);
    if (fu_take_ipv6(p, n, at, groups, count, gap, &out)) assert(out.end == at && (out.size == 4 || out.size == 16));
}

/* fu_next_address reads no byte outside the text. The address is behind the start of the search and inside the text, and the next
 * search starts at its end. */
/* Given: fu_address_character fu_match_ipv4 fu_match_ipv6 */
static void prove_next_address(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    fu_address_search s;
    fu_address out;
    s.p = p;
    s.n = n;
    s.at = at;
    s.before = nondet_byte();
    s.is_numbered = proof_any_choice();
    if (fu_next_address(&s, &out)) {
        assert(at <= out.start && out.start <= out.sign && out.sign < out.sign_end && out.sign_end <= out.end);
        assert(out.end <= n && s.at == out.end);
    } else {
        assert(s.at == n);
    }
}

/* An IPv6 address ends behind its start and inside the text, with its first colon inside. */
/* Given: fu_address_character fu_take_ipv6 fu_match_ipv4 */
static void prove_match_ipv6(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    fu_address out;
    if (fu_match_ipv6(p, n, at, nondet_byte(), &out)) {
        assert(at <= out.sign && out.sign < out.sign_end && out.sign_end <= out.end && out.end <= n);
    }
}
