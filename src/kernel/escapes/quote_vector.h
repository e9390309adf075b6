/* quote.h and unquote.h 16 bytes at a time, by the kernel's fu_vector. Included after vector_*.h. */
#ifndef FASTURL_QUOTE_VECTOR_H
#define FASTURL_QUOTE_VECTOR_H

#include "compiler.h"
#include "escapes/quote.h"
#include "escapes/unquote.h"

/* Return the mask of the bytes that change, of 16. */
static inline uint32_t fu_quote_mask(const fu_quote_table *table, fu_vector data) {
    fu_vector stay = fu_splat(0);
    for (size_t r = 0; r < table->ranges; r++)
        stay = fu_or(stay, fu_in_range(data, fu_load(table->low[r]), fu_load(table->span[r])));
    return fu_bits(stay) ^ 0xffffu;
}

static inline size_t fu_quote_find(const fu_quote_table *table, const uint8_t *p, size_t n) {
    if (!table->ranges || n < 16) return fu_quote_find_scalar(table, p, n);
    for (size_t i = 0;; i = n - i < 32 ? n - 16 : i + 16) {
        uint32_t mask = fu_quote_mask(table, fu_load(p + i));
        if (mask) return i + (size_t)__builtin_ctzll(mask);
        if (i == n - 16) return n;
    }
}

static inline size_t fu_quote_length(const fu_quote_table *table, const uint8_t *p, size_t n) {
    return fu_quote_length_scalar(table, p, n);
}

static inline size_t fu_quote_write(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
    const uint8_t *end = p + n;
    uint8_t *start = out;
    while (table->ranges && end - p >= 16) {
        fu_vector data = fu_load(p);
        uint32_t mask = fu_quote_mask(table, data);
        size_t run = mask ? (size_t)__builtin_ctzll(mask) : 16;
        fu_store(out, data);
        /* Write the rest byte by byte, without a branch on its content: bytes to escape often come in groups. */
        out += run;
        out += fu_quote_write_scalar(table, p + run, 16 - run, out);
        p += 16;
    }
    out += fu_quote_write_scalar(table, p, (size_t)(end - p), out);
    return (size_t)(out - start);
}

static inline size_t fu_unquote_find(const uint8_t *p, size_t n, int plus) {
    const fu_vector percent = fu_splat('%');
    const fu_vector other = fu_splat(plus ? '+' : '%');
    if (n < 16) return fu_unquote_find_scalar(p, n, plus);
    for (size_t i = 0;; i = n - i < 32 ? n - 16 : i + 16) {
        fu_vector data = fu_load(p + i);
        uint32_t mask = fu_bits(fu_or(fu_equal(data, percent), fu_equal(data, other)));
        if (mask) return i + (size_t)__builtin_ctzll(mask);
        if (i == n - 16) return n;
    }
}

static inline size_t fu_unquote_write(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen) {
    const fu_vector percent = fu_splat('%');
    const fu_vector plus_sign = fu_splat('+');
    const fu_vector to_space = fu_splat(plus ? '+' ^ ' ' : 0);
    const uint8_t *end = p + n;
    uint8_t *start = out;
    uint8_t bits = 0;
    while (end - p >= 16) {
        fu_vector data = fu_load(p);
        uint32_t mask = fu_bits(fu_equal(data, percent));
        size_t run = mask ? (size_t)__builtin_ctzll(mask) : 16;
        /* `out` has advanced no further than p, so it has space for 16 bytes. */
        data = fu_xor(data, fu_and(fu_equal(data, plus_sign), to_space));
        fu_store(out, data);
        p += run;
        out += run;
        while (p < end && *p == '%') {
            int byte = fu_escape_value(p, (size_t)(end - p));
            if (byte >= 0) {
                *out++ = (uint8_t)byte;
                bits |= (uint8_t)byte;
                p += 3;
            } else {
                *out++ = *p++;
            }
        }
    }
    *seen |= bits;
    out += fu_unquote_write_scalar(p, (size_t)(end - p), plus, out, seen);
    return (size_t)(out - start);
}

#endif
