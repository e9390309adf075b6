/* Parse rows. Compiled once per kernel, after split_body.h. If FU_MASKED_VIEWS is defined, AVX-512 writes the views. */
#ifndef FASTURL_COLUMNS_BODY_H
#define FASTURL_COLUMNS_BODY_H

#include "columns/columns.h"
#include "columns/copied_body.h"
#include "split/split_body.h"
#include "validate/rfc3986.h"

#ifdef FU_MASKED_VIEWS
FU_STATIC_ASSERT(offsetof(fu_arrow_text, offset) == offsetof(fu_arrow_text, buffer) + 4 && offsetof(fu_view, buffer) == 8 &&
                     offsetof(fu_view, offset) == 12,
                 "buffer and offset are copied as one word");
#endif

/* Write the view of one part of a text. */
static inline void fu_put_view(fu_view *view, const fu_arrow_text *text, size_t start, size_t length) {
#ifdef FU_MASKED_VIEWS
    /* One masked load reads a short part, or at least the first four bytes of a long one. Masked-out bytes are not read.
     * There is no branch, because lengths are hard to predict. */
    __mmask16 loaded = (__mmask16)_bzhi_u32(0xffff, length > 16 ? 16 : (unsigned)length);
    __m128i data = _mm_maskz_loadu_epi8(loaded, text->p + start);
    __m128i lanes = _mm_or_si128(_mm_slli_si128(data, 4), _mm_cvtsi32_si128((int)length));
    uint64_t place; /* buffer and offset in one word */
    memcpy(&place, &text->buffer, 8);
    place += (uint64_t)start << 32;
    lanes = _mm_mask_set1_epi64(lanes, (__mmask8)((length > FU_VIEW_INLINE_MAX) << 1), (long long)place);
    _mm_storeu_si128((__m128i *)view, lanes);
#else
    fu_view_of(view, text->p + start, length, text->buffer, text->offset + (int64_t)start);
#endif
}

/* Validate a row. Write its findings and error offset, and set its bit in `invalid` at a violation. Return its findings, or
 * some violation if no column needs all. */
static uint32_t fu_put_diagnostics(const fu_scheme_table *table, fu_output *out, fu_form form, int64_t row,
                                   const fu_arrow_text *text, const fu_spans *s, uint64_t one, uint64_t *validity,
                                   uint64_t *invalid, fu_worker *w) {
    const uint32_t wanted = out->wanted;
    fu_diagnostics found;
    fu_start_diagnostics(&found);
    found.only_whether = !(wanted & (FU_BIT(FU_COLUMN_FINDING_BITS) | FU_BIT(FU_COLUMN_ERROR_OFFSET)));
    fu_validate(table, text->p, s, form, &found);
    if (!found.findings) return 0;
    if (FU_WANTS(FU_COLUMN_FINDING_BITS)) {
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_FINDING_BITS));
        ((uint32_t *)out->values[FU_COLUMN_FINDING_BITS])[row] = found.findings;
    }
    if (found.error_offset == FU_ABSENT) return found.findings;
    *invalid |= one;
    if (FU_WANTS(FU_COLUMN_ERROR_OFFSET)) {
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_ERROR_OFFSET));
        ((int32_t *)out->values[FU_COLUMN_ERROR_OFFSET])[row] = (int32_t)found.error_offset;
        validity[FU_COLUMN_ERROR_OFFSET] |= one;
    }
    return found.findings;
}

/* Return 1 if RFC 3986 allows a text. Out of line, because few rows need it. */
static FU_NOINLINE int fu_is_valid_rfc3986(const uint8_t *p, const fu_spans *s, fu_form form, int has_clean_bytes) {
    fu_diagnostics found;
    fu_start_diagnostics(&found);
    found.only_whether = 1;
    fu_validate_3986(p, s, form, has_clean_bytes, &found);
    return found.findings == 0;
}

/* Return the rows of a block that RFC 3986 allows. The split has proven most web URLs valid. Validation by RFC 1738 has
 * already looked at the bytes of some rows: those in `broken` have a byte that RFC 3986 forbids, those in `clean` have none. */
