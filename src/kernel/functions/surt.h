/* SURT keys, as in the indexes of web archives: the host's labels in reverse order, then path and query in one spelling.
 *
 * The rules are those that the Python package surt 0.3.1 shows from outside. They are on docs/guides/crawl-keys.md. All steps
 * work on a copy of the text. A host outside ASCII needs Python's IDNA: the result is FU_RESULT_ASKS, and
 * src/fasturl/_canonical.py then gives a text with the same key whose host is final. */
#ifndef FASTURL_SURT_H
#define FASTURL_SURT_H

#include "functions/address.h"
#include "functions/dedup.h"

enum { FU_SURT_SLACK = 64 /* more than "http:", an IPv4 address, a port, ")", "/" and "?" take */ };

/* Return the memory that fu_surt needs for a text of n bytes: the key, whose bytes may all be escaped; one escaped part; a copy of
 * the text with one more byte; and the pieces of the query, of which any may be empty. */
static inline size_t fu_surt_capacity(size_t n) { return 7 * n + 2 * FU_SURT_SLACK + 1 + fu_pieces_size(2 * n); }

/* Decode the escapes of p[0:n) in place until none is left; with `once`, all bytes are escaped once. Return the new length. The
 * result does not depend on the order, because no two escapes overlap, so one pass with a stack is enough. */
static inline size_t fu_decode_fully(uint8_t *p, size_t n, int once) {
    size_t out = fu_find(p, 0, n, '%');
    for (size_t i = out; i < n; i++) {
        p[out++] = p[i];
        for (int value; out >= 3 && (value = fu_escape_value(p + out - 3, 3)) >= 0;) {
            p[out - 3] = (uint8_t)value;
            out -= 2;
            if (once) break;
        }
    }
    return out;
}

/* Return 0 if fu_write_surt escapes none of the eight bytes. */
static inline uint64_t fu_surt_escapes(uint64_t word) {
    const uint64_t others = ((word - FU_EACH(0x21)) & ~word) | word | (word + FU_EACH(1));
    return (others & FU_EACH(0x80)) | fu_word_has(word, '#') | fu_word_has(word, '%');
}

/* Write p[0:n) in lower case. Escape spaces, control characters, bytes outside ASCII, "#" and "%". Return the length. */
static inline size_t fu_write_surt(const uint8_t *p, size_t n, uint8_t *to) {
    static const char hex[] = "0123456789abcdef";
    size_t out = 0;
    uint64_t word;
    for (size_t i = 0; i < n; i++) {
        while (n - i >= sizeof word) {
            memcpy(&word, p + i, sizeof word);
            if (fu_surt_escapes(word)) break;
            fu_ascii_lower(p + i, sizeof word, to + out);
            i += sizeof word;
            out += sizeof word;
        }
        if (i == n) break;
        const uint8_t c = p[i];
        to[out++] = fu_lower(c);
        if (c > 0x20 && c < 0x7f && c != '#' && c != '%') continue;
        to[out - 1] = '%';
        to[out++] = (uint8_t)hex[c >> 4];
        to[out++] = (uint8_t)hex[c & 15];
    }
    return out;
}

/* Replace a host that is a number, or two to four decimal or octal numbers, with its IPv4 address. Return its length. */
static inline size_t fu_surt_address(const uint8_t *p, size_t n, uint8_t out[16]) {
    size_t dots = 0, high = 0, length = 0;
    uint32_t address = 0;
    for (size_t i = 0; i < n; i++) {
        if (p[i] != '.' && !fu_is(p[i], TERM_DIGIT)) return 0;
        dots += p[i] == '.';
        high += p[i] > '7';
    }
    if (n == 0 || (dots && ((p[0] == '0' && high) || !fu_read_ipv4(p, 0, n, &address)))) return 0;
    if (!dots)
        for (size_t i = 0; i < n; i++) address = address * 10 + (uint32_t)(p[i] - '0'); /* modulo 2**32 */
    for (int shift = 24; shift >= 0; shift -= 8) {
        length += fu_write_number(address >> shift & 255, out + length);
        out[length++] = '.';
    }
    return length - 1;
}

