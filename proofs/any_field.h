/* Any field of the rest of a line, from p on, as log_fields.c and log_quoted.c prove it of those that are read. */
#ifndef FASTURL_ANY_FIELD_H
#define FASTURL_ANY_FIELD_H

#include "given.h"

/* What follows the field, or NULL. It has at least so many octets and at most so many. */
static inline const uint8_t *proof_any_field(const uint8_t *p, const uint8_t *end, size_t least, size_t most,
                                             fu_log_field *field) {
    fu_log_field any;
    if (p == NULL) return NULL;
    assert(end == proof_text + proof_length);
    given_part(p, 0, (size_t)(end - p));
    const size_t at = (size_t)(p - proof_text), start = nondet_size(), next = nondet_size();
    if (at == proof_length || proof_any_choice()) return NULL;
    __ESBMC_assume(at < next && next <= proof_length && at <= start && start <= proof_length);
    __ESBMC_assume(least <= any.length && any.length <= most && any.length <= proof_length - start);
    any.start = proof_text + start;
    *field = any;
    return proof_text + next;
}

#endif
