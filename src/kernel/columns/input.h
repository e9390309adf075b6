/* Read the texts of an Arrow array, with bounds checks per row.
 *
 * Offsets and views are untrusted. Each is read once, then checked against the buffer sizes. Memory that another thread changes
 * meanwhile can yield a wrong text, but never one outside the buffers. The addresses and sizes of the buffers are trusted. So
 * are the entry counts of validity, offsets and views: InputColumn has checked them against the number of rows. */
#ifndef FASTURL_INPUT_H
#define FASTURL_INPUT_H

#include "columns/view.h"
#include "split/spans.h"

/* The greatest length or offset that a view can hold: both are int32_t. */
#define FU_VIEW_MAX ((size_t)INT32_MAX)

/* A view refers to its bytes by buffer number and 31-bit offset. Larger data is divided into overlapping windows, one starting
 * every 2^30 bytes. A text of up to 2^30 bytes always lies in the window that holds its first byte. */
#define FU_WINDOW_BITS 30
#define FU_TEXT_MAX ((int64_t)1 << FU_WINDOW_BITS)

/* FU_STRINGS is DuckDB's layout: a view that holds an address in place of buffer and offset. */
typedef enum { FU_OFFSETS_32, FU_OFFSETS_64, FU_VIEWS, FU_STRINGS } fu_layout;

typedef struct {
    const uint8_t *data;
    int64_t size;
} fu_buffer;

typedef struct fu_input {
    fu_layout layout;
    const uint8_t *validity; /* NULL: no nulls */
    int64_t offset;          /* the number of the first row: Arrow's array offset */
    int64_t rows;
    const void *offsets;     /* int32_t, int64_t, fu_view or strings, by layout */
    const fu_buffer *buffers; /* the data: one buffer for offsets; for views, the buffers that they refer to; for strings, none */
    int32_t buffer_count;
    const uint8_t *targets; /* NULL, or one bit per row, 1 for a request target and 0 for a URL; `offset` does not apply */
} fu_input;

/* The faults of a row, with their messages. */
#define FU_FAULTS(X)                                                        \
    X(FU_FAULT_NONE, "is as it should be")                                  \
    X(FU_FAULT_TOO_LONG, "has over 2**30 bytes, more than a view can name") \
    X(FU_FAULT_RESULT_TOO_LONG, "would become longer than a view can name") \
    X(FU_FAULT_BACKWARDS, "has offsets that run backwards")                 \
    X(FU_FAULT_OUTSIDE, "has offsets outside of the data buffer")           \
    X(FU_FAULT_VIEW_LENGTH, "has a view of negative length")                \
    X(FU_FAULT_VIEW_BUFFER, "has a view of a buffer that is not there")     \
    X(FU_FAULT_VIEW_OUTSIDE, "has a view of bytes outside of its buffer")

#define FU_FAULT_ENUM(name, words) name,
#define FU_FAULT_WORDS(name, words) words,
typedef enum { FU_FAULTS(FU_FAULT_ENUM) FU_FAULT_COUNT } fu_fault;
static const char *const fu_fault_words[FU_FAULT_COUNT] = {FU_FAULTS(FU_FAULT_WORDS)};

typedef struct {
    const uint8_t *p;
    int64_t length;
    int32_t buffer; /* the buffer and offset for a view of the text */
    int32_t offset;
} fu_arrow_text;

/* Return a mask of the rows that are not null, among up to 64 rows from `row` on. */
static inline uint64_t fu_validity_word(const fu_input *in, int64_t row, int64_t rows) {
    const uint64_t all = fu_low_bits((size_t)rows);
    if (in->validity == NULL) return all;
    const int64_t first = in->offset + row, last = first + rows - 1;
    uint64_t valid = (uint64_t)in->validity[first >> 3] >> (first & 7);
    int place = 8 - (int)(first & 7);
    for (int64_t at = (first >> 3) + 1; at <= last >> 3; at++, place += 8) valid |= (uint64_t)in->validity[at] << place;
    return valid & all;
}

