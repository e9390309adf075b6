/* Rows of columns as lines of text: JSON and CSV.
 *
 * The columns are Arrow's: string views over their bytes, numbers, bitmaps. No object is created per row. The text is in a
 * growing buffer, which holds complete rows except while a row is written. */
#ifndef FASTURL_ROWTEXT_H
#define FASTURL_ROWTEXT_H

#include <string.h>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#endif

#include "ascii.h"
#include "columns/pool.h"
#include "columns/view.h"
#include "escapes/utf8.h"

typedef enum {
    FU_ROW_NOTHING, /* null in every row */
    FU_ROW_BEFORE,  /* no value: only `before`, a part of a long name */
    FU_ROW_TEXTS,   /* string views of 16 bytes */
    FU_ROW_WRITTEN, /* string views of finished JSON, copied unchanged */
    FU_ROW_WORDS,   /* 8-bit indexes into `words` */
    FU_ROW_SETS,    /* 32-bit masks, one bit per index into `words` */
    FU_ROW_BITS,
    FU_ROW_INT16,
    FU_ROW_INT32,
    FU_ROW_INT64,
    FU_ROW_UINT16,
    FU_ROW_UINT64
} fu_row_kind;

/* All 32 bytes of `before` are copied, whatever its length: a copy of fixed length needs no loop. */
#define FU_ROW_BEFORE_MAX 32

typedef struct {
    fu_row_kind kind;
    const uint8_t *validity; /* NULL: every row has a value */
    int64_t first;           /* the first row's index in `values` and `validity` */
    const void *values;
    const uint8_t *const *data; /* the buffers that the views refer to */
    const fu_slice *words;      /* in the form of the text: quoted, escaped */
    uint8_t before[FU_ROW_BEFORE_MAX]; /* JSON: the brace or comma, the name, the colon; CSV: the comma */
    size_t before_length;
} fu_row_column;

typedef struct {
    uint8_t *start;
    size_t length, capacity;
    int failed; /* memory has run out: discard the text */
    int escapes; /* write a byte that is not UTF-8 as %E9; else JSON has a lone surrogate, CSV the byte */
    int csv_safe; /* CSV: put a "'" before a text that a spreadsheet would read as a formula */
} fu_row_text;

/* --- a growing buffer ------------------------------------------------------------------------------------------------ */

/* Grow the buffer to at least `size` bytes, which is at least out->length. Return 0 if memory has run out. */
static FU_NOINLINE int fu_row_grow(fu_row_text *out, size_t size) {
    uint8_t *moved;
    size = fu_pool_size(size); /* the size of the buffer that the pool returns */
    moved = (uint8_t *)fu_pool_acquire(size);
    if (moved == NULL) return 0;
    if (out->length) memcpy(moved, out->start, out->length);
    if (out->start != NULL) fu_pool_release(out->start, out->capacity);
    out->start = moved;
    out->capacity = size;
    return 1;
}

static inline int fu_row_more(fu_row_text *out, size_t more) {
    if (more > SIZE_MAX / 4 - out->length) return 0;
    return fu_row_grow(out, (out->length + more) * 2);
}

/* Reserve `more` bytes after the text. Return 0 if memory has run out, now or before. */
static inline int fu_row_reserve(fu_row_text *out, size_t more) {
    if (!out->failed && (more <= out->capacity - out->length || fu_row_more(out, more))) return 1;
    out->failed = 1;
    return 0;
}

/* Append n bytes, which the caller has reserved. */
static inline void fu_row_put(fu_row_text *out, const void *data, size_t n) {
    memcpy(out->start + out->length, data, n);
    out->length += n;
}

static inline void fu_row_byte(fu_row_text *out, uint8_t byte) { out->start[out->length++] = byte; }

#define FU_ROW_NUMBER_MAX 21

static inline void fu_row_number(fu_row_text *out, uint64_t value, int negative) {
    if (negative) fu_row_byte(out, '-');
    out->length += fu_write_number(value, out->start + out->length);
}

/* --- many bytes at a time -------------------------------------------------------------------------------------------- */