/* Write the final spelling of the decoded host p[0:n), which is overwritten. Return its length. */
static inline size_t fu_write_surt_host(uint8_t *p, size_t n, uint8_t *to) {
    uint8_t address[16];
    size_t out = 0, www = 3;
    while (n && p[n - 1] == '.') n--;
    for (; n && *p == '.'; n--) p++;
    for (size_t i = 0; i < n; i++) {
        p[out++] = p[i];
        if (p[i] == '.' && i + 1 < n && p[i + 1] == '.') i++;
    }
    const size_t length = fu_surt_address(p, out, address);
    n = length ? fu_write_surt(address, length, to) : fu_write_surt(p, out, to);
    if (n < 4 || memcmp(to, "www", 3) != 0) return n;
    while (www < n && fu_is(to[www], TERM_DIGIT)) www++;
    if (www == n || to[www++] != '.') return n;
    memmove(to, to + www, n - www);
    return n - www;
}

/* Resolve the dot segments of the path p[0:n) in place, then merge its slashes. It starts with "/" or is empty; there is space
 * for one byte. Return the length. A ".." below the root stays, and the next one removes it. */
static inline size_t fu_surt_segments(uint8_t *p, size_t n) {
    size_t out = 0, merged = 1;
    for (size_t i = 0, stop; i < n; i = stop) {
        stop = fu_find(p, i + 1, n, '/');
        const size_t length = stop - i;
        if (length == 2 && p[i + 1] == '.') continue;
        if (length == 3 && p[i + 1] == '.' && p[i + 2] == '.' && out) {
            do out--;
            while (p[out] != '/');
            continue;
        }
        memmove(p + out, p + i, length);
        out += length;
    }
    p[0] = '/';
    for (size_t i = 1; i < out; i++)
        if (p[i] != '/' || p[merged - 1] != '/') p[merged++] = p[i];
    return merged;
}

static inline size_t fu_cut_range(uint8_t *p, size_t n, size_t start, size_t end) {
    memmove(p + start, p + end, n - end);
    return n - (end - start);
}

/* Return 1 if p[at:at+count) are letters in lower case or digits, with no digits if `letters`, within n bytes. */
static inline int fu_are_session(const uint8_t *p, size_t n, size_t at, size_t count, int letters) {
    if (at > n || n - at < count) return 0;
    for (size_t i = at; i < at + count; i++)
        if (!((p[i] >= 'a' && p[i] <= 'z') || (!letters && fu_is(p[i], TERM_DIGIT)))) return 0;
    return 1;
}

static inline int fu_has_at(const uint8_t *p, size_t n, size_t at, const char *text, size_t length) {
    return at <= n && n - at >= length && memcmp(p + at, text, length) == 0;
}

/* Cut the last session of ASP.NET out of a path: "/(24 letters or digits)/" or, nested, "/(a(24)b(24))/", before ".aspx". */
static inline size_t fu_cut_path_session(uint8_t *p, size_t n, int nested) {
    size_t qmark = n, aspx = n, aspx_after = n;
    for (size_t i = n; i-- > 1;) {
        if (p[i] == '?') qmark = i;
        if (fu_has_at(p, n, i, ".aspx", 5)) {
            aspx_after = aspx;
            aspx = i;
        }
        if (p[i] != '(' || p[i - 1] != '/') continue;
        size_t end = i + 1;
        if (!nested && fu_are_session(p, n, end, 24, 0)) end += 24;
        while (nested && fu_are_session(p, n, end, 1, 1) && fu_has_at(p, n, end + 1, "(", 1) &&
               fu_are_session(p, n, end + 2, 24, 0) && fu_has_at(p, n, end + 26, ")", 1))
            end += 27;
        if (end == i + 1 || !fu_has_at(p, n, end, ")/", 2)) continue;
        end += 2;
        const size_t page = aspx == end ? aspx_after : aspx;
        if (page < qmark && page < n) return fu_cut_range(p, n, i, end);
    }
    return n;
}

typedef struct {
    const char *name; /* up to the "=", or to the letters before it */
    size_t length, letters, count;
} fu_session;

