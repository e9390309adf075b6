/* Parse Arrow columns into Arrow columns, by the same split and validation as a single text.
 *
 * Most parts become views (view.h) of the input's own data, without a copy. Callers may divide the rows of a call among threads
 * at multiples of 64, so that no two threads write the same word of a bitmap. */
#ifndef FASTURL_COLUMNS_H
#define FASTURL_COLUMNS_H

#include <stdlib.h>

#include "columns/fields.h"
#include "columns/input.h"
#include "functions/address.h"
#include "split/schemes.h"
#include "split/spans.h"
#include "validate/diagnostics.h"

FU_STATIC_ASSERT(FU_COLUMNS <= 32, "sets of columns are the bits of a uint32_t");

/* Bytes that the input does not contain: long hosts and schemes in lower case. One arena per thread. */
typedef struct {
    uint8_t *data;
    size_t used, capacity;
    int32_t buffer; /* the arena's buffer number in views */
} fu_arena;

/* A text column of copies, for one worker's rows. It has one more offset than rows. */
typedef struct {
    int32_t *offsets;
    uint8_t *data;
    size_t used, capacity;
} fu_copied_column;

#define FU_COPY_SLACK 64 /* a copy may write this many bytes past its text */

typedef struct fu_copies {
    fu_copied_column columns[FU_TEXT_COLUMNS];
    fu_view views[FU_TEXT_COLUMNS][64]; /* of the current 64 rows; all zero between blocks */
    size_t needed; /* the bytes that a block needs at most in each column; for the caller, if the work stopped for space */
} fu_copies;

typedef struct fu_worker {
    fu_copies *copies; /* NULL: write views to the output's values */
    int64_t next;      /* the row to continue at; before the end if `copies` lacks space */
    fu_arena arena;
    int64_t nulls[FU_COLUMNS];
    int64_t start;   /* the first of this worker's rows */
    int64_t stop;    /* the end of the current block */
    uint32_t opened; /* bit FU_COLUMN_…: the columns with a value so far; no other column was written */
    int64_t failed_row; /* the row whose fault ended the work, or -1 */
    fu_fault fault;     /* the fault of failed_row */
    int out_of_memory;
    int has_wide_host; /* a hostname has characters above 7F, whose case the kernel does not change */
} fu_worker;

typedef struct fu_output {
    uint32_t wanted; /* one bit FU_COLUMN_… per column */
    void *values[FU_COLUMNS]; /* their types are in fields.h */
    uint8_t *validity[FU_COLUMNS];
} fu_output;

static inline fu_view *fu_texts(const fu_output *out, int column) { return (fu_view *)out->values[column]; }

#define FU_BIT(column) ((uint32_t)1 << (column))
#define FU_WANTS_VALIDATION (FU_BIT(FU_COLUMN_FINDING_BITS) | FU_BIT(FU_COLUMN_VALID_RFC1738) | FU_BIT(FU_COLUMN_ERROR_OFFSET))
#define FU_WANTS_HOST_FACTS (FU_BIT(FU_COLUMN_HOST_KIND) | FU_BIT(FU_COLUMN_SCOPE))
#define FU_TEXTS (FU_BIT(FU_TEXT_COLUMNS) - 1)
#define FU_PLAIN_HTTP_COLUMNS                                                                                    \
    (FU_BIT(FU_COLUMN_SCHEME) | FU_BIT(FU_COLUMN_NETLOC) | FU_BIT(FU_COLUMN_HOST) | FU_BIT(FU_COLUMN_HOSTNAME) | \
     FU_BIT(FU_COLUMN_HOST_KIND) | FU_BIT(FU_COLUMN_PATH))
#define FU_WANTS_NETLOC_PARTS                                                                                        \
    (FU_BIT(FU_COLUMN_USERNAME) | FU_BIT(FU_COLUMN_PASSWORD) | FU_BIT(FU_COLUMN_HOST) | FU_BIT(FU_COLUMN_HOSTNAME) | \
     FU_BIT(FU_COLUMN_PORT) | FU_WANTS_HOST_FACTS)

/* Up to 64 rows after the split. The columns are written one after another, each by a short loop without branches that writes
 * its memory in order. */
typedef struct {
    fu_arrow_text texts[64];
    fu_spans spans[64];
    int64_t rows;
    uint64_t valid;      /* rows that are not null */
    uint64_t plain_http; /* http and https URLs without userinfo, port or fragment, so the netloc is the host */
    uint64_t queries;    /* rows of plain_http that have a query */
    uint64_t unproven;   /* rows to validate: the split did not prove them valid */
} fu_split_rows;

