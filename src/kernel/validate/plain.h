/* Plain authorities: an allow-list of the texts in which every reader in use sees the same scheme, login, host and port.
 * tests/readers and tools/readers.py compare it with these readers; docs/readers.md has their readings. */
#ifndef FASTURL_PLAIN_H
#define FASTURL_PLAIN_H

#include "escapes/utf8.h"
#include "split/brackets.h"
#include "split/urllib.h"
#include "validate/host_characters.h"
#include "validate/primitives.h"

static inline int fu_is_plain_character(uint32_t code) {
    size_t low = 0, high = FU_HOST_RANGES;
    while (low < high) {
        const size_t middle = (low + high) / 2;
        if (code > FU_HOST_CHARACTERS[middle][1])
            low = middle + 1;
        else
            high = middle;
    }
    return low < FU_HOST_RANGES && code >= FU_HOST_CHARACTERS[low][0];
}

/* Return 1 if the host's last label is decimal digits, or starts with "0x". Some readers read such a host as a number. */
static inline int fu_ends_in_number(const uint8_t *p, size_t start, size_t end) {
    if (end > start && p[end - 1] == '.') end--;
    const size_t dot = fu_find_last(p, start, end, '.'), label = dot == FU_ABSENT ? start : dot + 1;
    if (end - label >= 2 && p[label] == '0' && fu_lower(p[label + 1]) == 'x') return 1;
    return label < end && fu_skip(p, label, end, TERM_DIGIT) == end;
}

/* is_web: a scheme in which WHATWG maps characters above 7F instead of escaping them */
static inline int fu_is_plain_host(const uint8_t *p, size_t start, size_t end, int is_web, const fu_characters *text) {
    for (size_t i = start; i < end;) {
        uint32_t code = p[i];
        int length = 1;
        if (code >= 0x80) {
            if (!is_web) return 0;
            if (text->width == 0) length = fu_utf8_step(p + i, end - i, &code);
            if (text->width == 2) code = ((const uint16_t *)text->points)[i];
            if (text->width == 4) code = ((const uint32_t *)text->points)[i];
            if (length < 0 || !fu_is_plain_character(code)) return 0;
        } else if (!fu_is(p[i], TERM_UCHAR) && code != ';' && code != '&' && code != '=' && code != '~') {
            return 0;
        }
        i += (size_t)length;
    }
    return !fu_ends_in_number(p, start, end) || fu_is_ipv4(p + start, end - start);
}

static inline int fu_is_plain_hostport(const uint8_t *p, size_t start, size_t end, fu_browser_kind kind,
                                       const fu_characters *text) {
    size_t colon;
    if (start < end && p[start] == '[') {
        const size_t close = fu_find(p, start, end, ']');
        if (close == end || !fu_is_ipv6(p + start + 1, close - start - 1)) return 0;
        colon = close + 1;
        if (colon < end && p[colon] != ':') return 0;
    } else {
        colon = fu_find(p, start, end, ':');
        if (colon == start || !fu_is_plain_host(p, start, colon, kind == FU_BROWSER_SPECIAL, text)) return 0;
    }
    if (colon == end) return 1;
    if (kind == FU_BROWSER_FILE) return 0; /* a drive letter, or a port that WHATWG refuses */
    if (colon + 1 == end) return 1;
    return end - colon <= 6 && fu_port_number(p, colon + 1, end) > 0; /* requests drops port 0 */
}

/* Return 1 if a reader that takes any run of slashes for "//" may find a host in p[start:n]: WHATWG, where a backslash is also
 * a slash, or curl. Return 0 if they refuse the text, as for a port of letters. */
static inline int fu_may_reach_host(const uint8_t *p, size_t start, size_t n, int backslashes) {
    size_t login = start;
    while (login < n && (p[login] == '/' || (backslashes && p[login] == '\\'))) login++;
    size_t end = login;
    while (end < n && p[end] != '/' && p[end] != '?' && p[end] != '#' && !(backslashes && p[end] == '\\')) end++;
    for (size_t i = start; i < end; i++)
        if (fu_is_deleted(p[i])) return 1;
    if (end == n)
        while (end > login && p[end - 1] <= ' ') end--; /* WHATWG strips them */
    const size_t at = fu_find_last(p, login, end, '@'), host = at == FU_ABSENT ? login : at + 1;
    if (host < end && p[host] == '[') return 1;
    const size_t colon = fu_find(p, host, end, ':');
    for (size_t i = host; i < colon; i++)
        if (p[i] <= ' ' || p[i] == 0x7f || p[i] == '<' || p[i] == '>' || p[i] == '^') return 0;
    return colon > host && (colon + 1 >= end || fu_port_number(p, colon + 1, end) >= 0);
}

