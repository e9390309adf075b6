/* Path templates: placeholders replace the values in a path, as in "/users/{n}/orders/{uuid}".
 *
 * One pass counts the kinds of bytes in each segment, and the rules below read the counts. Params, which start at a ";", are
 * dropped. A short extension stays, and the rules apply to the text before it. No load leaves the path. */
#ifndef FASTURL_TEMPLATE_H
#define FASTURL_TEMPLATE_H

#include <string.h>

#include "functions/result.h"
#include "escapes/query.h"

enum {
    FU_HASH_MIN = 16,     /* hex digits */
    FU_TOKEN_MIN = 16,    /* bytes */
    FU_TOKEN_SWITCHES = 3, /* changes from a letter to a digit or back */
    FU_UUID_LENGTH = 36,
    FU_EXTENSION_MAX = 5,
    FU_TEMPLATE_GROWTH = 3 /* the largest growth of a path, for segments of one byte: "1" becomes "{n}" */
};

/* The counts of a segment. */
typedef struct {
    size_t length;
    size_t digits, hex, letters, marks; /* hex: digits too; marks: "-" "_" "." "~" "=" */
    size_t switches;
    size_t at;     /* offset of its last "@" or "%40", or FU_ABSENT */
    size_t domain; /* offset after it */
    size_t ats;
} fu_segment;

static inline int fu_is_mark(uint8_t c) { return c == '-' || c == '_' || c == '.' || c == '~' || c == '='; }

static inline void fu_look_at_segment(const uint8_t *p, size_t n, fu_segment *out) {
    fu_segment g = {n, 0, 0, 0, 0, 0, FU_ABSENT, 0, 0};
    int before = 0; /* 1: a digit, 2: a letter */
    for (size_t i = 0; i < n; i++) {
        const uint8_t c = p[i];
        const int kind = fu_is(c, TERM_DIGIT) ? 1 : fu_is(c, TERM_ALPHA) ? 2 : 0;
        g.digits += kind == 1 ? 1 : 0;
        g.letters += kind == 2 ? 1 : 0;
        g.hex += HEX_VALUE[c] >= 0 ? 1 : 0;
        g.marks += fu_is_mark(c) ? 1 : 0;
        g.switches += kind + before == 3 ? 1 : 0;
        before = kind;
        if (c == '@' || (c == '%' && fu_escape_value(p + i, n - i) == '@')) {
            g.at = i;
            g.domain = i + (c == '@' ? 1 : 3);
            g.ats++;
        }
    }
    *out = g;
}

static inline int fu_all_digits(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!fu_is(p[i], TERM_DIGIT)) return 0;
    return 1;
}

/* Return the value of the two digits at p, or 100 if they are not digits. */
static inline int fu_two_digits(const uint8_t *p) { return fu_all_digits(p, 2) ? HEX_VALUE[p[0]] * 10 + HEX_VALUE[p[1]] : 100; }

static inline int fu_is_uuid(const uint8_t *p, const fu_segment *g) {
    if (g->length != FU_UUID_LENGTH || g->hex != 32) return 0;
    return p[8] == '-' && p[13] == '-' && p[18] == '-' && p[23] == '-';
}

/* Return 1 for YYYY-MM or YYYY-MM-DD, with "-", "_" or "." between, and optionally a time after a "T" or "_". */
static inline int fu_is_date(const uint8_t *p, size_t n) {
    if (n < 7 || !fu_all_digits(p, 4) || (p[4] != '-' && p[4] != '_' && p[4] != '.')) return 0;
    int month = fu_two_digits(p + 5);
    if (month < 1 || month > 12) return 0;
    if (n == 7) return p[4] == '-'; /* "2024.05" may be a version */
    if (n < 10 || p[7] != p[4]) return 0;
    int day = fu_two_digits(p + 8);
    if (day < 1 || day > 31) return 0;
    if (n == 10) return 1;
    if (n == 11 || (p[10] != 'T' && p[10] != '_')) return 0;
    for (size_t i = 11; i < n;) {
        if (fu_escape_value(p + i, n - i) == ':')
            i += 3;
        else if (fu_is(p[i], TERM_DIGIT) || memchr(":.-+Z", p[i], 5) != NULL)
            i++;
        else
            return 0;
    }
    return 1;
}

