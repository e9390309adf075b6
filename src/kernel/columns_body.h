/* The rows, once for every kernel: included by columns.h with FU_KERNEL and FU_TARGET, as split_body.h is. */

/* The view of one part of a text. */
FU_TARGET static inline void FU_NAME(fu_put_view)(fu_view *view, const fu_text *text, size_t start, size_t length) {
#ifdef FU_MASKED_VIEWS
    /* One masked load brings a short part, or the first four octets of a long one; lanes it masks out are not read. */
    __mmask16 present = (__mmask16)(length < 16 ? (1u << length) - 1 : 0xffff);
    __m128i octets = _mm_maskz_loadu_epi8(present, text->p + start);
    __m128i made = _mm_or_si128(_mm_slli_si128(octets, 4), _mm_cvtsi32_si128((int)length));
    if (length > 12) {
        uint64_t place = (uint64_t)(uint32_t)text->buffer | (uint64_t)((uint32_t)text->offset + (uint32_t)start) << 32;
        made = _mm_insert_epi64(made, (long long)place, 1);
    }
    _mm_storeu_si128((__m128i *)view, made);
#else
    fu_view_of(view, text->p + start, length, text->buffer, text->offset + (int64_t)start);
#endif
}

FU_TARGET static void FU_NAME(fu_parse_rows)(const fu_scheme_table *table, const fu_input *in, fu_output *out,
                                             fu_form form, int64_t start, int64_t end, fu_worker *w) {
    const uint32_t wanted = out->wanted;
    const fu_view zero = {0, {0, 0, 0, 0}, 0, 0};
    for (int64_t base = start; base < end; base += 64) {
        int64_t stop = base + 64 < end ? base + 64 : end;
        uint64_t present[FU_COLUMNS] = {0};
        uint64_t valid = 0;
        for (int64_t row = base; row < stop; row++) {
            const uint64_t one = (uint64_t)1 << (row - base);
            fu_text text = {NULL, 0, 0, 0};
            int null = fu_row_is_null(in, row);
            if (!null) {
                text = fu_text_at(in, row);
                if (text.length > FU_TEXT_MAX) {
                    w->failed_row = row;
                    return;
                }
            }
#define FU_WANTS(column) (wanted & FU_BIT(column))
            if (null) {
                for (int column = 0; column < FU_TEXT_COLUMNS; column++)
                    if (FU_WANTS(column)) out->texts[column][row] = zero;
                if (FU_WANTS(FU_COLUMN_PORT)) out->port[row] = 0;
                if (FU_WANTS(FU_COLUMN_FINDINGS)) out->findings[row] = 0;
                if (FU_WANTS(FU_COLUMN_ERROR_OFFSET)) out->error_offset[row] = 0;
                continue;
            }

            fu_spans s;
            FU_NAME(fu_split)(table, text.p, (size_t)text.length, form, 0, &s);
            const int clean = (s.flags & FU_CLEAN) != 0;

            if (wanted & FU_WANTS_JUDGE) {
                uint32_t findings = 0;
                size_t offset = FU_ABSENT;
                if (!clean) {
                    fu_verdict verdict;
                    fu_start_verdict(&verdict);
                    fu_judge(table, text.p, &s, form, &verdict);
                    findings = verdict.findings;
                    offset = verdict.error_offset;
                    if (fu_shape_of(table, s.scheme) == FU_SHAPE_CUSTOM) fu_note_custom(w, row, s.scheme);
                }
                present[FU_COLUMN_FINDINGS] |= one;
                present[FU_COLUMN_VALID] |= one;
                if (FU_WANTS(FU_COLUMN_FINDINGS)) out->findings[row] = findings;
                valid |= findings & FU_VIOLATIONS ? 0 : one;
                if (FU_WANTS(FU_COLUMN_ERROR_OFFSET)) {
                    out->error_offset[row] = offset == FU_ABSENT ? 0 : (int32_t)offset;
                    present[FU_COLUMN_ERROR_OFFSET] |= offset == FU_ABSENT ? 0 : one;
                }
            }

#define FU_PUT(column, is_there, from, to)                                                  \
    if (FU_WANTS(column)) {                                                                 \
        if (is_there) {                                                                     \
            present[column] |= one;                                                         \
            FU_NAME(fu_put_view)(&out->texts[column][row], &text, (from), (to) - (from)); \
        } else {                                                                            \
            out->texts[column][row] = zero;                                                 \
        }                                                                                   \
    }
            if (FU_WANTS(FU_COLUMN_SCHEME)) {
                if (s.flags & FU_HAS_SCHEME) {
                    present[FU_COLUMN_SCHEME] |= one;
                    fu_lower_view(&out->texts[FU_COLUMN_SCHEME][row], &text, 0, s.scheme_end, s.scheme_end, w);
                } else {
                    out->texts[FU_COLUMN_SCHEME][row] = zero;
                }
            }
            FU_PUT(FU_COLUMN_NETLOC, s.flags & FU_HAS_NETLOC, s.netloc_start, s.path_start)
            FU_PUT(FU_COLUMN_PATH, 1, s.path_start, s.path_end)
            FU_PUT(FU_COLUMN_QUERY, s.flags & FU_HAS_QUERY, s.path_end + 1, s.query_end)
            FU_PUT(FU_COLUMN_FRAGMENT, s.flags & FU_HAS_FRAGMENT, s.query_end + 1, s.length)

            if (wanted & FU_WANTS_NETLOC_PARTS) {
                /* A clean netloc is a hostname and nothing else. */
                fu_netloc parts = {FU_ABSENT,      FU_ABSENT,    FU_ABSENT, FU_ABSENT,
                                   s.netloc_start, s.path_start, FU_ABSENT, FU_ABSENT};
                if (!clean && s.flags & FU_HAS_NETLOC) fu_cut_netloc(text.p, s.netloc_start, s.path_start, &parts);
                FU_PUT(FU_COLUMN_USERNAME, parts.user_start != FU_ABSENT, parts.user_start, parts.user_end)
                FU_PUT(FU_COLUMN_PASSWORD, parts.password_start != FU_ABSENT, parts.password_start, parts.password_end)
                FU_PUT(FU_COLUMN_HOST, s.flags & FU_HAS_NETLOC, parts.host_start, parts.host_end)
                if (FU_WANTS(FU_COLUMN_HOSTNAME)) {
                    if (s.flags & FU_HAS_NETLOC && parts.host_start < parts.host_end) {
                        present[FU_COLUMN_HOSTNAME] |= one;
                        size_t zone = clean ? parts.host_end : fu_find(text.p, parts.host_start, parts.host_end, '%');
                        fu_lower_view(&out->texts[FU_COLUMN_HOSTNAME][row], &text, parts.host_start, zone,
                                      parts.host_end, w);
                    } else {
                        out->texts[FU_COLUMN_HOSTNAME][row] = zero;
                    }
                }
                if (FU_WANTS(FU_COLUMN_PORT)) {
                    int32_t port = -1;
                    if (parts.port_start != FU_ABSENT) port = fu_port_number(text.p, parts.port_start, parts.port_end);
                    out->port[row] = port < 0 ? 0 : (uint16_t)port;
                    present[FU_COLUMN_PORT] |= port < 0 ? 0 : one;
                }
            }
#undef FU_PUT
#undef FU_WANTS
        }
        for (int column = 0; column < FU_COLUMNS; column++)
            if (wanted & FU_BIT(column)) {
                fu_put_word(out->validity[column], base, end, present[column]);
                w->nulls[column] += stop - base - __builtin_popcountll(present[column]);
            }
        if (wanted & FU_BIT(FU_COLUMN_VALID)) fu_put_word(out->valid, base, end, valid);
    }
}
