/* Proved by validate_escape.c. */
#include "given.h"

static inline void fu_validate_octet(const uint8_t *p, size_t i, fu_diagnostics *v) {
    given_part(p, i, i + 1);
    given_findings(v);
}
