/* The normal form of a URL, RFC 1738 section 2.2. Two URLs have the same normal form if they differ only in ways that the
 * section calls equivalent.
 *
 *   - an escape of a letter, digit, "-", "_" or "." becomes that byte; the hex digits of other escapes become upper case.
 *     Section 2.2 also equates the other unreserved bytes with their escapes, but programs do not: a form reader takes "+"
 *     for a space and "%2B" for a plus
 *   - scheme and host become lower case; a port loses its leading zeros; the scheme's own port is removed
 *
 * The text may be no URL at all. Then only what is certain changes. An escape stays where the production allows none (host,
 * port, group, digits, ftptype). A hostport that cannot be a host and a port stays unchanged. In a scheme with its own
 * productions only the scheme's name changes, because productions may require any case, port and escape. The result is never
 * longer than the text, is its own normal form, and has the same parts.
 *
 * Every byte written consumes at least one byte of the text, and no byte is consumed twice, whatever each read of the text
 * returns. So a text that changes meanwhile gives a wrong result, but never a longer one. */
#ifndef FASTURL_NORMALIZE_H
#define FASTURL_NORMALIZE_H

#include <string.h>

#include "validate/validate.h"
#include "split/schemes.h"
#include "split/spans.h"
#include "ascii.h"

/* Write the equivalence key: the normal form with the escapes of all unreserved bytes decoded (section 2.2), and without the "/"
 * that sections 3.3, 3.4 and 3.8 let a URL omit. */
enum { FU_NORMAL_KEY = 1 << 0 };

typedef struct {
    const uint8_t *p;
    uint8_t *to;
    size_t count; /* bytes written */
    int key;      /* decode the escapes of all unreserved bytes */
} fu_writer;

static inline void fu_write_raw(fu_writer *w, size_t start, size_t end) {
    if (start >= end) return;
    memcpy(w->to + w->count, w->p + start, end - start);
    w->count += end - start;
}

static inline void fu_write_lower(fu_writer *w, size_t start, size_t end) {
    for (size_t i = start; i < end; i++) w->to[w->count++] = fu_lower(w->p[i]);
}

static inline void fu_write_escape(fu_writer *w, uint8_t byte) {
    static const char hex[] = "0123456789ABCDEF";
    w->to[w->count++] = '%';
    w->to[w->count++] = (uint8_t)hex[byte >> 4];
    w->to[w->count++] = (uint8_t)hex[byte & 15];
}

/* Return 1 for the bytes that no program distinguishes from their escapes: letters, digits, "-", "_" and ".". */
static inline int fu_is_plain(uint8_t byte) { return fu_is(byte, TERM_HOST) || byte == '_'; }

/* Write [start, end) with the escapes of plain bytes decoded; in a key, of unreserved bytes; with `reserved`, of all bytes
 * outside that string. The remaining escapes get upper-case hex digits. A "%" that starts no escape stays. A byte is not decoded
 * if it would turn such a "%" into an escape: "%%341" means "%" "4" "1", but "%41" would mean "A". */
static inline void fu_write_escapes(fu_writer *w, size_t start, size_t end, const char *reserved) {
    size_t lone = FU_ABSENT; /* offset in the result of the last "%" that starts no escape */
#ifdef FU_HAS_NORMAL_BLOCKS
    if (!reserved && start < end) {
        size_t written;
        start += fu_normal_blocks(w->p + start, end - start, w->key, w->to + w->count, &written);
        w->count += written;
    }
#endif
    for (size_t i = start; i < end;) {
        const uint8_t *percent = (const uint8_t *)memchr(w->p + i, '%', end - i);
        size_t at = percent ? (size_t)(percent - w->p) : end;
        fu_write_raw(w, i, at);
        if (at == end) return;
        int byte = fu_escape_value(w->p + at, end - at);
        if (byte < 0) {
            lone = w->count;
            w->to[w->count++] = '%';
            i = at + 1;
            continue;
        }
        int makes_escape = lone != FU_ABSENT && HEX_VALUE[byte] >= 0 &&
                           (w->count == lone + 1 || (w->count == lone + 2 && HEX_VALUE[w->to[lone + 1]] >= 0));
        int decoded = reserved ? memchr(reserved, byte, strlen(reserved)) == NULL
                      : w->key ? fu_is((uint8_t)byte, TERM_UCHAR)
                               : fu_is_plain((uint8_t)byte);
        if (decoded && !makes_escape) {
            w->to[w->count++] = (uint8_t)byte;
        } else {
            fu_write_escape(w, (uint8_t)byte);
        }
        i = at + 3;
    }
}

/* Return the end of the host at `start`: the ':' of a port, or `end`. Return FU_ABSENT for text that cannot be a host. Accepts
 * two common forms beyond the production that are just as case-insensitive: "_" and an address in brackets. */
static inline size_t fu_sure_host_end(const uint8_t *p, size_t start, size_t end) {
    size_t i = start;
    if (i < end && p[i] == '[') {
        for (i++; i < end && (fu_is(p[i], TERM_HEX) || p[i] == ':' || p[i] == '.'); i++) continue;
        if (i == end || p[i] != ']' || i == start + 1) return FU_ABSENT;
        i++;
    } else {
        while (i < end && (fu_is(p[i], TERM_HOST) || p[i] == '_')) i++;
        if (i == start) return FU_ABSENT;
    }
    return i == end || p[i] == ':' ? i : FU_ABSENT;
}

