/* Proved by validate_escape.c. */
#include "given.h"

static inline void fu_validate_escape(const uint8_t *p, size_t n, size_t i, fu_diagnostics *v) {
    given_part(p, i, n);
    assert(i < n);
    given_findings(v);
}
