/* Columns: many texts at a time, from Arrow's layouts to Arrow's layouts, by the same split and judge as one text.
 *
 * A part leaves as a view of 16 octets (Arrow's string_view): up to 12 octets stand in it, a longer one is named by its
 * place in the input's own data, so that no octet is copied. The rows of a call may be divided among threads at
 * multiples of 64, where no two of them share a word of a bitmap. */
#ifndef FASTURL_COLUMNS_H
#define FASTURL_COLUMNS_H

#include <stdlib.h>

#include "judge.h"
#include "split.h"

/* A view names its octets by buffer and a 31-bit offset. Data of any size is named through windows of it that start
 * every 2^30 octets and overlap, so that a text of up to 2^30 octets always lies in the window of its first octet. */
#define FU_WINDOW_BITS 30
#define FU_TEXT_MAX ((int64_t)1 << FU_WINDOW_BITS)

typedef struct {
    int32_t length;
    uint8_t octets[4]; /* of a short text these and the next eight; of a long one its first four */
    int32_t buffer;
    int32_t offset;
} fu_view;

typedef enum { FU_OFFSETS_32, FU_OFFSETS_64, FU_VIEWS } fu_layout;

typedef struct {
    fu_layout layout;
    const uint8_t *validity; /* NULL: no nulls */
    int64_t first;           /* of the rows to read, in the buffers */
    int64_t rows;
    const void *places; /* the offsets, or the views */
    const uint8_t *data;
    const uint8_t *const *view_data; /* the data buffers of views */
    const uint8_t *targets; /* NULL, or a bit a row of the call: whether it is read as a request target or as a URL */
} fu_input;

enum {
    FU_COLUMN_SCHEME,
    FU_COLUMN_NETLOC,
    FU_COLUMN_USERNAME,
    FU_COLUMN_PASSWORD,
    FU_COLUMN_HOST,
    FU_COLUMN_HOSTNAME,
    FU_COLUMN_PATH,
    FU_COLUMN_QUERY,
    FU_COLUMN_FRAGMENT,
    FU_TEXT_COLUMNS,
    FU_COLUMN_PORT = FU_TEXT_COLUMNS,
    FU_COLUMN_FINDINGS,
    FU_COLUMN_VALID,
    FU_COLUMN_ERROR_OFFSET,
    FU_COLUMNS
};

/* Octets that stand nowhere in the input: long hosts and schemes in lower case. One a thread. */
typedef struct {
    uint8_t *octets;
    size_t used, room;
    int32_t buffer; /* the number that views name it by */
} fu_arena;

typedef struct {
    int64_t row;
    uint32_t scheme;
} fu_custom_row;

typedef struct {
    fu_arena arena;
    fu_custom_row *custom; /* rows of schemes whose productions their owners brought, to be judged by them */
    size_t customs, custom_room;
    int64_t nulls[FU_COLUMNS];
    int64_t start;   /* the first of this worker's rows */
    int64_t stop;    /* the end of the block that it is in */
    uint32_t opened; /* columns that have a value so far: the others were never written */
    int64_t failed_row; /* a text longer than FU_TEXT_MAX, or -1 */
    int out_of_memory;
} fu_worker;

typedef struct {
    uint32_t wanted; /* bit FU_COLUMN_… */
    fu_view *texts[FU_TEXT_COLUMNS];
    uint16_t *port;
    uint32_t *findings;
    uint8_t *valid;
    int32_t *error_offset;
    uint8_t *validity[FU_COLUMNS];
} fu_output;

#define FU_BIT(column) ((uint32_t)1 << (column))
#define FU_WANTS_JUDGE (FU_BIT(FU_COLUMN_FINDINGS) | FU_BIT(FU_COLUMN_VALID) | FU_BIT(FU_COLUMN_ERROR_OFFSET))
#define FU_WEB_COLUMNS                                                                                              \
    (FU_BIT(FU_COLUMN_SCHEME) | FU_BIT(FU_COLUMN_NETLOC) | FU_BIT(FU_COLUMN_HOST) | FU_BIT(FU_COLUMN_HOSTNAME) | \
     FU_BIT(FU_COLUMN_PATH))
