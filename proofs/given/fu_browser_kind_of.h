/* Proved by readings.c. */
#include "given.h"

static inline fu_browser_kind fu_browser_kind_of(const uint8_t *scheme, size_t length) {
    given_part(scheme, 0, length);
    return (fu_browser_kind)proof_any_below(FU_BROWSER_RELATIVE);
}
