/* What to do with each text of a column, and how far it has got: what textcolumns_body.h does, and whoever calls it says. */
#ifndef FASTURL_TEXTWORK_H
#define FASTURL_TEXTWORK_H

#include "columns/columns.h"
#include "parts/functions.h"
#include "percent/query.h"
#include "percent/quote.h"

typedef enum {
    FU_QUOTE_TEXTS,
    FU_UNQUOTE_TEXTS,
    FU_NORMALIZE_TEXTS,
    FU_QUERY_VALUES,
    FU_REDACT_TEXTS,
    FU_APPLY_FUNCTION
} fu_text_work_kind;

typedef struct fu_text_work {
    fu_text_work_kind kind;
    int text; /* characters in UTF-8, not octets: an error in what escapes decode to is replaced */
    int plus; /* of unquoting: a + is a space */
    const fu_quote_table *quote;
    const fu_function *function;
    const fu_scheme_table *schemes;
    const fu_name *names; /* one for query values, any number for what is hidden */
    size_t count;
    int octets_tell; /* 0: the name is compared with names whose errors are replaced */
    int has_otherwise;
    fu_view otherwise; /* where no pair has the name */
} fu_text_work;

typedef struct fu_mapping {
    fu_view *views;
    uint8_t *validity;
    uint8_t *block;
    size_t used, capacity;
    int32_t buffer; /* the number by which views name the block */
    int64_t row, end;
    uint64_t valid_bits; /* of the rows since the last multiple of 64 */
    int64_t nulls;
    size_t needed;      /* octets for the row that does not fit */
    int64_t failed_row; /* where the work stopped for good, or -1 */
    fu_fault fault;     /* why */
} fu_mapping;

#endif
