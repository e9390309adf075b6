/* Proved by is_name.c. */
#include "given.h"

static inline int fu_is_name(const uint8_t *p, size_t n, int marks, const fu_name *name) {
    const int is_it = proof_any_choice();
    (void)marks;
    given_part(p, 0, n);
    __ESBMC_assume(!is_it || n >= name->length);
    return is_it;
}
