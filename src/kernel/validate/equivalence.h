/* When two URLs are the same, RFC 1738 section 2.2: an escape stands for its octet, unless the scheme reserves the octet.
 *
 * Two texts are equivalent when their keys are equal. The key of a valid URL whose scheme has one of the RFC's shapes holds
 * the parts that the scheme divides it into: every escape is decoded but those of the octets that divide the part, and of
 * "%", so that no two lists of parts have one key. The key of any other text is its normal form (normalize.h). */
#ifndef FASTURL_EQUIVALENCE_H
#define FASTURL_EQUIVALENCE_H

#include "kernel.h"
#include "validate/normalize.h"

typedef enum {
    FU_KEY_OF_PARTS,
    FU_KEY_OF_TEXT,
    FU_KEY_OF_EITHER, /* the same for both: not looked at, whether it is valid */
    FU_KEY_OF_CUSTOM  /* of a scheme with productions of its own: what they derive is for their owner to say */
} fu_key_kind;

typedef struct {
    fu_key_kind kind;
    size_t url;   /* octets of the key of the URL */
    size_t count; /* with those of the fragment, from its "#" on, as it stands */
} fu_key;

/* What follows the login of a valid URL, from its "/" on. The reserved octets are those of sections 3.2.2, 3.3, 3.4.1, 3.9,
 * 3.10 and 3.11. */
static inline void fu_write_path_key(fu_writer *w, size_t start, size_t end, fu_shape shape) {
    size_t before = w->count, stop;
    switch (shape) {
        case FU_SHAPE_HTTP:
            if (end - start != 1) fu_write_escapes(w, start, end, "/;?%");
            break;
        case FU_SHAPE_FTP:
            stop = fu_find_last(w->p, start, end, ';');
            if (stop == FU_ABSENT) stop = end;
            fu_write_escapes(w, start, stop, "/;%");
            fu_write_lower(w, stop, end);
            break;
        case FU_SHAPE_GOPHER:
            /* The first two tabs divide, whatever else is decoded. A type "1" and nothing else may be left out. */
            fu_write_escapes(w, start, end, "");
            if (w->count - before == 1 || (w->count - before == 2 && w->to[before + 1] == '1')) w->count = before;
            break;
        case FU_SHAPE_NNTP:
            stop = fu_find(w->p, start + 1, end, '/');
            fu_write_raw(w, start, stop + (stop < end));
            while (stop + 2 < end && w->p[stop + 1] == '0') stop++;
            fu_write_raw(w, stop + 1, end);
            break;
        case FU_SHAPE_WAIS: fu_write_escapes(w, start, end, "/?%"); break;
        case FU_SHAPE_FILE: fu_write_escapes(w, start, end, "/%"); break;
        case FU_SHAPE_PROSPERO:
            stop = fu_find(w->p, start, end, ';');
            fu_write_escapes(w, start, stop, ";%");
            fu_write_escapes(w, stop, end, ";=%");
            break;
        default: break; /* telnet: the "/" may be left out */
    }
}

/* The schemepart [start, end) of a valid URL. */
static inline void fu_write_parts_key(fu_writer *w, size_t start, size_t end, fu_shape shape, int32_t own) {
    if (shape == FU_SHAPE_MAILTO) {
        fu_write_escapes(w, start, end, "");
    } else if (shape == FU_SHAPE_NEWS) {
        size_t at = fu_find(w->p, start, end, '@');
        fu_write_escapes(w, start, at, "");
        fu_write_lower(w, at, end);
    } else {
        fu_login login;
        fu_split_login(w->p, start + 2, fu_login_end(w->p, start + 2, end, shape), &login);
        fu_write_raw(w, start, login.start);
        fu_write_escapes(w, login.start, login.parts.host_text_start, ":@/%");
        fu_write_lower(w, login.parts.host_text_start, login.parts.host_text_end);
        fu_write_port(w, login.parts.host_text_end, login.end, own);
        fu_write_path_key(w, login.end, end, shape);
    }
}

/* Whether section 5 derives a text that fu_split made spans of. */
static inline int fu_is_valid(const fu_kernel *kernel, const fu_scheme_table *table, const uint8_t *p,
                              const fu_spans *s) {
    fu_diagnostics found;
    if (s->flags & FU_PROVEN_VALID) return 1;
    fu_start_diagnostics(&found);
    kernel->validate(table, p, s, FU_FORM_URL, &found);
    return !(found.findings & FU_VIOLATIONS);
}

/* Writes the key of a text. `to` has space for all of the text. */
static inline fu_key fu_write_key(const fu_kernel *kernel, const fu_scheme_table *table, const uint8_t *p, size_t n,
                                  uint8_t *to) {
    fu_writer w = {p, to, 0};
    fu_spans s;
    fu_key key;
    kernel->split(table, p, n, FU_FORM_URL, 1, &s);
    size_t end = n;
    if (s.flags & FU_HAS_FRAGMENT) {
        end = s.query_end;
        kernel->split(table, p, end, FU_FORM_URL, 1, &s);
    }
    fu_shape shape = fu_shape_of(table, s.scheme);
    if (shape == FU_SHAPE_CUSTOM) {
        key.kind = FU_KEY_OF_CUSTOM;
        fu_write_lower(&w, 0, s.scheme_end);
        fu_write_escapes(&w, s.scheme_end, end, NULL);
    } else if (shape == FU_SHAPE_HTTP && !(s.flags & FU_HAS_NON_XCHAR)) {
        /* No escape: the key of its parts is its normal form, and no valid URL has that key unless this is one too. */
        key.kind = FU_KEY_OF_EITHER;
        w.count = fu_normal(table, p, &s, FU_NORMAL_KEY, to);
    } else if (shape != FU_SHAPE_GENERIC && fu_is_valid(kernel, table, p, &s)) {
        key.kind = FU_KEY_OF_PARTS;
        fu_write_lower(&w, 0, s.scheme_end + 1);
        fu_write_parts_key(&w, s.scheme_end + 1, end, shape, fu_port_of(table, s.scheme));
    } else {
        key.kind = FU_KEY_OF_TEXT;
        w.count = fu_normal(table, p, &s, FU_NORMAL_KEY, to);
        /* A normal form keeps what the lenient split reads as a path: "9P:". */
        for (size_t i = 0; i < s.scheme_end; i++) to[i] = fu_lower(to[i]);
    }
    key.url = w.count;
    fu_write_raw(&w, end, n);
    key.count = w.count;
    return key;
}

static inline int fu_same_keys(const fu_key *a, const uint8_t *a_octets, const fu_key *b, const uint8_t *b_octets) {
    int same_kind = a->kind == b->kind || a->kind == FU_KEY_OF_EITHER || b->kind == FU_KEY_OF_EITHER;
    return same_kind && a->url == b->url && a->count == b->count && memcmp(a_octets, b_octets, a->count) == 0;
}

#endif
