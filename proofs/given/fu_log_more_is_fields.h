/* Proved by log_more.c. */
#include "given.h"

static inline int fu_log_more_is_fields(const uint8_t *p, const uint8_t *end) {
    assert(p > proof_text && end == proof_text + proof_length);
    given_part(p, 0, (size_t)(end - p));
    return proof_any_choice();
}
