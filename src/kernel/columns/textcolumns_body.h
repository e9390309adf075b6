/* Turn a column of texts into another column of texts. Compiled once per kernel, after its escape functions.
 *
 * If the result is a part of the input text, the row becomes a view of the input, or a copy if the caller sets m->offsets.
 * Other results are written into a block of memory from the caller. When the block is full, the work stops at that row. It
 * continues there with the next block. The functions for a single text compute each row's result. */
#ifndef FASTURL_TEXTCOLUMNS_BODY_H
#define FASTURL_TEXTCOLUMNS_BODY_H

#include "columns/columns_body.h"
#include "columns/textwork.h"
#include "escapes/quote_body.h"
#include "escapes/unquote_safe.h"
#include "escapes/utf8.h"
#include "split/split_body.h"
#include "functions/normalize.h"

/* Return where `length` bytes can be written, or NULL if the block has no space for them. */
static inline uint8_t *fu_reserve(fu_mapping *m, size_t length) {
    m->needed = length;
    if (m->block == NULL || m->used > FU_VIEW_MAX) return NULL;
    return m->capacity - m->used >= length ? m->block + m->used : NULL;
}

static inline fu_result fu_quote_one(const fu_quote_table *table, const uint8_t *p, size_t n, fu_mapping *m) {
    uint8_t *out;
    size_t length;
    if (n <= FU_QUOTE_PIECE) {
        out = fu_reserve(m, 3 * n + FU_QUOTE_SLACK);
        if (out == NULL) return fu_quote_find(table, p, n) == n ? fu_part_result(0, n) : fu_only(FU_RESULT_NEEDS_BUFFER);
        /* Write first, and drop the output if nothing changed: most texts that callers quote need escapes. */
        length = fu_quote_write(table, p, n, out);
        return length == n && (!table->plus || memcmp(p, out, n) == 0) ? fu_part_result(0, n) : fu_new_text(length);
    }
    length = fu_quote_length(table, p, n);
    if (length == n && (!table->plus || fu_quote_find(table, p, n) == n)) return fu_part_result(0, n);
    if (length > FU_VIEW_MAX) return fu_only(FU_RESULT_TOO_LONG);
    out = fu_reserve(m, length);
    if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    return fu_new_text(fu_quote_write_within(table, p, n, out, length));
}

/* Replace invalid UTF-8 in the decoded text at `out` with U+FFFD. Return the result. */
static inline fu_result fu_made_utf8(uint8_t *out, size_t length, fu_mapping *m) {
    if (fu_utf8_valid(out, length) == length) return fu_new_text(length);
    if (fu_reserve(m, 4 * length) == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    size_t replaced = fu_utf8_replace(out, length, out + length);
    if (replaced > FU_VIEW_MAX) return fu_only(FU_RESULT_TOO_LONG);
    memmove(out, out + length, replaced);
    return fu_new_text(replaced);
}

static inline fu_result fu_unquote_one(int text, int plus, const uint8_t *p, size_t n, fu_mapping *m) {
    uint8_t seen = 0;
    if (fu_unquote_find(p, n, plus) == n) return fu_part_result(0, n);
    uint8_t *out = fu_reserve(m, n);
    if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    size_t length = fu_unquote_write(p, n, plus, out, &seen);
    if (length == n && !plus) return fu_part_result(0, n);
    return !text || seen < 0x80 ? fu_new_text(length) : fu_made_utf8(out, length, m);
}

/* The result is UTF-8 even for a column of bytes: a reader may take an invalid byte for a control character. */
static inline fu_result fu_unquote_safely_one(int text, const uint8_t *p, size_t n, fu_mapping *m) {
    uint8_t seen = 0;
    if (fu_unquote_find(p, n, 0) == n && (text || fu_utf8_valid(p, n) == n)) return fu_part_result(0, n);
    uint8_t *out = fu_reserve(m, n);
    if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    size_t length = fu_unquote_safe_write(p, n, FU_KEEP_UTF8, out, &seen);
    return text && seen < 0x80 ? fu_new_text(length) : fu_made_utf8(out, length, m);
}

/* The normal form never has more bytes than the text, even if another thread changes the text (normalize.h). */
static inline fu_result fu_normalize_one(const fu_scheme_table *schemes, const uint8_t *p, size_t n, fu_mapping *m) {
    fu_spans spans;
    fu_split(schemes, p, n, FU_FORM_URL, 1, &spans);
    if (fu_is_plainly_normal(p, &spans)) return fu_part_result(0, n);
    uint8_t *out = fu_reserve(m, n);
    if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    size_t length = fu_normal(schemes, p, &spans, 0, out);
    return length == n && memcmp(p, out, n) == 0 ? fu_part_result(0, n) : fu_new_text(length);
}

/* Like fu_find_pair, for a name that contains U+FFFD, which also stands for invalid UTF-8 in a decoded name. Return -1 if
 * the block has no space to decode a name. */
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
        uint8_t *data = fu_reserve(m, 4 * length);
        if (data == NULL) return -1;
        size_t decoded = fu_unquote_write(p + pair->start, length, 1, data, &seen);
        size_t replaced = fu_utf8_replace(data, decoded, data + length);
        if (replaced == name->length && memcmp(data + length, name->data, replaced) == 0) return 1;
    }
    return 0;
}

