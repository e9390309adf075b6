/* UTF-8 with its errors replaced: no octet outside the text is read, and no more than three are written for each that is read. It
 * is shown by induction: what holds before an error holds behind it. */
#define GIVEN_fu_utf8_valid
#include "proof.h"
#include "given.h"

#include "percent/utf8_replace.h"

int main(void) {
    const uint8_t *p = proof_some_text();
    const size_t n = proof_length, read = proof_any_size(0, n), written = proof_any_size(0, 3 * read);
    uint8_t *out = proof_buffer(3 * n), *to = out + written;
    if (read == n) return 0;
    const size_t read_then = (size_t)(fu_utf8_replace_next(p + read, n - read, &to) - p);
    assert(read < read_then && read_then <= n);
    assert(to > out + written && (size_t)(to - out) <= 3 * read_then);
    proof_end();
    return 0;
}