/* Return nonzero if a byte must be escaped in a JSON string: a control character, a quote, a backslash, DEL or above. */
static inline uint64_t fu_word_json(uint64_t word) {
    return ((word | (word + FU_EACH(1))) & FU_EACH(0x80)) | ((word - FU_EACH(0x20)) & ~word & FU_EACH(0x80)) |
           fu_word_has(word, '"') | fu_word_has(word, '\\');
}

static inline uint64_t fu_word_csv(uint64_t word) {
    return fu_word_has(word, '"') | fu_word_has(word, ',') | fu_word_has(word, '\n') | fu_word_has(word, '\r');
}

static inline int fu_byte_json(uint8_t c) { return c < 0x20 || c >= 0x7F || c == '"' || c == '\\'; }
static inline int fu_byte_csv(uint8_t c) { return c == '"' || c == ',' || c == '\n' || c == '\r'; }

#if defined(__SSE2__) || defined(_M_X64)
typedef __m128i fu_wide;
static inline fu_wide fu_wide_load(const uint8_t *p) { return _mm_loadu_si128((const __m128i *)p); }
static inline void fu_wide_store(uint8_t *p, fu_wide wide) { _mm_storeu_si128((__m128i *)p, wide); }
static inline fu_wide fu_wide_has(fu_wide wide, char byte) { return _mm_cmpeq_epi8(wide, _mm_set1_epi8(byte)); }
static inline int fu_wide_json(fu_wide wide) { /* as signed numbers, bytes above 0x7F are also below 0x20 */
    __m128i found = _mm_or_si128(_mm_cmplt_epi8(wide, _mm_set1_epi8(0x20)), fu_wide_has(wide, 0x7F));
    return _mm_movemask_epi8(_mm_or_si128(found, _mm_or_si128(fu_wide_has(wide, '"'), fu_wide_has(wide, '\\'))));
}
/* Write the text of an inline view as a JSON string, and return 1. Return 0 if a byte must be escaped. The view's `n` bytes
 * follow the four of its length. The caller has reserved 18 bytes. */
#define FU_HAS_INLINE_JSON 1
static inline int fu_put_inline_json(uint8_t *out, const fu_view *view, size_t n) {
    const __m128i text = _mm_srli_si128(_mm_loadu_si128((const __m128i *)view), 4);
    if (fu_wide_json(text) & ((1 << n) - 1)) return 0;
    out[0] = '"';
    fu_wide_store(out + 1, text);
    out[n + 1] = '"';
    return 1;
}
static inline int fu_wide_csv(fu_wide wide) {
    __m128i ends = _mm_or_si128(fu_wide_has(wide, '\n'), fu_wide_has(wide, '\r'));
    return _mm_movemask_epi8(_mm_or_si128(ends, _mm_or_si128(fu_wide_has(wide, '"'), fu_wide_has(wide, ','))));
}
#else
typedef struct {
    uint64_t words[2];
} fu_wide;
static inline fu_wide fu_wide_load(const uint8_t *p) {
    fu_wide wide;
    memcpy(&wide, p, 16);
    return wide;
}
static inline void fu_wide_store(uint8_t *p, fu_wide wide) { memcpy(p, &wide, 16); }
static inline int fu_wide_json(fu_wide wide) { return (fu_word_json(wide.words[0]) | fu_word_json(wide.words[1])) != 0; }
static inline int fu_wide_csv(fu_wide wide) { return (fu_word_csv(wide.words[0]) | fu_word_csv(wide.words[1])) != 0; }
#endif

/* Copy bytes up to the first that is not plain, and return its offset, or n if all are plain. `out` has space for n bytes. The
 * last load overlaps the one before it, so that no load goes past the text. */
#define FU_COPY_PLAIN(name, wide_not_plain, word_not_plain, byte_not_plain) \
    static inline size_t name(uint8_t *out, const uint8_t *p, size_t n) {   \
        size_t i = 0;                                                       \
        uint64_t word;                                                      \
        if (n >= 16) {                                                      \
            for (;;) {                                                      \
                fu_wide wide = fu_wide_load(p + i);                         \
                if (wide_not_plain(wide)) break;                            \
                fu_wide_store(out + i, wide);                               \
                i += 16;                                                    \
                if (i == n) return n;                                       \
                if (n - i < 16) i = n - 16;                                 \
            }                                                               \
        } else if (n >= 8) {                                                \
            for (;;) {                                                      \
                memcpy(&word, p + i, 8);                                    \
                if (word_not_plain(word)) break;                            \
                memcpy(out + i, &word, 8);                                  \
                i += 8;                                                     \
                if (i == n) return n;                                       \
                i = n - 8;                                                  \
            }                                                               \
        }                                                                   \
        for (; i < n && !byte_not_plain(p[i]); i++) out[i] = p[i];          \
        return i;                                                           \
    }
