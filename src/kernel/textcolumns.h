/* Columns of texts made from columns of texts: one view for each row.
 *
 * A row that nothing changes becomes a view of where it stands in the input. What does change is written into a block of
 * memory that the caller brings; when one is full the work stops at that row, and goes on there with the next block.
 * What a row becomes is for the headers of one text at a time to say; nothing is decided twice. */
#ifndef FASTURL_TEXTCOLUMNS_H
#define FASTURL_TEXTCOLUMNS_H

#include "columns.h"
#include "normal.h"
#include "query.h"
#include "quote.h"
#include "unquote.h"
#include "utf8_replace.h"

/* Texts up to this length are quoted where they go; of a longer one the result's exact length is counted first. */
#define FU_QUOTE_PIECE 512
/* A view's length is 31 bits. */
#define FU_VIEW_MAX ((size_t)INT32_MAX)

typedef enum { FU_QUOTE_TEXTS, FU_UNQUOTE_TEXTS, FU_NORMALIZE_TEXTS, FU_QUERY_VALUES, FU_REDACT_TEXTS } fu_text_work_kind;

typedef struct {
    fu_text_work_kind kind;
    int text; /* characters in UTF-8, not octets: an error in what escapes decode to is replaced */
    const fu_quote_table *quote;
    const fu_scheme_table *schemes;
    const fu_name *names; /* one for query values, any number for what is hidden */
    size_t count;
    int octets_tell; /* 0: the name is compared with names whose errors are replaced */
    int has_otherwise;
    fu_view otherwise; /* where no pair has the name */
} fu_text_work;

/* What became of a row. FU_NEEDS_ROOM: nothing yet, the block at hand is too small for it. */
typedef enum { FU_PART, FU_MADE, FU_OTHERWISE, FU_NULL, FU_NEEDS_ROOM, FU_TOO_LONG } fu_made_kind;

typedef struct {
    fu_made_kind kind;
    size_t start; /* FU_PART: where it stands in the text */
    size_t length;
} fu_made;

typedef struct {
    fu_view *views;
    uint8_t *validity;
    uint8_t *block;
    size_t used, room;
    int32_t buffer; /* the number by which views name the block */
    int64_t row, end;
    uint64_t present; /* of the rows since the last multiple of 64 */
    int64_t nulls;
    size_t needed;      /* room for the row that does not fit */
    int64_t failed_row; /* whose text no view can name, or -1 */
} fu_mapping;

static inline fu_made fu_a_part(size_t start, size_t length) {
    fu_made made = {FU_PART, start, length};
    return made;
}

static inline fu_made fu_is_made(size_t length) {
    fu_made made = {FU_MADE, 0, length};
    return made;
}

/* Where `length` octets can be written, or NULL when there is no such room in the block. */
static inline uint8_t *fu_block_room(fu_mapping *m, size_t length) {
    m->needed = length;
    if (m->block == NULL || m->used > FU_VIEW_MAX) return NULL;
    return m->room - m->used >= length ? m->block + m->used : NULL;
}

static inline fu_made fu_only(fu_made_kind kind) {
    fu_made made = {kind, 0, 0};
    return made;
}

static inline fu_made fu_quote_one(const fu_quote_table *table, const uint8_t *p, size_t n, fu_mapping *m) {
    uint8_t *out;
    size_t length;
    if (n <= FU_QUOTE_PIECE) {
        out = fu_block_room(m, 3 * n + FU_QUOTE_SLACK);
        if (out == NULL) return fu_quote_find(table, p, n) == n ? fu_a_part(0, n) : fu_only(FU_NEEDS_ROOM);
        /* Written at once, and dropped when it is no longer than before: most texts that are quoted need it. */
        length = fu_quote_write(table, p, n, out);
        return length == n ? fu_a_part(0, n) : fu_is_made(length);
    }
    length = fu_quote_length(table, p, n);
    if (length == n) return fu_a_part(0, n);
    if (length > FU_VIEW_MAX) return fu_only(FU_TOO_LONG);
    out = fu_block_room(m, length);
    if (out == NULL) return fu_only(FU_NEEDS_ROOM);
    while (n > 0) {
        uint8_t piece[3 * FU_QUOTE_PIECE + FU_QUOTE_SLACK];
        size_t taken = n < FU_QUOTE_PIECE ? n : FU_QUOTE_PIECE;
        size_t wrote = fu_quote_write(table, p, taken, piece);
        memcpy(out, piece, wrote);
        out += wrote;
        p += taken;
        n -= taken;
    }
    return fu_is_made(length);
}

