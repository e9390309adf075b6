/* The judge: every violation of RFC 1738 section 5 and every hazard of section 6, with their places.
 * docs/validity.md is its contract. It walks the text a fixed number of times, whatever the text. */
#ifndef FASTURL_JUDGE_H
#define FASTURL_JUDGE_H

#include "judge_parts.h"
#include "judge_schemes.h"

/* Section 6: what may mislead a person or a program, in a URL that may be valid all the same. */
static inline void fu_judge_netloc_hazards(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s,
                                           fu_verdict *v) {
    fu_netloc parts;
    fu_cut_netloc(p, s->netloc_start, s->path_start, &parts);
    if (parts.user_start != FU_ABSENT) {
        if (parts.password_start != FU_ABSENT)
            fu_add(v, FU_PASSWORD, FU_TERM_PASSWORD, parts.password_start, parts.password_end);
        size_t last = fu_find_last(p, s->netloc_start, s->path_start, '@');
        size_t first = fu_find(p, s->netloc_start, s->path_start, '@');
        if (first < last) fu_add(v, FU_MULTIPLE_AT, FU_TERM_LOGIN, first, last + 1);
    }
    if (!(s->flags & FU_HAS_SCHEME) || parts.port_start == FU_ABSENT) return;
    int32_t port = fu_port_number(p, parts.port_start, parts.port_end), own = fu_port_of(table, s->scheme);
    if (port < 0 || port == own) return;
    if (own != FU_NO_PORT) fu_add(v, FU_NONDEFAULT_PORT, FU_TERM_PORT, parts.port_start, parts.port_end);
    if (port < 1024) fu_add(v, FU_RESERVED_PORT, FU_TERM_PORT, parts.port_start, parts.port_end);
}

/* Why no scheme was read. */
static inline void fu_judge_no_scheme(const uint8_t *p, size_t n, fu_verdict *v) {
    size_t end = 0, bad = FU_ABSENT;
    while (end < n && p[end] != ':' && p[end] != '/' && p[end] != '?' && p[end] != '#') {
        if (bad == FU_ABSENT && !fu_is(p[end], TERM_SCHEME)) bad = end;
        end++;
    }
    if (bad != FU_ABSENT && end < n && p[end] == ':')
        fu_add(v, FU_BAD_SCHEME, FU_TERM_SCHEME, bad, bad + 1);
    else
        fu_add(v, FU_NO_SCHEME_READ, FU_TERM_SCHEME, 0, 0);
}

static inline void fu_start_verdict(fu_verdict *v) {
    v->findings = 0;
    v->first_finding = UINT32_MAX;
    v->first_term = FU_TERM_OCTET;
    v->error_offset = v->first_end = FU_ABSENT;
    v->problems = NULL;
    v->capacity = v->count = 0;
}

/* Judge a text that fu_split cut. The caller has called fu_start_verdict, and set problems and capacity if it wants
 * every problem; count says then how many there are, stored or not. */
static inline void fu_judge(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form,
                            fu_verdict *v) {
    size_t n = s->length;
    size_t end = s->flags & FU_HAS_FRAGMENT ? s->query_end : n;
    if (form == FU_FORM_TARGET && n == 0) fu_add(v, FU_MISSING, FU_TERM_HPATH, 0, 0);
    if (s->flags & FU_ODD) fu_judge_octets(p, s, v);
    if ((s->flags & (FU_HAS_NETLOC | FU_HOSTNAME)) == FU_HAS_NETLOC) fu_judge_netloc_hazards(table, p, s, v);
    fu_shape shape = fu_shape_of(table, s->scheme);
    if (s->flags & FU_TIDY)
        ; /* nothing that http's productions could object to */
    else if (s->flags & FU_HOSTNAME && shape == FU_SHAPE_HTTP)
        fu_judge_http_path(p, s->path_start, end, v);
    else if (s->flags & FU_HAS_SCHEME)
        fu_judge_schemepart(shape, p, s->scheme_end + 1, end, v);
    else if (form == FU_FORM_URL)
        fu_judge_no_scheme(p, n, v);
    else if (s->flags & FU_HAS_NETLOC)
        fu_judge_hostport(p, s->netloc_start, end, 0, v);
    else if (n > 0 && p[0] == '/' && s->flags & FU_HAS_QUERY)
        fu_judge_term(p, s->path_end + 1, s->query_end, TERM_HSEGMENT, FU_TERM_SEARCH, v);
}

#endif
