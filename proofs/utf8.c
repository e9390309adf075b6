/* UTF-8: the valid part is within the text, and no octet outside the text is read to find it. */
#include "proof.h"

#include "percent/utf8_replace.h"

int main(void) {
    const size_t n = proof_any_length();
    const uint8_t *p = proof_buffer(n);
    uint32_t code = 0;
    const size_t valid = fu_utf8_valid(p, n);
    assert(valid <= n);
    if (valid < n) {
        const int step = fu_utf8_step(p + valid, n - valid, &code);
        assert_octets(step < 0);
        assert(step >= 0 || (size_t)-step <= n - valid);
    }
    proof_end();
    return 0;
}
