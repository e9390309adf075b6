/* Proved by log_fields.c. */
#include "any_field.h"

static inline const uint8_t *fu_log_word(const uint8_t *p, const uint8_t *end, fu_log_field *field) {
    return proof_any_field(p, end, 0, SIZE_MAX, field);
}
