/* Validation: find every violation of RFC 1738 section 5 and every hazard of section 6, with their ranges. docs/validity.md is
 * the contract. The number of passes does not depend on the text. */
#ifndef FASTURL_VALIDATE_H
#define FASTURL_VALIDATE_H

#include "validate/primitives.h"
#include "validate/by_scheme.h"
#include "validate/plain.h"
#include "validate/productions.h"

/* Return the default port of the text's scheme: its own in the table of schemes, else the registered one. */
static inline int32_t fu_known_port(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s) {
    const int32_t own = fu_port_of(table, s->scheme);
    return own == FU_NO_PORT && s->flags & FU_HAS_SCHEME ? fu_registered_port(p, s->scheme_end) : own;
}

/* Return 1 if only RFC 1738 reads the scheme, because urllib asks for a letter at its start. */
static inline int fu_is_path_in_urllib(const uint8_t *p, const fu_spans *s, fu_form form) {
    return form == FU_FORM_URL && s->flags & FU_HAS_SCHEME && s->scheme == FU_NO_SCHEME && !fu_is(p[0], TERM_ALPHA);
}

/* Return 1 if the three readings of a text may differ: a "?" ends only urllib's login, a browser reads a "\" as a "/", or urllib reads
 * a path. */
static inline int fu_may_read_differently(const uint8_t *p, const fu_spans *s, fu_form form, fu_shape shape,
                                          const fu_diagnostics *v) {
    if (v->findings & FU_BACKSLASH) return 1;
    if (s->flags & FU_HAS_NETLOC && fu_is_path_in_urllib(p, s, form)) return 1;
    return s->flags & FU_HAS_NETLOC && s->flags & FU_HAS_SCHEME && s->path_start < s->length && p[s->path_start] == '?' &&
           fu_traits[shape].qmark != FU_QMARK_SEARCH;
}

/* Return 1 if the netloc of an http or https URL is a hostname alone, in which all readers agree. */
static inline int fu_is_plain_web(const fu_scheme_table *table, const fu_spans *s) {
    return s->flags & FU_NETLOC_IS_HOSTNAME && s->scheme != FU_NO_SCHEME &&
           (s->scheme == FU_SCHEME_HTTP || s->scheme == table->https);
}

/* The logins that the readings of a text see, each listed once. */
typedef struct {
    fu_login logins[FU_READINGS];
    size_t count;
    const fu_login *urllib, *rfc; /* NULL if this reading sees no login */
} fu_logins;

/* Collect the logins of a text. `browser`: include the browser's reading, which differs only if the text has a "\". */
static inline void fu_read_logins(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form, int browser,
                                  fu_logins *out) {
    const int has_scheme = (s->flags & FU_HAS_SCHEME) != 0, has_netloc = (s->flags & FU_HAS_NETLOC) != 0;
    const fu_shape shape = fu_shape_of(table, s->scheme);
    out->count = 0;
    out->urllib = out->rfc = NULL;
    if (has_netloc && !fu_is_path_in_urllib(p, s, form)) {
        fu_split_login(p, s->netloc_start, s->path_start, &out->logins[out->count]);
        out->urllib = &out->logins[out->count++];
    }
    if (has_netloc && has_scheme && fu_traits[shape].login != FU_LOGIN_NONE) {
        size_t stop = fu_login_end(p, s->path_start, s->query_end, shape);
        if (stop != s->path_start || !out->count) fu_split_login(p, s->netloc_start, stop, &out->logins[out->count++]);
        out->rfc = &out->logins[out->count - 1];
    }
    /* Browsers never read a request target that is a path or `host:port`. */
    if (!browser || (has_netloc && s->netloc_start == 0) || (form == FU_FORM_TARGET && s->length > 0 && p[0] == '/')) return;
    out->count += (size_t)fu_browser_login(p, has_scheme ? s->scheme_end + 1 : 0, s->query_end,
                                           has_scheme ? fu_browser_kind_of(p, s->scheme_end) : FU_BROWSER_RELATIVE,
                                           &out->logins[out->count]);
}

static inline void fu_add_once(fu_diagnostics *v, uint32_t finding, fu_term term, const fu_range *places, size_t i) {
    for (size_t k = 0; k < i; k++)
        if (places[k].start == places[i].start && places[k].end == places[i].end) return;
    fu_add(v, finding, term, places[i].start, places[i].end);
}

/* Report section 6's hazards of the logins: constructs that may mislead a person or a program, even in a valid URL. Each range
 * that any reading sees is reported once. `own` is the scheme's port. `part` is the text that may hold an authority if no
 * reading sees a login, and `is_plain` the answer of fu_is_plain_authority. */
