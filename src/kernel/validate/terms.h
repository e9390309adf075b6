/* The RFC's term for any place of a text, and whether what stands there is secret: what a message about a finding needs. */
#ifndef FASTURL_TERMS_H
#define FASTURL_TERMS_H

#include "validate/validate.h"

/* These speak of the login as a whole: the character at their place may be one of a password. */
enum { FU_LOGIN_FINDINGS = FU_LOGIN | FU_PASSWORD | FU_AMBIGUOUS_AUTHORITY };

typedef struct {
    fu_logins read;
    fu_place passwords[FU_READINGS];
    size_t password_count;
    size_t scheme_end, fragment, search; /* fragment and search: where they start, FU_ABSENT without */
    fu_shape shape;
    fu_term rest; /* of what follows the login */
} fu_terms;

static inline fu_term fu_rest_of(fu_shape shape, int has_scheme) {
    switch (shape) {
    case FU_SHAPE_FTP:
    case FU_SHAPE_FILE: return FU_TERM_FPATH;
    case FU_SHAPE_HTTP: return FU_TERM_HPATH;
    case FU_SHAPE_GOPHER: return FU_TERM_SELECTOR;
    case FU_SHAPE_MAILTO: return FU_TERM_ENCODED822ADDR;
    case FU_SHAPE_NEWS: return FU_TERM_GROUPPART;
    case FU_SHAPE_NNTP: return FU_TERM_GROUP;
    case FU_SHAPE_TELNET: return FU_TERM_URLPATH;
    case FU_SHAPE_WAIS: return FU_TERM_DATABASE;
    case FU_SHAPE_PROSPERO: return FU_TERM_PPATH;
    default: return has_scheme ? FU_TERM_SCHEMEPART : FU_TERM_URLPATH;
    }
}

/* Of the text that was split into `s`. One pass over the login, and one to the first "@". */
static inline void fu_read_terms(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form,
                                 fu_terms *out) {
    const int has_scheme = (s->flags & FU_HAS_SCHEME) != 0;
    out->shape = form == FU_FORM_TARGET && !has_scheme ? FU_SHAPE_HTTP : fu_shape_of(table, s->scheme);
    out->rest = fu_rest_of(out->shape, has_scheme);
    out->scheme_end = has_scheme ? s->scheme_end : 0;
    out->fragment = s->flags & FU_HAS_FRAGMENT ? s->query_end : FU_ABSENT;
    out->search = FU_ABSENT;
    if (s->flags & FU_HAS_QUERY && (out->shape == FU_SHAPE_HTTP || out->shape == FU_SHAPE_WAIS)) out->search = s->path_end + 1;
    out->password_count = fu_find_passwords(table, p, s->length, out->passwords);
    fu_read_logins(table, p, s, form, 1, &out->read);
}

static inline int fu_is_within(size_t at, size_t start, size_t end) { return start != FU_ABSENT && at >= start && at < end; }

/* The term of the part that holds the octet at a place. What is secret in one reading comes first. */
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

/* Whether a message about a finding may not show the character at its place. */
static inline int fu_is_secret(const fu_terms *terms, uint32_t finding, fu_term term, size_t at) {
    if (finding & FU_LOGIN_FINDINGS || term == FU_TERM_LOGIN || term == FU_TERM_USER || term == FU_TERM_PASSWORD) return 1;
    for (size_t i = 0; i < terms->password_count; i++)
        if (fu_is_within(at, terms->passwords[i].start, terms->passwords[i].end)) return 1;
    return 0;
}

#endif
