/* Reading escapes writes no more octets than it reads, and what it tells of them is true. */
#include "proof.h"

#include "percent/escapes_scalar.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    const int plus = proof_any_choice();
    uint8_t seen = nondet_octet();
    const uint8_t before = seen;

    const size_t at = fu_unquote_find(p, n, plus);
    assert(at <= n);
    assert_octets(at == n || p[at] == '%' || (plus && p[at] == '+'));

    const size_t written = fu_unquote_write(p, n, plus, proof_buffer(n), &seen);
    assert(written <= n && written * 3 >= n);
    assert_octets(at < n || written == n);
    assert_octets((seen & before) == before);
    proof_end();
    return 0;
}