static inline void fu_find_login_hazards(const uint8_t *p, const fu_logins *read, int has_scheme, int32_t own, int is_plain,
                                         fu_range part, fu_diagnostics *v) {
    fu_range passwords[FU_READINGS], ats[FU_READINGS], ports[FU_READINGS], all = {FU_ABSENT, 0};
    int differ = !is_plain || (read->count && read->urllib == NULL);
    for (size_t i = 0; i < read->count; i++) {
        const fu_login *login = &read->logins[i];
        const fu_netloc *at = &login->parts;
        passwords[i].start = at->password_start;
        passwords[i].end = at->password_end;
        ats[i].start = at->user_start == FU_ABSENT ? at->host_text_start : fu_find(p, at->user_start, login->end, '@');
        ats[i].end = at->host_text_start;
        ports[i].start = at->port_start;
        ports[i].end = at->port_end;
        differ |= i > 0 && !fu_same_parts(at, &read->logins[0].parts);
        if (login->start < all.start) all.start = login->start;
        if (login->end > all.end) all.end = login->end;
        if (passwords[i].start != FU_ABSENT) fu_add_once(v, FU_PASSWORD, FU_TERM_PASSWORD, passwords, i);
        if (ats[i].start + 1 < ats[i].end) fu_add_once(v, FU_MULTIPLE_AT, FU_TERM_LOGIN, ats, i);
        if (!has_scheme || ports[i].start == FU_ABSENT) continue;
        int32_t port = fu_port_number(p, ports[i].start, ports[i].end);
        if (port < 0 || port == own) continue;
        if (own != FU_NO_PORT) fu_add_once(v, FU_NONDEFAULT_PORT, FU_TERM_PORT, ports, i);
        if (port < 1024) fu_add_once(v, FU_RESERVED_PORT, FU_TERM_PORT, ports, i);
    }
    if (read->count == 0) all = part;
    if (differ) fu_add(v, FU_AMBIGUOUS_AUTHORITY, FU_TERM_LOGIN, all.start, all.end);
}

/* Section 2.1 lets a scheme start with a digit, "+", "-" or "."; urllib, and so the split, reads no scheme there. Return the spans
 * of the section's reading: `s`, or `out` with such a scheme and its login. Only the whole text as a URL has this reading. */
static inline const fu_spans *fu_spans_of_any_scheme(const uint8_t *p, const fu_spans *s, fu_form form, fu_spans *out) {
    if (form != FU_FORM_URL || s->flags & FU_HAS_SCHEME || s->length == 0) return s;
    if (fu_is(p[0], TERM_ALPHA) || !fu_is(p[0], TERM_SCHEME)) return s;
    size_t end = 1, start;
    while (end < s->length && fu_is(p[end], TERM_SCHEME)) end++;
    if (end == s->length || p[end] != ':') return s;
    *out = *s;
    out->flags |= FU_HAS_SCHEME;
    out->scheme_end = end;
    out->netloc_start = out->path_start = start = end + 1;
    if (s->length - start < 2 || p[start] != '/' || p[start + 1] != '/') return out;
    out->flags |= FU_HAS_NETLOC;
    out->netloc_start = start + 2;
    for (start += 2; start < s->path_end && p[start] != '/';) start++;
    out->path_start = start;
    return out;
}

/* Report a text such as "localhost:3000", whose host and port are read as a scheme and its part. tel and sms dial numbers. */
static inline void fu_find_host_as_scheme(const uint8_t *p, const fu_spans *s, fu_diagnostics *v) {
    const size_t start = s->scheme_end + 1, end = fu_skip(p, start, s->length, TERM_DIGIT);
    if (s->scheme != FU_NO_SCHEME || fu_port_number(p, start, end) < 0) return;
    if (end < s->length && p[end] != '/' && p[end] != '?' && p[end] != '#') return;
    if (s->scheme_end == 3) {
        const uint8_t name[3] = {fu_lower(p[0]), fu_lower(p[1]), fu_lower(p[2])};
        if (memcmp(name, "tel", 3) == 0 || memcmp(name, "sms", 3) == 0) return;
    }
    fu_add(v, FU_HOST_AS_SCHEME, FU_TERM_SCHEME, 0, end);
}

/* Report an "@" behind an authority that has none, but a ":" that starts no port: a password with a raw "/", "?" or "#". */
static inline void fu_find_late_at(const uint8_t *p, const fu_spans *s, const fu_login *login, fu_diagnostics *v) {
    const size_t start = login->parts.port_start, end = login->parts.port_end;
    if (login->parts.user_start != FU_ABSENT || start == FU_ABSENT) return;
    if (end > start && end - start <= 5 && fu_skip(p, start, end, TERM_DIGIT) == end) return;
    const size_t sign = fu_find_last(p, login->end, s->length, '@');
    if (sign != FU_ABSENT) fu_add(v, FU_LATE_AT, FU_TERM_LOGIN, login->start, sign + 1);
}

