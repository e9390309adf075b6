/* Escaping: bytes outside a given set become %XX, with hex digits in upper case.
 *
 * A lookup table holds the output of each byte, so one loop serves quote (any `safe`), quote_plus and RFC 1738's escapes.
 * The callers choose the set of bytes. No load leaves [p, p + n). */
#ifndef FASTURL_QUOTE_H
#define FASTURL_QUOTE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"

#define FU_QUOTE_RANGES 10
/* The number of bytes after its output that fu_quote_write may overwrite. */
#define FU_QUOTE_SLACK 16
/* Bytes of input per step if `out` has no slack. */
#define FU_QUOTE_PIECE 512

FU_STATIC_ASSERT(FU_QUOTE_SLACK >= 3, "a byte's unit is written whole: four bytes, of which one to three count");

typedef struct fu_quote_table {
    uint8_t unit[256][4]; /* the output of a byte; the last element is its length: 1 or 3 */
    uint8_t dirty[256];   /* FF if the output differs from the byte itself */
    int plus;             /* 1: a space becomes "+" */
    size_t ranges; /* number of ranges of unchanged bytes, for kernels that compare; 0 if more than FU_QUOTE_RANGES */
    uint8_t low[FU_QUOTE_RANGES][16]; /* the first byte of a range, 16 times */
    uint8_t span[FU_QUOTE_RANGES][16]; /* its last byte minus its first, 16 times */
} fu_quote_table;

static inline void fu_quote_unit_fill(fu_quote_table *table, int byte, const uint8_t keep[128], int plus) {
    static const char digits[] = "0123456789ABCDEF";
    uint8_t *unit = table->unit[byte];
    const int spaced = plus && byte == ' ';
    const int stays = byte < 128 && keep[byte] && !spaced;
    table->dirty[byte] = stays ? 0 : 0xff;
    unit[0] = (uint8_t)(spaced ? '+' : stays ? byte : '%');
    unit[1] = (uint8_t)digits[byte >> 4];
    unit[2] = (uint8_t)digits[byte & 15];
    unit[3] = spaced || stays ? 1 : 3;
}

/* Count the range of unchanged bytes that starts at `first`, and store it if there is space. Return its last byte. */
static inline int fu_quote_range_add(fu_quote_table *table, int first) {
    int last = first;
    while (!table->dirty[last + 1]) last++;
    if (table->ranges < FU_QUOTE_RANGES) {
        memset(table->low[table->ranges], first, 16);
        memset(table->span[table->ranges], last - first, 16);
    }
    table->ranges++;
    return last;
}

/* Fill the table: bytes below 80 with a non-zero keep[byte] stay, all others are escaped. With `plus`, a space becomes "+";
 * `keep` decides about "+" itself. */
static inline void fu_quote_table_fill(fu_quote_table *table, const uint8_t keep[128], int plus) {
    for (int byte = 0; byte < 256; byte++) fu_quote_unit_fill(table, byte, keep, plus);
    table->ranges = 0;
    for (int byte = 0; byte < 128; byte++)
        if (!table->dirty[byte]) byte = fu_quote_range_add(table, byte);
    if (table->ranges > FU_QUOTE_RANGES) table->ranges = 0;
    table->plus = plus;
}

/* Return the offset of the first byte that changes, or n if there is none. */
static inline size_t fu_quote_find_scalar(const fu_quote_table *table, const uint8_t *p, size_t n) {
    size_t i = 0;
    while (i < n && !table->dirty[p[i]]) i++;
    return i;
}

/* Write p[0:n] escaped and return the length. `out` has space for 3 * n + FU_QUOTE_SLACK bytes. */
static inline size_t fu_quote_write_scalar(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) {
    uint8_t *start = out;
    for (size_t i = 0; i < n; i++) {
        const uint8_t *unit = table->unit[p[i]];
        memcpy(out, unit, 4);
        out += unit[3];
    }
    return (size_t)(out - start);
}

/* Return the length of p[0:n] after escaping; at most 3 * n. */
static inline size_t fu_quote_length_scalar(const fu_quote_table *table, const uint8_t *p, size_t n) {
    size_t total = 0;
    for (size_t i = 0; i < n; i++) total += table->unit[p[i]][3];
    return total;
}

#endif