/* Cut the last session of a kind, and the "&" after it, out of a query in lower case. */
static inline size_t fu_cut_query_session(uint8_t *p, size_t n, const fu_session *session) {
    size_t next = n; /* the "&" after p[i] */
    for (size_t i = n; i-- > 0;) {
        if (p[i] == '&') next = i;
        const size_t before = session->length + session->letters;
        if (p[i] != '=' || i < before || memcmp(p + i - before, session->name, session->length) != 0) continue;
        if (!fu_are_session(p, n, i - session->letters, session->letters, 1)) continue;
        size_t end = i + 1 + session->count;
        if (session->count) {
            if (!fu_are_session(p, n, i + 1, session->count, session->letters > 0)) continue;
        } else { /* "cfid=…&cftoken=…", both with a value */
            if (next == i + 1 || !fu_has_at(p, n, next, "&cftoken=", 9)) continue;
            end = fu_find(p, next + 9, n, '&');
            if (end == next + 9) continue;
        }
        if (end == n || p[end] == '&') return fu_cut_range(p, n, i - before, end + (end < n));
    }
    return n;
}

static inline size_t fu_cut_query_sessions(uint8_t *p, size_t n) {
    static const fu_session sessions[] = {
        {"jsessionid", 10, 0, 32}, {"phpsessid", 9, 0, 32}, {"sid", 3, 0, 32}, {"aspsessionid", 12, 8, 24}, {"cfid", 4, 0, 0}};
    size_t i = 1;
    while (i < n && !(p[i - 1] == 'i' && p[i] == 'd')) i++; /* each name has it */
    for (size_t k = 0; i < n && k < sizeof sessions / sizeof sessions[0]; k++) n = fu_cut_query_session(p, n, &sessions[k]);
    return n;
}

/* Compare as (name, value) tuples: the first "=" is before all bytes, and the end before "=". */
static inline int fu_is_surt_piece_before(const fu_slice *a, const fu_slice *b) {
    for (size_t i = 0, in_value = 0;; i++) {
        const unsigned x = i == a->n ? 0 : !in_value && a->p[i] == '=' ? 1 : a->p[i] + 2u;
        const unsigned y = i == b->n ? 0 : !in_value && b->p[i] == '=' ? 1 : b->p[i] + 2u;
        if (x != y || x == 0) return x < y;
        in_value |= x == 1;
    }
}

/* Return the length of "http://" or "https://" at the start of a text, 0 for another text. */
static inline size_t fu_web_prefix(const uint8_t *p, size_t n) {
    return fu_has_at(p, n, 0, "http://", 7) ? 7 : fu_has_at(p, n, 0, "https://", 8) ? 8 : 0;
}

/* Return the port that a key omits: that of http and https. Ports of other schemes stay. */
static inline int32_t fu_surt_port(const uint8_t *scheme, size_t n) {
    static const uint8_t https[] = "https";
    if (n != 4 && n != 5) return FU_NO_PORT;
    for (size_t i = 0; i < n; i++)
        if (fu_lower(scheme[i]) != https[i]) return FU_NO_PORT;
    return fu_registered_port(scheme, n);
}

/* Write the key of a text to `to`, which has fu_surt_capacity(n) bytes. The result is null for a port that is not a number below
 * 65536 and for white space alone. */