/* Load the text of a view. A short text gets buffer and offset 0: views of its parts are short too, and hold no offset. */
static inline fu_fault fu_text_of_view(const fu_input *in, const fu_view *at, fu_arrow_text *text) {
    fu_view view;
    memcpy(&view, at, sizeof view);
    text->p = at->data;
    text->length = view.length;
    text->buffer = text->offset = 0;
    if (view.length < 0) return FU_FAULT_VIEW_LENGTH;
    if (view.length <= FU_VIEW_INLINE_MAX) return FU_FAULT_NONE;
    if (view.buffer < 0 || view.buffer >= in->buffer_count) return FU_FAULT_VIEW_BUFFER;
    const fu_buffer *data = &in->buffers[view.buffer];
    if (view.offset < 0 || (int64_t)view.offset + view.length > data->size) return FU_FAULT_VIEW_OUTSIDE;
    /* Views of the text's parts also need 31-bit offsets. */
    if (view.length > FU_TEXT_MAX || (int64_t)view.offset + view.length > INT32_MAX) return FU_FAULT_TOO_LONG;
    text->p = data->data + view.offset;
    text->buffer = view.buffer;
    text->offset = view.offset;
    return FU_FAULT_NONE;
}

/* Load a string. The buffer of its view is the number of its row. Without a branch: lengths around FU_VIEW_INLINE_MAX are common,
 * so a processor would guess half of the rows wrongly. */
static inline fu_fault fu_text_of_string(const fu_view *strings, int64_t row, fu_arrow_text *text) {
    uint32_t length;
    uintptr_t address;
    memcpy(&length, &strings[row], sizeof length);
    memcpy(&address, (const uint8_t *)&strings[row] + 8, sizeof address);
    text->p = length > FU_VIEW_INLINE_MAX ? (const uint8_t *)address : strings[row].data;
    text->length = length;
    text->buffer = (int32_t)row;
    text->offset = 0;
    return length > FU_TEXT_MAX ? FU_FAULT_TOO_LONG : FU_FAULT_NONE;
}

static inline fu_arrow_text fu_place_text(const uint8_t *data, int64_t start, int64_t end) {
    fu_arrow_text text = {data + start, end - start, (int32_t)(start >> FU_WINDOW_BITS), (int32_t)(start & (FU_TEXT_MAX - 1))};
    return text;
}

/* Return 1 if [start, end) lies inside `size` bytes and is at most FU_TEXT_MAX long. Any negative term sets the top bit. If
 * both offsets are at least 0, no difference overflows. */
static inline int fu_is_text_between(int64_t start, int64_t end, int64_t size) {
    const uint64_t length = (uint64_t)end - (uint64_t)start, beyond = (uint64_t)size - (uint64_t)end;
    return !(((uint64_t)start | (uint64_t)end | length | ((uint64_t)FU_TEXT_MAX - length) | beyond) >> 63);
}

static inline fu_fault fu_fault_between(int64_t start, int64_t end) {
    if (start < 0) return FU_FAULT_OUTSIDE;
    if (end < start) return FU_FAULT_BACKWARDS;
    return end - start > FU_TEXT_MAX ? FU_FAULT_TOO_LONG : FU_FAULT_OUTSIDE;
}

static inline fu_fault fu_text_between(const fu_buffer *data, int64_t start, int64_t end, fu_arrow_text *text) {
    if (!fu_is_text_between(start, end, data->size)) return fu_fault_between(start, end);
    *text = fu_place_text(data->data, start, end);
    return FU_FAULT_NONE;
}

/* Load the text of a row. The row must not be null. */
static inline fu_fault fu_load_text(const fu_input *in, int64_t row, fu_arrow_text *text) {
    const int64_t at = in->offset + row;
    if (in->layout == FU_VIEWS) return fu_text_of_view(in, (const fu_view *)in->offsets + at, text);
    if (in->layout == FU_STRINGS) return fu_text_of_string((const fu_view *)in->offsets, at, text);
    int64_t bounds[2];
    if (in->layout == FU_OFFSETS_32) {
        int32_t narrow[2];
        memcpy(narrow, (const int32_t *)in->offsets + at, sizeof narrow);
        bounds[0] = narrow[0];
        bounds[1] = narrow[1];
    } else {
        memcpy(bounds, (const int64_t *)in->offsets + at, sizeof bounds);
    }
    return fu_text_between(in->buffers, bounds[0], bounds[1], text);
}