#define FU_WANTS_NETLOC_PARTS                                                                                       \
    (FU_BIT(FU_COLUMN_USERNAME) | FU_BIT(FU_COLUMN_PASSWORD) | FU_BIT(FU_COLUMN_HOST) | FU_BIT(FU_COLUMN_HOSTNAME) | \
     FU_BIT(FU_COLUMN_PORT))

typedef struct {
    const uint8_t *p;
    int64_t length;
    int32_t buffer; /* where the text stands, as a view would say it */
    int32_t offset;
} fu_text;

/* Up to 64 rows, cut: then their columns are written one after the other, each by a short loop that has nothing to
 * choose and writes its memory in order. */
typedef struct {
    fu_text texts[64];
    fu_spans spans[64];
    int64_t rows;
    uint64_t given;   /* no nulls */
    uint64_t web;     /* what fu_split_web cut: it has no login, no port, no fragment, and its netloc is its host */
    uint64_t queries; /* those of them with a query */
    uint64_t doubted; /* to be judged: the split did not prove them clean */
} fu_cut_rows;

static inline void fu_view_of(fu_view *view, const uint8_t *p, size_t length, int32_t buffer, int64_t offset) {
    fu_view made = {(int32_t)length, {0, 0, 0, 0}, 0, 0};
    if (length <= 12) {
        uint8_t octets[12] = {0};
        memcpy(octets, p, length);
        memcpy((uint8_t *)&made + 4, octets, 12);
    } else {
        memcpy(made.octets, p, 4);
        made.buffer = buffer;
        made.offset = (int32_t)offset;
    }
    *view = made;
}

static inline int fu_row_is_null(const fu_input *in, int64_t row) {
    if (in->validity == NULL) return 0;
    int64_t bit = in->first + row;
    return !(in->validity[bit >> 3] >> (bit & 7) & 1);
}

/* Which of the rows from `row` on are no nulls, a bit each; of up to 64. */
static inline uint64_t fu_given(const fu_input *in, int64_t row, int64_t rows) {
    const uint64_t all = fu_low_bits((size_t)rows);
    if (in->validity == NULL) return all;
    const int64_t first = in->first + row, last = first + rows - 1;
    uint64_t given = (uint64_t)in->validity[first >> 3] >> (first & 7);
    int place = 8 - (int)(first & 7);
    for (int64_t at = (first >> 3) + 1; at <= last >> 3; at++, place += 8) given |= (uint64_t)in->validity[at] << place;
    return given & all;
}

static inline fu_form fu_form_of(const uint8_t *targets, int64_t row) {
    return targets[row >> 3] >> (row & 7) & 1 ? FU_FORM_TARGET : FU_FORM_URL;
}

static inline fu_text fu_text_of_view(const fu_input *in, const fu_view *view) {
    fu_text text = {view->octets, view->length, 0, 0}; /* of a short text the parts are short too */
    if (view->length > 12) {
        text.p = in->view_data[view->buffer] + view->offset;
        text.buffer = view->buffer;
        text.offset = view->offset;
    }
    return text;
}

static inline fu_text fu_text_between(const uint8_t *data, int64_t start, int64_t end) {
    fu_text text = {data + start, end - start, (int32_t)(start >> FU_WINDOW_BITS), (int32_t)(start & (FU_TEXT_MAX - 1))};
    return text;
}

static inline fu_text fu_text_at(const fu_input *in, int64_t row) {
    const int64_t at = in->first + row;
    if (in->layout == FU_VIEWS) return fu_text_of_view(in, (const fu_view *)in->places + at);
    if (in->layout == FU_OFFSETS_32) {
        const int32_t *offsets = (const int32_t *)in->places;
        return fu_text_between(in->data, offsets[at], offsets[at + 1]);
    }
    const int64_t *offsets = (const int64_t *)in->places;
    return fu_text_between(in->data, offsets[at], offsets[at + 1]);
}

/* The texts of up to 64 rows from `row` on; of a null an empty one, as its place may be any. The number of the first that
 * is longer than FU_TEXT_MAX, or -1. */
