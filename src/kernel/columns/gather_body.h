/* Write columns of lists, of problems and of numbers, and several columns of values; and test rows of two columns for equivalence.
 * Compiled once per kernel, after its split.
 *
 * Items are copies, which are adjacent, and decoded on request. */
#ifndef FASTURL_GATHER_BODY_H
#define FASTURL_GATHER_BODY_H

#include <stdlib.h>

#include "columns/columns_body.h"
#include "columns/gather.h"
#include "columns/textcolumns_body.h"
#include "functions/equivalence.h"
#include "split/split_body.h"
#include "validate/validate.h"

#define FU_PREFIXED_MAX ((size_t)1 << 20) /* 64 prefixes of this many bytes have a 32-bit total size */

/* Append a copy of p[0:n] as item `number`, decoded if work->decode is set. Return 0, and add nothing, if there is no space. */
static inline int fu_copy_item(const fu_gather_work *work, const uint8_t *p, size_t n, int marks, size_t number, fu_gathering *g,
                               fu_mapping *m) {
    fu_result result = fu_part_result(0, n);
    if (marks && work->decode) result = fu_unquote_one(work->text, 1, p, n, m);
    if (result.kind == FU_RESULT_PART) {
        uint8_t *out = fu_reserve(m, n + FU_COPY_SLACK);
        if (out == NULL)
            result.kind = FU_RESULT_NEEDS_BUFFER;
        else
            fu_copy_part(out, p, n);
    }
    if (result.kind > FU_RESULT_NEW_TEXT) {
        if (result.kind == FU_RESULT_TOO_LONG) m->needed = FU_VIEW_MAX; /* nobody allocates so much */
        g->lacking = m;
        return 0;
    }
    m->used += result.length;
    m->offsets[number + 1] = (int32_t)m->used;
    return 1;
}

/* Append an item. Return 0 if there is no space; then the caller must call fu_forget_items. */
static inline int fu_put_item(const fu_gather_work *work, const fu_arrow_text *text, const fu_pair *item, fu_gathering *g) {
    g->lacking = NULL;
    if (g->used == g->capacity) return 0;
    if (g->names &&
        !fu_copy_item(work, text->p + item->start, item->name_end - item->start, item->name_marks, g->used, g, g->names))
        return 0;
    if (g->values &&
        !fu_copy_item(work, text->p + item->value, item->end - item->value, item->value_marks, g->used, g, g->values))
        return 0;
    g->used++;
    return 1;
}

/* Append all prefixes of a short path. Return 0, and add nothing, if they may not fit. */
static inline int fu_copy_prefixes(const fu_listing *l, fu_gathering *g) {
    fu_mapping *m = g->values;
    const size_t whole = l->end - l->first, count = (size_t)__builtin_popcountll(l->ends);
    const size_t before = l->base - l->first + 1; /* the length of the prefix that ends at bit 0's byte */
    if (m == NULL || count == 0 || count > l->left || g->capacity - g->used < count) return 0;
    if (whole > FU_PREFIXED_MAX || m->capacity - m->used < count * whole + FU_COPY_SLACK) return 0;
    int32_t *offsets = m->offsets + g->used;
    for (uint64_t ends = l->ends; ends; ends &= ends - 1) {
        const size_t n = before + (size_t)__builtin_ctzll(ends);
        fu_copy_part(m->block + m->used, l->p + l->first, n);
        m->used += n;
        *++offsets = (int32_t)m->used;
    }
    g->used += count;
    return 1;
}

/* Drop the copies after the first `count`. The row is written again, so its dropped bytes are added to m->needed. */
static inline void fu_forget_texts(size_t count, fu_mapping *m) {
    const size_t kept = (size_t)m->offsets[count];
    m->needed += m->used - kept;
    m->used = kept;
}

/* Drop the items after the first `count`. */
static inline void fu_forget_items(size_t count, fu_gathering *g) {
    g->used = count;
    if (g->names) fu_forget_texts(count, g->names);
    if (g->values) fu_forget_texts(count, g->values);
}

/* Append the items of the row's list. Return 1 if it has a list, even an empty one, 0 if not, -1 if the items do not fit. */
static inline int fu_gather_list(fu_list_kind list, const fu_gather_work *work, const fu_arrow_text *text, fu_gathering *g) {
    const size_t before = g->used;
    fu_spans s;
    fu_listing listing;
    fu_pair item;
    if (list == FU_LISTS_QUERY)
        fu_split_tail_inline(work->schemes, text->p, (size_t)text->length, work->form, &s);
    else
        fu_split_inline(work->schemes, text->p, (size_t)text->length, work->form, FU_DETAIL_PLACES, &s);
    fu_start_listing(&listing, list, work->limit, text->p, &s);
    if (list != FU_LISTS_QUERY && fu_copy_prefixes(&listing, g)) return 1;
    while (fu_next_item(&listing, &item)) {
        if (fu_put_item(work, text, &item, g)) continue;
        fu_forget_items(before, g);
        return -1;
    }
    return 1;
}

