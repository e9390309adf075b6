/* unquote.h 16 bytes at a time, by the kernel's fu_vector. Included after vector_*.h. */
#ifndef FASTURL_UNQUOTE_VECTOR_H
#define FASTURL_UNQUOTE_VECTOR_H

#include "compiler.h"
#include "escapes/unquote.h"

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