static inline fu_result fu_query_value_one(const fu_text_work *work, const fu_name *name, const fu_first_bytes *firsts,
                                           int bytes_tell, const uint8_t *p, size_t n, fu_mapping *m) {
    fu_pair pair;
    fu_spans s;
    int found = 0;
    fu_split_tail_inline(work->schemes, p, n, FU_FORM_URL, &s);
    const size_t start = s.path_end + 1, end = s.query_end;
    if (s.flags & FU_HAS_QUERY) {
        found = bytes_tell ? fu_find_pair(p + start, end - start, name, firsts, &pair)
                           : fu_find_replaced(p + start, end - start, name, &pair, m);
        if (found < 0) return fu_only(FU_RESULT_NEEDS_BUFFER);
    }
    if (!found) return fu_only(work->has_otherwise ? FU_RESULT_OTHERWISE : FU_RESULT_NULL);
    if (!pair.value_marks) return fu_part_result(start + pair.value, start + pair.end);
    return fu_unquote_one(work->text, 1, p + start + pair.value, pair.end - pair.value, m);
}

static inline fu_result fu_query_value_pair(const fu_text_work *work, const uint8_t *p, size_t n, fu_mapping *m) {
    const fu_name name = {m->other->p, (size_t)m->other->length, NULL, 0, 0, 0};
    return fu_query_value_one(work, &name, NULL, fu_bytes_tell(&name, work->text), p, n, m);
}

/* Redact a copy in m's block that has something to hide. length: receives the length of the result. Returns no fu_result: a
 * struct from a call that is not inlined would be kept in memory, in the loop over the rows. */
static FU_NOINLINE fu_result_kind fu_redact_copy(const fu_redaction *hidden, const fu_slice *mark, uint8_t *copy, size_t n,
                                                 fu_mapping *m, size_t *length) {
    fu_redaction redaction = *hidden;
    size_t start, end, done = 0;
    *length = n;
    while (fu_next_hidden(&redaction, &start, &end)) *length += mark->n - (end - start);
    if (*length > FU_VIEW_MAX) return FU_RESULT_TOO_LONG;
    uint8_t *out = fu_reserve(m, n + *length);
    if (out == NULL) return FU_RESULT_NEEDS_BUFFER;
    out += n;
    redaction = *hidden;
    while (fu_next_hidden(&redaction, &start, &end)) {
        memcpy(out, copy + done, start - done);
        out += start - done;
        memcpy(out, mark->p, mark->n);
        out += mark->n;
        done = end;
    }
    if (n > done) memcpy(out, copy + done, n - done);
    memmove(copy, copy + n, *length);
    return FU_RESULT_NEW_TEXT;
}

