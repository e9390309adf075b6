/* Proved by validate_parts.c. */
#include "given.h"

static inline void fu_validate_no_scheme(const uint8_t *p, size_t n, fu_diagnostics *v) {
    given_part(p, 0, n);
    given_findings(v);
}