static inline uint64_t fu_valid_3986_rows(const uint8_t *targets, fu_form form, int64_t base, const fu_split_rows *block,
                                          uint64_t broken, uint64_t clean) {
    uint64_t valid = block->plain_http & ~block->unproven;
    for (uint64_t left = block->valid & ~valid & ~broken; left; left &= left - 1) {
        const int i = __builtin_ctzll(left);
        const uint8_t *p = block->texts[i].p;
        const fu_spans *s = &block->spans[i];
        const fu_form row_form = targets == NULL ? form : fu_form_of(targets, base + i);
        const int is_clean = (int)(clean >> i & 1);
        valid |= (uint64_t)(fu_is_plainly_3986(p, s, row_form, is_clean) || fu_is_valid_rfc3986(p, s, row_form, is_clean)) << i;
    }
    return valid;
}

/* Write a word into a text column. */
static inline void fu_put_word_at(fu_output *out, int column, int64_t row, fu_word word, fu_worker *w) {
    fu_open_columns(out, w, FU_BIT(column));
    fu_view_of(&fu_texts(out, column)[row], (const uint8_t *)word.text, word.length, 0, 0);
}

/* Write the parts of any row. fu_put_plain_http_rows may have written other values for this row, so the columns of
 * FU_PLAIN_HTTP_COLUMNS are zeroed first. The other columns are already zero. */
static void fu_put_row(fu_output *out, int64_t row, const fu_arrow_text *text, const fu_spans *s, uint64_t one,
                       uint64_t *validity, fu_worker *w) {
    static const fu_view nothing = {0, {0, 0, 0, 0}, 0, 0};
    const uint32_t wanted = out->wanted;
#define FU_PUT(column, is_there, from, to)                                               \
    if (FU_WANTS(column) && (is_there)) {                                                \
        fu_open_columns(out, w, FU_BIT(column));                                         \
        validity[column] |= one;                                                         \
        fu_put_view(&fu_texts(out, column)[row], text, (from), (size_t)((to) - (from))); \
    }
    for (int column = 0; column < FU_TEXT_COLUMNS; column++)
        if (w->opened & FU_PLAIN_HTTP_COLUMNS & FU_BIT(column)) fu_texts(out, column)[row] = nothing;
    if (FU_WANTS(FU_COLUMN_SCHEME) && s->flags & FU_HAS_SCHEME) {
        validity[FU_COLUMN_SCHEME] |= one;
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_SCHEME));
        fu_lower_view(&fu_texts(out, FU_COLUMN_SCHEME)[row], text, 0, s->scheme_end, s->scheme_end, w);
    }
    FU_PUT(FU_COLUMN_PATH, 1, s->path_start, s->path_end)
    FU_PUT(FU_COLUMN_QUERY, s->flags & FU_HAS_QUERY, s->path_end + 1, s->query_end)
    FU_PUT(FU_COLUMN_FRAGMENT, s->flags & FU_HAS_FRAGMENT, s->query_end + 1, s->length)
    if (!(s->flags & FU_HAS_NETLOC)) {
        if (FU_WANTS(FU_COLUMN_HOST_KIND)) fu_put_word_at(out, FU_COLUMN_HOST_KIND, row, fu_host_kind_words[FU_HOST_NONE], w);
        return;
    }
    FU_PUT(FU_COLUMN_NETLOC, 1, s->netloc_start, s->path_start)
    if (!(wanted & FU_WANTS_NETLOC_PARTS)) return;
    fu_netloc parts = {FU_ABSENT,     FU_ABSENT, FU_ABSENT, FU_ABSENT,       s->netloc_start,
                       s->path_start, FU_ABSENT, FU_ABSENT, s->netloc_start, s->path_start};
    if (!(s->flags & FU_NETLOC_IS_HOSTNAME)) fu_split_netloc(text->p, s->netloc_start, s->path_start, &parts);
    FU_PUT(FU_COLUMN_USERNAME, parts.user_start != FU_ABSENT, parts.user_start, parts.user_end)
    FU_PUT(FU_COLUMN_PASSWORD, parts.password_start != FU_ABSENT, parts.password_start, parts.password_end)
    FU_PUT(FU_COLUMN_HOST, 1, parts.host_start, parts.host_end)
    if (FU_WANTS(FU_COLUMN_HOSTNAME) && parts.host_start < parts.host_end) {
        validity[FU_COLUMN_HOSTNAME] |= one;
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_HOSTNAME));
        size_t zone = fu_find(text->p, parts.host_start, parts.host_end, '%');
        w->has_wide_host |= !fu_is_ascii(text->p + parts.host_start, zone - parts.host_start);
        fu_lower_view(&fu_texts(out, FU_COLUMN_HOSTNAME)[row], text, parts.host_start, zone, parts.host_end, w);
    }
    if (wanted & FU_WANTS_HOST_FACTS) {
        const fu_host_facts facts = fu_facts_of_host(text->p, parts.host_start, parts.host_end);
        if (FU_WANTS(FU_COLUMN_HOST_KIND)) fu_put_word_at(out, FU_COLUMN_HOST_KIND, row, fu_host_kind_words[facts.kind], w);
        if (FU_WANTS(FU_COLUMN_SCOPE) && facts.scope != FU_NO_SCOPE) {
            validity[FU_COLUMN_SCOPE] |= one;
            fu_put_word_at(out, FU_COLUMN_SCOPE, row, fu_scope_words[facts.scope], w);
        }
    }
    if (FU_WANTS(FU_COLUMN_PORT) && parts.port_start != FU_ABSENT) {
        int32_t port = fu_port_number(text->p, parts.port_start, parts.port_end);
        if (port >= 0) {
            fu_open_columns(out, w, FU_BIT(FU_COLUMN_PORT));
            ((uint16_t *)out->values[FU_COLUMN_PORT])[row] = (uint16_t)port;
            validity[FU_COLUMN_PORT] |= one;
        }
    }
