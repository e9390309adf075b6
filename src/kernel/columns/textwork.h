/* What to do with each text of a column, and how far it has got: what textcolumns_body.h does, and whoever calls it says. */
#ifndef FASTURL_TEXTWORK_H
#define FASTURL_TEXTWORK_H

#include "columns/columns.h"
#include "parts/functions.h"
#include "percent/query.h"
#include "percent/quote.h"
#include "split/join.h"

/* Each has a loop of its own. */
#define FU_TEXT_WORK_KINDS(X)  \
    X(FU_QUOTE_TEXTS)          \
    X(FU_UNQUOTE_TEXTS)        \
    X(FU_NORMALIZE_TEXTS)      \
    X(FU_QUERY_VALUES)         \
    X(FU_REDACT_TEXTS)         \
    X(FU_APPLY_TO_NETLOC)      \
    X(FU_APPLY_TO_TAIL)        \
    X(FU_APPLY_TO_PLACES)      \
    X(FU_APPLY_TO_HOST)        \
    X(FU_APPLY_TO_ALL)         \
    X(FU_GIVE_DOMAINS)         \
    X(FU_UNQUOTE_TEXTS_SAFELY) \
    X(FU_JOIN_TEXTS)

#define FU_TEXT_WORK_KIND(name) name,
typedef enum { FU_TEXT_WORK_KINDS(FU_TEXT_WORK_KIND) FU_APPLY_FUNCTION /* one of five */ } fu_text_work_kind;
#undef FU_TEXT_WORK_KIND

/* What references are joined with, as urllib's urljoin does. */
typedef struct fu_join_base {
    const uint8_t *p;
    size_t n;
    fu_spans spans;
    fu_piece scheme; /* in lower case */
    int is_sure;     /* 0: each row is asked for */
    int is_relative; /* its scheme is one of urllib's uses_relative */
    int uses_netloc;
} fu_join_base;

typedef struct fu_text_work {
    fu_text_work_kind kind;
    int text; /* characters in UTF-8, not octets: an error in what escapes decode to is replaced */
    int plus; /* of unquoting: a + is a space */
    const fu_quote_table *quote;
    const fu_function *function;
    const fu_scheme_table *schemes;
    const fu_name *names; /* one for query values, any number for what is hidden */
    size_t count;
    fu_first_octets firsts; /* of the names */
    int octets_tell; /* 0: the name is compared with names whose errors are replaced */
    int has_otherwise;
    const uint8_t *other_text;
    size_t other_length;
    fu_view otherwise; /* where no pair has the name; the base where the reference is empty */
    fu_join_base base;
} fu_text_work;

typedef struct fu_mapping {
    fu_view *views;
    int32_t *offsets; /* of texts that are all copied into the block, from start on, and one more; NULL: there are views */
    uint8_t *validity;
    uint8_t *block;
    size_t used, capacity;
    int32_t buffer; /* the number by which views name the block */
    int64_t start, row, end;
    uint64_t valid_bits; /* of the rows since the last multiple of 64 */
    int64_t nulls;
    size_t needed;      /* octets for the row that does not fit */
    int asks;           /* the row at hand is for the caller to answer, who sets what follows, and goes on */
    int is_answered;
    const uint8_t *answer; /* NULL: null */
    size_t answer_length;
    int64_t failed_row; /* where the work stopped for good, or -1 */
    fu_fault fault;     /* why */
} fu_mapping;

#endif
