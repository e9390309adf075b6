/* The normal form of a URL, RFC 1738 section 2.2: two URLs that differ in nothing but what the section calls equivalent
 * have the same one.
 *
 *   - an escape of an unreserved octet becomes that octet; the hex digits of any other become upper case
 *   - scheme and host become lower case; a port loses its leading zeros, the scheme's own port goes
 *
 * The text may be no URL at all. Then only what is certain is touched: an escape where the production has none (host,
 * port, group, digits, ftptype) stays, and so does all of a hostport that can be no host and port. Of a scheme with
 * productions of its own nothing but the scheme is touched: they may demand any case, any port, and any escape. The result
 * never has more octets than the text, is its own normal form, and reads back as the same parts.
 *
 * Each octet written stands for octets of the text that no other stands for, wherever one look at the text says that they
 * are: so a text that changes meanwhile gives a wrong result, but never a longer one. */
#ifndef FASTURL_NORMAL_H
#define FASTURL_NORMAL_H

#include <string.h>

#include "validate/validate.h"
#include "split/schemes.h"
#include "split/spans.h"
#include "text/ascii.h"

/* The key of equivalence: as the normal form, without the "/" that sections 3.3, 3.4 and 3.8 let a URL leave out. */
enum { FU_NORMAL_KEY = 1 << 0 };

typedef struct {
    const uint8_t *p;
    uint8_t *to;
    size_t count; /* octets written */
} fu_writer;

static inline void fu_write_raw(fu_writer *w, size_t start, size_t end) {
    if (start >= end) return;
    memcpy(w->to + w->count, w->p + start, end - start);
    w->count += end - start;
}

static inline void fu_write_lower(fu_writer *w, size_t start, size_t end) {
    for (size_t i = start; i < end; i++) w->to[w->count++] = fu_lower(w->p[i]);
}

/* Escapes of unreserved octets decoded, or, with `reserved`, of all octets but those of that string; the others with hex
 * digits in upper case. A "%" that starts no escape stays, and no octet is decoded that would make it start one: "%%341"
 * means "%" "4" "1", and "%41" would mean "A". */
static inline void fu_write_escapes(fu_writer *w, size_t start, size_t end, const char *reserved) {
    static const char hex[] = "0123456789ABCDEF";
    size_t lone = FU_ABSENT; /* where in the result the last "%" stands that starts no escape */
#ifdef FU_HAS_NORMAL_BLOCKS
    if (!reserved && start < end) {
        size_t written;
        start += fu_normal_blocks(w->p + start, end - start, w->to + w->count, &written);
        w->count += written;
    }
#endif
    for (size_t i = start; i < end;) {
        const uint8_t *percent = (const uint8_t *)memchr(w->p + i, '%', end - i);
        size_t at = percent ? (size_t)(percent - w->p) : end;
        fu_write_raw(w, i, at);
        if (at == end) return;
        int octet = fu_escape_value(w->p + at, end - at);
        if (octet < 0) {
            lone = w->count;
            w->to[w->count++] = '%';
            i = at + 1;
            continue;
        }
        int makes_escape = lone != FU_ABSENT && HEX_VALUE[octet] >= 0 &&
                           (w->count == lone + 1 || (w->count == lone + 2 && HEX_VALUE[w->to[lone + 1]] >= 0));
        int decoded = reserved ? memchr(reserved, octet, strlen(reserved)) == NULL : fu_is((uint8_t)octet, TERM_UCHAR);
        if (decoded && !makes_escape) {
            w->to[w->count++] = (uint8_t)octet;
        } else {
            w->to[w->count++] = '%';
            w->to[w->count++] = (uint8_t)hex[octet >> 4];
            w->to[w->count++] = (uint8_t)hex[octet & 15];
        }
        i = at + 3;
    }
}

/* Where the host at `start` ends: at the ':' of a port, or at `end`; FU_ABSENT when what stands there can be no host.
 * Wider than the production by what is used and as certain to have no case: "_" and an address in brackets. */
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

/* ":" port, [start, end), with its colon. */
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