/* Return 1 for local@domain, with one "@", raw or escaped, and a dot inside the domain. */
static inline int fu_is_mail(const uint8_t *p, const fu_segment *g) {
    size_t dots = 0;
    if (g->ats != 1 || g->at == 0) return 0;
    for (size_t i = g->domain; i < g->length; i++) {
        if (!fu_is(p[i], TERM_ALPHADIGIT) && p[i] != '-' && p[i] != '.') return 0;
        dots += p[i] == '.' && i > g->domain && i + 1 < g->length;
    }
    return dots > 0;
}

/* Return the placeholder for a segment by the first rule that applies, or NULL if the segment stays. */
static inline const char *fu_segment_name(const uint8_t *p, const fu_segment *g) {
    if (g->length == 0 || g->digits == 0) return NULL;
    if (g->digits == g->length) return "{n}";
    if (fu_is_uuid(p, g)) return "{uuid}";
    if (fu_is_date(p, g->length)) return "{date}";
    if (g->hex == g->length && g->length >= FU_HASH_MIN) return "{hash}";
    if (g->length >= FU_TOKEN_MIN && g->switches >= FU_TOKEN_SWITCHES && g->digits + g->letters + g->marks == g->length)
        return "{token}";
    return NULL;
}

/* Return the length of the extension of p[0:n] with its dot: a letter and up to four letters or digits. Return 0 without
 * one. */
static inline size_t fu_extension_length(const uint8_t *p, size_t n) {
    for (size_t length = 0; length < n && length <= FU_EXTENSION_MAX; length++) {
        const uint8_t c = p[n - 1 - length];
        if (c == '.') return length > 0 && length + 1 < n && fu_is(p[n - length], TERM_ALPHA) ? length + 1 : 0;
        if (!fu_is(c, TERM_ALPHADIGIT)) return 0;
    }
    return 0;
}

static inline int fu_is_kept(const uint8_t *p, size_t n, const fu_name *keep, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (keep[i].length == n && memcmp(keep[i].data, p, n) == 0) return 1;
    return 0;
}

/* Return the placeholder for the segment p[0:n], or NULL if the segment stays. *stem: the length that the placeholder
 * replaces. */
static inline const char *fu_name_for(const uint8_t *p, size_t n, const fu_name *keep, size_t count, size_t *stem) {
    fu_segment g;
    const char *name = NULL;
    *stem = n;
    if (fu_is_kept(p, n, keep, count)) return NULL;
    fu_look_at_segment(p, n, &g);
    if (fu_is_mail(p, &g)) return "{mail}";
    if (g.digits == 0) return NULL;
    size_t extension = fu_extension_length(p, n);
    if (extension > 0) {
        fu_segment before;
        fu_look_at_segment(p, n - extension, &before);
        name = fu_segment_name(p, &before);
        if (name != NULL) *stem = n - extension;
    }
    return name != NULL ? name : fu_segment_name(p, &g);
}

/* Return 1 if some rule may change the path. Every rule requires a digit, an "@" or "%40", or a ";". */
static inline int fu_path_has_values(const uint8_t *p, size_t start, size_t end) {
    unsigned found = 0;
    for (size_t i = start; i < end; i++)
        found |= (unsigned)((uint8_t)(p[i] - '0') < 10) | (unsigned)(p[i] == '@') | (unsigned)(p[i] == ';');
    return found != 0;
}

/* Return the template of the path. `to` has space for FU_TEMPLATE_GROWTH times the path's length. */
static inline fu_result fu_path_template(const uint8_t *p, const fu_spans *s, const fu_name *keep, size_t count, uint8_t *to) {
    const size_t end = s->path_end;
    size_t length = 0;
    if (!fu_path_has_values(p, s->path_start, end)) return fu_part_result(s->path_start, end);
    for (size_t at = s->path_start; at < end;) {
        if (p[at] == '/') {
            to[length++] = p[at++];
            continue;
        }
        size_t stop = fu_find(p, at, end, '/'), params = fu_find(p, at, stop, ';'), stem;
        const char *name = fu_name_for(p + at, params - at, keep, count, &stem);
        if (name != NULL) {
            size_t named = strlen(name);
            memcpy(to + length, name, named);
            length += named;
            at += stem;
        }
        memcpy(to + length, p + at, params - at);
        length += params - at;
        at = stop;
    }
    if (length == end - s->path_start && memcmp(to, p + s->path_start, length) == 0) return fu_part_result(s->path_start, end);
    return fu_new_text(length);
}

#endif
