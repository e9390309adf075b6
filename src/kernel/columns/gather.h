/* Columns of lists, of several values a row, and of numbers, from columns of texts: what gather_body.h does, and whoever
 * calls it says. */
#ifndef FASTURL_GATHER_H
#define FASTURL_GATHER_H

#include "columns/input.h"
#include "parts/functions.h"

typedef enum { FU_GATHER_LISTS, FU_GATHER_VALUES, FU_GATHER_DEPTHS, FU_GATHER_HASHES } fu_gather_kind;

typedef struct fu_gather_work {
    fu_gather_kind kind;
    fu_list_kind list;
    fu_form form;
    size_t most; /* prefixes a row */
    const fu_scheme_table *schemes;
    const fu_name *names; /* whose values are wanted */
    size_t count;
} fu_gather_work;

/* What the names of one struct column have. */
typedef struct {
    fu_view *views;
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
    size_t used, capacity; /* items */
    fu_gathered_values *columns; /* one for each name */
    uint32_t *depths;
    uint64_t *hashes;
    int64_t failed_row; /* where the work stopped for good, or -1 */
    fu_fault fault;     /* why */
} fu_gathering;

#endif
