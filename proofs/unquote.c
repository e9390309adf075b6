/* Proofs of escapes/unquote.h, unquote_safe.h and utf8.h. */
#include "proof.h"
#include "escapes/escapes_scalar.h"
#include "escapes/unquote_safe.h"
#include "escapes/utf8.h"

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

static size_t count_controls(const uint8_t *p, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += p[i] < 0x20 || p[i] == 0x7f;
    return count;
}

/* fu_unquote_safe_next writes at most as many bytes as it reads, and decodes no escape to a control character. The proof is
 * by induction over the bytes and escapes of the text. */
static void prove_unquote_safe(const uint8_t *p, size_t n) {
    const size_t read = proof_any_size(0, n), written = proof_any_size(0, read);
    const int keep = proof_any_below(FU_KEEP_ALL + 1);
    uint8_t *out = proof_buffer(n), *to = out + written, seen = 0;
    /* The escape that the last byte came from. It takes three bytes of the text and one byte of the output. */
    const uint8_t *lead = NULL;
    if (proof_any_choice()) {
        const size_t place = proof_any_size(0, n);
        __ESBMC_assume(place + 3 <= read && written >= 1 && written + 2 <= read && keep < FU_KEEP_ALL);
        lead = p + place;
        __ESBMC_assume(fu_escape_value(lead, n - place) >= 0);
    }
    __ESBMC_assume(read < n);

    const uint8_t *rest = fu_unquote_safe_next(p + read, p + n, keep, out, &to, &lead, &seen);
    const size_t read_then = (size_t)(rest - p), written_then = (size_t)(to - out);
    assert(read < read_then && read_then <= n && written < written_then && written_then <= read_then);
    /* Every control character of the output is one of the text. */
    assert(count_controls(out + written, written_then - written) == count_controls(p + read, read_then - read));
    assert(keep < FU_KEEP_HIGH || seen < 0x80);
    if (keep == FU_KEEP_ALL) assert(lead == NULL && written_then - written == read_then - read);
    if (lead != NULL) {
        assert(lead == p + read && read_then == read + 3 && written_then == written + 1);
        assert(to[-1] == seen && seen >= 0x20 && seen != 0x7f);
    }
}

/* fu_unquote_wide_of decodes escapes among code points of one, two or four bytes, and writes at most as many as it reads. */
static void prove_unquote_wide(void) {
    const size_t n = proof_any_length();
    const int plus = proof_any_choice();
    const void *points = proof_buffer(n * 2);
    uint32_t *out = (uint32_t *)proof_buffer(n * sizeof(uint32_t));

    const size_t written = fu_unquote_wide_of(points, n, 2, plus, out);
    assert(written == SIZE_MAX || (written <= n && written * 3 >= n));
}

/* fu_utf8_step reads a sequence inside the text. fu_utf8_valid_next, which fu_utf8_valid repeats, reads no byte outside the
 * text. It moves on inside the text, or stops at an error inside the text. The proof is by induction. */
static void prove_utf8(const uint8_t *p, size_t n) {
    const size_t at = proof_any_size(0, n);
    uint32_t code = 0;
    __ESBMC_assume(at < n);
    const size_t next = fu_utf8_valid_next(p, n, at);
    const int step = fu_utf8_step(p + at, n - at, &code);
    assert(at <= next && next <= n);
    assert(next > at || step < 0);
    assert(step != 0 && step >= -3 && step <= 4 && (size_t)(step < 0 ? -step : step) <= n - at);
}

/* fu_utf8_replace_next reads no byte outside the text, and writes at most three bytes per byte that it reads. The proof is by
 * induction over the errors. */
/* Given: fu_utf8_valid */
static void prove_utf8_replace(const uint8_t *p, size_t n) {
    const size_t read = proof_any_size(0, n), written = proof_any_size(0, 3 * read);
    uint8_t *out = proof_buffer(3 * n), *to = out + written;
    __ESBMC_assume(read < n);
    const size_t read_then = (size_t)(fu_utf8_replace_next(p + read, n - read, &to) - p);
    assert(read < read_then && read_then <= n);
    assert(to > out + written && (size_t)(to - out) <= 3 * read_then);
}
