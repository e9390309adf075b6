/* Columns of lists, of several values a row, and of numbers; once for every kernel, behind its split.
 *
 * What is listed stays where it stands: an item is a view of the input. Whoever wants it decoded has its views read by
 * textcolumns_body.h. */
#ifndef FASTURL_GATHER_BODY_H
#define FASTURL_GATHER_BODY_H

#include "columns/columns_body.h"
#include "columns/gather.h"
#include "columns/problems_body.h"
#include "split/split_body.h"

static inline void fu_view_of_part(fu_view *view, const fu_arrow_text *text, size_t start, size_t end) {
    fu_put_view(view, text, start, end - start);
}

/* Whether the row has a list, even an empty one; its items are added. -1 when there is no capacity for all of them. */
static inline int fu_gather_list(const fu_gather_work *work, const fu_arrow_text *text, fu_gathering *g) {
    const size_t before = g->used;
    fu_spans s;
    fu_listing listing;
    fu_pair item;
    if (work->list == FU_LISTS_QUERY)
        fu_split_tail_inline(work->schemes, text->p, (size_t)text->length, work->form, &s);
    else
        fu_split_inline(work->schemes, text->p, (size_t)text->length, work->form, FU_CUT_PLACES, &s);
    if (!fu_start_listing(&listing, work->list, work->most, text->p, &s)) return 0;
    while (fu_next_item(&listing, &item)) {
        if (g->used == g->capacity) {
            g->used = before;
            return -1;
        }
        if (g->names) fu_view_of_part(&g->names[g->used], text, item.start, item.name_end);
        if (g->values) fu_view_of_part(&g->values[g->used], text, item.value, item.end);
        g->used++;
    }
    return 1;
}

/* The first values of the names; nothing for a null. */
static inline void fu_gather_values(const fu_gather_work *work, const fu_arrow_text *text, int is_null, fu_gathering *g) {
    const uint64_t bit = (uint64_t)1 << (g->row & 63);
    fu_spans s;
    fu_listing listing;
    for (size_t i = 0; i < work->count; i++) g->columns[i].found.end = FU_ABSENT;
    if (!is_null) {
        fu_split_tail_inline(work->schemes, text->p, (size_t)text->length, work->form, &s);
        if (fu_start_listing(&listing, FU_LISTS_QUERY, 0, text->p, &s))
            fu_find_values(text->p, listing.at, listing.end, work->names, work->count, &g->columns->found,
                           sizeof(fu_gathered_values));
    }
    for (size_t i = 0; i < work->count; i++) {
        fu_gathered_values *column = &g->columns[i];
        fu_view *view = &column->views[g->row];
        if (column->found.end == FU_ABSENT) {
            memset(view, 0, sizeof *view);
            column->nulls++;
        } else {
            fu_view_of_part(view, text, column->found.value, column->found.end);
            column->valid_bits |= bit;
        }
    }
}

/* One row. 0 when there is no capacity for its items, or the work stops here. */
static inline int fu_gather_row(const fu_gather_work *work, const fu_arrow_text *text, int is_null, fu_gathering *g) {
    int has_value = !is_null;
    if (work->kind == FU_GATHER_VALUES) {
        fu_gather_values(work, text, is_null, g);
    } else if (work->kind == FU_GATHER_LISTS) {
        if (has_value) has_value = fu_gather_list(work, text, g);
        if (has_value < 0) return 0;
        g->offsets[g->row - g->start + 1] = (int32_t)g->used;
    } else if (work->kind == FU_GATHER_PROBLEMS) {
        if (has_value && fu_gather_problems(work, text, g) < 0) return 0;
        g->offsets[g->row - g->start + 1] = (int32_t)g->used;
    } else if (work->kind == FU_GATHER_SAME) {
        has_value = fu_gather_same(work, text, is_null, g);
        if (has_value < 0) return 0;
    } else if (work->kind == FU_GATHER_DEPTHS) {
        fu_spans s;
        fu_split_inline(work->schemes, text->p, (size_t)text->length, work->form, FU_CUT_PLACES, &s);
        g->depths[g->row] = (uint32_t)fu_path_depth(text->p, &s);
    } else {
        g->hashes[g->row] = fu_hash(text->p, (size_t)text->length);
    }
    g->valid_bits |= (uint64_t)has_value << (g->row & 63);
    g->nulls += !has_value;
    return 1;
}

/* Go on from g->row to g->end. Returns 1 when done; 0 when capacity for more items is wanted, g->asks for an answer, memory
 * has run out, or g->failed_row says which row has a fault. */
FU_FLATTEN static int fu_gather_rows(const fu_gather_work *work, const fu_input *in, fu_gathering *g) {
    fu_arrow_text texts[64];
    while (g->row < g->end) {
        const int64_t base = g->row & ~(int64_t)63, rows = g->end - base < 64 ? g->end - base : 64;
        const uint64_t valid = fu_validity_word(in, base, rows);
        const int64_t failed = fu_load_texts(in, base, rows, valid, texts, &g->fault);
        if (failed >= 0) {
            g->failed_row = base + failed;
            return 0;
        }
        for (; g->row < base + rows; g->row++) {
            const int64_t i = g->row - base;
            FU_PREFETCH(texts[i].p + 512);
            if (!fu_gather_row(work, &texts[i], !(valid >> i & 1), g)) return 0;
        }
        for (size_t i = 0; work->kind == FU_GATHER_VALUES && i < work->count; i++) {
            fu_put_word(g->columns[i].validity, base, g->end, g->columns[i].valid_bits);
            g->columns[i].valid_bits = 0;
        }
        if (work->kind == FU_GATHER_SAME) fu_put_word(g->same, base, g->end, g->sames);
        g->sames = 0;
        fu_put_word(g->validity, base - g->start, g->end - g->start, g->valid_bits);
        g->valid_bits = 0;
    }
    return 1;
}

#endif
