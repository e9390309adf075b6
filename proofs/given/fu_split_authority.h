/* Proved by authority.c. */
#include "given.h"

static inline int fu_split_authority(const uint8_t *p, size_t n, fu_spans *out) {
    given_part(p, 0, n);
    if (proof_any_choice()) return 0;
    out->scheme = FU_NO_SCHEME;
    out->scheme_end = out->netloc_start = 0;
    out->path_start = out->path_end = out->query_end = out->length = n;
    out->flags = FU_HAS_NETLOC | FU_HAS_NON_XCHAR | FU_HAS_NON_XCHAR_BEYOND;
    return 1;
}