#undef FU_PUT
}

/* Return 1 if a hostname of up to 64 bytes has an upper-case letter. Once fu_masks is inlined, its unused masks vanish. */
FU_FLATTEN static inline int fu_has_capital(const uint8_t *p, size_t length) {
    fu_block m;
    fu_masks(p, length, &m);
    return m.capital != 0;
}

/* fu_split_texts_for keeps the low eight flags of each row. */
FU_STATIC_ASSERT((FU_HAS_QUERY | FU_HAS_FRAGMENT | FU_PROVEN_VALID | FU_PLAIN_HTTP) <= UINT8_MAX,
                 "flags beyond the lowest eight are lost");

/* Return the span detail that these columns need. */
static inline fu_span_detail fu_detail_for(uint32_t wanted) {
    const uint32_t tail = FU_BIT(FU_COLUMN_QUERY) | FU_BIT(FU_COLUMN_FRAGMENT);
    const uint32_t places = tail | FU_BIT(FU_COLUMN_SCHEME) | FU_BIT(FU_COLUMN_NETLOC) | FU_BIT(FU_COLUMN_PATH);
    if (wanted & (FU_WANTS_VALIDATION | FU_BIT(FU_COLUMN_VALID_RFC3986))) return FU_DETAIL_ALL;
    if (!(wanted & (tail | FU_BIT(FU_COLUMN_PATH)))) return FU_DETAIL_NETLOC;
    if (!(wanted & ~tail)) return FU_DETAIL_TAIL;
    if (!(wanted & ~places)) return FU_DETAIL_PLACES;
    return FU_DETAIL_HOST;
}

/* Split the texts of up to 64 rows for `detail`. For FU_DETAIL_TAIL and FU_DETAIL_PLACES, plain_http includes every row whose
 * columns can be written as for a web URL without a fragment. */
static inline void fu_split_texts_for(fu_span_detail detail, const fu_scheme_table *table, const uint8_t *targets, fu_form form,
                                      int64_t base, fu_split_rows *block) {
    uint8_t flags[64] = {0};
    uint64_t plain = 0;
    for (int64_t i = 0; i < block->rows; i++) {
        const fu_arrow_text *text = &block->texts[i];
        fu_spans *s = &block->spans[i];
        FU_PREFETCH(text->p + 512);
        const fu_form row_form = targets == NULL ? form : fu_form_of(targets, base + i);
        if (detail == FU_DETAIL_TAIL)
            fu_split_tail_inline(table, text->p, (size_t)text->length, row_form, s);
        else
            plain |= (uint64_t)fu_split_inline(table, text->p, (size_t)text->length, row_form, detail, s) << i;
        flags[i] = (uint8_t)s->flags;
    }
    if (detail == FU_DETAIL_TAIL) plain = block->valid & ~fu_which(flags, FU_HAS_FRAGMENT);
    block->plain_http = detail >= FU_DETAIL_HOST || detail == FU_DETAIL_NETLOC ? fu_which(flags, FU_PLAIN_HTTP) : plain;
    block->queries = fu_which(flags, FU_HAS_QUERY) & block->plain_http;
    block->unproven = detail == FU_DETAIL_ALL ? ~fu_which(flags, FU_PROVEN_VALID) & block->valid : 0;
}

