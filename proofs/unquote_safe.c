/* Reading escapes for a log, where some stay: no more octets are written than are read, and no control character is made. */
#include "proof.h"

#include "percent/unquote_safe.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    uint8_t *out = proof_buffer(n);
    const int keep = proof_any_below(FU_KEEP_ALL + 1);
    uint8_t seen = 0;

    const size_t written = fu_unquote_safe_write(p, n, keep, out, &seen);
    assert(written <= n && written * 3 >= n);
    assert(keep < FU_KEEP_ALL || written == n);
    assert(keep < FU_KEEP_HIGH || seen < 0x80);

    /* A control character that is written is one that was read. */
    size_t controls_in = 0, controls_out = 0;
    for (size_t i = 0; i < n; i++) controls_in += p[i] < 0x20 || p[i] == 0x7f;
    for (size_t i = 0; i < written; i++) controls_out += out[i] < 0x20 || out[i] == 0x7f;
    assert(controls_out == controls_in);
    proof_end();
    return 0;
}
