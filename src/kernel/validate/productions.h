/* The productions of a custom scheme, run as a state table with one lookup per byte. fasturl/schemes/productions.py compiles
 * them. No load leaves [start, end) of the text. No load leaves the table either, because fu_are_productions has checked all of
 * it. */
#ifndef FASTURL_PRODUCTIONS_H
#define FASTURL_PRODUCTIONS_H

#include "chars.h"
#include "split/spans.h"
#include "validate/diagnostics.h"

/* State 0 rejects; state 1 is the start. Column 0 is for bytes that no URL may hold raw. They have findings of their own, and
 * in the table they count as an escape does. */
typedef struct fu_productions {
    uint8_t columns[256]; /* the column of each byte */
    size_t width, states;
    const uint32_t *rows;     /* `width` columns per state: the offset in `rows` of the next state's row */
    const uint8_t *accepting; /* per state: 1 if the text may end there */
} fu_productions;

static inline int fu_are_productions(const fu_productions *g) {
    if (g->states < 2 || g->states >= 1 << 16 || g->width < 1 || g->width > 256) return 0;
    for (size_t i = 0; i < 256; i++)
        if (g->columns[i] >= g->width) return 0;
    for (size_t i = 0; i < g->states * g->width; i++)
        if (g->rows[i] >= g->states * g->width || g->rows[i] % g->width) return 0;
    return 1;
}

/* Return the offset of the first byte that no production continues with, `end` if the text is truncated, FU_ABSENT if it is
 * valid. */
static inline size_t fu_productions_stop(const fu_productions *g, const uint8_t *p, size_t start, size_t end) {
    size_t row = g->width;
    for (size_t at = start; at < end; at++) {
        const int is_bad_escape = p[at] == '%' && (end - at < 3 || !fu_is(p[at + 1], TERM_HEX) || !fu_is(p[at + 2], TERM_HEX));
        row = g->rows[row + (is_bad_escape ? 0 : g->columns[p[at]])];
        if (row == 0) return at;
    }
    return g->accepting[row / g->width] ? FU_ABSENT : end;
}

static inline void fu_validate_productions(const fu_productions *g, const uint8_t *p, size_t start, size_t end,
                                           fu_diagnostics *v) {
    const size_t stop = fu_productions_stop(g, p, start, end);
    if (stop != FU_ABSENT) fu_add(v, stop == end ? FU_MISSING : FU_BAD_PART, FU_TERM_SCHEMEPART, stop, end);
}

#endif