static inline fu_made fu_unquote_one(int text, int plus, const uint8_t *p, size_t n, fu_mapping *m) {
    uint8_t seen = 0;
    if (fu_unquote_find(p, n, plus) == n) return fu_a_part(0, n);
    uint8_t *out = fu_block_room(m, n);
    if (out == NULL) return fu_only(FU_NEEDS_ROOM);
    size_t length = fu_unquote_write(p, n, plus, out, &seen);
    if (length == n && !plus) return fu_a_part(0, n);
    if (!text || seen < 0x80 || fu_utf8_valid(out, length) == length) return fu_is_made(length);
    if (fu_block_room(m, 4 * length) == NULL) return fu_only(FU_NEEDS_ROOM);
    size_t replaced = fu_utf8_replace(out, length, out + length);
    if (replaced > FU_VIEW_MAX) return fu_only(FU_TOO_LONG);
    memmove(out, out + length, replaced);
    return fu_is_made(replaced);
}

static inline fu_made fu_normalize_one(const fu_scheme_table *schemes, const uint8_t *p, size_t n, fu_mapping *m) {
    fu_spans spans;
    fu_split(schemes, p, n, FU_FORM_URL, 1, &spans);
    if (fu_is_plainly_normal(p, &spans)) return fu_a_part(0, n);
    uint8_t *out = fu_block_room(m, n);
    if (out == NULL) return fu_only(FU_NEEDS_ROOM);
    size_t length = fu_normal(schemes, p, &spans, 0, out);
    return length == n && memcmp(p, out, n) == 0 ? fu_a_part(0, n) : fu_is_made(length);
}

/* As fu_find_pair, for a name that has U+FFFD in it, as an error in what a name in the query decodes to has. -1 when there
 * is no room to decode that. */
static inline int fu_find_replaced(const uint8_t *p, size_t n, const fu_name *name, fu_pair *pair, fu_mapping *m) {
    for (size_t at = 0; at < n; at = pair->end + 1) {
        fu_next_pair(p, n, at, '&', pair);
        size_t length = pair->name_end - pair->start;
        if (pair->end == pair->start) continue;
        if (!pair->name_marks) {
            if (fu_is_name(p + pair->start, length, 0, name)) return 1;
            continue;
        }
        uint8_t seen = 0;
        uint8_t *octets = fu_block_room(m, 4 * length);
        if (octets == NULL) return -1;
        size_t decoded = fu_unquote_write(p + pair->start, length, 1, octets, &seen);
        size_t replaced = fu_utf8_replace(octets, decoded, octets + length);
        if (replaced == name->length && memcmp(octets + length, name->octets, replaced) == 0) return 1;
    }
    return 0;
}

static inline fu_made fu_query_value_one(const fu_text_work *work, const uint8_t *p, size_t n, fu_mapping *m) {
    fu_pair pair;
    size_t start, end;
    int found = 0;
    if (fu_query_span(p, n, &start, &end)) {
        found = work->octets_tell ? fu_find_pair(p + start, end - start, work->names, &pair)
                                  : fu_find_replaced(p + start, end - start, work->names, &pair, m);
        if (found < 0) return fu_only(FU_NEEDS_ROOM);
    }
    if (!found) return fu_only(work->has_otherwise ? FU_OTHERWISE : FU_NULL);
    if (!pair.value_marks) return fu_a_part(start + pair.value, pair.end - pair.value);
    return fu_unquote_one(work->text, 1, p + start + pair.value, pair.end - pair.value, m);
}