/* Like fu_is_text_between, for up to 64 rows. The loop always runs 64 times, so that compilers vectorize it. */
static inline int fu_are_texts_32(const int32_t bounds[65], int64_t rows, int64_t size) {
    uint32_t signs = (uint32_t)bounds[0];
    for (int i = 0; i < 64; i++) {
        const uint32_t length = (uint32_t)bounds[i + 1] - (uint32_t)bounds[i];
        signs |= (uint32_t)bounds[i + 1] | length | ((uint32_t)FU_TEXT_MAX - length);
    }
    return !(signs >> 31) && bounds[rows] <= size;
}

static inline int fu_are_texts_64(const int64_t *bounds, int64_t rows, int64_t size) {
    for (int64_t i = 0; i < rows; i++)
        if (!fu_is_text_between(bounds[i], bounds[i + 1], size)) return 0;
    return 1;
}

/* Load the texts of up to 64 rows from `row` on. A null row gets an empty text, and its offsets are ignored. Return -1, or the
 * index of the first row with a fault, counted from `row`. */
static FU_NOINLINE int64_t fu_load_texts(const fu_input *in, int64_t row, int64_t rows, uint64_t valid, fu_arrow_text *texts,
                                         fu_fault *fault) {
    static const fu_arrow_text null = {(const uint8_t *)"", 0, 0, 0};
    const int64_t first = in->offset + row;
    const fu_buffer *data = in->buffers; /* a column of views may have no buffer */
    if (valid == fu_low_bits((size_t)rows) && in->layout == FU_OFFSETS_32) {
        int32_t bounds[65];
        memcpy(bounds, (const int32_t *)in->offsets + first, (size_t)(rows + 1) * sizeof bounds[0]);
        for (int64_t i = rows; i < 64; i++) bounds[i + 1] = bounds[i];
        if (fu_are_texts_32(bounds, rows, data->size)) {
            for (int64_t i = 0; i < rows; i++) texts[i] = fu_place_text(data->data, bounds[i], bounds[i + 1]);
            return -1;
        }
    } else if (valid == fu_low_bits((size_t)rows) && in->layout == FU_OFFSETS_64) {
        int64_t bounds[65];
        memcpy(bounds, (const int64_t *)in->offsets + first, (size_t)(rows + 1) * sizeof bounds[0]);
        if (fu_are_texts_64(bounds, rows, data->size)) {
            for (int64_t i = 0; i < rows; i++) texts[i] = fu_place_text(data->data, bounds[i], bounds[i + 1]);
            return -1;
        }
    } else if (valid == fu_low_bits((size_t)rows) && in->layout == FU_STRINGS) {
        int faults = 0;
        for (int64_t i = 0; i < rows; i++) faults |= (int)fu_text_of_string((const fu_view *)in->offsets, first + i, &texts[i]);
        if (!faults) return -1;
    }
    for (int64_t i = 0; i < rows; i++) {
        if (!(valid >> i & 1))
            texts[i] = null;
        else if ((*fault = fu_load_text(in, row + i, &texts[i])) != FU_FAULT_NONE)
            return i;
    }
    return -1;
}

/* Write the bits of up to 64 rows, from `row` on, into a bitmap of `rows` bits. `row` is a multiple of 64. */
static inline void fu_put_word(uint8_t *bitmap, int64_t row, int64_t rows, uint64_t word) {
    uint8_t data[8];
    for (int i = 0; i < 8; i++) data[i] = (uint8_t)(word >> (8 * i));
    if (rows - row >= 64)
        memcpy(bitmap + row / 8, data, 8);
    else
        memcpy(bitmap + row / 8, data, (size_t)(rows - row + 7) / 8);
}

#endif
