/* The result of a function of one text: nothing, a range of the text, or bytes that the function wrote. */
#ifndef FASTURL_RESULT_H
#define FASTURL_RESULT_H

#include "split/schemes.h"
#include "split/spans.h"

/* FU_RESULT_OTHERWISE: the default of a column's work. FU_RESULT_ASKS: the kernel lacks the tables for this text, and the caller
 * must ask Python. FU_RESULT_NEEDS_BUFFER: none yet, the block of memory is too small. */
typedef enum {
    FU_RESULT_PART,
    FU_RESULT_NEW_TEXT,
    FU_RESULT_OTHERWISE,
    FU_RESULT_NULL,
    FU_RESULT_NEEDS_BUFFER,
    FU_RESULT_TOO_LONG,
    FU_RESULT_ASKS
} fu_result_kind;

typedef struct {
    fu_result_kind kind;
    size_t start; /* offset of a range in the text; 0 for written bytes */
    size_t length;
} fu_result;

static inline fu_result fu_only(fu_result_kind kind) {
    fu_result result = {kind, 0, 0};
    return result;
}

static inline fu_result fu_no_result(void) { return fu_only(FU_RESULT_NULL); }

static inline fu_result fu_asks(void) { return fu_only(FU_RESULT_ASKS); }

static inline fu_result fu_part_result(size_t start, size_t end) {
    fu_result result = {FU_RESULT_PART, start, end - start};
    return result;
}

static inline fu_result fu_new_text(size_t length) {
    fu_result result = {FU_RESULT_NEW_TEXT, 0, length};
    return result;
}

/* Return [start, end) in lower case; return the range itself if nothing changes. */
static inline fu_result fu_lower_result(const uint8_t *p, size_t start, size_t end, uint8_t *to) {
    unsigned changed = 0;
    for (size_t i = start; i < end; i++) {
        to[i - start] = fu_lower(p[i]);
        changed |= (unsigned)(to[i - start] ^ p[i]);
    }
    return changed ? fu_new_text(end - start) : fu_part_result(start, end);
}

#endif
