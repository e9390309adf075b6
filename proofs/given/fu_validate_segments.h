/* Proved by validate_parts.c. */
#include "given.h"

static inline void fu_validate_segments(const uint8_t *p, size_t start, size_t end, uint8_t divider, uint32_t set, fu_term term,
                                        fu_diagnostics *v) {
    (void)divider, (void)set;
    assert(term < FU_TERMS);
    given_part(p, start, end);
    given_findings(v);
}
