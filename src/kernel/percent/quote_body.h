/* What a kernel makes of its fu_quote_write: included behind the header that has it. */
#ifndef FASTURL_QUOTE_BODY_H
#define FASTURL_QUOTE_BODY_H

#include "percent/quote.h"

/* As fu_quote_write, into no more than `capacity` octets: a text that someone else writes to may need more than was counted.
 * Returns how many were written; less than was counted, or `capacity` with the rest left out, tells that it has changed. */
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