/* Return 1 if no reader sees a host in a text whose scheme is followed by p[rest:], and not by "//" and a login. */
static inline int fu_has_plainly_no_host(const uint8_t *p, const fu_spans *s, size_t rest, fu_browser_kind kind) {
    const size_t n = s->length;
    const uint8_t first = rest < n ? p[rest] : 0, second = rest + 1 < n ? p[rest + 1] : 0;
    if (fu_is_deleted(first) || (first == '/' && fu_is_deleted(second))) return 0;
    if (kind == FU_BROWSER_SPECIAL) return !fu_may_reach_host(p, rest, n, 1) && !fu_may_reach_host(p, rest, n, 0);
    size_t i = fu_skip(p, rest, n - rest > 6 ? rest + 6 : n, TERM_DIGIT);
    if (i > rest) return i - rest > 5 || (i < n && p[i] != '/'); /* PHP reads "h:80" as a host and its port */
    if (kind == FU_BROWSER_FILE) return (first != '\\' || (second != '\\' && second != '/')) && (first != '/' || second != '\\');
    while (i < n && p[i] == '/') i++;
    return (i - rest != 1 && i - rest != 3) || !fu_may_reach_host(p, rest, n, 0); /* curl takes one or three slashes for two */
}

/* Return 1 if every reader that accepts the text sees the same scheme, login, host and port. */
static inline int fu_is_plain_authority(const uint8_t *p, const fu_spans *s, fu_form form, const fu_characters *text) {
    const size_t n = s->length, end = s->path_end, start = s->netloc_start, stop = s->path_start;
    const int has_scheme = (s->flags & FU_HAS_SCHEME) != 0, has_netloc = (s->flags & FU_HAS_NETLOC) != 0;
    const size_t rest = has_scheme ? s->scheme_end + 1 : 0;
    const fu_browser_kind kind = has_scheme ? fu_browser_kind_of(p, s->scheme_end) : FU_BROWSER_NONE;
    if (form == FU_FORM_TARGET && !has_scheme) {
        if (has_netloc) return fu_is_plain_hostport(p, 0, stop, FU_BROWSER_SPECIAL, text); /* a request target `host:port` */
        return n == 0 || p[0] != '\\';
    }
    if (has_scheme && !fu_is_plain_scheme(p, s->scheme_end)) return 0;
    if (!has_scheme) {
        size_t i = 0;
        while (i < n && p[i] != ':' && p[i] != '/' && p[i] != '?' && p[i] != '#') i++;
        if (i < n && p[i] == ':') return 0; /* a scheme for some readers */
        if (!has_netloc) /* a host for urllib3, unless the text starts with "/" */
            return end == 0 || (p[0] == '/' && (n == 1 || (p[1] != '\\' && !fu_is_deleted(p[1]))));
        if (fu_find(p, stop, end, ':') < end) return 0; /* PHP may read a port there */
    }
    if (!has_netloc) return fu_has_plainly_no_host(p, s, rest, kind);
    for (size_t i = start; i < stop; i++)
        if (p[i] < ' ' || p[i] == 0x7f || p[i] == '\\') return 0;
    const size_t at = fu_find_last(p, start, stop, '@');
    if (at == FU_ABSENT && start == stop) return kind == FU_BROWSER_FILE || fu_has_plainly_no_host(p, s, rest, kind);
    if (at != FU_ABSENT) {
        if (kind == FU_BROWSER_FILE) return 0;
        int escapes = 0, percents = 0; /* requests escapes every "%" if one of them starts no escape */
        for (size_t i = start; i < at; i++) {
            if (p[i] != '%') continue;
            if (fu_escape_value(p + i, at - i) < 0)
                percents = 1;
            else
                escapes = 1;
        }
        if (escapes && percents) return 0;
    }
    return fu_is_plain_hostport(p, at == FU_ABSENT ? start : at + 1, stop, kind, text);
}

#endif
