/* Columns of lists, of several values a row, and of numbers, from columns of texts: what gather_body.h does, and whoever
 * calls it says. */
#ifndef FASTURL_GATHER_H
#define FASTURL_GATHER_H

#include <string.h>

#include "columns/input.h"
#include "columns/textwork.h"
#include "kernel.h"
#include "parts/functions.h"
#include "validate/diagnostics.h"

typedef enum { FU_GATHER_LISTS, FU_GATHER_VALUES, FU_GATHER_DEPTHS, FU_GATHER_HASHES, FU_GATHER_PROBLEMS, FU_GATHER_SAME } fu_gather_kind;

typedef struct fu_gather_work {
    fu_gather_kind kind;
    fu_list_kind list;
    fu_form form;
    size_t most; /* prefixes a row */
    const fu_scheme_table *schemes;
    const fu_name *names; /* whose values are wanted */
    size_t count;
    const fu_kernel *kernel;
    int (*grow)(fu_diagnostics *v); /* of problems */
    int decode; /* of texts that are copied: escapes are read, and a + as a space */
    int text;   /* what escapes decode to is characters in UTF-8, with errors replaced */
} fu_gather_work;

/* What the names of one struct column have. */
typedef struct {
    fu_view *views;
    fu_mapping *copies; /* where texts are copied to, a row an item; NULL: there are views */
    uint8_t *validity;
    uint64_t valid_bits; /* of the rows since the last multiple of 64 */
    int64_t nulls;
    fu_pair found; /* in the row at hand */
} fu_gathered_values;

typedef struct fu_gathering {
    int64_t start, row, end; /* start: a multiple of 64 */
    uint8_t *validity;       /* of rows, from start on */
    uint64_t valid_bits;        /* of the rows since the last multiple of 64 */
    int64_t nulls;
    int32_t *offsets; /* of lists, from start on: where each row's items start, and past the last one's */
    fu_view *names;   /* of their items, or NULL */
    fu_view *values;  /* of their items, or NULL */
    fu_mapping *copied_names, *copied_values; /* where they are copied to instead, or NULL */
    fu_mapping *lacking; /* when the work stops for space: that which has too little; NULL: there are too few items */
    size_t used, capacity; /* items */
    fu_gathered_values *columns; /* one for each name */
    uint32_t *depths;
    uint64_t *hashes;
    uint32_t *findings; /* of problems */
    int32_t *starts, *ends;
    fu_problem *problems; /* of the row at hand; to be freed, as keys */
    size_t problem_capacity;
    const fu_input *other; /* what is compared */
    uint8_t *same;         /* a bit a row: whether they are equivalent */
    uint64_t sames;        /* of the rows since the last multiple of 64 */
    uint8_t *keys;
    size_t key_capacity;
    int asks; /* the row at hand is for the caller to answer, who sets what follows, and goes on */
    int is_answered, answer;
    const fu_problem *answers;
    size_t answer_count;
    int out_of_memory;
    int failed_other; /* the fault is in the other input */
    int64_t failed_row; /* where the work stopped for good, or -1 */
    fu_fault fault;     /* why */
} fu_gathering;

/* For rows [start, end), start a multiple of 64. validity: of all rows of the source, whose first is row 0. */
static inline void fu_start_gathering(fu_gathering *g, int64_t start, int64_t end, uint8_t *validity) {
    memset(g, 0, sizeof *g);
    g->start = g->row = start;
    g->end = end;
    g->validity = validity + start / 8;
    g->failed_row = -1;
}

#endif
