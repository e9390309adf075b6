/* Any spans, logins and diagnostics that the kernel may hand to validation. */
/* This include precedes the guard, because a stub that validate.h includes may include this file. */
#include "validate/validate.h"

#ifndef FASTURL_ANY_H
#define FASTURL_ANY_H

/* Any login that prove_read_logins allows for a text. It ends at `end` or before. */
static void proof_any_login(const uint8_t *p, size_t end, fu_login *out) {
    fu_login any;
    any.start = nondet_size();
    any.end = nondet_size();
    __ESBMC_assume(any.start <= any.end && any.end <= end);
    fu_split_netloc(p, any.start, any.end, &any.parts);
    *out = any;
}

/* Any spans that prove_split_blocks proves a text to have, with this entry of the table of schemes, or FU_NO_SCHEME. */
static const fu_spans *proof_any_spans(size_t n, uint32_t scheme) {
    static fu_spans s;
    s.length = n;
    s.scheme_end = nondet_size();
    s.netloc_start = nondet_size();
    s.path_start = nondet_size();
    s.path_end = nondet_size();
    s.query_end = nondet_size();
    s.flags = (uint32_t)nondet_int();
    s.scheme = scheme;
    __ESBMC_assume(s.scheme_end <= s.netloc_start && s.netloc_start <= s.path_start && s.path_start <= s.path_end);
    __ESBMC_assume(s.path_end <= s.query_end && s.query_end <= n);
    __ESBMC_assume(!(s.flags & FU_HAS_SCHEME) == !s.scheme_end);
    __ESBMC_assume(s.flags & FU_HAS_SCHEME ? s.scheme_end < s.netloc_start : s.scheme == FU_NO_SCHEME);
    __ESBMC_assume(s.flags & FU_HAS_NETLOC || s.netloc_start == s.path_start);
    __ESBMC_assume(!(s.flags & FU_HAS_NETLOC) || s.netloc_start != 1);
    __ESBMC_assume(s.flags & FU_HAS_QUERY ? s.path_end < s.query_end : s.path_end == s.query_end);
    __ESBMC_assume(s.flags & FU_HAS_FRAGMENT ? s.query_end < n : s.query_end == n);
    return &s;
}

/* There is no room for problems. */
static int proof_grow(fu_diagnostics *v) {
    (void)v;
    return 0;
}

#endif