/* Write the first value of each name, and nulls for a null row. Return 0 if there is no space. */
static inline int fu_gather_values(const fu_gather_work *work, const fu_arrow_text *text, int is_null, fu_gathering *g) {
    const uint64_t bit = (uint64_t)1 << (g->row & 63);
    fu_spans s;
    fu_listing listing;
    for (size_t i = 0; i < work->count; i++) g->columns[i].found.end = FU_ABSENT;
    if (!is_null) {
        fu_split_tail_inline(work->schemes, text->p, (size_t)text->length, work->form, &s);
        fu_start_listing(&listing, FU_LISTS_QUERY, 0, text->p, &s);
        fu_find_values(text->p, listing.at, listing.end, work->names, work->count, &g->columns->found,
                       sizeof(fu_gathered_values));
    }
    for (size_t i = 0; i < work->count; i++) {
        const fu_pair *found = &g->columns[i].found;
        fu_mapping *m = g->columns[i].texts;
        const size_t number = (size_t)(g->row - g->start);
        m->used = (size_t)m->offsets[number]; /* an earlier call may have stopped in this row */
        m->offsets[number + 1] = m->offsets[number];
        if (found->end != FU_ABSENT &&
            !fu_copy_item(work, text->p + found->value, found->end - found->value, found->value_marks, number, g, m))
            return 0;
    }
    for (size_t i = 0; i < work->count; i++) { /* only now, so that a row is counted once */
        g->columns[i].valid_bits |= g->columns[i].found.end == FU_ABSENT ? 0 : bit;
        g->columns[i].nulls += g->columns[i].found.end == FU_ABSENT;
    }
    return 1;
}

/* Append the row's problems. Return 1, or -1 if the capacity is too small or memory runs out. */
FU_NOINLINE static int fu_put_problems(const fu_gather_work *work, const fu_arrow_text *text, const fu_spans *s,
                                       fu_gathering *g) {
    fu_diagnostics found;
    fu_start_diagnostics(&found);
    found.problems = g->problems;
    found.capacity = g->problem_capacity;
    found.grow = fu_grow_problems;
    found.wanted = UINT32_MAX;
    found.window_length = SIZE_MAX;
    fu_validate(work->schemes, text->p, s, work->form, &found);
    g->problems = found.problems;
    g->problem_capacity = found.capacity;
    if (found.grow == NULL) {
        g->out_of_memory = 1;
        return -1;
    }
    if (found.count > g->capacity - g->used) return -1;
    fu_sort_problems(g->problems, found.count);
    for (size_t i = 0; i < found.count; i++, g->used++) {
        g->findings[g->used] = g->problems[i].finding;
        g->starts[g->used] = (int32_t)g->problems[i].start;
        g->ends[g->used] = (int32_t)g->problems[i].end;
    }
    return 1;
}

static inline int fu_gather_problems(const fu_gather_work *work, const fu_arrow_text *text, fu_gathering *g) {
    fu_spans s;
    fu_split_inline(work->schemes, text->p, (size_t)text->length, work->form, FU_DETAIL_ALL, &s);
    return s.flags & FU_PROVEN_VALID ? 1 : fu_put_problems(work, text, &s, g);
}

/* Return the row of the other column that the current row is compared with. */
static inline int64_t fu_other_row(const fu_gathering *g) { return g->other->rows == 1 ? 0 : g->row; }

/* Return 1 if two texts are equivalent, 0 if not, or -1 if memory runs out. The key of the other text comes first, and is kept: it
 * may be the text of all rows. */
FU_NOINLINE static int fu_are_equivalent(const fu_gather_work *work, const fu_arrow_text *a, const fu_arrow_text *b,
                                         fu_gathering *g) {
    const size_t a_n = (size_t)a->length, b_n = (size_t)b->length;
    if (g->key_capacity < a_n + b_n) { /* each has at most 2^30 bytes */
        uint8_t *keys = (uint8_t *)realloc(g->keys, 2 * (a_n + b_n));
        if (keys == NULL) {
            g->out_of_memory = 1;
            return -1;
        }
        g->keys = keys;
        g->key_capacity = 2 * (a_n + b_n);
    }
    if (g->keyed.p != b->p || g->keyed.n != b_n) {
        g->other_key = fu_write_key(work->kernel, work->schemes, b->p, b_n, g->keys);
        g->keyed.p = b->p;
        g->keyed.n = b_n;
    }
    const fu_key key = fu_write_key(work->kernel, work->schemes, a->p, a_n, g->keys + b_n);
    return fu_same_keys(&key, g->keys + b_n, &g->other_key, g->keys);
}