static inline int64_t fu_take_texts(const fu_input *in, int64_t row, int64_t rows, uint64_t given, fu_text *texts) {
    static const fu_text null = {(const uint8_t *)"", 0, 0, 0};
    const fu_layout layout = in->layout;
    const uint8_t *data = in->data;
    const int64_t first = in->first + row;
    int64_t longest = 0;
    if (layout == FU_VIEWS) {
        const fu_view *views = (const fu_view *)in->places + first;
        for (int64_t i = 0; i < rows; i++) texts[i] = given >> i & 1 ? fu_text_of_view(in, &views[i]) : null;
    } else if (layout == FU_OFFSETS_32) {
        const int32_t *offsets = (const int32_t *)in->places + first;
        for (int64_t i = 0; i < rows; i++) texts[i] = fu_text_between(data, offsets[i], offsets[i + 1]);
    } else {
        const int64_t *offsets = (const int64_t *)in->places + first;
        for (int64_t i = 0; i < rows; i++) texts[i] = fu_text_between(data, offsets[i], offsets[i + 1]);
    }
    if (given != fu_low_bits((size_t)rows))
        for (int64_t i = 0; i < rows; i++)
            if (!(given >> i & 1)) texts[i] = null;
    for (int64_t i = 0; i < rows; i++) longest |= texts[i].length;
    if (longest > FU_TEXT_MAX)
        for (int64_t i = 0; i < rows; i++)
            if (texts[i].length > FU_TEXT_MAX) return i;
    return -1;
}

/* Which of 64 octets have that bit. The product brings the bits of eight together in its upper octet. */
static inline uint64_t fu_which(const uint8_t *octets, uint8_t bit) {
    const uint64_t places = FU_OCTET(0x80, 0) | FU_OCTET(0x40, 1) | FU_OCTET(0x20, 2) | FU_OCTET(0x10, 3) |
                            FU_OCTET(0x08, 4) | FU_OCTET(0x04, 5) | FU_OCTET(0x02, 6) | FU_OCTET(0x01, 7);
    uint64_t which = 0;
    for (int i = 0; i < 64; i += 8) {
        uint64_t word;
        memcpy(&word, octets + i, 8);
        which |= ((word / bit & 0x0101010101010101u) * places >> 56) << i;
    }
    return which;
}

/* Room for `length` octets more, NULL without memory. */
static inline uint8_t *fu_arena_take(fu_arena *arena, size_t length) {
    if (arena->room - arena->used < length) {
        size_t room = arena->room * 2 + length + 4096;
        uint8_t *octets = (uint8_t *)realloc(arena->octets, room);
        if (octets == NULL) return NULL;
        arena->octets = octets;
        arena->room = room;
    }
    uint8_t *taken = arena->octets + arena->used;
    arena->used += length;
    return taken;
}

/* A part in lower case, up to `stop`: in the view itself, as it stands if it is so already, or copied. */
static inline void fu_lower_view(fu_view *view, const fu_text *text, size_t start, size_t stop, size_t end,
                                 fu_worker *w) {
    size_t length = end - start, i = start;
    if (length <= 12) {
        uint8_t octets[12];
        for (size_t k = 0; k < length; k++)
            octets[k] = start + k < stop ? fu_lower(text->p[start + k]) : text->p[start + k];
        fu_view_of(view, octets, length, 0, 0);
        return;
    }
    while (i < stop && fu_lower(text->p[i]) == text->p[i]) i++;
    if (i == stop) {
        fu_view_of(view, text->p + start, length, text->buffer, text->offset + (int64_t)start);
        return;
    }
    size_t at = w->arena.used;
    uint8_t *copy = at + length <= INT32_MAX ? fu_arena_take(&w->arena, length) : NULL;
    if (copy == NULL) {
        w->out_of_memory = 1;
        return;
    }
    for (size_t k = 0; k < length; k++)
        copy[k] = start + k < stop ? fu_lower(text->p[start + k]) : text->p[start + k];
    fu_view_of(view, copy, length, w->arena.buffer, (int64_t)at);
}

static inline void fu_note_custom(fu_worker *w, int64_t row, uint32_t scheme) {
    if (w->customs == w->custom_room) {
        size_t room = w->custom_room * 2 + 64;
        fu_custom_row *custom = (fu_custom_row *)realloc(w->custom, room * sizeof *custom);
        if (custom == NULL) {
            w->out_of_memory = 1;
            return;
        }
        w->custom = custom;
        w->custom_room = room;
    }
    w->custom[w->customs].row = row;
    w->custom[w->customs++].scheme = scheme;
}