FU_COPY_PLAIN(fu_copy_plain_json, fu_wide_json, fu_word_json, fu_byte_json)
FU_COPY_PLAIN(fu_copy_plain_csv, fu_wide_csv, fu_word_csv, fu_byte_csv)

/* --- JSON ------------------------------------------------------------------------------------------------------------ */

/* Append a byte as its escape, such as %E9. */
static inline void fu_row_percent(fu_row_text *out, uint8_t byte) {
    static const char hex[] = "0123456789ABCDEF";
    const uint8_t text[3] = {'%', (uint8_t)hex[byte >> 4], (uint8_t)hex[byte & 15]};
    fu_row_put(out, text, 3);
}

static inline void fu_row_code(fu_row_text *out, uint32_t unit) {
    static const char hex[] = "0123456789abcdef";
    const uint8_t text[6] = {'\\',
                             'u',
                             (uint8_t)hex[unit >> 12 & 15],
                             (uint8_t)hex[unit >> 8 & 15],
                             (uint8_t)hex[unit >> 4 & 15],
                             (uint8_t)hex[unit & 15]};
    fu_row_put(out, text, 6);
}

/* Escape the byte at p, which is not plain, or the character that it starts. Return how many bytes of p were read. */
static inline size_t fu_row_escape(fu_row_text *out, const uint8_t *p, size_t n) {
    static const char letters[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    uint32_t code;
    int length;
    if (p[0] < 0x80) {
        for (size_t i = 0; i + 1 < sizeof letters; i += 2)
            if ((uint8_t)letters[i] == p[0]) {
                fu_row_byte(out, '\\');
                fu_row_byte(out, (uint8_t)letters[i + 1]);
                return 1;
            }
        fu_row_code(out, p[0]);
        return 1;
    }
    length = fu_utf8_step(p, n, &code);
    if (length < 0) {
        if (out->escapes)
            fu_row_percent(out, p[0]);
        else
            fu_row_code(out, 0xDC00u + p[0]);
        return 1;
    }
    if (code < 0x10000) {
        fu_row_code(out, code);
    } else {
        code -= 0x10000;
        fu_row_code(out, 0xD800 + (code >> 10));
        fu_row_code(out, 0xDC00 + (code & 0x3FF));
    }
    return (size_t)length;
}

/* Append a JSON string in ASCII. With out->escapes, a byte that is not UTF-8 becomes its escape. Else it becomes the lone
 * surrogate 0xDC00 + byte, as in Python's surrogateescape, so that different texts give different strings. */
static inline void fu_row_json_string(fu_row_text *out, const uint8_t *p, size_t n) {
    size_t i = 0, plain;
    if (!fu_row_reserve(out, n + 2)) return;
    fu_row_byte(out, '"');
    for (;;) {
        plain = fu_copy_plain_json(out->start + out->length, p + i, n - i);
        out->length += plain;
        i += plain;
        if (i == n) break;
        /* The longest escape (12 bytes), the bytes after it, and the closing quote. */
        if (!fu_row_reserve(out, n - i + 13)) return;
        i += fu_row_escape(out, p + i, n - i);
    }
    fu_row_byte(out, '"');
}

/* --- CSV ------------------------------------------------------------------------------------------------------------- */

/* Return 1 if a spreadsheet may read the text as a formula. Such a text starts with = + - @, also in full width (U+FF1D, FF0B,
 * FF0D, FF20), or with a control character that spreadsheets skip. A leading "'" counts too: then a reader can restore every
 * text by removing one "'". */
static inline int fu_is_formula(const uint8_t *p, size_t n) {
    if (!n) return 0;
    switch (p[0]) {
    case '=':
    case '+':
    case '-':
    case '@':
    case '\'':
    case '\t':
    case '\r':
    case '\n':
    case '\0': return 1;
    case 0xEF: return n > 2 && p[1] == 0xBC && (p[2] == 0x9D || p[2] == 0x8B || p[2] == 0x8D || p[2] == 0xA0);
    default: return 0;
    }
}

/* Open a quoted text. The caller has reserved two bytes. */
static inline void fu_row_csv_open(fu_row_text *out, int formula) {
    fu_row_byte(out, '"');
    if (formula) fu_row_byte(out, '\'');
}

/* Append a quoted CSV text that is not UTF-8. Each byte that is not UTF-8 becomes its escape. */
static inline void fu_row_csv_escape_invalid(fu_row_text *out, const uint8_t *p, size_t n, int formula) {
    uint32_t code;
    int step;
    if (!fu_row_reserve(out, 3 * n + 3)) return;
    fu_row_csv_open(out, formula);
    for (size_t i = 0; i < n;) {
        step = fu_utf8_step(p + i, n - i, &code);
        if (p[i] == '"') fu_row_byte(out, '"');
        if (step < 0) {
            fu_row_percent(out, p[i++]);
        } else {
            fu_row_put(out, p + i, (size_t)step);
            i += (size_t)step;
        }
    }
    fu_row_byte(out, '"');
}

/* Append a CSV text. Quote it if it contains a delimiter or may be a formula. Quote an empty text too, because an absent one is
 * written without quotes. */
static inline void fu_row_csv_string(fu_row_text *out, const uint8_t *p, size_t n) {
    const int formula = out->csv_safe && fu_is_formula(p, n);
    if (n > SIZE_MAX / 4 || !fu_row_reserve(out, n + 2)) {
        out->failed = 1;
        return;
    }
    if (out->escapes && fu_utf8_valid(p, n) != n) {
        fu_row_csv_escape_invalid(out, p, n, formula);
        return;
    }
    if (n && !formula && fu_copy_plain_csv(out->start + out->length, p, n) == n) {
        out->length += n;
        return;
    }
    if (!fu_row_reserve(out, 2 * n + 3)) return;
    fu_row_csv_open(out, formula);
    while (n) {
        const uint8_t *quote = (const uint8_t *)memchr(p, '"', n);
        const size_t run = quote == NULL ? n : (size_t)(quote - p) + 1;
        fu_row_put(out, p, run);
        if (quote != NULL) fu_row_byte(out, '"');
        p += run;
        n -= run;
    }
    fu_row_byte(out, '"');
}

/* --- rows ------------------------------------------------------------------------------------------------------------ */

static inline fu_slice fu_row_text_at(const fu_row_column *column, int64_t at) {
    const fu_view *view = (const fu_view *)column->values + at;
    const fu_slice text = {fu_view_bytes(view, column->data), (size_t)view->length};
    return text;
}

static inline void fu_row_set(fu_row_text *out, const fu_row_column *column, uint32_t set, uint8_t between) {
    int rest = 0;
    for (int place = 0; set; place++, set >>= 1) {
        if (!(set & 1)) continue;
        if (!fu_row_reserve(out, column->words[place].n + 2)) return;
        if (rest) fu_row_byte(out, between);
        fu_row_put(out, column->words[place].p, column->words[place].n);
        rest = 1;
    }
}

/* Append a Boolean or a number. The caller has reserved FU_ROW_NUMBER_MAX bytes. */
static inline void fu_row_plain_value(fu_row_text *out, const fu_row_column *column, int64_t at) {
    int64_t number;
    switch (column->kind) {
    case FU_ROW_BITS:
        if (fu_bit_at((const uint8_t *)column->values, at))
            fu_row_put(out, "true", 4);
        else
            fu_row_put(out, "false", 5);
        return;
    case FU_ROW_UINT16: fu_row_number(out, ((const uint16_t *)column->values)[at], 0); return;
    case FU_ROW_UINT64: fu_row_number(out, ((const uint64_t *)column->values)[at], 0); return;
    case FU_ROW_INT16: number = ((const int16_t *)column->values)[at]; break;
    case FU_ROW_INT32: number = ((const int32_t *)column->values)[at]; break;
    default: number = ((const int64_t *)column->values)[at]; break;
    }
    fu_row_number(out, number < 0 ? 0 - (uint64_t)number : (uint64_t)number, number < 0);
}

static inline void fu_row_value(fu_row_text *out, const fu_row_column *column, int64_t row, int csv) {
    int64_t at = column->first + row;
    fu_slice piece;
    uint32_t set;
#if defined(FU_HAS_INLINE_JSON)
    const fu_view *view;
#endif
    if (!fu_row_reserve(out, FU_ROW_BEFORE_MAX + FU_ROW_NUMBER_MAX)) return;
    memcpy(out->start + out->length, column->before, FU_ROW_BEFORE_MAX);
    out->length += column->before_length;
    if (column->kind == FU_ROW_NOTHING || (column->validity != NULL && !fu_bit_at(column->validity, at))) {
        if (!csv) fu_row_put(out, "null", 4);
        return;
    }
    switch (column->kind) {
    case FU_ROW_TEXTS:
#if defined(FU_HAS_INLINE_JSON)
        view = (const fu_view *)column->values + at;
        if (!csv && (uint32_t)view->length <= FU_VIEW_INLINE_MAX &&
            fu_put_inline_json(out->start + out->length, view, (size_t)view->length)) {
            out->length += (size_t)view->length + 2;
            return;
        }
#endif
        piece = fu_row_text_at(column, at);
        if (csv)
            fu_row_csv_string(out, piece.p, piece.n);
        else
            fu_row_json_string(out, piece.p, piece.n);
        return;
    case FU_ROW_BEFORE: return;
    case FU_ROW_WRITTEN:
        piece = fu_row_text_at(column, at);
        if (fu_row_reserve(out, piece.n)) fu_row_put(out, piece.p, piece.n);
        return;
    case FU_ROW_WORDS:
        piece = column->words[((const int8_t *)column->values)[at]];
        if (fu_row_reserve(out, piece.n)) fu_row_put(out, piece.p, piece.n);
        return;
    case FU_ROW_SETS:
        set = ((const uint32_t *)column->values)[at];
        if (!csv) fu_row_byte(out, '[');
        fu_row_set(out, column, set, csv ? '|' : ',');
        if (!csv && fu_row_reserve(out, 1)) fu_row_byte(out, ']');
        return;
    default: fu_row_plain_value(out, column, at);
    }
}

/* Number of rows whose text predicts the size of the other rows. */
#define FU_ROW_SAMPLE 64

/* Reserve space for the remaining rows: their size at the mean of the rows done, plus an eighth of the whole. Each growth copies
 * the text. Reserve nothing if the prediction exceeds the largest buffer that the pool keeps: a few long rows are a poor sample
 * of the others. */
static inline void fu_row_reserve_rest(fu_row_text *out, int64_t done, int64_t rest) {
    const size_t each = out->length / (size_t)done + 1;
    size_t wanted;
    if (each > FU_POOL_BUFFER_MAX || (uint64_t)rest > FU_POOL_BUFFER_MAX / each) return;
    wanted = out->length + each * (size_t)rest;
    wanted += wanted / 8;
    if (wanted <= out->capacity || wanted > FU_POOL_BUFFER_MAX) return;
    if (!fu_row_grow(out, wanted)) out->failed = 1;
}

/* Write the rows [start, end) that have a bit in `keep` (NULL: all rows). Return 0 if memory has run out. */
static inline int fu_put_rows(fu_row_text *out, const fu_row_column *columns, size_t count, int64_t start, int64_t end,
                              const uint8_t *keep, int csv) {
    for (int64_t row = start; row < end && !out->failed; row++) {
        if (keep != NULL && !fu_bit_at(keep, row)) continue;
        for (size_t i = 0; i < count; i++) fu_row_value(out, &columns[i], row, csv);
        if (!fu_row_reserve(out, 2)) break;
        if (!csv) fu_row_byte(out, '}');
        fu_row_byte(out, '\n');
        if (row - start == FU_ROW_SAMPLE - 1) fu_row_reserve_rest(out, FU_ROW_SAMPLE, end - row - 1);
    }
    return !out->failed;
}

#endif
