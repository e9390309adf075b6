/* The work and state of gather_body.h, which turns a column of texts into a column of lists, several columns of values, or a
 * column of numbers. The caller fills in both structs. */
#ifndef FASTURL_GATHER_H
#define FASTURL_GATHER_H

#include <string.h>

#include "columns/input.h"
#include "columns/textwork.h"
#include "kernel.h"
#include "functions/equivalence.h"
#include "functions/functions.h"

typedef enum {
    FU_GATHER_LISTS,
    FU_GATHER_VALUES,
    FU_GATHER_DEPTHS,
    FU_GATHER_HASHES,
    FU_GATHER_PROBLEMS,
    FU_GATHER_SAME
} fu_gather_kind;

typedef struct fu_gather_work {
    fu_gather_kind kind;
    fu_list_kind list;
    fu_form form;
    size_t limit; /* the greatest number of prefixes per row */
    const fu_scheme_table *schemes;
    const fu_name *names; /* for FU_GATHER_VALUES: one output column per name */
    size_t count;
    const fu_kernel *kernel;
    int decode; /* texts are decoded, with + as a space */
    int text;   /* decoded bytes must be UTF-8: U+FFFD replaces errors */
} fu_gather_work;

/* The output column for one name, a child of a struct column. */
typedef struct {
    fu_mapping *texts; /* receives one item per row */
    uint8_t *validity;
    uint64_t valid_bits; /* validity of the rows since the last multiple of 64 */
    int64_t nulls;
    fu_pair found; /* the pair in the current row; `end` is FU_ABSENT if there is none */
} fu_gathered_values;

typedef struct fu_gathering {
    int64_t start, row, end; /* start: a multiple of 64 */
    uint8_t *validity;       /* the rows' validity bitmap, from start on */
    uint64_t valid_bits;        /* validity of the rows since the last multiple of 64 */
    int64_t nulls;
    int32_t *offsets; /* of the lists, from start on: the number of each row's first item; then the end of the last list */
    fu_mapping *names, *values; /* receive the names and the values of the items, or NULL */
    fu_mapping *lacking; /* the mapping that ran out of bytes when the work stopped; NULL if `capacity` ran out */
    size_t used, capacity; /* in items */
    fu_gathered_values *columns; /* one per name */
    uint32_t *depths;
    uint64_t *hashes;
    uint32_t *findings; /* one per problem, as are starts and ends */
    int32_t *starts, *ends;
    fu_problem *problems; /* of the current row; the caller frees this array and `keys` */
    size_t problem_capacity;
    const fu_input *other; /* FU_GATHER_SAME: the column to compare with, of as many rows, or of one row for all */
    uint8_t *same;         /* one bit per row: 1 if both texts are equivalent */
    uint64_t sames;        /* bits of `same` for the rows since the last multiple of 64 */
    uint8_t *keys;
    size_t key_capacity;
    fu_key other_key; /* of the text `keyed` of `other`; its bytes start at `keys` */
    fu_slice keyed;   /* of no text until the first one */
    int out_of_memory;
    int failed_other; /* the fault is in `other` */
    int64_t failed_row; /* the row whose fault ended the work, or -1 */
    fu_fault fault;     /* the fault of failed_row */
} fu_gathering;

/* Initialize the state for rows [start, end). start is a multiple of 64. validity: the bitmap for all rows, from row 0 on. */
static inline void fu_start_gathering(fu_gathering *g, int64_t start, int64_t end, uint8_t *validity) {
    memset(g, 0, sizeof *g);
    g->start = g->row = start;
    g->end = end;
    g->validity = validity + start / 8;
    g->failed_row = -1;
    g->keyed.n = SIZE_MAX;
}

#endif