/* What follows "//": the login. Returns whether there is a host that is sure to be one. */
static inline int fu_write_login(fu_writer *w, const fu_login *login, size_t part_end, fu_shape shape, int32_t own) {
    size_t host = login->parts.host_text_start, end = login->end;
    fu_write_escapes(w, login->start, host, NULL);
    size_t host_end = fu_sure_host_end(w->p, host, end);
    /* An opaque part's letters keep their case. */
    if (host_end == FU_ABSENT || (shape == FU_SHAPE_GENERIC && !fu_is_ip_schemepart(w->p, login, part_end))) {
        fu_write_raw(w, host, end);
        return 0;
    }
    fu_write_lower(w, host, host_end);
    if (shape == FU_SHAPE_FILE)
        fu_write_raw(w, host_end, end);
    else
        fu_write_port(w, host_end, end, own);
    return 1;
}

/* What follows the login, or the whole schemepart of a scheme that has none. */
static inline void fu_write_part(fu_writer *w, size_t start, size_t end, fu_shape shape) {
    size_t stop = end;
    if (shape == FU_SHAPE_FTP) {
        /* An ftptype has no escapes; and "a;typ%65=i" names a file. */
        stop = fu_find_last(w->p, start, end, ';');
        if (stop == FU_ABSENT) stop = end;
    } else if (shape == FU_SHAPE_NNTP) {
        stop = start;
    } else if (shape == FU_SHAPE_NEWS) {
        /* A group has no escapes, and "%2A" is not "*"; an article has, up to its host. */
        stop = fu_find(w->p, start, end, '@');
        if (stop == end) stop = start;
    }
    fu_write_escapes(w, start, stop, NULL);
    fu_write_raw(w, stop, end);
}

/* A schemepart [start, end), of a scheme or, with `sure` 0, of what may be none. */
static inline void fu_write_schemepart(fu_writer *w, size_t start, size_t end, fu_shape shape, int32_t own, int sure,
                                       int key) {
    int slashes = end - start >= 2 && w->p[start] == '/' && w->p[start + 1] == '/';
    if (!slashes || shape == FU_SHAPE_MAILTO || shape == FU_SHAPE_NEWS) {
        fu_write_part(w, start, end, shape);
        return;
    }
    fu_login login;
    fu_split_login(w->p, start + 2, fu_login_end(w->p, start + 2, end, shape), &login);
    /* Of a scheme without a production of its own, what follows a "?" is as opaque as the login then is. */
    size_t stop = shape == FU_SHAPE_GENERIC ? fu_find(w->p, login.end, end, '/') : login.end;
    fu_write_raw(w, start, start + 2);
    if (!sure) {
        fu_write_raw(w, start + 2, login.end);
    } else if (fu_write_login(w, &login, end, shape, own) && key && end - stop == 1 && w->p[stop] == '/' &&
               (shape == FU_SHAPE_HTTP || shape == FU_SHAPE_GOPHER || shape == FU_SHAPE_TELNET)) {
        return;
    }
    fu_write_raw(w, login.end, stop);
    fu_write_part(w, stop, end, shape);
}

/* Whether a text, as fu_split cut it, is surely its own normal form: a first look, for the many that are. */
static inline int fu_is_plainly_normal(const uint8_t *p, const fu_spans *s) {
    /* Proved: ASCII without an escape, no login, no port. What is left is letters in scheme and host. */
    return s->flags & FU_PROVEN_VALID && !fu_ascii_has_capital(p, s->path_start);
}

/* Writes the normal form, or its key, of a text that fu_split cut (with any_first: every scheme that a strict parse reads,
 * so that nothing it decodes is changed). `to` has space for all of the text. Returns how many octets it wrote. */
FU_FLATTEN static FU_NOINLINE size_t fu_normal(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s,
                                               int flags, uint8_t *to) {
    fu_writer w = {p, to, 0};
    size_t end = s->query_end; /* a fragment is no part of the URL: it stays as it is */
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
            fu_write_schemepart(&w, s->scheme_end + 1, end, shape, fu_port_of(table, s->scheme), sure,
                                (flags & FU_NORMAL_KEY) != 0);
    } else {
        /* Before a ':' might stand a scheme, once its escapes were decoded. */
        size_t part = 0;
        while (part < end && p[part] != ':' && p[part] != '/' && p[part] != '?') part++;
        part = part < end && p[part] == ':' ? part + 1 : 0;
        fu_write_raw(&w, 0, part);
        fu_write_schemepart(&w, part, end, FU_SHAPE_GENERIC, FU_NO_PORT, 0, 0);
    }
    fu_write_raw(&w, end, s->length);
    return w.count;
}

#endif
