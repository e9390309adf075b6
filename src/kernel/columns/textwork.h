/* The work and state of textcolumns_body.h, which turns each text of a column into another text. The caller fills in both. */
#ifndef FASTURL_TEXTWORK_H
#define FASTURL_TEXTWORK_H

#include "columns/columns.h"
#include "functions/functions.h"
#include "escapes/redaction.h"
#include "escapes/quote.h"
#include "split/join.h"

/* The kinds of work that the kernel compiles a separate loop for. */
#define FU_TEXT_WORK_KINDS(X)  \
    X(FU_QUOTE_TEXTS)          \
    X(FU_UNQUOTE_TEXTS)        \
    X(FU_NORMALIZE_TEXTS)      \
    X(FU_QUERY_VALUES)         \
    X(FU_REDACT_TEXTS)         \
    X(FU_APPLY_TO_NETLOC)      \
    X(FU_APPLY_TO_TAIL)        \
    X(FU_TAKE_PATH_AND_QUERY)  \
    X(FU_APPLY_TO_PLACES)      \
    X(FU_APPLY_TO_HOST)        \
    X(FU_APPLY_TO_ALL)         \
    X(FU_GIVE_DOMAINS)         \
    X(FU_LIST_HOSTS)           \
    X(FU_UNQUOTE_TEXTS_SAFELY) \
    X(FU_JOIN_TEXTS)           \
    X(FU_JOIN_PAIRS)           \
    X(FU_QUERY_VALUE_PAIRS)

#define FU_TEXT_WORK_KIND(name) name,
typedef enum { FU_TEXT_WORK_KINDS(FU_TEXT_WORK_KIND) FU_APPLY_FUNCTION /* fu_kind_of_work refines it */ } fu_text_work_kind;
#undef FU_TEXT_WORK_KIND

/* The kinds that read a second column. */
static inline int fu_reads_pairs(fu_text_work_kind kind) { return kind == FU_JOIN_PAIRS || kind == FU_QUERY_VALUE_PAIRS; }

/* The most bytes of a joined text for the fast path. The caller joins a longer one. */
#define FU_JOIN_MAX ((size_t)1 << 24)

/* The base URL for FU_JOIN_TEXTS, which joins references as urllib's urljoin does. For FU_JOIN_PAIRS, the kernel sets the base
 * per row, and only is_sure, is_relative and uses_netloc are given: they hold for no scheme, http and https. */
typedef struct fu_join_base {
    const uint8_t *p;
    size_t n;
    fu_spans spans;
    fu_slice scheme; /* in lower case */
    int is_sure;     /* 0: the caller must join every nonempty row */
    int is_relative; /* urllib's uses_relative has its scheme */
    int uses_netloc; /* urllib's uses_netloc has its scheme */
    int depends_on_version; /* fu_version_dependent_params, once for all rows */
} fu_join_base;

typedef struct fu_text_work {
    fu_text_work_kind kind;
    int text; /* the column holds UTF-8, not bytes: U+FFFD replaces errors in decoded escapes */
    int plus; /* for FU_UNQUOTE_TEXTS: decode + as a space */
    const fu_quote_table *quote;
    const fu_function *function;
    const fu_scheme_table *schemes;
    const fu_name *names; /* one name for query values; the secret names for redaction */
    size_t count;
    fu_first_bytes firsts; /* the first bytes of the name; for redaction, the last bytes of all names */
    fu_slice mark;          /* for redaction: what stands for a secret */
    int hides_users;        /* for redaction: hide the user too */
    int quotes_urls; /* for redaction: a row is a text that may contain URLs, not one URL */
    int bytes_tell; /* 0: the name holds U+FFFD or a surrogate, so compare it after the replacement of errors */
    int has_otherwise;
    const uint8_t *other_text;
    size_t other_length;
    fu_view otherwise; /* view of other_text: the default if no pair has the name, or the base for an empty reference */
    fu_join_base base;
    const fu_input *others; /* the second column, with as many rows: bases, or names of query values */
} fu_text_work;

typedef struct fu_mapping {
    fu_view *views;
    int32_t *offsets; /* of texts, if all are copied into the block; from start on, rows + 1; NULL: write views */
    uint8_t *validity;
    uint8_t *block;
    size_t used, capacity;
    int32_t buffer; /* the block's number in views */
    int64_t start, row, end;
    uint64_t valid_bits; /* validity of the rows since the last multiple of 64 */
    int64_t nulls;
    size_t needed;      /* the bytes that the row needs, if it did not fit */
    int asks;           /* the caller must compute the current row, set the next three, and continue */
    int is_answered;    /* `answer` holds the current row's text */
    const uint8_t *answer; /* NULL: null */
    size_t answer_length;
    int64_t failed_row; /* the row whose fault ended the work, or -1 */
    fu_fault fault;     /* the fault of failed_row */
    int failed_other;   /* 1: it is in the second column */
    const fu_host_search *search; /* the search for the current row's host in a list, while map_rows runs */
    const fu_arrow_text *other; /* the current row's text in the second column, while map_rows runs */
} fu_mapping;

#endif