/* Report why no scheme was read. */
static inline void fu_validate_no_scheme(const uint8_t *p, size_t n, fu_diagnostics *v) {
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

static inline void fu_start_diagnostics(fu_diagnostics *v) {
    v->findings = 0;
    v->first_finding = UINT32_MAX;
    v->first_term = FU_TERM_BYTE;
    v->error_offset = v->first_end = FU_ABSENT;
    v->problems = NULL;
    v->capacity = v->count = 0;
    v->wanted = 0;
    v->window_start = v->window_length = 0;
    v->grow = NULL;
    v->only_whether = v->has_nested_dot = 0;
    v->text.points = NULL;
    v->text.width = 0;
    v->gopher_tabs[0] = v->gopher_tabs[1] = FU_ABSENT;
}

/* Validate a text that fu_split has split. The caller has called fu_start_diagnostics and, to receive problems, set `grow`,
 * `wanted` and the window. */
static inline void fu_validate(const fu_scheme_table *table, const uint8_t *p, const fu_spans *split, fu_form form,
                               fu_diagnostics *v) {
    fu_spans any_scheme;
    const fu_spans *const s = fu_spans_of_any_scheme(p, split, form, &any_scheme);
    const size_t n = s->length, end = s->query_end;
    const fu_shape shape = fu_shape_of(table, s->scheme);
    const int plain_host = (s->flags & FU_NETLOC_IS_HOSTNAME) != 0, has_scheme = (s->flags & FU_HAS_SCHEME) != 0;
    fu_logins read;
    read.count = 0;
    read.urllib = read.rfc = NULL;
    if (form == FU_FORM_TARGET && n == 0) fu_add(v, FU_MISSING, FU_TERM_HPATH, 0, 0);
    if (shape == FU_SHAPE_GOPHER) fu_find_gopher_tabs(p, s->scheme_end + 1, end, v->gopher_tabs);
    if (s->flags & FU_HAS_SUSPECT) fu_validate_bytes(p, s, v);
    if (fu_is_settled(v)) return;
    const int data_qmark = s->flags & FU_HAS_QUERY && has_scheme && fu_traits[shape].qmark == FU_QMARK_DATA;
    if (s->flags & FU_HAS_DOT_PAIR || v->has_nested_dot || data_qmark) fu_find_traversal(p, s, form, shape, v);
    const int is_plain = fu_is_plain_web(table, s) || v->only_whether || fu_is_plain_authority(p, s, form, &v->text);
    const int ambiguous = !is_plain || fu_may_read_differently(p, s, form, shape, v);
    /* A hostname alone has no hazard, and these shapes validate the rest without the login. */
    const int settled = plain_host && (shape == FU_SHAPE_HTTP || fu_traits[shape].login == FU_LOGIN_ANY);
    if (ambiguous || (s->flags & FU_HAS_NETLOC && !settled))
        fu_read_logins(table, p, s, form, (v->findings & FU_BACKSLASH) != 0, &read);
    if (ambiguous || (read.count && !plain_host)) {
        const fu_range part = {has_scheme ? s->scheme_end + 1 : 0, s->path_end};
        fu_find_login_hazards(p, &read, has_scheme, fu_known_port(table, p, s), is_plain, part, v);
    }
    if (read.urllib != NULL) fu_find_late_at(p, s, read.urllib, v);
    if (has_scheme && !(s->flags & FU_HAS_NETLOC)) fu_find_host_as_scheme(p, s, v);
    if (shape == FU_SHAPE_CUSTOM)
        fu_validate_productions(table->entries[s->scheme].productions, p, s->scheme_end + 1, end, v);
    else if (s->flags & FU_NO_STRAY_RESERVED)
        ; /* http's productions have no objection left */
    else if (plain_host && shape == FU_SHAPE_HTTP)
        fu_validate_http_path(p, s->path_start, end, v);
    else if (has_scheme)
        fu_validate_schemepart(shape, p, s->scheme_end + 1, end, read.rfc, v);
    else if (form == FU_FORM_URL)
        fu_validate_no_scheme(p, n, v);
    else if (read.urllib != NULL)
        fu_validate_hostport(p, read.urllib, 0, v);
    else if (n > 0 && p[0] == '/' && s->flags & FU_HAS_QUERY)
        fu_validate_term(p, s->path_end + 1, s->query_end, TERM_HSEGMENT, FU_TERM_SEARCH, v);
}

/* Return 1 if the readers of a text differ in its scheme, login, host or port. `s` has all spans. */
static FU_NOINLINE int fu_is_ambiguous(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form) {
    fu_diagnostics found;
    if (s->flags & FU_PROVEN_VALID || fu_is_plain_web(table, s)) return 0;
    fu_start_diagnostics(&found);
    fu_validate(table, p, s, form, &found);
    return (found.findings & FU_AMBIGUOUS_AUTHORITY) != 0;
}

#endif
