/* Proofs of escapes/unquote.h. */
#include "proof.h"
#include "escapes/escapes_scalar.h"

/* The unquoting functions write at most as many bytes as they read. Their offsets and flags are right. */
static void prove_unquote(const uint8_t *p, size_t n) {
    const int plus = proof_any_choice();
    uint8_t seen = nondet_byte();
    const uint8_t before = seen;

    const size_t at = fu_unquote_find(p, n, plus);
    assert(at <= n);
    assert(at == n || p[at] == '%' || (plus && p[at] == '+'));

    const size_t written = fu_unquote_write(p, n, plus, proof_buffer(n), &seen);
    assert(written <= n && written * 3 >= n);
    assert(at < n || written == n);
    assert((seen & before) == before);
}
