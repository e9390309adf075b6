/* Copy the texts of 64 rows into Arrow's string and binary layouts, right after the split, while they are in the cache.
 * The block's views say what to copy. They last for one block. Include after the kernel's split. */
#ifndef FASTURL_COPIED_BODY_H
#define FASTURL_COPIED_BODY_H

#include "columns/columns.h"

#ifdef FASTURL_DROP_PARTS_H
#error "functions/ come behind this: they copy by FU_COPY_PART"
#endif

/* Like fu_copy_of_view, with FU_COPY_SLACK. */
static inline void fu_copy_text(uint8_t *out, const uint8_t *p, size_t n) {
#ifdef FU_MASKED_VIEWS
    if (n <= 64) {
        _mm512_storeu_si512(out, _mm512_maskz_loadu_epi8(_bzhi_u64(~(uint64_t)0, (unsigned)n), p));
        return;
    }
    memcpy(out, p, n);
#else
    fu_copy_of_view(out, p, n);
#endif
}

/* Like fu_copy_text, but no load leaves [p, p + n) for any n. */
static inline void fu_copy_part(uint8_t *out, const uint8_t *p, size_t n) {
#ifdef FU_MASKED_VIEWS
    fu_copy_text(out, p, n);
#else
    if (n > 32) {
        memcpy(out, p, n);
    } else if (n >= 16) {
        memcpy(out, p, 16);
        memcpy(out + n - 16, p + n - 16, 16);
    } else if (n >= 8) {
        memcpy(out, p, 8);
        memcpy(out + n - 8, p + n - 8, 8);
    } else {
        for (size_t i = 0; i < n; i++) out[i] = p[i];
    }
#endif
}
#define FU_COPY_PART fu_copy_part

/* Return the bytes of a view, which refers to its row's text or to the arena. */
static inline const uint8_t *fu_bytes_of_view(const fu_view *view, const fu_arrow_text *text, const fu_arena *arena) {
    const uintptr_t text_start = (uintptr_t)text->p - (uintptr_t)text->offset;
    const uintptr_t stands = (view->buffer == arena->buffer ? (uintptr_t)arena->data : text_start) + (uintptr_t)view->offset;
    return view->length <= FU_VIEW_INLINE_MAX ? view->data : (const uint8_t *)stands;
}

/* Return 1 if each wanted column has space for a block's texts. No part is longer than its row's text, but a word may be. */
static inline int fu_copies_fit(fu_copies *copies, uint32_t wanted, const fu_split_rows *block) {
    size_t most = FU_COPY_SLACK + (wanted & FU_WANTS_HOST_FACTS ? 64 * FU_WORD_MAX : 0);
    for (int64_t i = 0; i < block->rows; i++) most += (size_t)block->texts[i].length;
    copies->needed = most;
    for (int column = 0; column < FU_TEXT_COLUMNS; column++)
        if (wanted & FU_BIT(column) && copies->columns[column].capacity - copies->columns[column].used < most) return 0;
    return 1;
}

static inline void fu_copy_column(fu_copied_column *column, const fu_view *views, const fu_split_rows *block,
                                  const fu_arena *arena, int32_t *offsets, int has_any) {
    size_t used = column->used;
    if (!has_any) {
        for (int64_t i = 1; i <= block->rows; i++) offsets[i] = (int32_t)used;
        return;
    }
    for (int64_t i = 0; i < block->rows; i++) {
        const fu_view *view = &views[i];
        fu_copy_text(column->data + used, fu_bytes_of_view(view, &block->texts[i], arena), (size_t)view->length);
        used += (size_t)view->length;
        offsets[i + 1] = (int32_t)used;
    }
    column->used = used;
}

/* Copy the texts of the block's views, then zero the views. `base` is the block's first row. */
static void fu_copy_block(const fu_output *out, fu_worker *w, const fu_split_rows *block, int64_t base,
                          const uint64_t *validity) {
    for (int column = 0; column < FU_TEXT_COLUMNS; column++) {
        fu_view *views = w->copies->views[column];
        if (!(out->wanted & FU_BIT(column))) continue;
        fu_copied_column *copied = &w->copies->columns[column];
        fu_copy_column(copied, views, block, &w->arena, copied->offsets + (base - w->start), validity[column] != 0);
        if (validity[column]) memset(views, 0, sizeof w->copies->views[column]);
    }
    w->arena.used = 0;
}

#endif
