/* Aggregates over a column: lists and counts of findings, counts and sums per group, and the dictionary of a column that has few
 * distinct short words, such as the scheme. */
#ifndef FASTURL_FACTS_H
#define FASTURL_FACTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ascii.h"
#include "columns/view.h"

#define FU_FINDING_BITS 32

/* Convert each set of findings to a list of bit numbers. `offsets` has room for rows + 1 offsets, `values` for `capacity`
 * bytes. Return the number of values, or SIZE_MAX if they do not fit. */
static inline size_t fu_finding_lists(const uint32_t *sets, int64_t rows, int32_t *offsets, int8_t *values, size_t capacity) {
    size_t used = 0;
    for (int64_t row = 0; row < rows; row++) {
        offsets[row] = (int32_t)used;
        int8_t bit = 0;
        for (uint32_t left = sets[row]; left; left >>= 1, bit++) {
            if (!(left & 1)) continue;
            if (used == capacity) return SIZE_MAX;
            values[used++] = bit;
        }
    }
    offsets[rows] = (int32_t)used;
    return used;
}

/* Write the numbers of at most `capacity` rows, from `row` on, whose set has a wanted bit. Return how many were written. */
static inline size_t fu_rows_with_findings(const uint32_t *sets, int64_t row, int64_t rows, uint32_t wanted, int64_t *found,
                                           size_t capacity) {
    size_t count = 0;
    for (; row < rows && count < capacity; row++)
        if (sets[row] & wanted) found[count++] = row;
    return count;
}

/* Count the rows that have each bit, and record the first such row. A bit with a count of 0 has no valid first row. */
static inline void fu_count_findings(const uint32_t *sets, int64_t rows, int64_t *counts, int64_t *first_rows) {
    memset(counts, 0, FU_FINDING_BITS * sizeof *counts);
    for (int64_t row = 0; row < rows; row++) {
        int bit = 0;
        for (uint32_t left = sets[row]; left; left >>= 1, bit++) {
            if (!(left & 1)) continue;
            if (counts[bit]++ == 0) first_rows[bit] = row;
        }
    }
}

/* Count each item in its group, and add the size of the item's row to the group's sum. If `row_of` is NULL, each row is one
 * item. Otherwise a row's items are adjacent, and a row counts once per group. `last` is scratch space, one number per group.
 * Return 0 if a group or row number is out of range or a sum overflows 64 bits; then the output is invalid. */
static inline int fu_add_up(const int32_t *group_of, const int64_t *row_of, const uint64_t *sizes, int64_t items, int64_t rows,
                            int64_t groups, uint64_t *counts, uint64_t *sums, int64_t *last) {
    for (int64_t group = 0; group < groups; group++) {
        counts[group] = sums[group] = 0;
        last[group] = -1;
    }
    for (int64_t item = 0; item < items; item++) {
        int64_t group = group_of[item], row = row_of ? row_of[item] : item;
        if (group < 0 || group >= groups || row < 0 || row >= rows) return 0;
        if (last[group] == row) continue;
        last[group] = row;
        counts[group]++;
        sums[group] += sizes[row];
        if (sums[group] < sizes[row]) return 0;
    }
    return 1;
}

#define FU_WORDS_MAX 64

/* The distinct words, by first occurrence. */
typedef struct {
    fu_view words[FU_WORDS_MAX];
    int count;
} fu_words;

/* A view as two numbers. Inline bytes after a short text are 0, so short texts are equal exactly if their views are. */
typedef struct {
    uint64_t low, high;
} fu_view_bits;

static inline fu_view_bits fu_bits_of_view(const fu_view *view) {
    fu_view_bits bits;
    memcpy(&bits, view, sizeof bits);
    return bits;
}

/* Return the number of a view's word. Add a new word. Return -1 if there are too many words or the text is not inline. */
static inline int fu_number_of(fu_words *known, const fu_view *view) {
    int i = 0;
    while (i < known->count && memcmp(view, &known->words[i], sizeof *view) != 0) i++;
    if (i < known->count) return i;
    if (i == FU_WORDS_MAX || view->length > FU_VIEW_INLINE_MAX) return -1;
    known->words[known->count++] = *view;
    return i;
}

/* Write the number of each row's word, and 0 for a null. If `views` is NULL, the texts are in `data`, between `offsets`.
 * validity: one bit per row, or NULL if no row is null. Return the number of words, or -1 if fu_number_of fails. */
static inline int fu_encode_words(const fu_view *views, const int32_t *offsets, const uint8_t *data, const uint8_t *validity,
                                  int64_t rows, int32_t *numbers, fu_words *known) {
    fu_view_bits last = {UINT64_MAX, UINT64_MAX}; /* no view has these bits */
    int number = 0;
    known->count = 0;
    for (int64_t row = 0; row < rows; row++) {
        fu_view view;
        if (validity != NULL && !fu_bit_at(validity, row)) {
            numbers[row] = 0;
            continue;
        }
        if (views != NULL)
            view = views[row];
        else
            fu_view_of(&view, data + offsets[row], (size_t)(offsets[row + 1] - offsets[row]), 0, 0);
        const fu_view_bits bits = fu_bits_of_view(&view);
        if (bits.low != last.low || bits.high != last.high) { /* most rows repeat the previous row's word */
            number = fu_number_of(known, &view);
            if (number < 0) return -1;
            last = bits;
        }
        numbers[row] = number;
    }
    return known->count;
}

#endif
