/* Proved by validate_octets.c. */
#include "given.h"

static inline void fu_validate_octets(const uint8_t *p, const fu_spans *s, fu_diagnostics *v) {
    given_part(p, 0, s->length);
    given_findings(v);
}
