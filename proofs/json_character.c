/* A character that JSON escapes: no octet behind the end is read, and no more than four are written, nor more
 * than the text has. */
#define GIVEN_fu_hex_unit
#include "proof.h"
#include "given.h"

#include "logs/escapes.h"

int main(void) {
    const uint8_t *p = proof_long_text();
    __ESBMC_assume(proof_length > 0);
    uint8_t *start = proof_output(proof_length < 4 ? proof_length : 4), *out = start;
    const size_t taken = fu_json_character(p, p + proof_length, &out);
    const size_t written = (size_t)(out - start);
    assert(taken == 0 || taken == 6 || taken == 12);
    assert(taken <= proof_length && (taken == 12 ? written == 4 : taken == 6 ? written >= 1 && written <= 3 : written == 0));
    assert_written(start, written);
    proof_end();
    return 0;
}
