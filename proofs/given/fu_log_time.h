/* Proved by log_fields.c. */
#include "any_field.h"

static inline const uint8_t *fu_log_time(const uint8_t *p, const uint8_t *end, fu_log_field *field) {
    return proof_any_field(p, end, 1, FU_LOG_TIME_MAX, field);
}
