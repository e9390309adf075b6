/* Proved by validate_parts.c. */
#include "given.h"

static inline int32_t fu_port_number(const uint8_t *p, size_t start, size_t end) {
    given_part(p, start, end);
    return proof_any_below(65537) - 1;
}
