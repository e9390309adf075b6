/* What a column says as a whole: which findings, and whether its texts are ASCII. */
#ifndef FASTURL_FACTS_H
#define FASTURL_FACTS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "text/ascii.h"

#define FU_FINDING_BITS 32

/* Each set of findings as a list of bit numbers: rows + 1 offsets, and the values, for which `capacity` octets are there.
 * Returns how many there are, SIZE_MAX when they are more. */
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

/* Writes the rows whose set has one of the wanted bits, from `row` on and at most `capacity`; returns how many. */
static inline size_t fu_rows_with_findings(const uint32_t *sets, int64_t row, int64_t rows, uint32_t wanted, int64_t *found,
                                           size_t capacity) {
    size_t count = 0;
    for (; row < rows && count < capacity; row++)
        if (sets[row] & wanted) found[count++] = row;
    return count;
}

/* How often each bit is set, and in which row first; the row means nothing for a bit that is never set. */
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

/* Counts each item in its group, and adds the size of its row to the group's sum. An item is a row where `row_of` is NULL;
 * else the items of a row follow one another, and a group counts once in a row. `last` has room for a number a group.
 * Returns 0 when a group or a row is none of `groups` or `rows`, or a sum is over 64 bits: what was written then means
 * nothing. */
static inline int fu_add_up(const int32_t *group_of, const int64_t *row_of, const uint64_t *sizes, int64_t items,
                            int64_t rows, int64_t groups, uint64_t *counts, uint64_t *sums, int64_t *last) {
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