/* FU_FLATTEN inlines every call: the compiler generates one loop per span detail. */
FU_FLATTEN static void fu_split_texts(fu_span_detail detail, const fu_scheme_table *table, const uint8_t *targets, fu_form form,
                                      int64_t base, fu_split_rows *block) {
    switch (detail) {
    case FU_DETAIL_NETLOC: fu_split_texts_for(FU_DETAIL_NETLOC, table, targets, form, base, block); break;
    case FU_DETAIL_TAIL: fu_split_texts_for(FU_DETAIL_TAIL, table, targets, form, base, block); break;
    case FU_DETAIL_PLACES: fu_split_texts_for(FU_DETAIL_PLACES, table, targets, form, base, block); break;
    case FU_DETAIL_HOST: fu_split_texts_for(FU_DETAIL_HOST, table, targets, form, base, block); break;
    default: fu_split_texts_for(FU_DETAIL_ALL, table, targets, form, base, block);
    }
}

/* Return 1 if a text has at least 8 bytes and starts with "http:" or "https:" in any case. Then netloc_start is 7 for http and
 * 8 for https, whatever follows the ":". If the result is 0, netloc_start is invalid. */
static inline int fu_is_web_scheme(const uint8_t *p, size_t n, fu_spans *out) {
    const uint64_t letters = FU_BYTE(0x20, 0) | FU_BYTE(0x20, 1) | FU_BYTE(0x20, 2) | FU_BYTE(0x20, 3);
    const uint64_t five = FU_BYTE(0xff, 0) | FU_BYTE(0xff, 1) | FU_BYTE(0xff, 2) | FU_BYTE(0xff, 3) | FU_BYTE(0xff, 4);
    const uint64_t name = FU_BYTE('h', 0) | FU_BYTE('t', 1) | FU_BYTE('t', 2) | FU_BYTE('p', 3);
    uint64_t head;
    if (n < 8) return 0;
    memcpy(&head, p, 8);
    const int http = ((head | letters) & five) == (name | FU_BYTE(':', 4));
    const int https =
        ((head | letters | FU_BYTE(0x20, 4)) & (five | FU_BYTE(0xff, 5))) == (name | FU_BYTE('s', 4) | FU_BYTE(':', 5));
    out->netloc_start = 7 + (size_t)https;
    return http | https;
}

/* Find only the schemes of up to 64 rows. Texts that pass fu_is_web_scheme need no split. */
static inline void fu_read_schemes(const fu_scheme_table *table, fu_split_rows *block) {
    block->plain_http = block->queries = block->unproven = 0;
    for (int64_t i = 0; i < block->rows; i++) {
        const fu_arrow_text *text = &block->texts[i];
        FU_PREFETCH(text->p + 512);
        if (fu_is_web_scheme(text->p, (size_t)text->length, &block->spans[i]))
            block->plain_http |= (uint64_t)1 << i;
        else
            fu_split(table, text->p, (size_t)text->length, FU_FORM_URL, 0, &block->spans[i]);
    }
}

#define FU_FOR_EACH_BIT(i, rows) \
    (uint64_t left_ = (rows), i; left_ && (i = (uint64_t)__builtin_ctzll(left_), 1); left_ &= left_ - 1)

/* Write FU_PLAIN_HTTP_COLUMNS for all rows of the block, and the queries of its plain_http rows. A web URL has a value in each
 * of these columns, so their loops need no branch and no zeroed memory. Later, fu_put_row replaces the values of other rows. */
