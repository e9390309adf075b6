/* Proved by scheme.c. */
#include "given.h"

static inline uint32_t fu_find_scheme(const fu_scheme_table *table, const uint8_t *p, size_t length) {
    given_part(p, 0, length);
    return table->count == 0 || proof_any_choice() ? FU_NO_SCHEME : 0; /* the harness's table has one */
}
