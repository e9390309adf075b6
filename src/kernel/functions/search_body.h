/* The search for URLs in a text, compiled once per kernel. It includes context_body.h once per width of character. */
#ifndef FASTURL_SEARCH_BODY_H
#define FASTURL_SEARCH_BODY_H

#include "functions/context.h"

#define FU_CONTEXT(name) FU_GLUE(name, FU_WIDTH)

#define FU_CHAR uint8_t
#define FU_WIDTH 1
#include "functions/context_body.h"
#undef FU_CHAR
#undef FU_WIDTH

#define FU_CHAR uint16_t
#define FU_WIDTH 2
#include "functions/context_body.h"
#undef FU_CHAR
#undef FU_WIDTH

#define FU_CHAR uint32_t
#define FU_WIDTH 4
#include "functions/context_body.h"
#undef FU_CHAR
#undef FU_WIDTH
#undef FU_CONTEXT

static int fu_context_next(const fu_scheme_table *table, const void *text, size_t n, int width, int flags, fu_context *at,
                           size_t limit, fu_context_match *out) {
    if (width == 1) return fu_context_next_1(table, (const uint8_t *)text, n, flags, at, limit, out);
    if (width == 2) return fu_context_next_2(table, (const uint16_t *)text, n, flags, at, limit, out);
    return fu_context_next_4(table, (const uint32_t *)text, n, flags, at, limit, out);
}

#endif
