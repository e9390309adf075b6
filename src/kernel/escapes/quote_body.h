/* Escaping within a given capacity, by the kernel's fu_quote_write. Included after the header that defines it. */
#ifndef FASTURL_QUOTE_BODY_H
#define FASTURL_QUOTE_BODY_H

#include "escapes/quote.h"

/* As fu_quote_write, but write at most `capacity` bytes: if another thread changes the text, its output may outgrow the count.
 * Return the length. If the text has changed, the length may differ from the count, or the output is truncated. */
static inline size_t fu_quote_write_within(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out,
                                           size_t capacity) {
    uint8_t piece[3 * FU_QUOTE_PIECE + FU_QUOTE_SLACK];
    size_t used = 0;
    while (n > 0 && used < capacity) {
        size_t read = n < FU_QUOTE_PIECE ? n : FU_QUOTE_PIECE;
        size_t length = fu_quote_write(table, p, read, piece);
        if (length > capacity - used) length = capacity - used;
        memcpy(out + used, piece, length);
        used += length;
        p += read;
        n -= read;
    }
    return used;
}

#endif
