/* Validators per shape: RFC 1738 sections 3.2 to 3.11, each production of section 5 in its order. [start, end) is the
 * schemepart; `end` is the text's end or its first '#'. */
#ifndef FASTURL_BY_SCHEME_H
#define FASTURL_BY_SCHEME_H

#include "validate/primitives.h"

/* The term of the part after the login, by shape. */
#define FU_SHAPE_REST(constant, name, login, qmark, term, escapes, kept, lone_slash, validator) FU_TERM_##term,
static const uint8_t fu_rest_terms[FU_SHAPES] = {FU_SHAPE_LIST(FU_SHAPE_REST)};

/* Validate "//" login. Return the login's end, or FU_ABSENT if the "//" is missing. */
static inline size_t fu_validate_ip_part(fu_shape shape, const uint8_t *p, size_t start, const fu_login *login,
                                         fu_diagnostics *v) {
    if (login == NULL) {
        fu_add(v, FU_MISSING, FU_TERM_SCHEMEPART, start, start);
        return FU_ABSENT;
    }
    fu_validate_login(p, login, shape, v);
    return login->end;
}

/* Validate "//" login "/". Return the offset after the "/", or FU_ABSENT if a delimiter is missing. */
static inline size_t fu_validate_ip_part_and_slash(fu_shape shape, const uint8_t *p, size_t start, size_t end,
                                                   const fu_login *login, fu_diagnostics *v) {
    size_t stop = fu_validate_ip_part(shape, p, start, login, v);
    if (stop == FU_ABSENT) return FU_ABSENT;
    if (stop < end && p[stop] == '/') return stop + 1;
    fu_add(v, FU_MISSING, (fu_term)fu_rest_terms[shape], stop, stop);
    return FU_ABSENT;
}

/* Define a validator of the schemepart [start, end). `login` is the RFC's reading, or NULL if the schemepart does not start
 * with "//". */
#define FU_VALIDATOR(function)                                                                                     \
    static inline void function(fu_shape shape, const uint8_t *p, size_t start, size_t end, const fu_login *login, \
                                fu_diagnostics *v)

/* 3.2: fpath [ ";type=" ftptype ] */
static inline void fu_validate_fpath(const uint8_t *p, size_t start, size_t end, fu_diagnostics *v) {
    size_t last = fu_find_last(p, start, end, ';');
    if (last == FU_ABSENT) return;
    size_t stop = end;
    if (end - last >= 6 && memcmp(p + last, ";type=", 6) == 0) {
        size_t type = last + 6;
        stop = last;
        if (type == end)
            fu_add(v, FU_MISSING, FU_TERM_FTPTYPE, end, end);
        else if (memchr("AIDaid", p[type], 6) == NULL)
            fu_add(v, FU_BAD_PART, FU_TERM_FTPTYPE, type, end);
        else if (type + 1 < end)
            fu_add(v, FU_BAD_PART, FU_TERM_FTPTYPE, type + 1, end);
    }
    fu_validate_segments(p, start, stop, '/', TERM_FSEGMENT, FU_TERM_FPATH, v);
}

FU_VALIDATOR(fu_validate_ftp) {
    size_t stop = fu_validate_ip_part(shape, p, start, login, v);
    if (stop != FU_ABSENT && stop < end) fu_validate_fpath(p, stop + 1, end, v);
}

/* 3.3: "//" hostport [ "/" hpath [ "?" search ]] */
static inline void fu_validate_http_path(const uint8_t *p, size_t stop, size_t end, fu_diagnostics *v) {
    if (stop == end) return;
    if (p[stop] == '?') fu_add(v, FU_RESERVED, FU_TERM_HPATH, stop, stop + 1);
    size_t qmark = fu_find(p, stop, end, '?');
    if (qmark < end) fu_validate_term(p, qmark + 1, end, TERM_HSEGMENT, FU_TERM_SEARCH, v);
}

FU_VALIDATOR(fu_validate_http) {
    size_t stop = fu_validate_ip_part(shape, p, start, login, v);
    if (stop != FU_ABSENT) fu_validate_http_path(p, stop, end, v);
}

/* 3.4.1: find the two "%09" of gtype selector [ "%09" search [ "%09" gopher+_string ]], after the gtype. */
static inline void fu_find_gopher_tabs(const uint8_t *p, size_t start, size_t end, size_t tabs[2]) {
    if (end - start < 2 || p[start] != '/' || p[start + 1] != '/') return;
    size_t at = fu_find(p, start + 2, end, '/') + 1;
    if (at < end) at += fu_escape_value(p + at, end - at) >= 0 ? 3 : 1;
    for (int i = 0; i < 2; i++) {
        while (at < end && fu_escape_value(p + at, end - at) != '\t') at++;
        if (at >= end) return;
        tabs[i] = at;
        at += 3;
    }
}

/* 3.4: "//" hostport [ / [ gtype [ selector ... ]]]; any xchars may follow the hostport */
FU_VALIDATOR(fu_validate_gopher) {
    (void)end;
    fu_validate_ip_part(shape, p, start, login, v);
}

