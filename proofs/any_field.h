/* Any field of the rest of a line, from p on, as log_fields.c and log_quoted.c prove it of those that are read. */
#ifndef FASTURL_ANY_FIELD_H
#define FASTURL_ANY_FIELD_H

#include "given.h"

/* What follows the field, or NULL. It has at least so many octets and at most so many. */
static inline const uint8_t *proof_any_field(const uint8_t *p, const uint8_t *end, size_t least, size_t most,
                                             fu_log_field *field) {
    fu_log_field any;
    const size_t start = nondet_size(), next = nondet_size();
    if (p == NULL) return NULL;
    assert(end == proof_text + proof_length);
    given_part(p, 0, (size_t)(end - p));
    const size_t n = (size_t)(end - p);
    if (n == 0 || proof_any_choice()) return NULL;
    __ESBMC_assume(least <= any.length && any.length <= most);
    __ESBMC_assume(start <= n && any.length <= n - start && next >= 1 && next <= n);
    any.start = p + start;
    *field = any;
    return p + next;
}

#endif
