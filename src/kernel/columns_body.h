/* The rows, once for every kernel: included by columns.h with FU_KERNEL and FU_TARGET, as split_body.h is. */

/* The view of one part of a text. */
FU_TARGET static inline void FU_NAME(fu_put_view)(fu_view *view, const fu_text *text, size_t start, size_t length) {
#ifdef FU_MASKED_VIEWS
    /* One masked load brings a short part, or the first four octets of a long one; lanes it masks out are not read.
     * Without a branch: lengths are as good as random. */
    __mmask16 present = (__mmask16)_bzhi_u32(0xffff, length > 16 ? 16 : (unsigned)length);
    __m128i octets = _mm_maskz_loadu_epi8(present, text->p + start);
    __m128i made = _mm_or_si128(_mm_slli_si128(octets, 4), _mm_cvtsi32_si128((int)length));
    uint64_t place; /* buffer and offset in one word */
    memcpy(&place, &text->buffer, 8);
    place += (uint64_t)start << 32;
    made = _mm_mask_set1_epi64(made, (__mmask8)((length > 12) << 1), (long long)place);
    _mm_storeu_si128((__m128i *)view, made);
#else
    fu_view_of(view, text->p + start, length, text->buffer, text->offset + (int64_t)start);
#endif
}

/* What the judge says of a row. */
FU_TARGET static void FU_NAME(fu_put_verdict)(const fu_scheme_table *table, fu_output *out, fu_form form, int64_t row,
                                              const fu_text *text, const fu_spans *s, uint64_t one, uint64_t *present,
                                              uint64_t *invalid, fu_worker *w) {
    const uint32_t wanted = out->wanted;
    fu_verdict verdict;
    fu_start_verdict(&verdict);
    fu_judge(table, text->p, s, form, &verdict);
    if (fu_shape_of(table, s->scheme) == FU_SHAPE_CUSTOM) fu_note_custom(w, row, s->scheme);
    if (!verdict.findings) return;
    if (FU_WANTS(FU_COLUMN_FINDINGS)) {
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_FINDINGS));
        out->findings[row] = verdict.findings;
    }
    if (verdict.error_offset == FU_ABSENT) return;
    *invalid |= one;
    if (FU_WANTS(FU_COLUMN_ERROR_OFFSET)) {
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_ERROR_OFFSET));
        out->error_offset[row] = (int32_t)verdict.error_offset;
        present[FU_COLUMN_ERROR_OFFSET] |= one;
    }
}

/* The parts of any row. An absent one is written in the columns of web URLs, where something else may stand; the others
 * are zero before. */
FU_TARGET static void FU_NAME(fu_put_row)(fu_output *out, int64_t row, const fu_text *text, const fu_spans *s,
                                          uint64_t one, uint64_t *present, fu_worker *w) {
    static const fu_view nothing = {0, {0, 0, 0, 0}, 0, 0};
    const uint32_t wanted = out->wanted;
#define FU_PUT(column, is_there, from, to)                                                    \
    if (FU_WANTS(column) && (is_there)) {                                                     \
        fu_open_columns(out, w, FU_BIT(column));                                              \
        present[column] |= one;                                                               \
        FU_NAME(fu_put_view)(&out->texts[column][row], text, (from), (size_t)((to) - (from))); \
    }
    for (int column = 0; column < FU_TEXT_COLUMNS; column++)
        if (w->opened & FU_WEB_COLUMNS & FU_BIT(column)) out->texts[column][row] = nothing;
    if (FU_WANTS(FU_COLUMN_SCHEME) && s->flags & FU_HAS_SCHEME) {
        present[FU_COLUMN_SCHEME] |= one;
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_SCHEME));
        fu_lower_view(&out->texts[FU_COLUMN_SCHEME][row], text, 0, s->scheme_end, s->scheme_end, w);
    }
    FU_PUT(FU_COLUMN_PATH, 1, s->path_start, s->path_end)
    FU_PUT(FU_COLUMN_QUERY, s->flags & FU_HAS_QUERY, s->path_end + 1, s->query_end)
    FU_PUT(FU_COLUMN_FRAGMENT, s->flags & FU_HAS_FRAGMENT, s->query_end + 1, s->length)
    if (!(s->flags & FU_HAS_NETLOC)) return;
    FU_PUT(FU_COLUMN_NETLOC, 1, s->netloc_start, s->path_start)
    if (!(wanted & FU_WANTS_NETLOC_PARTS)) return;
    fu_netloc parts = {FU_ABSENT, FU_ABSENT, FU_ABSENT, FU_ABSENT, s->netloc_start, s->path_start, FU_ABSENT, FU_ABSENT};
    if (!(s->flags & FU_HOSTNAME)) fu_cut_netloc(text->p, s->netloc_start, s->path_start, &parts);
    FU_PUT(FU_COLUMN_USERNAME, parts.user_start != FU_ABSENT, parts.user_start, parts.user_end)
    FU_PUT(FU_COLUMN_PASSWORD, parts.password_start != FU_ABSENT, parts.password_start, parts.password_end)
    FU_PUT(FU_COLUMN_HOST, 1, parts.host_start, parts.host_end)
    if (FU_WANTS(FU_COLUMN_HOSTNAME) && parts.host_start < parts.host_end) {
        present[FU_COLUMN_HOSTNAME] |= one;
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_HOSTNAME));
        size_t zone = fu_find(text->p, parts.host_start, parts.host_end, '%');
        fu_lower_view(&out->texts[FU_COLUMN_HOSTNAME][row], text, parts.host_start, zone, parts.host_end, w);
    }
    if (FU_WANTS(FU_COLUMN_PORT) && parts.port_start != FU_ABSENT) {
        int32_t port = fu_port_number(text->p, parts.port_start, parts.port_end);
        if (port >= 0) {
            fu_open_columns(out, w, FU_BIT(FU_COLUMN_PORT));
            out->port[row] = (uint16_t)port;
            present[FU_COLUMN_PORT] |= one;
        }
    }
