/* Proved by validate_parts.c. */
#include "given.h"

static inline size_t fu_host_breaks_at(const uint8_t *p, size_t start, size_t end) {
    given_part(p, start, end);
    return proof_any_choice() ? FU_ABSENT : proof_any_size(start, end);
}
