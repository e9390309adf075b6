/* Questions to a host list: blocks (any reading has a host of the list) and allows (all readers agree on a host of the list).
 *
 * In a plain authority (validate/plain.h), there is one host. In any other text, each host that a reader may see is searched, with
 * and without its escapes. These are more hosts than the readings of readings.h have: some readers take any run of slashes for "//",
 * or a text without a scheme for a host (docs/readers.md). */
#ifndef FASTURL_HOSTMATCH_H
#define FASTURL_HOSTMATCH_H

#include "functions/hostlist.h"
#include "validate/validate.h"

/* Find the host of a URL. Return 0 without a netloc. */
static inline int fu_host_of(const uint8_t *p, const fu_spans *s, size_t *start, size_t *end) {
    fu_netloc u;
    *start = s->netloc_start;
    *end = s->path_start;
    if (!(s->flags & FU_NETLOC_IS_HOSTNAME) && s->flags & FU_HAS_NETLOC) {
        fu_split_netloc(p, s->netloc_start, s->path_start, &u);
        *start = u.host_start;
        *end = u.host_end;
    }
    return (s->flags & FU_HAS_NETLOC) != 0;
}

/* Copy a text as WHATWG and urllib clean it: without controls and spaces at its ends, tabs and line breaks. Return the length. */
static inline size_t fu_clean_text(const uint8_t *p, size_t n, uint8_t *to) {
    size_t length = 0, start = 0;
    while (start < n && p[start] <= ' ') start++;
    while (n > start && p[n - 1] <= ' ') n--;
    for (size_t i = start; i < n; i++)
        if (!fu_is_deleted(p[i])) to[length++] = p[i];
    return length;
}

/* Return the place of the entry for any host between commas in p[start:end), as URLs of databases have several, or 0. */
static inline uint32_t fu_find_in_hosts(const fu_host_list *l, const uint8_t *p, size_t start, size_t end, unsigned switches,
                                        int *unsure) {
    uint32_t place = 0;
    for (size_t stop; !place && start < end; start = stop + 1) {
        stop = fu_find(p, start, end, ',');
        place = fu_find_host(l, p, start, fu_find(p, start, stop, ':'), switches, 1, unsure);
    }
    return place;
}

/* Return the place of the entry for any host in the login that starts at `start`, or 0. */
static inline uint32_t fu_find_in_login(const fu_host_list *l, const uint8_t *p, size_t start, size_t n, fu_shape shape,
                                        unsigned switches, int *unsure) {
    size_t ends[FU_READINGS] = {start, start, 0};
    fu_netloc at;
    while (ends[0] < n && p[ends[0]] != '/' && p[ends[0]] != '\\' && p[ends[0]] != '?' && p[ends[0]] != '#') ends[0]++;
    while (ends[1] < n && p[ends[1]] != '/' && p[ends[1]] != '?' && p[ends[1]] != '#') ends[1]++;
    ends[2] = fu_login_end(p, start, n, shape);
    for (int i = 0; i < FU_READINGS; i++) {
        if (i > 0 && ends[i] == ends[i - 1]) continue;
        fu_split_netloc(p, start, ends[i], &at);
        for (int decodes = 1; decodes >= 0; decodes--) {
            const uint32_t place = fu_find_host(l, p, at.host_start, at.host_end, switches, decodes, unsure);
            if (place) return place;
        }
        if (fu_find(p, at.host_start, ends[i], ',') == ends[i]) continue;
        const uint32_t place = fu_find_in_hosts(l, p, at.host_start, ends[i], switches, unsure);
        if (place) return place;
    }
    return 0;
}

/* A question to a list about texts of one form. switches: FU_LIST_… */
typedef struct {
    const fu_host_list *list;
    const fu_scheme_table *schemes;
    fu_form form;
    unsigned switches;
} fu_list_question;

/* Return the place of the entry for any host that a reader may see in an ambiguous text, or 0. p[0:n) is clean. */
static inline uint32_t fu_find_in_any_reading(const fu_list_question *q, const uint8_t *p, size_t n, int *unsure) {
    const size_t colon = fu_skip(p, 0, n, TERM_SCHEME);
    size_t start = colon + 1;
    if (q->form == FU_FORM_TARGET && n > 0 && p[0] == '/') return 0; /* a path */
    if (colon > 0 && colon < n && p[colon] == ':') {
        /* urllib3 reads "a.b://c" as the host a.b, and PHP "a:80" as a host and its port. */
        const int has_name = !fu_is_plain_scheme(p, colon) || (start < n && fu_is(p[start], TERM_DIGIT));
        const fu_shape shape = fu_shape_of(q->schemes, fu_find_scheme(q->schemes, p, colon));
        while (start < n && (p[start] == '/' || p[start] == '\\')) start++;
        const uint32_t place = fu_find_in_login(q->list, p, start, n, shape, q->switches, unsure);
        if (place || !has_name) return place;
    }
    for (start = 0; start < n && (p[start] == '/' || p[start] == '\\');) start++;
    return fu_find_in_login(q->list, p, start, n, FU_SHAPE_HTTP, q->switches, unsure);
}

