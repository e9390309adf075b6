/* Escaping and decoding in the scalar kernel. The other kernels are tested against these loops. */
#ifndef FASTURL_ESCAPES_SCALAR_H
#define FASTURL_ESCAPES_SCALAR_H

#include "escapes/quote.h"
#include "escapes/unquote.h"

static inline size_t fu_quote_find(const fu_quote_table *table, const uint8_t *p, size_t n) {
    return fu_quote_find_scalar(table, p, n);
}

static inline size_t fu_quote_length(const fu_quote_table *table, const uint8_t *p, size_t n) {
    return fu_quote_length_scalar(table, p, n);
}

static inline size_t fu_quote_write(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
    return fu_quote_write_scalar(table, p, n, out);
}

static inline size_t fu_unquote_find(const uint8_t *p, size_t n, int plus) { return fu_unquote_find_scalar(p, n, plus); }

static inline size_t fu_unquote_write(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
    return fu_unquote_write_scalar(p, n, plus, out, seen);
}

#endif
