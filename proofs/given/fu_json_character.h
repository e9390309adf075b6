/* Proved by json_character.c. */
#include "given.h"

static inline size_t fu_json_character(const uint8_t *p, const uint8_t *end, uint8_t **out) {
    const size_t taken = 6 * proof_any_size(0, 2), written = taken == 12 ? 4 : taken == 6 ? proof_any_size(1, 3) : 0;
    assert(__ESBMC_same_object(p, proof_text) && p >= proof_text && p < end && end == proof_text + proof_length);
    __ESBMC_assume(taken <= (size_t)(end - p));
    memset(*out, 0, end - p < 4 ? (size_t)(end - p) : 4); /* all that it may write */
    *out += written;
    return taken;
}