/* Return 1 if every reader takes the text p[start:end) for the same host, in a URL of the web. */
static inline int fu_is_certain_host(const uint8_t *p, size_t start, size_t end) {
    const fu_characters utf8 = {NULL, 0};
    return end > start && (fu_is_ipv6(p + start, end - start) || fu_is_plain_host(p, start, end, 1, &utf8));
}

/* Return 1 if each reading has the host p[start:end) of an unambiguous URL: its characters and brackets are those of a host, and
 * RFC 1738 sees a login in a scheme without rules of its own (section 3.1). */
static inline int fu_is_in_each_reading(const fu_list_question *q, const uint8_t *p, const fu_spans *s, size_t start,
                                        size_t end) {
    const size_t login = s->netloc_start, stop = s->path_start, bracket = fu_find(p, login, stop, '[');
    const fu_shape shape = fu_shape_of(q->schemes, s->scheme);
    if (bracket < stop) return bracket + 1 == start;
    for (size_t i = start; i < end; i++)
        if (!fu_is(p[i], TERM_HOST) && p[i] != '_' && p[i] < 0x80) return 0;
    if (!(s->flags & FU_HAS_SCHEME) || (shape != FU_SHAPE_GENERIC && shape != FU_SHAPE_CUSTOM)) return 1;
    if (end + 1 == stop || (stop < s->length && p[stop] == '?')) return 0;
    return fu_host_breaks_at(p, start, end) == FU_ABSENT && (start == login || fu_find(p, login, stop, '@') + 1 == start);
}

/* Answer blocks with the entry, or allows with "" or "no", for a place in the list. */
static inline fu_result fu_list_answer(const fu_list_question *q, uint32_t place, uint8_t *to) {
    if (q->switches & FU_LIST_ALLOWS) {
        if (place) return fu_part_result(0, 0);
        memcpy(to, "no", 2);
        return fu_new_text(2);
    }
    if (place == 0) return fu_no_result();
    const fu_slice entry = fu_entry_text(q->list, place);
    memcpy(to, entry.p, entry.n);
    return fu_new_text(entry.n);
}

/* Return the space that `to` needs for a text of n bytes: a clean copy of the text, or an entry. */
static inline size_t fu_list_capacity(size_t n) { return n + FU_ENTRY_MAX; }

/* Ask a list about the host p[start:end), without a URL. It may have brackets. */
static inline fu_result fu_ask_list_of_host(const fu_list_question *q, const uint8_t *p, size_t start, size_t end, uint8_t *to) {
    const int allows = (q->switches & FU_LIST_ALLOWS) != 0;
    uint32_t place = 0;
    int unsure = 0;
    if (end - start > 2 && p[start] == '[' && p[end - 1] == ']') start++, end--;
    const int is_certain = fu_is_certain_host(p, start, end);
    for (int decodes = 0; !place && decodes <= !allows && (is_certain || !allows); decodes++)
        place = fu_find_host(q->list, p, start, end, q->switches, decodes, &unsure);
    return !place && unsure && !is_certain && !(q->switches & FU_LIST_MAPPED) ? fu_asks() : fu_list_answer(q, place, to);
}

/* Ask a list about the host of a URL, whose spans are all there. A text with a character that readers map differently asks Python. */
static FU_NOINLINE fu_result fu_ask_list(const fu_list_question *q, const uint8_t *p, const fu_spans *s, uint8_t *to) {
    const int allows = (q->switches & FU_LIST_ALLOWS) != 0;
    size_t start = 0, end = 0;
    uint32_t place = 0;
    int unsure = 0;
    if (!fu_is_ambiguous(q->schemes, p, s, q->form)) {
        if (fu_host_of(p, s, &start, &end) && (!allows || fu_is_in_each_reading(q, p, s, start, end)))
            place = fu_find_host(q->list, p, start, end, q->switches, !allows, &unsure);
        if (!place && !allows && fu_find(p, s->netloc_start, s->path_start, ',') < s->path_start)
            place = fu_find_in_hosts(q->list, p, start, s->path_start, q->switches, &unsure);
        return fu_list_answer(q, place, to);
    }
    if (!allows) place = fu_find_in_any_reading(q, to, fu_clean_text(p, s->length, to), &unsure);
    return !place && unsure && !(q->switches & FU_LIST_MAPPED) ? fu_asks() : fu_list_answer(q, place, to);
}

#endif