/* Redact a text. The text is copied even if nothing is hidden: a view would share the input's buffers, with all their secrets.
 * It is copied first, so that detection and output read the same bytes, even if another thread changes the input. */
static inline fu_result fu_redact_one(const fu_text_work *work, const uint8_t *p, size_t n, fu_mapping *m) {
    fu_redaction redaction;
    size_t length;
    uint8_t *copy = fu_reserve(m, n);
    if (copy == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    if (n) memcpy(copy, p, n);
    fu_start_redaction(&redaction, work->schemes, copy, n, work->quotes_urls, work->names, work->count, &work->firsts,
                       work->hides_users);
    if (!fu_hides_any(&redaction)) return fu_new_text(n);
    const fu_result_kind kind = fu_redact_copy(&redaction, &work->mark, copy, n, m, &length);
    return kind == FU_RESULT_NEW_TEXT ? fu_new_text(length) : fu_only(kind);
}

static inline fu_result fu_ask(fu_mapping *m) {
    m->asks = 1;
    return fu_asks();
}

static inline fu_result fu_take_answer(fu_mapping *m) {
    uint8_t *out;
    if (m->answer != NULL) {
        if (m->answer_length > FU_VIEW_MAX) return fu_only(FU_RESULT_TOO_LONG);
        out = fu_reserve(m, m->answer_length);
        if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
        memcpy(out, m->answer, m->answer_length);
    }
    m->is_answered = 0;
    return m->answer == NULL ? fu_no_result() : fu_new_text(m->answer_length);
}

static inline fu_result fu_limit_length(fu_result result) {
    return result.kind == FU_RESULT_NEW_TEXT && result.length > FU_VIEW_MAX ? fu_only(FU_RESULT_TOO_LONG) : result;
}

/* Apply a function of the host to any text. It is slow; fu_domain_one and fu_search_hosts serve the plain URLs of the web. */
static FU_NOINLINE fu_result fu_host_of_any_text(const fu_function *f, const uint8_t *p, size_t n, fu_mapping *m) {
    fu_spans s;
    if (m->is_answered) return fu_take_answer(m);
    if (f->form == FU_FORM_TARGET && n > 0 && p[0] == '/' && f->kind != FU_GIVES_ALLOWS) return fu_no_result(); /* a path */
    uint8_t *out = fu_reserve(m, fu_function_capacity(f, n));
    if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    if (!f->is_host) fu_split(f->schemes, p, n, f->form, 0, &s);
    const fu_result result = f->is_host ? fu_apply_to_host(f, p, 0, n, out) : fu_apply(f, p, &s, out);
    return result.kind == FU_RESULT_ASKS ? fu_ask(m) : fu_limit_length(result);
}

/* Find the domain of a host. For a host of up to 64 bytes, the masks give the labels and any upper-case letters. */
static inline fu_result fu_domain_one(const fu_function *f, const uint8_t *p, size_t n, fu_mapping *m) {
    size_t start = 0, end = n;
    if (!f->is_host) {
        fu_spans s;
        fu_split_inline(f->schemes, p, n, f->form, FU_DETAIL_NETLOC, &s);
        if (!fu_is_plain_web(f->schemes, &s)) return fu_host_of_any_text(f, p, n, m);
        start = s.netloc_start;
        end = s.path_start;
    }
    const size_t length = end - start;
    if (length > 0 && length <= FU_BLOCK && !(start > 0 && p[start - 1] == '[')) {
        fu_block host;
        fu_domain d;
        fu_masks(p + start, length, &host);
        if (host.colon || !fu_divide_short_host(f->suffixes, p, start, end, host.dot, (int)f->switches, &d))
            return fu_no_result();
        if (!host.capital) return fu_part_of_domain(&d, fu_domain_part_of(f));
    }
    uint8_t *out = fu_reserve(m, length);
    if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    return fu_limit_length(fu_apply_to_host(f, p, start, end, out));
}

/* Search the hosts of up to 64 rows in a list, before their results are asked for. A long list is in no near cache, and each access
 * takes as long as ten rows. So for each suffix, all rows prefetch their part of the filter, then their slot, then the entry. */
static inline void fu_search_hosts(const fu_function *f, const fu_arrow_text *texts, int64_t row, int64_t rows, uint64_t valid,
                                   fu_host_search *searches) {
    const fu_host_list *l = f->hosts;
    uint8_t going[64]; /* the rows whose current suffix must still be looked up */
    size_t count = 0, still;
    for (int64_t i = row; i < rows; i++) {
        fu_host_search *s = &searches[i];
        const uint8_t *p = texts[i].p;
        size_t start = 0, end = (size_t)texts[i].length;
        fu_block host;
        s->found = FU_ABSENT;
        if (!(valid >> i & 1)) continue;
        if (f->is_host) {
            s->is_slow = fu_skip(p, 0, end, TERM_HOST) < end || fu_ends_in_number(p, 0, end);
        } else {
            fu_spans spans;
            fu_split_inline(f->schemes, p, end, f->form, FU_DETAIL_NETLOC, &spans);
            s->is_slow = !fu_is_plain_web(f->schemes, &spans);
            start = spans.netloc_start;
            end = spans.path_start;
        }
        if (s->is_slow) continue;
        s->has_dots = end > start && end - start <= FU_BLOCK;
        if (s->has_dots) {
            fu_masks(p + start, end - start, &host);
            s->dots = host.dot;
        }
        s->has_capital = !s->has_dots || host.capital != 0;
        fu_start_search(l, p, start, end, s);
        if (!fu_has_length(l, s)) continue;
        /* The top-level domain alone is an entry of few lists, and of many lists a part of an entry. */
        if (!fu_next_suffix(l, p, s) || (l->labels & 1 && !fu_search_step(l, p, s)) || !fu_next_suffix(l, p, s)) continue;
        FU_PREFETCH(&l->filter[fu_place_of((uint32_t)s->hash, l->filter_words)]);
        going[count++] = (uint8_t)i;
    }
    for (; count; count = still) {
        still = 0;
        for (size_t k = 0; k < count; k++) {
            const uint64_t hash = searches[going[k]].hash;
            if (!fu_list_may_have(l, hash)) continue;
            FU_PREFETCH(&l->slots[fu_place_of((uint32_t)(hash >> 32), l->slot_count)]);
            going[still++] = going[k];
        }
        for (size_t k = 0; k < still; k++) {
            const uint64_t hash = searches[going[k]].hash;
            const fu_list_slot *slot = &l->slots[fu_place_of((uint32_t)(hash >> 32), l->slot_count)];
            if (slot->hash == (uint32_t)hash) FU_PREFETCH(&l->names[slot->place & ~FU_LIST_OTHER_TEXT]);
        }
        count = still;
        still = 0;
        for (size_t k = 0; k < count; k++) {
            fu_host_search *s = &searches[going[k]];
            const uint8_t *p = texts[going[k]].p;
            if (!(fu_search_step(l, p, s) && fu_next_suffix(l, p, s))) continue;
            FU_PREFETCH(&l->filter[fu_place_of((uint32_t)s->hash, l->filter_words)]);
            going[still++] = going[k];
        }
    }
}

/* Answer a question to a list about one row, whose host was searched unless readers may differ. */
static inline fu_result fu_ask_list_of_one(const fu_function *f, const uint8_t *p, size_t n, fu_mapping *m) {
    const fu_host_search *s = m->search;
    if (s->is_slow) return fu_host_of_any_text(f, p, n, m);
    const uint32_t place = fu_search_place(s, (f->switches & FU_LIST_EXACT) != 0);
    if (f->kind == FU_GIVES_BLOCKS) {
        if (place == 0) return fu_no_result();
        if (!(place & FU_LIST_OTHER_TEXT) && !s->has_capital) return fu_part_result(s->found, s->end);
    } else if (place || n > 0) {
        return fu_part_result(0, place == 0); /* an empty text says yes; any other says no */
    }
    uint8_t *out = fu_reserve(m, fu_list_capacity(0));
    if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    const fu_list_question question = fu_question_of(f);
    return fu_list_answer(&question, place, out);
}

/* Apply a function to one row. Its result never has more bytes than fu_function_capacity, even if another thread changes the
 * text. detail: the function's span detail, as a compile-time constant */
static inline fu_result fu_apply_one(const fu_function *f, fu_span_detail detail, const uint8_t *p, size_t n, fu_mapping *m) {
    if (detail == FU_DETAIL_ALL && m->is_answered) return fu_take_answer(m);
    /* Most URLs have no query, and then neither drop_params nor drop_parts(query) needs the split. */
    if (detail == FU_DETAIL_TAIL && fu_changes_only_query(f) && fu_first_of(p, 0, n, '?') == n) return fu_part_result(0, n);
    const size_t most = fu_function_capacity(f, n);
    uint8_t *out = most > 0 ? fu_reserve(m, most) : NULL;
    if (most > 0 && out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    fu_spans s;
    if (detail == FU_DETAIL_ALL)
        fu_split(f->schemes, p, n, f->form, fu_function_any_first(f), &s);
    else if (detail == FU_DETAIL_TAIL)
        fu_split_tail_inline(f->schemes, p, n, f->form, &s);
    else
        fu_split_inline(f->schemes, p, n, f->form, detail, &s);
    if (detail == FU_DETAIL_NETLOC && f->kind == FU_GIVES_ORIGIN && s.flags & FU_PLAIN_HTTP && s.path_start <= FU_BLOCK &&
        !fu_has_capital(p, s.path_start))
        return fu_part_result(0, s.path_start);
    const fu_result result = fu_apply_detail(f, detail, p, &s, out);
    return detail == FU_DETAIL_ALL && result.kind == FU_RESULT_ASKS ? fu_ask(m) : fu_limit_length(result);
}

/* Apply path_and_query. In a loop of its own, the compiler drops the spans that this function does not read. */
static inline fu_result fu_path_and_query_of(const fu_function *f, const uint8_t *p, size_t n) {
    fu_spans s;
    fu_split_inline(f->schemes, p, n, f->form, FU_DETAIL_PLACES, &s);
    return fu_path_and_query(&s);
}

/* Return 1 if Python 3.14 and earlier versions may join these differently, because of empty parts or params. */
static inline int fu_pythons_differ(const fu_join_base *base, const uint8_t *p, const fu_spans *s) {
    const fu_spans *b = &base->spans;
    if (fu_empty_query(s) || fu_empty_fragment(s) || fu_version_dependent_params(p, s)) return 1;
    if (s->flags & FU_HAS_NETLOC) return s->path_start == s->netloc_start;
    if (base->depends_on_version) return 1;
    if (b->path_start == b->netloc_start && b->flags & (FU_HAS_SCHEME | FU_HAS_NETLOC)) return 1;
    if (s->path_end > s->path_start || s->flags & FU_HAS_QUERY) return 0;
    return !(s->flags & FU_HAS_FRAGMENT) || fu_empty_query(b);
}

/* Join like urljoin. Ask Python if its versions may differ, or if urllib strips, deletes or rejects something. */
static inline fu_result fu_join_one(const fu_text_work *work, const fu_join_base *base, const uint8_t *p, size_t n,
                                    fu_mapping *m) {
    fu_spans s;
    fu_parts parts;
    size_t length;
    if (m->is_answered) return fu_take_answer(m);
    if (base->n == 0) return fu_part_result(0, n);
    if (n == 0) return fu_only(FU_RESULT_OTHERWISE);
    if (!base->is_sure) return fu_ask(m);
    fu_split(work->schemes, p, n, FU_FORM_URL, 0, &s);
    if (s.flags & FU_HAS_SUSPECT &&
        (fu_is_unclean(p, n) || fu_has_brackets(p, &s) || !fu_is_ascii(p + s.netloc_start, s.path_start - s.netloc_start)))
        return fu_ask(m);
    if (!fu_same_scheme(base->p, &base->spans, p, &s)) return fu_part_result(0, n);
    if (!base->is_relative && base->scheme.n) return fu_part_result(0, n);
    if (!base->is_relative || !base->uses_netloc) return fu_ask(m);
    if (fu_pythons_differ(base, p, &s)) return fu_ask(m);
    parts.scheme = base->scheme;
    /* The versions agree, so take the later ones' rules: the earlier ones' would search the base's params again. */
    const fu_join how = fu_join_parts(base->p, &base->spans, p, &s, 0, &parts);
    const size_t start = base->spans.path_start,
                 merged = how == FU_JOIN_MERGE && !fu_is_rooted(&parts) ? base->spans.path_end - start : 0;
    /* 8 is more than enough for ":", "//", "/", "?" and "#". A row takes only the parts of the base that it keeps. */
    const size_t most = parts.scheme.n + parts.netloc.n + merged + parts.path.n + parts.query.n + parts.fragment.n + 8;
    if (most > FU_JOIN_MAX) return fu_ask(m);
    uint8_t *out = fu_reserve(m, 2 * most);
    if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
    if (how == FU_JOIN_MERGE) {
        parts.path.n = fu_merge_paths(base->p + start, merged, parts.path.p, parts.path.n, out + most);
        parts.path.p = out + most;
    }
    /* Python versions differ in how they keep a path without a netloc from being read as a netloc. */
    if (parts.netloc.n == 0 && (parts.scheme.n || (parts.path.n >= 2 && parts.path.p[0] == '/' && parts.path.p[1] == '/')))
        return fu_ask(m);
    if (!fu_rebuilt_size(&parts, most, &length)) return fu_only(FU_RESULT_TOO_LONG); /* if another thread changes the text */
    fu_rebuild(&parts, out);
    return fu_new_text(length);
}

/* Return 1 if urllib neither strips, deletes nor rejects a byte of the base. */
static inline int fu_is_sure_base(const fu_join_base *base) {
    if (base->p[0] <= 0x20) return 0;
    for (size_t i = 0; base->spans.flags & FU_HAS_SUSPECT && i < base->n; i++)
        if (base->p[i] >= 0x80 || memchr("\t\r\n[]", base->p[i], 5)) return 0;
    return 1;
}

/* Join to the base of the row. Python joins to a base of another scheme than http and https. */
static inline fu_result fu_join_pair(const fu_text_work *work, const uint8_t *p, size_t n, fu_mapping *m) {
    static const uint8_t https[] = "https";
    fu_join_base base = work->base;
    base.p = m->other->p;
    base.n = (size_t)m->other->length;
    if (base.n == 0 || m->is_answered) return fu_join_one(work, &base, p, n, m);
    if (n == 0) {
        uint8_t *out = fu_reserve(m, base.n);
        if (out == NULL) return fu_only(FU_RESULT_NEEDS_BUFFER);
        memcpy(out, base.p, base.n);
        return fu_new_text(base.n);
    }
    fu_split(work->schemes, base.p, base.n, FU_FORM_URL, 0, &base.spans);
    base.scheme.p = https;
    base.scheme.n = base.spans.scheme_end;
    if (base.scheme.n && base.scheme.n != 4 && base.scheme.n != 5) base.is_sure = 0;
    for (size_t i = 0; base.is_sure && i < base.scheme.n; i++) base.is_sure = fu_lower(base.p[i]) == https[i];
    base.is_sure = base.is_sure && fu_is_sure_base(&base);
    base.depends_on_version = fu_version_dependent_params(base.p, &base.spans);
    return fu_join_one(work, &base, p, n, m);
}

/* Compute one row's result. kind: fu_kind_of_work(work), as a compile-time constant. */
static inline fu_result fu_make_one(fu_text_work_kind kind, const fu_text_work *work, const uint8_t *p, size_t n, fu_mapping *m) {
    switch (kind) {
    case FU_QUOTE_TEXTS: return fu_quote_one(work->quote, p, n, m);
    case FU_UNQUOTE_TEXTS: return fu_unquote_one(work->text, work->plus, p, n, m);
    case FU_NORMALIZE_TEXTS: return fu_normalize_one(work->schemes, p, n, m);
    case FU_QUERY_VALUES: return fu_query_value_one(work, work->names, &work->firsts, work->bytes_tell, p, n, m);
    case FU_QUERY_VALUE_PAIRS: return fu_query_value_pair(work, p, n, m);
    case FU_APPLY_TO_NETLOC: return fu_apply_one(work->function, FU_DETAIL_NETLOC, p, n, m);
    case FU_APPLY_TO_TAIL: return fu_apply_one(work->function, FU_DETAIL_TAIL, p, n, m);
    case FU_TAKE_PATH_AND_QUERY: return fu_path_and_query_of(work->function, p, n);
    case FU_APPLY_TO_PLACES: return fu_apply_one(work->function, FU_DETAIL_PLACES, p, n, m);
    case FU_APPLY_TO_HOST: return fu_apply_one(work->function, FU_DETAIL_HOST, p, n, m);
    case FU_APPLY_TO_ALL: return fu_apply_one(work->function, FU_DETAIL_ALL, p, n, m);
    case FU_LIST_HOSTS: return fu_ask_list_of_one(work->function, p, n, m);
    case FU_GIVE_DOMAINS: return fu_domain_one(work->function, p, n, m);
    case FU_UNQUOTE_TEXTS_SAFELY: return fu_unquote_safely_one(work->text, p, n, m);
    case FU_JOIN_TEXTS: return fu_join_one(work, &work->base, p, n, m);
    case FU_JOIN_PAIRS: return fu_join_pair(work, p, n, m);
    default: return fu_redact_one(work, p, n, m);
    }
}

/* Append a copy of the row's result. Return 0 if the block has no space. */
static inline int fu_copy_row(const fu_arrow_text *text, const fu_text_work *work, const fu_result *result, fu_mapping *m) {
    const uint8_t *p = result->kind == FU_RESULT_OTHERWISE ? work->other_text : text->p + result->start;
    size_t length = result->kind == FU_RESULT_OTHERWISE ? work->other_length : result->length;
    if (result->kind == FU_RESULT_PART || result->kind == FU_RESULT_OTHERWISE) {
        uint8_t *out = fu_reserve(m, length + FU_COPY_SLACK);
        if (out == NULL) return 0;
        fu_copy_part(out, p, length);
    }
    if (result->kind != FU_RESULT_NULL) m->used += length;
    m->offsets[m->row - m->start + 1] = (int32_t)m->used;
    return 1;
}

/* Process one row: write a view or a copy of its result. Return 0 if the work stops here. */
static inline int fu_map_row(fu_text_work_kind kind, const fu_text_work *work, const fu_arrow_text *text, int is_null,
                             fu_mapping *m) {
    fu_view *view = m->offsets ? NULL : m->views + m->row; /* NULL if texts are copied */
    fu_result result = {FU_RESULT_NULL, 0, 0};
    if (!is_null) {
        FU_PREFETCH(text->p + 512);
        result = fu_make_one(kind, work, text->p, (size_t)text->length, m);
    }
    if (m->offsets && result.kind <= FU_RESULT_NULL) {
        if (!fu_copy_row(text, work, &result, m)) return 0;
    } else
        switch (result.kind) {
        case FU_RESULT_PART: fu_put_view(view, text, result.start, result.length); break;
        case FU_RESULT_NEW_TEXT:
            fu_view_of(view, m->block + m->used, result.length, m->buffer, (int64_t)m->used);
            if (result.length > FU_VIEW_INLINE_MAX) m->used += result.length;
            break;
        case FU_RESULT_OTHERWISE: *view = work->otherwise; break;
        case FU_RESULT_NULL: memset(view, 0, sizeof *view); break;
        case FU_RESULT_TOO_LONG:
            m->failed_row = m->row;
            m->fault = FU_FAULT_RESULT_TOO_LONG;
            return 0;
        default: return 0;
        }
    if (result.kind == FU_RESULT_NULL)
        m->nulls++;
    else
        m->valid_bits |= (uint64_t)1 << (m->row & 63);
    return 1;
}

static inline int fu_map_rows_as(fu_text_work_kind kind, const fu_text_work *work, const fu_input *in, fu_mapping *m) {
    fu_arrow_text texts[64], others[64];
    fu_host_search searches[64];
    while (m->row < m->end) {
        const int64_t base = m->row & ~(int64_t)63, rows = m->end - base < 64 ? m->end - base : 64;
        uint64_t valid = fu_validity_word(in, base, rows);
        int64_t failed = -1;
        if (fu_reads_pairs(kind)) {
            valid &= fu_validity_word(work->others, base, rows);
            failed = fu_load_texts(work->others, base, rows, valid, others, &m->fault);
            m->failed_other = failed >= 0;
        }
        if (failed < 0) failed = fu_load_texts(in, base, rows, valid, texts, &m->fault);
        if (failed >= 0) {
            m->failed_row = base + failed;
            return 0;
        }
        if (kind == FU_LIST_HOSTS) fu_search_hosts(work->function, texts, m->row - base, rows, valid, searches);
        for (; m->row < base + rows; m->row++) {
            const int64_t i = m->row - base;
            if (kind == FU_LIST_HOSTS) m->search = &searches[i];
            if (fu_reads_pairs(kind)) m->other = &others[i];
            if (!fu_map_row(kind, work, &texts[i], !(valid >> i & 1), m)) return 0;
        }
        fu_put_word(m->validity, base, m->end, m->valid_bits);
        m->valid_bits = 0;
    }
    return 1;
}

/* Return the kind whose loop does this work. Functions have one loop per span detail, and one for domains. */
static inline fu_text_work_kind fu_kind_of_work(const fu_text_work *work) {
    if (work->kind != FU_APPLY_FUNCTION) return work->kind;
    if (work->function->kind == FU_GIVES_PATH_AND_QUERY) return FU_TAKE_PATH_AND_QUERY;
    switch (fu_function_detail(work->function)) {
    case FU_DETAIL_NETLOC: return FU_APPLY_TO_NETLOC;
    case FU_DETAIL_TAIL: return FU_APPLY_TO_TAIL;
    case FU_DETAIL_PLACES: return FU_APPLY_TO_PLACES;
    case FU_DETAIL_HOST: return FU_APPLY_TO_HOST;
    case FU_DETAIL_OF_HOST: return fu_asks_list(work->function) ? FU_LIST_HOSTS : FU_GIVE_DOMAINS;
    default: return FU_APPLY_TO_ALL;
    }
}

/* One loop per kind of work, with all its calls inlined: texts are short, so calls per row would be slow. Each loop is a function,
 * so that a change of one kind's work does not change how the others are compiled. */
#define FU_MAP_ROWS(kind)                                                                                               \
    FU_FLATTEN static FU_NOINLINE int fu_map_rows_##kind(const fu_text_work *work, const fu_input *in, fu_mapping *m) { \
        return fu_map_rows_as(kind, work, in, m);                                                                       \
    }
FU_TEXT_WORK_KINDS(FU_MAP_ROWS)
#undef FU_MAP_ROWS

/* Process the rows from m->row to m->end. m->start is a multiple of 64. Return 1 when done. Return 0 if a block with space for
 * m->needed bytes is needed, m->asks is set, or the row m->failed_row has a fault. */
static int fu_map_rows(const fu_text_work *work, const fu_input *in, fu_mapping *m) {
#define FU_MAP_ROWS(kind) \
    case kind: return fu_map_rows_##kind(work, in, m);
    switch (fu_kind_of_work(work)) {
        FU_TEXT_WORK_KINDS(FU_MAP_ROWS)
    default: return 0;
    }
#undef FU_MAP_ROWS
}

#endif
