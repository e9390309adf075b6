/* Reading escapes for a log, where some stay: no more octets are written than are read, and no control character is made. */
#include "proof.h"

#include "percent/unquote_safe.h"

static size_t count_controls(const uint8_t *p, size_t n) {
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += p[i] < 0x20 || p[i] == 0x7f;
    return count;
}

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    uint8_t *out = proof_buffer(n);
    const int keep = proof_any_below(FU_KEEP_ALL + 1);
    uint8_t seen = 0;

    const size_t written = fu_unquote_safe_write(p, n, keep, out, &seen);
    assert(written <= n && written * 3 >= n);
    assert(keep < FU_KEEP_ALL || written == n);
    assert_octets(keep < FU_KEEP_HIGH || seen < 0x80);

    /* A control character that is written is one that was read. */
    assert_octets(count_controls(out, written) == count_controls(p, n));
    proof_end();
    return 0;
}