/* 3.5: 1*xchar */
FU_VALIDATOR(fu_validate_mailto) {
    (void)shape, (void)p, (void)login;
    if (start == end) fu_add(v, FU_MISSING, FU_TERM_ENCODED822ADDR, start, end);
}

/* 3.6: "*" | group | article */
FU_VALIDATOR(fu_validate_news) {
    (void)shape, (void)login;
    size_t at = fu_find(p, start, end, '@');
    if (start == end) {
        fu_add(v, FU_MISSING, FU_TERM_GROUPPART, start, end);
    } else if (at < end) {
        if (at == start) fu_add(v, FU_MISSING, FU_TERM_ARTICLE, start, start);
        fu_validate_host(p, at + 1, end, v);
    } else if (!(end - start == 1 && p[start] == '*')) {
        fu_validate_group(p, start, end, v);
    }
}

/* 3.7: "//" hostport "/" group [ "/" digits ] */
FU_VALIDATOR(fu_validate_nntp) {
    size_t group = fu_validate_ip_part_and_slash(shape, p, start, end, login, v);
    if (group == FU_ABSENT) return;
    size_t slash = fu_find(p, group, end, '/');
    if (group == slash)
        fu_add(v, FU_MISSING, FU_TERM_GROUP, group, group);
    else
        fu_validate_group(p, group, slash, v);
    if (slash == end) return;
    size_t digits = fu_skip(p, slash + 1, end, TERM_DIGIT);
    if (slash + 1 == end)
        fu_add(v, FU_MISSING, FU_TERM_DIGITS, end, end);
    else if (digits < end)
        fu_add(v, FU_BAD_PART, FU_TERM_DIGITS, digits, end);
}

/* 3.8: "//" login [ "/" ] */
FU_VALIDATOR(fu_validate_telnet) {
    size_t stop = fu_validate_ip_part(shape, p, start, login, v);
    if (stop != FU_ABSENT && stop < end && stop + 1 < end) fu_add(v, FU_BAD_PART, FU_TERM_URLPATH, stop + 1, end);
}

/* 3.9: "//" hostport "/" database [ "?" search | "/" wtype "/" wpath ] */
FU_VALIDATOR(fu_validate_wais) {
    size_t database = fu_validate_ip_part_and_slash(shape, p, start, end, login, v);
    if (database == FU_ABSENT) return;
    size_t stop = database;
    while (stop < end && p[stop] != '/' && p[stop] != '?') stop++;
    fu_validate_term(p, database, stop, TERM_UCHAR, FU_TERM_DATABASE, v);
    if (stop == end) return;
    if (p[stop] == '?') {
        fu_validate_term(p, stop + 1, end, TERM_HSEGMENT, FU_TERM_SEARCH, v);
        return;
    }
    size_t slash = fu_find(p, stop + 1, end, '/');
    fu_validate_term(p, stop + 1, slash, TERM_UCHAR, FU_TERM_WTYPE, v);
    if (slash == end)
        fu_add(v, FU_MISSING, FU_TERM_WPATH, end, end);
    else
        fu_validate_term(p, slash + 1, end, TERM_UCHAR, FU_TERM_WPATH, v);
}

/* 3.10: "//" [ host ] "/" fpath */
FU_VALIDATOR(fu_validate_file) {
    size_t fpath = fu_validate_ip_part_and_slash(shape, p, start, end, login, v);
    if (fpath != FU_ABSENT) fu_validate_segments(p, fpath, end, '/', TERM_FSEGMENT, FU_TERM_FPATH, v);
}

/* 3.11: "//" hostport "/" ppath *( ";" fieldname "=" fieldvalue ) */
FU_VALIDATOR(fu_validate_prospero) {
    size_t ppath = fu_validate_ip_part_and_slash(shape, p, start, end, login, v);
    if (ppath == FU_ABSENT) return;
    size_t semicolon = fu_find(p, ppath, end, ';');
    while (semicolon < end) {
        size_t name = semicolon + 1;
        semicolon = fu_find(p, name, end, ';');
        size_t equals = fu_find(p, name, semicolon, '=');
        fu_validate_term(p, name, equals, TERM_FIELDNAME, FU_TERM_FIELDNAME, v);
        if (equals == semicolon)
            fu_add(v, FU_BAD_PART, FU_TERM_FIELDSPEC, semicolon, semicolon);
        else
            fu_validate_term(p, equals + 1, semicolon, TERM_FIELDNAME, FU_TERM_FIELDVALUE, v);
    }
}

/* schemepart = *xchar: nothing to do, because fu_validate_bytes checks every byte. */
FU_VALIDATOR(fu_validate_xchars) { (void)shape, (void)p, (void)start, (void)end, (void)login, (void)v; }

#define FU_SHAPE_CASE(constant, name, kind, qmark, term, escapes, kept, lone_slash, validator) \
    case FU_SHAPE_##constant: fu_validate_##validator(FU_SHAPE_##constant, p, start, end, login, v); break;
static inline void fu_validate_schemepart(fu_shape shape, const uint8_t *p, size_t start, size_t end, const fu_login *login,
                                          fu_diagnostics *v) {
    switch (shape) {
        FU_SHAPE_LIST(FU_SHAPE_CASE)
    default: break;
    }
}

#endif
