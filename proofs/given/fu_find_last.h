/* Proved by find.c. */
#include "given.h"

static inline size_t fu_find_last(const uint8_t *p, size_t start, size_t end, uint8_t octet) {
    (void)octet;
    given_part(p, start, end);
    return start == end || proof_any_choice() ? FU_ABSENT : proof_any_size(start, end - 1);
}