/* Compare the current row of both columns. Return 1 if both have a text, 0 if one is null, or -1 if the work stops here. */
static inline int fu_gather_same(const fu_gather_work *work, const fu_arrow_text *text, int is_null, fu_gathering *g) {
    fu_arrow_text other;
    int same;
    const int64_t other_row = fu_other_row(g);
    if (is_null || !fu_validity_word(g->other, other_row, 1)) return 0;
    g->fault = fu_load_text(g->other, other_row, &other);
    if (g->fault != FU_FAULT_NONE) {
        g->failed_row = other_row;
        g->failed_other = 1;
        return -1;
    }
    if (other.length == text->length && memcmp(other.p, text->p, (size_t)text->length) == 0) {
        same = 1;
    } else {
        same = fu_are_equivalent(work, text, &other, g);
    }
    if (same < 0) return -1;
    g->sames |= (uint64_t)same << (g->row & 63);
    return 1;
}

/* Process one row. Return 0 if its items do not fit or the work stops here. `kind` and `list` are compile-time constants with
 * the values of the work's fields. */
static inline int fu_gather_row(fu_gather_kind kind, fu_list_kind list, const fu_gather_work *work, const fu_arrow_text *text,
                                int is_null, fu_gathering *g) {
    int has_value = !is_null;
    if (kind == FU_GATHER_VALUES) {
        if (!fu_gather_values(work, text, is_null, g)) return 0;
    } else if (kind == FU_GATHER_LISTS) {
        if (has_value) has_value = fu_gather_list(list, work, text, g);
        if (has_value < 0) return 0;
        g->offsets[g->row - g->start + 1] = (int32_t)g->used;
    } else if (kind == FU_GATHER_PROBLEMS) {
        if (has_value && fu_gather_problems(work, text, g) < 0) return 0;
        g->offsets[g->row - g->start + 1] = (int32_t)g->used;
    } else if (kind == FU_GATHER_SAME) {
        has_value = fu_gather_same(work, text, is_null, g);
        if (has_value < 0) return 0;
    } else if (kind == FU_GATHER_DEPTHS) {
        fu_spans s;
        fu_split_inline(work->schemes, text->p, (size_t)text->length, work->form, FU_DETAIL_PLACES, &s);
        g->depths[g->row] = (uint32_t)fu_path_depth(text->p, &s);
    } else {
        g->hashes[g->row] = fu_hash(text->p, (size_t)text->length);
    }
    g->valid_bits |= (uint64_t)has_value << (g->row & 63);
    g->nulls += !has_value;
    return 1;
}

static inline int fu_gather_rows_as(fu_gather_kind kind, fu_list_kind list, const fu_gather_work *work, const fu_input *in,
                                    fu_gathering *g) {
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
            if (!fu_gather_row(kind, list, work, &texts[i], !(valid >> i & 1), g)) return 0;
        }
        for (size_t i = 0; kind == FU_GATHER_VALUES && i < work->count; i++) {
            fu_put_word(g->columns[i].validity, base, g->end, g->columns[i].valid_bits);
            g->columns[i].valid_bits = 0;
        }
        if (kind == FU_GATHER_SAME) fu_put_word(g->same, base, g->end, g->sames);
        g->sames = 0;
        fu_put_word(g->validity, base - g->start, g->end - g->start, g->valid_bits);
        g->valid_bits = 0;
    }
    return 1;
}

/* Process the rows from g->row to g->end. Return 1 when done. Return 0 if more capacity is needed, memory ran out, or the row
 * g->failed_row has a fault. FU_FLATTEN inlines all calls, in separate loops for lists and values. */
FU_FLATTEN static int fu_gather_rows(const fu_gather_work *work, const fu_input *in, fu_gathering *g) {
    if (work->kind == FU_GATHER_VALUES) return fu_gather_rows_as(FU_GATHER_VALUES, FU_LISTS_QUERY, work, in, g);
    if (work->kind != FU_GATHER_LISTS) return fu_gather_rows_as(work->kind, FU_LISTS_QUERY, work, in, g);
    if (work->list == FU_LISTS_QUERY) return fu_gather_rows_as(FU_GATHER_LISTS, FU_LISTS_QUERY, work, in, g);
    return fu_gather_rows_as(FU_GATHER_LISTS, work->list, work, in, g);
}

#endif
