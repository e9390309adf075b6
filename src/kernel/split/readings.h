/* Readings: where each program that reads a text finds its login. fu_split_netloc divides a login in every reading. The
 * readings differ in where the login ends; the browser's also differs in where it starts.
 *
 *   urllib's    "//" to the first "/", "?" or "#"
 *   the RFC's   "//" to the first "/", since a user or a password may hold "?" (RFC 1738 section 5); in http and wais to the
 *               first "/" or "?"; in generic and custom schemes a "?" also ends the login unless an "@" follows
 *   browser's   as urllib's, with "\" read as "/" (WHATWG URL Standard, section 4.4, for its special schemes) */
#ifndef FASTURL_READINGS_H
#define FASTURL_READINGS_H

#include <string.h>

#include "split/schemes.h"
#include "split/spans.h"

enum { FU_READINGS = 3 };

typedef struct {
    size_t start, end;
    fu_netloc parts;
} fu_login;

static inline void fu_split_login(const uint8_t *p, size_t start, size_t end, fu_login *out) {
    out->start = start;
    out->end = end;
    fu_split_netloc(p, start, end, &out->parts);
}

static inline int fu_same_parts(const fu_netloc *a, const fu_netloc *b) {
    return a->user_start == b->user_start && a->user_end == b->user_end && a->password_start == b->password_start &&
           a->password_end == b->password_end && a->host_start == b->host_start && a->host_end == b->host_end &&
           a->port_start == b->port_start && a->port_end == b->port_end;
}

/* Return the end, in the RFC's reading, of the login that starts at `start` in a text that ends at `end`. */
static inline size_t fu_login_end(const uint8_t *p, size_t start, size_t end, fu_shape shape) {
    const uint8_t meaning = fu_traits[shape].qmark;
    size_t stop = start, qmark = FU_ABSENT;
    for (; stop < end && p[stop] != '/' && p[stop] != '#'; stop++) {
        if (p[stop] == '?' && qmark == FU_ABSENT) {
            if (meaning == FU_QMARK_SEARCH) return stop;
            qmark = stop;
        }
        if (p[stop] == '@') qmark = FU_ABSENT;
    }
    return qmark != FU_ABSENT && meaning == FU_QMARK_OPAQUE ? qmark : stop;
}

/* How a browser reads the slashes before a login, by scheme. It resolves a text without a scheme against the page's URL. */
typedef enum { FU_BROWSER_NONE, FU_BROWSER_SPECIAL, FU_BROWSER_FILE, FU_BROWSER_RELATIVE } fu_browser_kind;

static inline fu_browser_kind fu_browser_kind_of(const uint8_t *scheme, size_t length) {
    static const char names[][6] = {"http", "https", "ftp", "ws", "wss", "file"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        size_t k = 0;
        while (k < length && k < 5 && names[i][k] && fu_lower(scheme[k]) == (uint8_t)names[i][k]) k++;
        if (k == length && names[i][k] == 0) return names[i][0] == 'f' && k == 4 ? FU_BROWSER_FILE : FU_BROWSER_SPECIAL;
    }
    return FU_BROWSER_NONE;
}

/* Return 1 if every reader sees this scheme: urllib requires a letter first, and urllib3 reads "a.b:" as a host. */
static inline int fu_is_plain_scheme(const uint8_t *p, size_t length) {
    return length > 0 && fu_is(p[0], TERM_ALPHA) && fu_find(p, 0, length, '.') == length;
}

/* Find the login that a browser sees in [part, end), the text after the scheme. Return 0 without a login. A browser reads any
 * run of slashes as "//". This function does so only for runs with a "\": runs of "/" alone are not this reading's concern. */
static inline int fu_browser_login(const uint8_t *p, size_t part, size_t end, fu_browser_kind kind, fu_login *out) {
    size_t start = part, backslashes = 0;
    if (kind == FU_BROWSER_NONE) return 0;
    for (; start < end && (p[start] == '/' || p[start] == '\\'); start++) backslashes += p[start] == '\\';
    if (start - part < (backslashes && kind == FU_BROWSER_SPECIAL ? 1 : 2)) return 0;
    if (!backslashes || kind == FU_BROWSER_FILE) start = part + 2;
    size_t stop = start;
    while (stop < end && p[stop] != '/' && p[stop] != '\\' && p[stop] != '?' && p[stop] != '#') stop++;
    fu_split_login(p, start, stop, out);
    return 1;
}

/* Insert a range into `places`, which are sorted and do not touch; merge it with the ranges that it touches. Return their
 * count. */
static inline size_t fu_add_place(fu_range *places, size_t count, size_t start, size_t end) {
    size_t at = 0, kept;
    while (at < count && places[at].end < start) at++;
    for (kept = at; kept < count && places[kept].start <= end; kept++) {
        if (places[kept].start < start) start = places[kept].start;
        if (places[kept].end > end) end = places[kept].end;
    }
    if (kept == at) { /* nothing to merge with: insert */
        for (size_t i = count; i > at; i--) places[i] = places[i - 1];
        count++;
    } else {
        for (size_t i = kept; i < count; i++) places[at + 1 + i - kept] = places[i];
        count -= kept - at - 1;
    }
    places[at].start = start;
    places[at].end = end;
    return count;
}

/* Find every password that some reading sees in p[0:n]. Return their count, at most FU_READINGS. The ranges are sorted;
 * overlapping ones are merged. The text before the ":" need not be a valid scheme: invalid characters ("ht!tp://u:p@h/") or a
 * prefix ("URL:http://u:p@h/") may precede it. */
static inline size_t fu_find_passwords(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_range *passwords) {
    fu_login logins[FU_READINGS];
    size_t found = 0, count = 0, slash = 0;
    if (n == 0 || memchr(p, '@', n) == NULL) return 0; /* every reading ends a password at an "@" */
    while (slash < n && p[slash] != '/' && p[slash] != '\\' && p[slash] != '?' && p[slash] != '#') slash++;
    for (int browser = 1; browser >= 0; browser--) {
        if (!browser) /* the other two readings may find their slashes after a "\" */
            while (slash < n && p[slash] != '/' && p[slash] != '?' && p[slash] != '#') slash++;
        if (slash == n || p[slash] == '?' || p[slash] == '#' || (slash > 0 && p[slash - 1] != ':')) continue;
        size_t name = slash > 0 ? slash - 1 : 0, name_end = name;
        while (name > 0 && fu_is(p[name - 1], TERM_SCHEME)) name--;
        if (browser) {
            const int is_bare = slash == 0 || (slash == 4 && memcmp(p, "URL:", 4) == 0);
            fu_browser_kind kind = is_bare ? FU_BROWSER_RELATIVE : fu_browser_kind_of(p + name, name_end - name);
            found += (size_t)fu_browser_login(p, slash, n, kind, &logins[found]);
        } else if (n - slash >= 2 && p[slash + 1] == '/') {
            size_t start = slash + 2, end = fu_login_end(p, start, n, FU_SHAPE_HTTP);
            fu_split_login(p, start, end, &logins[found++]);
            fu_shape shape = slash ? fu_shape_of(table, fu_find_scheme(table, p + name, name_end - name)) : FU_SHAPE_HTTP;
            if (fu_traits[shape].login != FU_LOGIN_NONE)
                fu_split_login(p, start, fu_login_end(p, end, n, shape), &logins[found++]);
        }
    }
    for (size_t i = 0; i < found; i++)
        if (logins[i].parts.password_start != FU_ABSENT)
            count = fu_add_place(passwords, count, logins[i].parts.password_start, logins[i].parts.password_end);
    return count;
}

#endif
