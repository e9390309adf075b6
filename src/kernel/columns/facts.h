/* Aggregates over a column: lists and counts of findings, and counts and sums per group. */
#ifndef FASTURL_FACTS_H
#define FASTURL_FACTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ascii.h"

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

#endif