static FU_NOINLINE fu_result fu_surt(const uint8_t *p, size_t n, int is_final, uint8_t *to) {
    uint8_t *part = to + 3 * n + FU_SURT_SLACK, *text = part + 3 * n + FU_SURT_SLACK;
    fu_slice *pieces = fu_pieces_in(text + n + 1);
    size_t count = 0, first = 0, last = n, length = 0, colon, netloc_end, rest, path_n;
    fu_netloc u = {0};
    int32_t port = 0;
    int has_netloc = 1;
    if (n == 0) {
        to[0] = '-';
        return fu_new_text(1);
    }
    if (fu_has_at(p, n, 0, "filedesc", 8)) return fu_part_result(0, n);
    while (first < last && fu_is_space(p[first])) first++;
    while (first < last && fu_is_space(p[last - 1])) last--;
    if (first == last) return fu_no_result();
    memcpy(text, p + first, last - first); /* all steps read the copy, which no other thread changes */
    count = last - first;
    if (fu_is_unclean(text, count)) {
        last = count;
        for (size_t i = count = 0; i < last; i++) {
            text[count] = text[i];
            count += !fu_is_deleted(text[i]);
        }
    }
    for (first = 0; fu_web_prefix(text + first, count - first);) {
        const size_t skipped = fu_web_prefix(text + first, count - first);
        if (!fu_web_prefix(text + first + skipped, count - first - skipped)) break;
        first += skipped;
    }
    const uint8_t *scheme = (const uint8_t *)"http";
    size_t scheme_n = 4;
    rest = first;
    for (colon = first; colon < count && fu_is(text[colon], TERM_SCHEME); colon++) continue;
    if (colon < count && text[colon] == ':' && fu_is(text[first], TERM_ALPHA)) {
        scheme = text + first;
        scheme_n = colon - first;
        has_netloc = fu_has_at(text, count, colon + 1, "//", 2);
        rest = colon + (has_netloc ? 3 : 1);
    }
    for (netloc_end = rest; has_netloc && netloc_end < count; netloc_end++)
        if (text[netloc_end] == '/' || text[netloc_end] == '?' || text[netloc_end] == '#') break;
    const size_t end = fu_find(text, netloc_end, count, '#'), path_end = fu_find(text, netloc_end, end, '?');
    for (last = netloc_end; last > rest && text[last - 1] == ':';) last--;
    fu_split_netloc(text, rest, last, &u);
    if (u.port_start < u.port_end && (port = fu_port_number(text, u.port_start, u.port_end)) < 0) return fu_no_result();
    uint8_t *path = text + netloc_end;
    path_n = path_end - netloc_end;
    if (u.host_start == u.host_end && path_n && fu_has_at(scheme, scheme_n, 0, "http", 4)) { /* "http:h/a", "http:///h/a" */
        for (u.host_start = netloc_end; u.host_start < path_end && text[u.host_start] == '/';) u.host_start++;
        u.host_end = fu_find(text, u.host_start, path_end, '/');
        path = text + u.host_end;
        path_n = path_end - u.host_end;
        if (path_n == 0) path[path_n++] = '/'; /* in place of the "?" or "#", or behind the text */
    }
    path_n = fu_decode_fully(path, path_n, 0);
    const size_t host_n = fu_decode_fully(text + u.host_start, u.host_end - u.host_start, is_final);
    if (!is_final && !fu_is_ascii(text + u.host_start, host_n)) return fu_asks();
    last = fu_write_surt_host(text + u.host_start, host_n, part);
    if (last) {
        path_n = fu_surt_segments(path, path_n);
        for (size_t stop = last, dot; stop != FU_ABSENT; stop = dot) {
            dot = fu_find_last(part, 0, stop, '.');
            const size_t label = dot == FU_ABSENT ? 0 : dot + 1;
            if (stop < last) to[length++] = ',';
            memcpy(to + length, part + label, stop - label);
            length += stop - label;
        }
        if (port && port != fu_surt_port(scheme, scheme_n)) {
            to[length++] = ':';
            length += fu_write_number((uint64_t)port, to + length);
        }
        to[length++] = ')';
    } else {
        memcpy(to, scheme, scheme_n);
        length = scheme_n;
        to[length++] = ':';
    }
    path_n = fu_write_surt(path, path_n, to + length);
    if (memchr(to + length, '(', path_n)) {
        path_n = fu_cut_path_session(to + length, path_n, 1);
        path_n = fu_cut_path_session(to + length, path_n, 0);
    }
    if (path_n > 1 && to[length + path_n - 1] == '/') path_n--;
    length += path_n;
    if (path_end == end) return fu_new_text(length);
    n = fu_write_surt(text + path_end + 1, fu_decode_fully(text + path_end + 1, end - path_end - 1, 0), part);
    n = fu_cut_query_sessions(part, n);
    if (n == 0) return fu_new_text(length);
    if (path_n == 0) to[length++] = '/';
    to[length++] = '?';
    count = 0;
    for (size_t at = 0, stop; at <= n; at = stop + 1) {
        stop = fu_find(part, at, n, '&');
        pieces[count].p = part + at;
        pieces[count++].n = stop - at;
    }
    fu_sort_pieces(pieces, count, fu_is_surt_piece_before);
    for (size_t i = 0; i < count; i++) {
        if (i) to[length++] = '&';
        memcpy(to + length, pieces[i].p, pieces[i].n);
        length += pieces[i].n;
    }
    return fu_new_text(length);
}

#endif
