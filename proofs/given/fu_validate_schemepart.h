/* Proved by schemepart.c. */
#include "given.h"

static inline void fu_validate_schemepart(fu_shape shape, const uint8_t *p, size_t start, size_t end, const fu_login *login,
                                          fu_diagnostics *v) {
    assert(shape < FU_SHAPES);
    given_part(p, start, end);
    if (login != NULL) given_part(p, login->start, login->end);
    assert(login == NULL || login->end <= end);
    given_findings(v);
}