static inline void fu_put_plain_http_rows(fu_output *out, int64_t base, const fu_split_rows *block, const fu_view *schemes,
                                          fu_worker *w) {
    const uint32_t wanted = out->wanted;
    const int64_t rows = block->rows;
    fu_open_columns(out, w, FU_PLAIN_HTTP_COLUMNS);
    if (FU_WANTS(FU_COLUMN_SCHEME)) {
        fu_view *views = fu_texts(out, FU_COLUMN_SCHEME) + base;
        for (int64_t i = 0; i < rows; i++) views[i] = schemes[block->spans[i].netloc_start & 1]; /* 7: http, 8: https */
        for
            FU_FOR_EACH_BIT(i, fu_low_bits((size_t)rows) & ~block->valid) memset(&views[i], 0, sizeof views[i]);
    }
    if (FU_WANTS(FU_COLUMN_HOST_KIND)) {
        fu_view *views = fu_texts(out, FU_COLUMN_HOST_KIND) + base, name;
        fu_view_of(&name, (const uint8_t *)fu_host_kind_words[FU_HOST_NAME].text, fu_host_kind_words[FU_HOST_NAME].length, 0, 0);
        for (int64_t i = 0; i < rows; i++) views[i] = name;
        for
            FU_FOR_EACH_BIT(i, fu_low_bits((size_t)rows) & ~block->valid) memset(&views[i], 0, sizeof views[i]);
    }
    if (wanted & (FU_BIT(FU_COLUMN_NETLOC) | FU_BIT(FU_COLUMN_HOST) | FU_BIT(FU_COLUMN_HOSTNAME))) {
        fu_view hosts[64];
        const size_t size = (size_t)rows * sizeof hosts[0];
        for (int64_t i = 0; i < rows; i++) {
            const fu_spans *s = &block->spans[i];
            fu_put_view(&hosts[i], &block->texts[i], s->netloc_start, s->path_start - s->netloc_start);
        }
        if (FU_WANTS(FU_COLUMN_NETLOC)) memcpy(fu_texts(out, FU_COLUMN_NETLOC) + base, hosts, size);
        if (FU_WANTS(FU_COLUMN_HOST)) memcpy(fu_texts(out, FU_COLUMN_HOST) + base, hosts, size);
        if (FU_WANTS(FU_COLUMN_HOSTNAME)) {
            fu_view *views = fu_texts(out, FU_COLUMN_HOSTNAME) + base;
            memcpy(views, hosts, size);
            for
                FU_FOR_EACH_BIT(i, block->plain_http) {
                    const fu_spans *s = &block->spans[i];
                    const size_t start = s->netloc_start, end = s->path_start;
                    if (fu_has_capital(block->texts[i].p + start, end - start))
                        fu_lower_view(&views[i], &block->texts[i], start, end, end, w);
                }
        }
    }
    if (FU_WANTS(FU_COLUMN_PATH)) {
        fu_view *views = fu_texts(out, FU_COLUMN_PATH) + base;
        for (int64_t i = 0; i < rows; i++) {
            const fu_spans *s = &block->spans[i];
            fu_put_view(&views[i], &block->texts[i], s->path_start, s->path_end - s->path_start);
        }
    }
    if (FU_WANTS(FU_COLUMN_QUERY) && block->queries) {
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_QUERY));
        fu_view *views = fu_texts(out, FU_COLUMN_QUERY) + base;
        for
            FU_FOR_EACH_BIT(i, block->queries) {
                const fu_spans *s = &block->spans[i];
                fu_put_view(&views[i], &block->texts[i], s->path_end + 1, s->query_end - s->path_end - 1);
            }
    }
}

/* Parse the rows [start, end) into the output. A worker's first call starts at w->start. If w->copies lacks space for 64 rows,
 * the work stops at w->next, and the next call continues there. */