#undef FU_PUT
}

/* Whether a hostname of up to 64 octets has an upper-case letter. */
FU_TARGET static inline int FU_NAME(fu_has_capital)(const uint8_t *p, size_t length) {
    fu_masks m;
    FU_NAME(fu_masks)(p, length, &m);
    return m.capital != 0;
}

/* Cut the texts of a block. */
FU_TARGET static inline void FU_NAME(fu_cut)(const fu_scheme_table *table, const uint8_t *targets, fu_form form,
                                             int64_t base, fu_cut_rows *cut) {
    uint8_t flags[64] = {0};
    for (int64_t i = 0; i < cut->rows; i++) {
        const fu_text *text = &cut->texts[i];
        fu_spans *s = &cut->spans[i];
        FU_PREFETCH(text->p + 512);
        const fu_form row_form = targets == NULL ? form : fu_form_of(targets, base + i);
        FU_NAME(fu_split_inline)(table, text->p, (size_t)text->length, row_form, s);
        flags[i] = (uint8_t)s->flags;
    }
    cut->web = fu_which(flags, FU_WEB);
    cut->queries = fu_which(flags, FU_HAS_QUERY) & cut->web;
    cut->doubted = ~fu_which(flags, FU_CLEAN) & cut->given;
}

#define FU_EACH(i, rows) \
    (uint64_t left_ = (rows), i; left_ && (i = (uint64_t)__builtin_ctzll(left_), 1); left_ &= left_ - 1)

/* The columns in which a web URL always has a value are written for all rows of the block, so that no loop has to choose
 * and nothing has to be zeroed before. What that gives for another row fu_put_row replaces, which comes after. */
