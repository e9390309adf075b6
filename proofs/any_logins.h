/* Any logins that read_logins.c proves a text to have, each of which ends at `end` or before. */
#ifndef FASTURL_ANY_LOGINS_H
#define FASTURL_ANY_LOGINS_H

#include "given.h"
#include "validate/validate.h"

static void proof_any_login(const uint8_t *p, size_t end, fu_login *out) {
    fu_login any;
    any.start = nondet_size();
    any.end = nondet_size();
    __ESBMC_assume(any.start <= any.end && any.end <= end);
    fu_split_netloc(p, any.start, any.end, &any.parts);
    *out = any;
}

#endif
