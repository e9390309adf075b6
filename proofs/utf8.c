/* UTF-8: the valid part, as fu_utf8_valid finds it, is within the text, and no octet outside the text is read. It is shown by
 * induction: reading goes on inside the text, and stands still only where an error is, which is inside the text too. */
#include "proof.h"
#include "given.h"

#include "percent/utf8_replace.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length, at = proof_any_size(0, n);
    uint32_t code = 0;
    if (at == n) return 0;
    const size_t next = fu_utf8_valid_next(p, n, at);
    assert(at <= next && next <= n);
    if (next == at) {
        const int step = fu_utf8_step(p + at, n - at, &code);
        assert_octets(step < 0);
        assert(step >= 0 || (size_t)-step <= n - at);
    }
    proof_end();
    return 0;
}
