/* Proved by readings.c and login.c. */
#include "given.h"

static inline int fu_browser_login(const uint8_t *p, size_t part, size_t end, fu_browser_kind kind, fu_login *out) {
    fu_login any;
    assert(kind <= FU_BROWSER_RELATIVE);
    given_part(p, part, end);
    if (proof_any_choice()) return 0;
    any.start = proof_some_size(part, end);
    any.end = proof_some_size(any.start, end);
    fu_split_netloc(p, any.start, any.end, &any.parts);
    *out = any;
    return 1;
}
