/* The rows, once for every kernel: included by columns.h with FU_KERNEL and FU_TARGET, as split_body.h is. */

/* The view of one part of a text. */
FU_TARGET static inline void FU_NAME(fu_put_view)(fu_view *view, const fu_text *text, size_t start, size_t length) {
#ifdef FU_MASKED_VIEWS
    /* One masked load brings a short part, or the first four octets of a long one; lanes it masks out are not read.
     * Without a branch: lengths are as good as random. */
    __mmask16 present = (__mmask16)_bzhi_u32(0xffff, length > 16 ? 16 : (unsigned)length);
    __m128i octets = _mm_maskz_loadu_epi8(present, text->p + start);
    __m128i made = _mm_or_si128(_mm_slli_si128(octets, 4), _mm_cvtsi32_si128((int)length));
    uint64_t place = (uint64_t)(uint32_t)text->buffer | (uint64_t)((uint32_t)text->offset + (uint32_t)start) << 32;
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

/* The parts of any row; its block is zero before, so an absent part costs nothing. */
FU_TARGET static void FU_NAME(fu_put_row)(fu_output *out, int64_t row, const fu_text *text, const fu_spans *s,
                                          uint64_t one, uint64_t *present, fu_worker *w) {
    const uint32_t wanted = out->wanted;
#define FU_PUT(column, is_there, from, to)                                                    \
    if (FU_WANTS(column) && (is_there)) {                                                     \
        fu_open_columns(out, w, FU_BIT(column));                                              \
        present[column] |= one;                                                               \
        FU_NAME(fu_put_view)(&out->texts[column][row], text, (from), (size_t)((to) - (from))); \
    }
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

/* A web URL that fu_split_web cut has no login, no port and no fragment, and its netloc is its host. */
FU_TARGET static inline void FU_NAME(fu_put_web_row)(fu_output *out, int64_t row, const fu_text *text,
                                                       const fu_spans *s, const fu_view *scheme, uint64_t one,
                                                       uint64_t *queries, fu_worker *w) {
    const uint32_t wanted = out->wanted;
    if (wanted & FU_WEB_COLUMNS & ~w->opened) fu_open_columns(out, w, FU_WEB_COLUMNS);
    if (FU_WANTS(FU_COLUMN_SCHEME)) out->texts[FU_COLUMN_SCHEME][row] = *scheme;
    if (wanted & (FU_BIT(FU_COLUMN_NETLOC) | FU_BIT(FU_COLUMN_HOST))) {
        fu_view host;
        FU_NAME(fu_put_view)(&host, text, s->netloc_start, s->path_start - s->netloc_start);
        if (FU_WANTS(FU_COLUMN_NETLOC)) out->texts[FU_COLUMN_NETLOC][row] = host;
        if (FU_WANTS(FU_COLUMN_HOST)) out->texts[FU_COLUMN_HOST][row] = host;
    }
    if (FU_WANTS(FU_COLUMN_HOSTNAME))
        fu_lower_view(&out->texts[FU_COLUMN_HOSTNAME][row], text, s->netloc_start, s->path_start, s->path_start, w);
    if (FU_WANTS(FU_COLUMN_PATH))
        FU_NAME(fu_put_view)(&out->texts[FU_COLUMN_PATH][row], text, s->path_start, s->path_end - s->path_start);
    if (FU_WANTS(FU_COLUMN_QUERY)) {
        size_t has = s->flags & FU_HAS_QUERY ? 1 : 0;
        *queries |= has ? one : 0;
        FU_NAME(fu_put_view)(&out->texts[FU_COLUMN_QUERY][row], text, s->path_end + has, s->query_end - s->path_end - has);
    }
}

FU_TARGET static void FU_NAME(fu_parse_rows)(const fu_scheme_table *table, const fu_input *in, fu_output *out,
                                             fu_form form, int64_t start, int64_t end, fu_worker *w) {
    const uint32_t wanted = out->wanted;
    fu_view web_schemes[2];
    fu_view_of(&web_schemes[0], (const uint8_t *)"http", 4, 0, 0);
    fu_view_of(&web_schemes[1], (const uint8_t *)"https", 5, 0, 0);
    w->start = start;
    w->opened = wanted & FU_BIT(FU_COLUMN_VALID); /* a bitmap, written block by block as those of nulls are */
    for (int64_t base = start; base < end; base += 64) {
        int64_t stop = base + 64 < end ? base + 64 : end;
        uint64_t present[FU_COLUMNS] = {0};
        uint64_t invalid = 0, web_rows = 0, queries = 0, given = 0;
        fu_start_block(out, w, base, stop);
        for (int64_t row = base; row < stop; row++) {
            const uint64_t one = (uint64_t)1 << (row - base);
            if (fu_row_is_null(in, row)) continue;
            given |= one;
            fu_text text = fu_text_at(in, row);
            if (text.length > FU_TEXT_MAX) {
                w->failed_row = row;
                return;
            }
            fu_spans s;
            FU_PREFETCH(text.p + 512);
            const fu_form row_form = fu_form_of(in, row, form);
            FU_NAME(fu_split_inline)(table, text.p, (size_t)text.length, row_form, &s);
            if (s.flags & FU_WEB) {
                web_rows |= one;
                FU_NAME(fu_put_web_row)(out, row, &text, &s, &web_schemes[s.scheme_end - 4], one, &queries, w);
            } else {
                FU_NAME(fu_put_row)(out, row, &text, &s, one, present, w);
            }
            if (wanted & FU_WANTS_JUDGE && !(s.flags & FU_CLEAN))
                FU_NAME(fu_put_verdict)(table, out, row_form, row, &text, &s, one, present, &invalid, w);
        }
        present[FU_COLUMN_SCHEME] |= web_rows;
        present[FU_COLUMN_NETLOC] |= web_rows;
        present[FU_COLUMN_HOST] |= web_rows;
        present[FU_COLUMN_HOSTNAME] |= web_rows;
        present[FU_COLUMN_QUERY] |= queries;
        present[FU_COLUMN_PATH] = present[FU_COLUMN_FINDINGS] = present[FU_COLUMN_VALID] = given;
        for (int column = 0; column < FU_COLUMNS; column++)
            if (FU_WANTS(column)) {
                fu_put_word(out->validity[column], base, end, present[column]);
                w->nulls[column] += stop - base - __builtin_popcountll(present[column]);
            }
        if (FU_WANTS(FU_COLUMN_VALID)) fu_put_word(out->valid, base, end, given & ~invalid);
    }
}
