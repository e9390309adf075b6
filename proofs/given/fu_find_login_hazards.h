/* Proved by login_hazards.c, of any logins that fu_read_logins may give. */
#include "given.h"

static inline void fu_find_login_hazards(const uint8_t *p, const fu_logins *read, int has_scheme, int32_t own,
                                         fu_diagnostics *v) {
    (void)has_scheme, (void)own;
    assert(read->count <= FU_READINGS);
    given_part(p, 0, proof_length);
    given_findings(v);
}
