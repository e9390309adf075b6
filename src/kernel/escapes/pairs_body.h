/* The pairs of a query, many at a time. The result is that of fu_next_pair (escapes/query.h); kernels with FU_PAIR_BITS
 * (split/masks.h) read it from the masks of 64-byte blocks. Included after the masks of a kernel. */
#ifndef FASTURL_PAIRS_BODY_H
#define FASTURL_PAIRS_BODY_H

#include "escapes/query.h"
#include "split/masks.h"

#ifdef FU_PAIR_BITS

/* Set the pair [start, end). name_end and name_marks matter only if it has a value; `marks` are those of its last part. */
static inline void fu_set_pair(fu_pair *pair, size_t start, int has_value, size_t name_end, int name_marks, size_t end,
                               int marks) {
    pair->start = start;
    pair->end = end;
    pair->has_value = has_value;
    pair->name_end = has_value ? name_end : end;
    pair->value = has_value ? name_end + 1 : end;
    pair->name_marks = has_value ? name_marks : marks;
    pair->value_marks = has_value ? marks : 0;
}

/* Read up to `most` (at least 1) pairs from p[*at] on, move *at past them, and return their number. */
static size_t fu_cut_pairs(const uint8_t *p, size_t n, size_t *at, uint8_t separator, fu_pair *pairs, size_t most) {
    size_t count = 0, start = *at, name_end = 0;
    int in_value = 0, name_marks = 0, seen = 0; /* seen: the current name or value has marks in earlier blocks */
    for (size_t base = start; base < n; base += 64) {
        fu_pair_bits bits;
        FU_PAIR_BITS(p + base, n - base < 64 ? n - base : 64, separator, &bits);
        uint64_t marks = bits.marks & ~bits.ends;
        for (uint64_t stops = bits.ends | bits.equals; stops; stops &= stops - 1) {
            const uint64_t stop = stops & (0 - stops);
            const int is_end = (bits.ends & stop) != 0;
            if (in_value && !is_end) continue;
            const size_t i = base + (size_t)__builtin_ctzll(stops);
            const int has_marks = seen || (marks & (stop - 1)) != 0;
            marks &= 0 - stop;
            seen = 0;
            if (!is_end) {
                name_end = i;
                name_marks = has_marks;
                in_value = 1;
                continue;
            }
            fu_set_pair(&pairs[count++], start, in_value, name_end, name_marks, i, has_marks);
            start = i + 1;
            if (count == most) {
                *at = start;
                return count;
            }
            in_value = 0;
        }
        seen |= marks != 0;
    }
    if (start < n) fu_set_pair(&pairs[count++], start, in_value, name_end, name_marks, n, seen);
    *at = n;
    return count;
}

#else

static size_t fu_cut_pairs(const uint8_t *p, size_t n, size_t *at, uint8_t separator, fu_pair *pairs, size_t most) {
    size_t count = 0;
    for (; *at < n && count < most; *at = pairs[count++].end + 1) fu_next_pair(p, n, *at, separator, &pairs[count]);
    return count;
}

#endif

#endif