/* Copied even when nothing is hidden: a view of the input would hand on the input's buffers with all their secrets. */
static inline fu_made fu_redact_one(const fu_text_work *work, const uint8_t *p, size_t n, fu_mapping *m) {
    static const uint8_t shown[3] = {'*', '*', '*'};
    fu_redaction redaction;
    size_t start, end, length = n, done = 0;
    int any = 0;
    fu_start_redaction(&redaction, p, n, work->names, work->count);
    while (fu_next_hidden(&redaction, &start, &end)) {
        length += sizeof shown - (end - start);
        any = 1;
    }
    if (length > FU_VIEW_MAX) return fu_only(FU_TOO_LONG);
    uint8_t *out = fu_block_room(m, length);
    if (out == NULL) return fu_only(FU_NEEDS_ROOM);
    fu_start_redaction(&redaction, p, n, work->names, work->count);
    while (any && fu_next_hidden(&redaction, &start, &end)) {
        memcpy(out, p + done, start - done);
        out += start - done;
        memcpy(out, shown, sizeof shown);
        out += sizeof shown;
        done = end;
    }
    if (n > done) memcpy(out, p + done, n - done);
    return fu_is_made(length);
}

static inline fu_made fu_make_one(const fu_text_work *work, const uint8_t *p, size_t n, fu_mapping *m) {
    switch (work->kind) {
        case FU_QUOTE_TEXTS: return fu_quote_one(work->quote, p, n, m);
        case FU_UNQUOTE_TEXTS: return fu_unquote_one(work->text, 0, p, n, m);
        case FU_NORMALIZE_TEXTS: return fu_normalize_one(work->schemes, p, n, m);
        case FU_QUERY_VALUES: return fu_query_value_one(work, p, n, m);
        default: return fu_redact_one(work, p, n, m);
    }
}

/* Go on from m->row, which starts at a multiple of 64, to m->end. Returns 1 when done; 0 when a block with room for
 * m->needed octets is wanted, or m->failed_row says which text is too long. */
static inline int fu_map_rows_here(const fu_text_work *work, const fu_input *in, fu_mapping *m) {
    while (m->row < m->end) {
        const int64_t row = m->row;
        fu_view *view = &m->views[row];
        fu_made made = {FU_NULL, 0, 0};
        fu_text text = {NULL, 0, 0, 0};
        if (!fu_row_is_null(in, row)) {
            text = fu_text_at(in, row);
            if (text.length > FU_TEXT_MAX) {
                m->failed_row = row;
                return 0;
            }
            FU_PREFETCH(text.p + 512);
            made = fu_make_one(work, text.p, (size_t)text.length, m);
        }
        switch (made.kind) {
            case FU_PART:
                fu_view_of(view, text.p + made.start, made.length, text.buffer, text.offset + (int64_t)made.start);
                break;
            case FU_MADE:
                fu_view_of(view, m->block + m->used, made.length, m->buffer, (int64_t)m->used);
                if (made.length > 12) m->used += made.length;
                break;
            case FU_OTHERWISE: *view = work->otherwise; break;
            case FU_NULL: memset(view, 0, sizeof *view); break;
            case FU_TOO_LONG: m->failed_row = row; return 0;
            default: return 0;
        }
        if (made.kind == FU_NULL)
            m->nulls++;
        else
            m->present |= (uint64_t)1 << (row & 63);
        m->row++;
        if ((row & 63) == 63 || m->row == m->end) {
            fu_put_word(m->validity, row & ~(int64_t)63, m->end, m->present);
            m->present = 0;
        }
    }
    return 1;
}

#ifdef FU_ESCAPE_HAS_AVX512
/* The same, with all that it calls inlined: texts are short, and calls between kinds of instructions cannot be. */
FU_ESCAPE_TARGET __attribute__((flatten)) static int fu_map_rows_avx512(const fu_text_work *work, const fu_input *in,
                                                                        fu_mapping *m) {
    return fu_map_rows_here(work, in, m);
}
#endif

static inline int fu_map_rows(const fu_text_work *work, const fu_input *in, fu_mapping *m) {
#ifdef FU_ESCAPE_HAS_AVX512
    if (fu_escape_level == FU_ESCAPE_AVX512) return fu_map_rows_avx512(work, in, m);
#endif
    return fu_map_rows_here(work, in, m);
}

#endif
