/* The RFC's term for any offset of a text, and the predicate for secret characters. Messages about findings need both. */
#ifndef FASTURL_TERMS_H
#define FASTURL_TERMS_H

#include "escapes/redaction.h"
#include "validate/validate.h"

/* Findings about the whole login. The character at their start may belong to a password. */
enum { FU_LOGIN_FINDINGS = FU_LOGIN | FU_PASSWORD | FU_AMBIGUOUS_AUTHORITY };

typedef struct {
    fu_logins read;
    fu_range hidden; /* from the start of the first password to the end of the last, in any URL within the text */
    size_t scheme_end, fragment, search; /* fragment and search: their start, or FU_ABSENT */
    fu_shape shape;
    fu_term rest; /* term of the part after the login */
} fu_terms;

/* Compute the terms of a text that was split into `s`. Reads the login once, and the text up to the first "@" once. */
static inline void fu_read_terms(const fu_scheme_table *table, const uint8_t *p, const fu_spans *split, fu_form form,
                                 fu_terms *out) {
    fu_spans any_scheme;
    const fu_spans *const s = fu_spans_of_any_scheme(p, split, form, &any_scheme);
    const int has_scheme = (s->flags & FU_HAS_SCHEME) != 0, is_target = form == FU_FORM_TARGET && !has_scheme;
    out->shape = is_target ? FU_SHAPE_HTTP : fu_shape_of(table, s->scheme);
    out->rest = has_scheme || is_target ? (fu_term)fu_rest_terms[out->shape] : FU_TERM_URLPATH;
    out->scheme_end = has_scheme ? s->scheme_end : 0;
    out->fragment = s->flags & FU_HAS_FRAGMENT ? s->query_end : FU_ABSENT;
    out->search = FU_ABSENT;
    if (s->flags & FU_HAS_QUERY && fu_traits[out->shape].qmark == FU_QMARK_SEARCH) out->search = s->path_end + 1;
    fu_redaction redaction;
    size_t start, end;
    fu_start_redaction(&redaction, table, p, s->length, 0, NULL, 0, NULL, 0);
    out->hidden.start = FU_ABSENT;
    while (fu_next_hidden(&redaction, &start, &end)) {
        if (out->hidden.start == FU_ABSENT) out->hidden.start = start;
        out->hidden.end = end;
    }
    fu_read_logins(table, p, s, form, 1, &out->read);
}

static inline int fu_is_within(size_t at, size_t start, size_t end) { return start != FU_ABSENT && at >= start && at < end; }

/* Return the term of the part that contains the byte at this offset. Terms that are secret in any reading take precedence. */
static inline fu_term fu_term_at(const fu_terms *terms, size_t at) {
    const fu_login *login = terms->read.logins, *end = login + terms->read.count;
    for (const fu_login *one = login; one < end; one++)
        if (fu_is_within(at, one->parts.password_start, one->parts.password_end)) return FU_TERM_PASSWORD;
    for (const fu_login *one = login; one < end; one++)
        if (fu_is_within(at, one->parts.user_start, one->parts.user_end)) return FU_TERM_USER;
    for (const fu_login *one = login; one < end; one++)
        if (fu_is_within(at, one->parts.port_start, one->parts.port_end)) return FU_TERM_PORT;
    for (const fu_login *one = login; one < end; one++)
        if (fu_is_within(at, one->start, one->end)) return FU_TERM_HOST;
    if (at < terms->scheme_end) return FU_TERM_SCHEME;
    if (terms->fragment != FU_ABSENT && at >= terms->fragment) return FU_TERM_FRAGMENT;
    return terms->search != FU_ABSENT && at >= terms->search ? FU_TERM_SEARCH : terms->rest;
}

/* Return 1 if a message about a finding must not show the character at its offset. */
static inline int fu_is_secret(const fu_terms *terms, uint32_t finding, fu_term term, size_t at) {
    if (finding & FU_LOGIN_FINDINGS || term == FU_TERM_LOGIN || term == FU_TERM_USER || term == FU_TERM_PASSWORD) return 1;
    if (term == FU_TERM_USERINFO) return 1;
    return fu_is_within(at, terms->hidden.start, terms->hidden.end);
}

#endif
