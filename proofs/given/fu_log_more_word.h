/* Proved by log_fields.c. */
#include "given.h"

static inline const uint8_t *fu_log_more_word(const uint8_t *p, const uint8_t *end) {
    assert(end == proof_text + proof_length);
    given_part(p, 0, (size_t)(end - p));
    return proof_any_choice() ? NULL : p + proof_any_size(0, (size_t)(end - p));
}
