/* Columns of texts made from columns of texts: one view for each row.
 *
 * A row that nothing changes becomes a view of where it stands in the input. What does change is written into a block of
 * memory that the caller brings; when one is full the work stops at that row, and goes on there with the next block.
 * What a row becomes is for the headers of one text at a time to say; nothing is decided twice. */
#ifndef FASTURL_TEXTCOLUMNS_H
#define FASTURL_TEXTCOLUMNS_H

#include "columns.h"
#include "quote.h"
#include "unquote.h"
#include "utf8_replace.h"

/* Texts up to this length are quoted where they go; of a longer one the result's exact length is counted first. */
#define FU_QUOTE_PIECE 512
/* A view's length is 31 bits. */
#define FU_VIEW_MAX ((size_t)INT32_MAX)

typedef enum { FU_QUOTE_TEXTS, FU_UNQUOTE_TEXTS } fu_text_work_kind;

typedef struct {
    fu_text_work_kind kind;
    int text; /* characters in UTF-8, not octets: an error in what escapes decode to is replaced */
    const fu_quote_table *quote;
} fu_text_work;

/* What became of a row. FU_NEEDS_ROOM: nothing yet, the block at hand is too small for it. */
typedef enum { FU_PART, FU_MADE, FU_NULL, FU_NEEDS_ROOM, FU_TOO_LONG } fu_made_kind;

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

static inline fu_made fu_needs_room(void) {
    fu_made made = {FU_NEEDS_ROOM, 0, 0};
    return made;
}

static inline fu_made fu_quote_one(const fu_quote_table *table, const uint8_t *p, size_t n, fu_mapping *m) {
    uint8_t *out;
    size_t length;
    if (n <= FU_QUOTE_PIECE) {
        out = fu_block_room(m, 3 * n + FU_QUOTE_SLACK);
        if (out == NULL) return fu_quote_find(table, p, n) == n ? fu_a_part(0, n) : fu_needs_room();
        /* Written at once, and dropped when it is no longer than before: most texts that are quoted need it. */
        length = fu_quote_write(table, p, n, out);
        return length == n ? fu_a_part(0, n) : fu_is_made(length);
    }
    length = fu_quote_length(table, p, n);
    if (length == n) return fu_a_part(0, n);
    if (length > FU_VIEW_MAX) {
        fu_made made = {FU_TOO_LONG, 0, 0};
        return made;
    }
    out = fu_block_room(m, length);
    if (out == NULL) return fu_needs_room();
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
    if (out == NULL) return fu_needs_room();
    size_t length = fu_unquote_write(p, n, plus, out, &seen);
    if (length == n && !plus) return fu_a_part(0, n);
    if (!text || seen < 0x80 || fu_utf8_valid(out, length) == length) return fu_is_made(length);
    if (fu_block_room(m, 4 * length) == NULL) return fu_needs_room();
    size_t replaced = fu_utf8_replace(out, length, out + length);
    if (replaced > FU_VIEW_MAX) {
        fu_made made = {FU_TOO_LONG, 0, 0};
        return made;
    }
    memmove(out, out + length, replaced);
    return fu_is_made(replaced);
}

static inline fu_made fu_make_one(const fu_text_work *work, const uint8_t *p, size_t n, fu_mapping *m) {
    switch (work->kind) {
        case FU_QUOTE_TEXTS: return fu_quote_one(work->quote, p, n, m);
        default: return fu_unquote_one(work->text, 0, p, n, m);
    }
}

/* Go on from m->row, which starts at a multiple of 64, to m->end. Returns 1 when done; 0 when a block with room for
 * m->needed octets is wanted, or m->failed_row says which text is too long. */
static inline int fu_map_rows(const fu_text_work *work, const fu_input *in, fu_mapping *m) {
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

#endif
