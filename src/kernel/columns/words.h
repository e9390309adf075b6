/* Dictionary-encode a column that has few distinct short words, such as the scheme. */
#ifndef FASTURL_WORDS_H
#define FASTURL_WORDS_H

#include "columns/view.h"

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

/* Write the number of each row's word, and 0 for a null. If `views` is NULL, the texts are in `octets`, between `offsets`.
 * validity: one bit per row, or NULL if no row is null. Return the number of words, or -1 if fu_number_of fails. */
static inline int fu_encode_words(const fu_view *views, const int32_t *offsets, const uint8_t *octets, const uint8_t *validity,
                                  int64_t rows, int32_t *numbers, fu_words *known) {
    fu_view_bits last = {UINT64_MAX, UINT64_MAX}; /* no view has these bits */
    int number = 0;
    known->count = 0;
    for (int64_t row = 0; row < rows; row++) {
        fu_view view;
        if (validity != NULL && !(validity[row >> 3] >> (row & 7) & 1)) {
            numbers[row] = 0;
            continue;
        }
        if (views != NULL)
            view = views[row];
        else
            fu_view_of(&view, octets + offsets[row], (size_t)(offsets[row + 1] - offsets[row]), 0, 0);
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