FU_TARGET static inline void FU_NAME(fu_put_web_rows)(fu_output *out, int64_t base, const fu_cut_rows *cut,
                                                      const fu_view *schemes, fu_worker *w) {
    const uint32_t wanted = out->wanted;
    const int64_t rows = cut->rows;
    fu_open_columns(out, w, FU_WEB_COLUMNS);
    if (FU_WANTS(FU_COLUMN_SCHEME)) {
        fu_view *views = out->texts[FU_COLUMN_SCHEME] + base;
        for (int64_t i = 0; i < rows; i++) views[i] = schemes[cut->spans[i].netloc_start & 1]; /* 7 or 8 */
        for FU_EACH(i, fu_low_bits((size_t)rows) & ~cut->given) memset(&views[i], 0, sizeof views[i]);
    }
    if (wanted & (FU_BIT(FU_COLUMN_NETLOC) | FU_BIT(FU_COLUMN_HOST) | FU_BIT(FU_COLUMN_HOSTNAME))) {
        fu_view hosts[64];
        const size_t size = (size_t)rows * sizeof hosts[0];
        for (int64_t i = 0; i < rows; i++) {
            const fu_spans *s = &cut->spans[i];
            FU_NAME(fu_put_view)(&hosts[i], &cut->texts[i], s->netloc_start, s->path_start - s->netloc_start);
        }
        if (FU_WANTS(FU_COLUMN_NETLOC)) memcpy(out->texts[FU_COLUMN_NETLOC] + base, hosts, size);
        if (FU_WANTS(FU_COLUMN_HOST)) memcpy(out->texts[FU_COLUMN_HOST] + base, hosts, size);
        if (FU_WANTS(FU_COLUMN_HOSTNAME)) {
            fu_view *views = out->texts[FU_COLUMN_HOSTNAME] + base;
            memcpy(views, hosts, size);
            for FU_EACH(i, cut->web) {
                const fu_spans *s = &cut->spans[i];
                const size_t start = s->netloc_start, end = s->path_start;
                if (FU_NAME(fu_has_capital)(cut->texts[i].p + start, end - start))
                    fu_lower_view(&views[i], &cut->texts[i], start, end, end, w);
            }
        }
    }
    if (FU_WANTS(FU_COLUMN_PATH)) {
        fu_view *views = out->texts[FU_COLUMN_PATH] + base;
        for (int64_t i = 0; i < rows; i++) {
            const fu_spans *s = &cut->spans[i];
            FU_NAME(fu_put_view)(&views[i], &cut->texts[i], s->path_start, s->path_end - s->path_start);
        }
    }
    if (FU_WANTS(FU_COLUMN_QUERY) && cut->queries) {
        fu_open_columns(out, w, FU_BIT(FU_COLUMN_QUERY));
        fu_view *views = out->texts[FU_COLUMN_QUERY] + base;
        for FU_EACH(i, cut->queries) {
            const fu_spans *s = &cut->spans[i];
            FU_NAME(fu_put_view)(&views[i], &cut->texts[i], s->path_end + 1, s->query_end - s->path_end - 1);
        }
    }
}

FU_TARGET static void FU_NAME(fu_parse_rows)(const fu_scheme_table *table, const fu_input *in, fu_output *out,
                                             fu_form form, int64_t start, int64_t end, fu_worker *w) {
    const uint32_t wanted = out->wanted;
    fu_cut_rows cut;
    fu_view web_schemes[2];
    fu_view_of(&web_schemes[0], (const uint8_t *)"https", 5, 0, 0);
    fu_view_of(&web_schemes[1], (const uint8_t *)"http", 4, 0, 0);
    w->start = start;
    w->opened = wanted & FU_BIT(FU_COLUMN_VALID); /* a bitmap, written block by block as those of nulls are */
    for (int64_t base = start; base < end; base += 64) {
        const int64_t rows = end - base < 64 ? end - base : 64;
        uint64_t present[FU_COLUMNS] = {0};
        uint64_t invalid = 0;
        w->stop = base + rows;
        cut.rows = rows;
        cut.given = fu_given(in, base, rows);
        const int64_t failed = fu_take_texts(in, base, rows, cut.given, cut.texts);
        if (failed >= 0) {
            w->failed_row = base + failed;
            return;
        }
        FU_NAME(fu_cut)(table, in->targets, form, base, &cut);
        fu_zero_opened(out, w, cut.web ? ~FU_WEB_COLUMNS : ~(uint32_t)0, base);
        if (cut.web) FU_NAME(fu_put_web_rows)(out, base, &cut, web_schemes, w);
        for FU_EACH(i, cut.given & ~cut.web)
            FU_NAME(fu_put_row)(out, base + (int64_t)i, &cut.texts[i], &cut.spans[i], (uint64_t)1 << i, present, w);
        if (wanted & FU_WANTS_JUDGE)
            for FU_EACH(i, cut.doubted) {
                const int64_t row = base + (int64_t)i;
                const fu_form row_form = in->targets == NULL ? form : fu_form_of(in->targets, row);
                FU_NAME(fu_put_verdict)(table, out, row_form, row, &cut.texts[i], &cut.spans[i], (uint64_t)1 << i,
                                        present, &invalid, w);
            }
        present[FU_COLUMN_SCHEME] |= cut.web;
        present[FU_COLUMN_NETLOC] |= cut.web;
        present[FU_COLUMN_HOST] |= cut.web;
        present[FU_COLUMN_HOSTNAME] |= cut.web;
        present[FU_COLUMN_QUERY] |= cut.queries;
        present[FU_COLUMN_PATH] = present[FU_COLUMN_FINDINGS] = present[FU_COLUMN_VALID] = cut.given;
        for (int column = 0; column < FU_COLUMNS; column++)
            if (FU_WANTS(column)) {
                fu_put_word(out->validity[column], base, end, present[column]);
                w->nulls[column] += rows - __builtin_popcountll(present[column]);
            }
        if (FU_WANTS(FU_COLUMN_VALID)) fu_put_word(out->valid, base, end, cut.given & ~invalid);
    }
}
#undef FU_EACH