/* Write ":" port, which is [start, end). */
static inline void fu_write_port(fu_writer *w, size_t start, size_t end, int32_t own) {
    int32_t port = start < end ? fu_port_number(w->p, start + 1, end) : -1;
    if (port < 0) {
        fu_write_raw(w, start, end);
        return;
    }
    if (port == own) return;
    size_t digit = start + 1;
    while (digit + 1 < end && w->p[digit] == '0') digit++;
    w->to[w->count++] = ':';
    fu_write_raw(w, digit, end);
}

/* Write the login, which follows "//". Return 1 if it certainly has a host. */
static inline int fu_write_login(fu_writer *w, const fu_login *login, size_t part_end, fu_shape shape, int32_t own) {
    size_t host = login->parts.host_text_start, end = login->end;
    fu_write_escapes(w, login->start, host, NULL);
    size_t host_end = fu_sure_host_end(w->p, host, end);
    /* An opaque part's letters keep their case. */
    if (host_end == FU_ABSENT || (fu_traits[shape].login == FU_LOGIN_ANY && !fu_is_ip_schemepart(w->p, login, part_end))) {
        fu_write_raw(w, host, end);
        return 0;
    }
    fu_write_lower(w, host, host_end);
    if (fu_traits[shape].login == FU_LOGIN_HOST)
        fu_write_raw(w, host_end, end);
    else
        fu_write_port(w, host_end, end, own);
    return 1;
}

/* Write the part after the login, or the whole schemepart of a scheme without a login. */
static inline void fu_write_part(fu_writer *w, size_t start, size_t end, fu_shape shape) {
    size_t stop = end;
    switch (fu_traits[shape].escapes) {
    case FU_ESCAPES_BEFORE_TYPE: /* an ftptype has no escapes, and "a;typ%65=i" names a file */
        stop = fu_find_last(w->p, start, end, ';');
        if (stop == FU_ABSENT) stop = end;
        break;
    case FU_ESCAPES_NONE: stop = start; break;
    case FU_ESCAPES_ARTICLE: /* a group has no escapes */
        stop = fu_find(w->p, start, end, '@');
        if (stop == end) stop = start;
        break;
    default: break;
    }
    fu_write_escapes(w, start, stop, NULL);
    fu_write_raw(w, stop, end);
}

/* Write the schemepart [start, end). `sure`: 0 if the text before it may not be a scheme. */
static inline void fu_write_schemepart(fu_writer *w, size_t start, size_t end, fu_shape shape, int32_t own, int sure) {
    int slashes = end - start >= 2 && w->p[start] == '/' && w->p[start + 1] == '/';
    if (!slashes || fu_traits[shape].login == FU_LOGIN_NONE) {
        fu_write_part(w, start, end, shape);
        return;
    }
    fu_login login;
    fu_split_login(w->p, start + 2, fu_login_end(w->p, start + 2, end, shape), &login);
    /* In a scheme without its own production, the text from a "?" to the next "/" is as opaque as the login before it. */
    size_t stop = fu_traits[shape].qmark == FU_QMARK_OPAQUE ? fu_find(w->p, login.end, end, '/') : login.end;
    fu_write_raw(w, start, start + 2);
    if (!sure) {
        fu_write_raw(w, start + 2, login.end);
    } else if (fu_write_login(w, &login, end, shape, own) && w->key && end - stop == 1 && w->p[stop] == '/' &&
               fu_traits[shape].lone_slash) {
        return;
    }
    fu_write_raw(w, login.end, stop);
    fu_write_part(w, stop, end, shape);
}

/* Return 1 if the text is certainly its own normal form. A quick check that most texts pass. */
static inline int fu_is_plainly_normal(const uint8_t *p, const fu_spans *s) {
    /* FU_PROVEN_VALID implies ASCII, no escape, no login and no port. Only letters in scheme and host may still change. */
    return s->flags & FU_PROVEN_VALID && !fu_ascii_has_capital(p, s->path_start);
}

/* Write the normal form of a text, or its key, and return the length. The text was split with any_first, so that every scheme
 * that a strict parse reads is found and nothing it decodes changes. `to` has space for the whole text. */
FU_FLATTEN static FU_NOINLINE size_t fu_normal(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, int flags,
                                               uint8_t *to) {
    fu_writer w = {p, to, 0, (flags & FU_NORMAL_KEY) != 0};
    size_t end = s->query_end; /* the fragment is not part of the URL and stays unchanged */
    if (s->flags & FU_HAS_SCHEME) {
        int sure = s->scheme != FU_NO_SCHEME || fu_is(p[0], TERM_ALPHA);
        fu_shape shape = fu_shape_of(table, s->scheme);
        if (sure)
            fu_write_lower(&w, 0, s->scheme_end);
        else
            fu_write_raw(&w, 0, s->scheme_end);
        fu_write_raw(&w, s->scheme_end, s->scheme_end + 1);
        if (shape == FU_SHAPE_CUSTOM)
            fu_write_raw(&w, s->scheme_end + 1, end);
        else
            fu_write_schemepart(&w, s->scheme_end + 1, end, shape, fu_port_of(table, s->scheme), sure);
    } else {
        /* Copy everything up to a ':' unchanged: with its escapes decoded, it might read as a scheme. */
        size_t part = 0;
        while (part < end && p[part] != ':' && p[part] != '/' && p[part] != '?') part++;
        part = part < end && p[part] == ':' ? part + 1 : 0;
        fu_write_raw(&w, 0, part);
        fu_write_schemepart(&w, part, end, FU_SHAPE_GENERIC, FU_NO_PORT, 0);
    }
    fu_write_raw(&w, end, s->length);
    return w.count;
}

#endif
