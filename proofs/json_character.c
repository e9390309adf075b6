/* fu_json_character reads no byte behind the end. It writes at most four bytes, and at most as many as the text has. */
/* Given: fu_hex_unit */
#define PROOF_ANY_LENGTH
#include "proof.h"
#include "logs/escapes.h"

static void prove(const uint8_t *p, size_t n) {
    __ESBMC_assume(n > 0);
    uint8_t *start = proof_buffer(n < 4 ? n : 4), *out = start;
    const size_t taken = fu_json_character(p, p + n, &out);
    const size_t written = (size_t)(out - start);
    assert(taken == 0 || taken == 6 || taken == 12);
    assert(taken <= n && (taken == 12 ? written == 4 : taken == 6 ? written >= 1 && written <= 3 : written == 0));
}
