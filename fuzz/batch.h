/* An Arrow column made of the input. Its lines are the rows, in one of the layouts. Every buffer has a guard page. Options add
 * nulls, an offset, and wrong offsets or views. */
#ifndef FASTURL_FUZZ_BATCH_H
#define FASTURL_FUZZ_BATCH_H

#include "columns/columns.h"
#include "common.h"

#define BATCH_ROWS_MAX 200

enum { BATCH_HAS_NULLS = 1 << 2, BATCH_HAS_OFFSET = 1 << 3, BATCH_IS_WRONG = 1 << 4, BATCH_HAS_TARGETS = 1 << 5 };

typedef struct {
    fu_input input;
    fu_buffer data[2];
    int64_t places[BATCH_ROWS_MAX + 8][2]; /* start and end of each row in the data, before a number is made wrong */
    int64_t before;                     /* rows in front of the first: the array's offset */
} fuzz_batch;

/* Split the text at its newlines. Beyond the limit the rest is one row. */
static inline int64_t fuzz_rows(const uint8_t *p, size_t n, fuzz_batch *b) {
    int64_t rows = 0;
    size_t start = 0;
    for (size_t i = 0; i <= n; i++)
        if (i == n || (p[i] == '\n' && rows + 1 < BATCH_ROWS_MAX)) {
            b->places[rows][0] = (int64_t)start;
            b->places[rows++][1] = (int64_t)i;
            start = i + 1;
        }
    return rows;
}

static inline void fuzz_put_views(const uint8_t *p, const fuzz_batch *b, int64_t rows, uint8_t *to) {
    for (int64_t i = 0; i < rows; i++) {
        fu_view view;
        const int64_t start = b->places[i][0], end = b->places[i][1];
        fu_view_of(&view, p + start, (size_t)(end - start), (int32_t)(i & 1), start);
        memcpy(to + (size_t)i * sizeof view, &view, sizeof view);
    }
}

/* Overwrite one number of the offsets or views. The input's last byte chooses it. */
static inline void fuzz_make_wrong(uint8_t *offsets, size_t size, const fuzz_input *in) {
    static const int32_t numbers[] = {-1, INT32_MIN, INT32_MAX, 1 << 30, (1 << 30) + 1, 13, 12, 0, 255, -13};
    if (in->n == 0 || size < 4) return;
    const uint8_t last = in->p[in->n - 1];
    const size_t at = (size_t)(in->two * 7 + last) % (size / 4) * 4;
    memcpy(offsets + at, &numbers[last % (sizeof numbers / sizeof numbers[0])], 4);
}

/* Make the column of an input. The option bytes choose its layout. */
static inline void fuzz_make_batch(const fuzz_input *in, fuzz_batch *b) {
    static fuzz_area offsets_area, validity_area, targets_area;
    const int at_end = in->two < 0x80;
    int64_t all = fuzz_rows(in->p, in->n, b);
    b->before = in->one & BATCH_HAS_OFFSET && all > 3 ? in->two % 3 : 0;
    b->data[0].data = b->data[1].data = in->p;
    b->data[0].size = b->data[1].size = (int64_t)in->n;
    memset(&b->input, 0, sizeof b->input);
    b->input.layout = (fu_layout)((in->one & 3) % 3);
    b->input.rows = all - b->before;
    b->input.offset = b->before;
    b->input.buffers = b->data;
    b->input.buffer_count = b->input.layout == FU_VIEWS ? 2 : 1;
    const size_t width = b->input.layout == FU_VIEWS ? 16 : b->input.layout == FU_OFFSETS_64 ? 8 : 4;
    const size_t entries = (size_t)all + (b->input.layout == FU_VIEWS ? 0 : 1), size = entries * width;
    uint8_t *offsets = fuzz_at(&offsets_area, size, at_end);
    if (b->input.layout == FU_VIEWS) {
        fuzz_put_views(in->p, b, all, offsets);
    } else { /* rows are contiguous, so a newline belongs to the row in front of it */
        for (int64_t i = 0; i <= all; i++) {
            const int64_t place = i < all ? b->places[i][0] : (int64_t)in->n;
            const int32_t narrow = (int32_t)place;
            if (i > 0) b->places[i - 1][1] = place;
            memcpy(offsets + (size_t)i * width, width == 4 ? (const void *)&narrow : &place, width);
        }
    }
    if (in->one & BATCH_IS_WRONG) fuzz_make_wrong(offsets, size, in);
    b->input.offsets = offsets;
    const size_t bits = ((size_t)all + 7) / 8;
    if (in->one & BATCH_HAS_NULLS) {
        uint8_t *validity = fuzz_at(&validity_area, bits, at_end);
        for (size_t i = 0; i < bits; i++) validity[i] = (uint8_t)(0xef ^ (in->two * (i + 3)) ^ (i < in->n ? in->p[i] & 0x22 : 0));
        b->input.validity = validity;
    }
    if (in->one & BATCH_HAS_TARGETS) {
        uint8_t *targets = fuzz_at(&targets_area, ((size_t)b->input.rows + 7) / 8, at_end);
        memset(targets, 0x5a ^ (int)in->two, ((size_t)b->input.rows + 7) / 8);
        b->input.targets = targets;
    }
}

typedef struct {
    const uint8_t *data;
    size_t size;
} fuzz_named;

/* Return the bytes of a view, inline or in one of the buffers; NULL if it is wrong. */
static inline const uint8_t *fuzz_bytes_of(const fu_view *view, const fuzz_named *buffers, size_t count) {
    if (view->length < 0) return NULL;
    if (view->length <= FU_VIEW_INLINE_MAX) return (const uint8_t *)view + 4;
    if (view->buffer < 0 || (size_t)view->buffer >= count || view->offset < 0) return NULL;
    const fuzz_named *named = &buffers[view->buffer];
    if ((size_t)view->offset + (size_t)view->length > named->size) return NULL;
    return memcmp(named->data + view->offset, view->data, 4) == 0 ? named->data + view->offset : NULL;
}

static inline int fuzz_is_valid_row(const fu_input *in, int64_t row) {
    const int64_t at = in->offset + row;
    return in->validity == NULL || (in->validity[at >> 3] >> (at & 7) & 1);
}

#endif