static inline fu_form fu_form_of(const uint8_t *targets, int64_t row) {
    return fu_bit_at(targets, row) ? FU_FORM_TARGET : FU_FORM_URL;
}

/* Return a mask of the 64 bytes that have that bit. The multiplication gathers the bits of eight bytes in the top byte. */
static inline uint64_t fu_which(const uint8_t *data, uint8_t bit) {
    const uint64_t places = FU_BYTE(0x80, 0) | FU_BYTE(0x40, 1) | FU_BYTE(0x20, 2) | FU_BYTE(0x10, 3) | FU_BYTE(0x08, 4) |
                            FU_BYTE(0x04, 5) | FU_BYTE(0x02, 6) | FU_BYTE(0x01, 7);
    uint64_t which = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t word;
        memcpy(&word, data + i, 8);
        which |= ((word / bit & 0x0101010101010101u) * places >> 56) << i;
    }
    return which;
}

/* Return space for `length` more bytes, or NULL if memory runs out. */
static inline uint8_t *fu_arena_reserve(fu_arena *arena, size_t length) {
    if (arena->capacity - arena->used < length) {
        size_t capacity = arena->capacity * 2 + length + 4096;
        uint8_t *data = (uint8_t *)realloc(arena->data, capacity);
        if (data == NULL) return NULL;
        arena->data = data;
        arena->capacity = capacity;
    }
    uint8_t *taken = arena->data + arena->used;
    arena->used += length;
    return taken;
}

/* Write the view of the part [start, end), with [start, stop) in lower case. A short part is stored inline. A long part is
 * copied to the arena if it has an upper-case letter before `stop`. */
static inline void fu_lower_view(fu_view *view, const fu_arrow_text *text, size_t start, size_t stop, size_t end, fu_worker *w) {
    size_t length = end - start, i = start;
    if (length <= 12) {
        uint8_t data[12];
        for (size_t k = 0; k < length; k++) data[k] = start + k < stop ? fu_lower(text->p[start + k]) : text->p[start + k];
        fu_view_of(view, data, length, 0, 0);
        return;
    }
    while (i < stop && fu_lower(text->p[i]) == text->p[i]) i++;
    if (i == stop) {
        fu_view_of(view, text->p + start, length, text->buffer, text->offset + (int64_t)start);
        return;
    }
    size_t at = w->arena.used;
    uint8_t *copy = at + length <= INT32_MAX ? fu_arena_reserve(&w->arena, length) : NULL;
    if (copy == NULL) {
        w->out_of_memory = 1;
        return;
    }
    for (size_t k = 0; k < length; k++) copy[k] = start + k < stop ? fu_lower(text->p[start + k]) : text->p[start + k];
    fu_view_of(view, copy, length, w->arena.buffer, (int64_t)at);
}

#define FU_WANTS(column) (wanted & FU_BIT(column))

static inline void fu_zero_column(fu_output *out, int column, int64_t start, int64_t stop) {
    const size_t width = fu_fields[column].width, first = (size_t)start, rows = (size_t)(stop - start);
    uint8_t *values = (uint8_t *)out->values[column];
    if (width == 0)
        memset(values + first / 8, 0, (rows + 7) / 8);
    else
        memset(values + first * width, 0, rows * width);
}

/* Zero columns up to the end of the current block, at their first value. Later blocks are zeroed by fu_zero_open_columns. A column
 * without any value, such as a username in a million URLs, is never touched. */
static inline void fu_open_columns(fu_output *out, fu_worker *w, uint32_t columns) {
    columns &= out->wanted & ~w->opened;
    if (!columns) return;
    for (int column = 0; column < FU_COLUMNS; column++)
        if (columns & FU_BIT(column)) fu_zero_column(out, column, w->start, w->stop);
    w->opened |= columns;
}

static inline void fu_zero_open_columns(fu_output *out, const fu_worker *w, uint32_t columns, int64_t base) {
    for (int column = 0; column < FU_COLUMNS; column++)
        if (w->opened & columns & FU_BIT(column)) fu_zero_column(out, column, base, w->stop);
}

/* Double the space for problems, which the caller frees. If that fails, return 0 and record no more problems. */
static inline int fu_grow_problems(fu_diagnostics *found) {
    const size_t capacity = found->capacity ? 2 * found->capacity : 16;
    fu_problem *problems = NULL;
    if (capacity <= SIZE_MAX / sizeof *problems) problems = (fu_problem *)realloc(found->problems, capacity * sizeof *problems);
    if (problems == NULL) {
        found->grow = NULL;
        return 0;
    }
    found->problems = problems;
    found->capacity = capacity;
    return 1;
}

#endif
