/* Any spans whose places are as split_blocks.c proves those of every text, with this scheme of the table, or FU_NO_SCHEME. */
#ifndef FASTURL_ANY_SPANS_H
#define FASTURL_ANY_SPANS_H

#include "given.h"
#include "split/spans.h"

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

#endif