static inline void fu_put_word(uint8_t *bitmap, int64_t row, int64_t rows, uint64_t word) {
    uint8_t octets[8];
    for (int i = 0; i < 8; i++) octets[i] = (uint8_t)(word >> (8 * i));
    if (rows - row >= 64)
        memcpy(bitmap + row / 8, octets, 8);
    else
        memcpy(bitmap + row / 8, octets, (size_t)(rows - row + 7) / 8);
}

#if defined(__GNUC__) || defined(__clang__)
#define FU_PREFETCH(p) __builtin_prefetch(p)
#else
#define FU_PREFETCH(p) ((void)0)
#endif
#define FU_WANTS(column) (wanted & FU_BIT(column))

static inline void fu_zero_column(fu_output *out, int column, int64_t start, int64_t stop) {
    const size_t rows = (size_t)(stop - start);
    if (column < FU_TEXT_COLUMNS)
        memset(out->texts[column] + start, 0, rows * sizeof(fu_view));
    else if (column == FU_COLUMN_PORT)
        memset(out->port + start, 0, rows * sizeof *out->port);
    else if (column == FU_COLUMN_FINDINGS)
        memset(out->findings + start, 0, rows * sizeof *out->findings);
    else if (column == FU_COLUMN_ERROR_OFFSET)
        memset(out->error_offset + start, 0, rows * sizeof *out->error_offset);
    else
        memset(out->valid + start / 8, 0, (rows + 7) / 8);
}

/* Columns are written from their first value on: one that has none (no login in a million URLs) is never touched. What
 * is opened is zeroed up to the end of the block at hand, and then block by block, so that only values are written. */
static inline void fu_open_columns(fu_output *out, fu_worker *w, uint32_t columns) {
    columns &= out->wanted & ~w->opened;
    if (!columns) return;
    for (int column = 0; column < FU_COLUMNS; column++)
        if (columns & FU_BIT(column)) fu_zero_column(out, column, w->start, w->stop);
    w->opened |= columns;
}

static inline void fu_zero_opened(fu_output *out, const fu_worker *w, uint32_t columns, int64_t base) {
    for (int column = 0; column < FU_COLUMNS; column++)
        if (w->opened & columns & FU_BIT(column)) fu_zero_column(out, column, base, w->stop);
}

#define FU_KERNEL scalar
#define FU_TARGET
#include "columns_body.h"
#undef FU_KERNEL
#undef FU_TARGET
#ifdef FU_HAVE_NEON
#define FU_KERNEL neon
#define FU_TARGET
#include "columns_body.h"
#undef FU_KERNEL
#undef FU_TARGET
#endif
#ifdef FU_HAVE_X86
#define FU_KERNEL avx2
#define FU_TARGET FU_TARGET_AVX2
#include "columns_body.h"
#undef FU_KERNEL
#undef FU_TARGET
#define FU_KERNEL avx512
#define FU_TARGET FU_TARGET_AVX512
#define FU_MASKED_VIEWS 1
#include "columns_body.h"
#undef FU_MASKED_VIEWS
#undef FU_KERNEL
#undef FU_TARGET
#endif

/* Read rows [start, end) of the input and write them, by the kernel that fu_split runs on. start is a multiple of 64. */
static inline void fu_parse_rows(const fu_scheme_table *table, const fu_input *in, fu_output *out, fu_form form,
                                 int64_t start, int64_t end, fu_worker *w) {
#ifdef FU_HAVE_X86
    if (fu_split == fu_split_avx512) {
        fu_parse_rows_avx512(table, in, out, form, start, end, w);
        return;
    }
    if (fu_split == fu_split_avx2) {
        fu_parse_rows_avx2(table, in, out, form, start, end, w);
        return;
    }
#endif
#ifdef FU_HAVE_NEON
    if (fu_split == fu_split_neon) {
        fu_parse_rows_neon(table, in, out, form, start, end, w);
        return;
    }
#endif
    fu_parse_rows_scalar(table, in, out, form, start, end, w);
}

#endif
