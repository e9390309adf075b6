/* Proved by log_quoted.c. */
#include "any_field.h"

static inline const uint8_t *fu_log_quoted(const uint8_t *p, const uint8_t *end, const uint8_t *backslash, fu_log_field *field) {
    given_part(backslash, 0, (size_t)(end - backslash));
    return proof_any_field(p, end, 0, SIZE_MAX, field);
}