static void fu_parse_rows(const fu_scheme_table *table, const fu_input *in, fu_output *output, fu_form form, int64_t start,
                          int64_t end, fu_worker *w) {
    const uint32_t wanted = output->wanted, texts = w->copies ? FU_TEXTS : 0;
    const fu_span_detail detail = fu_detail_for(wanted);
    fu_output here = *output, *out = &here;
    fu_split_rows block;
    fu_view http_schemes[2];
    fu_view_of(&http_schemes[0], (const uint8_t *)"https", 5, 0, 0);
    fu_view_of(&http_schemes[1], (const uint8_t *)"http", 4, 0, 0);
    /* These need no zeroing: each block writes all bits of the two columns, and the copies' views are zero between blocks. */
    w->opened |= wanted & (FU_BIT(FU_COLUMN_VALID_RFC1738) | FU_BIT(FU_COLUMN_VALID_RFC3986) | texts);
    for (int64_t base = w->next = start; base < end; w->next = base += 64) {
        const int64_t rows = end - base < 64 ? end - base : 64;
        uint64_t validity[FU_COLUMNS] = {0};
        uint64_t invalid = 0, broken = 0, clean = 0;
        w->stop = base + rows;
        block.rows = rows;
        block.valid = fu_validity_word(in, base, rows);
        const int64_t failed = fu_load_texts(in, base, rows, block.valid, block.texts, &w->fault);
        if (failed >= 0) {
            w->failed_row = base + failed;
            return;
        }
        if (texts) {
            if (!fu_copies_fit(w->copies, wanted, &block)) return;
            for (int column = 0; column < FU_TEXT_COLUMNS; column++) /* offset, so that row `base` is the first view */
                here.values[column] = (void *)((uintptr_t)w->copies->views[column] - (uintptr_t)base * sizeof(fu_view));
        }
        if (wanted == FU_BIT(FU_COLUMN_SCHEME) && form == FU_FORM_URL && in->targets == NULL)
            fu_read_schemes(table, &block);
        else
            fu_split_texts(detail, table, in->targets, form, base, &block);
        fu_zero_open_columns(out, w, ~texts & (block.plain_http ? ~FU_PLAIN_HTTP_COLUMNS : ~(uint32_t)0), base);
        if (block.plain_http) fu_put_plain_http_rows(out, base, &block, http_schemes, w);
        for
            FU_FOR_EACH_BIT(i, block.valid & ~block.plain_http)
        fu_put_row(out, base + (int64_t)i, &block.texts[i], &block.spans[i], (uint64_t)1 << i, validity, w);
        if (wanted & FU_WANTS_VALIDATION)
            for
                FU_FOR_EACH_BIT(i, block.unproven) {
                    const int64_t row = base + (int64_t)i;
                    const fu_form row_form = in->targets == NULL ? form : fu_form_of(in->targets, row);
                    const uint64_t one = (uint64_t)1 << i;
                    const uint32_t found = fu_put_diagnostics(table, out, row_form, row, &block.texts[i], &block.spans[i], one,
                                                              validity, &invalid, w);
                    broken |= found & FU_BROKEN_BYTES ? one : 0;
                    clean |= found & FU_VIOLATING_BYTES ? 0 : one;
                }
        validity[FU_COLUMN_SCHEME] |= block.plain_http;
        validity[FU_COLUMN_NETLOC] |= block.plain_http;
        validity[FU_COLUMN_HOST] |= block.plain_http;
        validity[FU_COLUMN_HOSTNAME] |= block.plain_http;
        validity[FU_COLUMN_QUERY] |= block.queries;
        validity[FU_COLUMN_HOST_KIND] = validity[FU_COLUMN_PATH] = validity[FU_COLUMN_FINDING_BITS] =
            validity[FU_COLUMN_VALID_RFC1738] = block.valid;
        if (FU_WANTS(FU_COLUMN_VALID_RFC3986)) {
            const uint64_t rows_3986 = fu_valid_3986_rows(in->targets, form, base, &block, broken, clean);
            fu_put_word((uint8_t *)out->values[FU_COLUMN_VALID_RFC3986], base, end, rows_3986);
            validity[FU_COLUMN_VALID_RFC3986] = block.valid;
        }
        if (texts) fu_copy_block(out, w, &block, base, validity);
        for (int column = 0; column < FU_COLUMNS; column++)
            if (FU_WANTS(column)) {
                fu_put_word(out->validity[column], base, end, validity[column]);
                w->nulls[column] += rows - __builtin_popcountll(validity[column]);
            }
        if (FU_WANTS(FU_COLUMN_VALID_RFC1738))
            fu_put_word((uint8_t *)out->values[FU_COLUMN_VALID_RFC1738], base, end, block.valid & ~invalid);
    }
}
#undef FU_FOR_EACH_BIT

#endif
