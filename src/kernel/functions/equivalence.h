/* Equivalence of URLs, RFC 1738 section 2.2: an escape stands for its byte, unless the scheme reserves the byte.
 *
 * Two texts are equivalent if their keys are equal. The key of a valid URL whose scheme has one of the RFC's shapes holds the
 * parts of that scheme, with escapes decoded. Escapes of "%" and of the bytes that divide the part stay, so that different
 * lists of parts have different keys. The key of any other text is its normal form with the escapes of all unreserved bytes
 * decoded (normalize.h). */
#ifndef FASTURL_EQUIVALENCE_H
#define FASTURL_EQUIVALENCE_H

#include "kernel.h"
#include "functions/normalize.h"

typedef enum {
    FU_KEY_OF_PARTS,
    FU_KEY_OF_TEXT,
    FU_KEY_OF_EITHER, /* both keys are equal, so validity is not checked */
    FU_KEY_OF_CUSTOM  /* of a scheme with its own productions */
} fu_key_kind;

typedef struct {
    fu_key_kind kind;
    size_t url;   /* length of the URL's key */
    size_t count; /* length of the key with the unchanged fragment, which starts at its "#" */
    uint32_t violations; /* of a custom scheme, whose productions may accept only one of two texts with equal keys; else 0 */
} fu_key;

/* Write the key of the part after the login of a valid URL, from its "/" on. */
static inline void fu_write_path_key(fu_writer *w, size_t start, size_t end, fu_shape shape) {
    size_t before = w->count, stop;
    const char *kept = fu_traits[shape].kept;
    if (fu_traits[shape].lone_slash && end - start <= 1) return;
    switch (shape) {
    case FU_SHAPE_FTP:
        stop = fu_find_last(w->p, start, end, ';');
        if (stop == FU_ABSENT) stop = end;
        fu_write_escapes(w, start, stop, kept);
        fu_write_lower(w, stop, end);
        break;
    case FU_SHAPE_GOPHER:
        /* The first two tabs stay delimiters, although escapes are decoded. A path of only "/1" may be omitted. */
        fu_write_escapes(w, start, end, kept);
        if (w->count - before == 2 && w->to[before + 1] == '1') w->count = before;
        break;
    case FU_SHAPE_NNTP:
        stop = fu_find(w->p, start + 1, end, '/');
        fu_write_raw(w, start, stop + (stop < end));
        while (stop + 2 < end && w->p[stop + 1] == '0') stop++;
        fu_write_raw(w, stop + 1, end);
        break;
    case FU_SHAPE_PROSPERO:
        stop = fu_find(w->p, start, end, ';');
        fu_write_escapes(w, start, stop, kept);
        fu_write_escapes(w, stop, end, ";=%"); /* fields also reserve "=" */
        break;
    default: fu_write_escapes(w, start, end, kept);
    }
}

/* Write the key of the schemepart [start, end) of a valid URL. */
static inline void fu_write_parts_key(fu_writer *w, size_t start, size_t end, fu_shape shape, int32_t own) {
    if (fu_traits[shape].login == FU_LOGIN_NONE) {
        size_t host = fu_traits[shape].escapes == FU_ESCAPES_ARTICLE ? fu_find(w->p, start, end, '@') : end;
        fu_write_escapes(w, start, host, fu_traits[shape].kept);
        fu_write_lower(w, host, end);
    } else {
        fu_login login;
        fu_split_login(w->p, start + 2, fu_login_end(w->p, start + 2, end, shape), &login);
        fu_write_raw(w, start, login.start);
        fu_write_escapes(w, login.start, login.parts.host_text_start, ":@/%");
        size_t host = w->count;
        fu_write_lower(w, login.parts.host_text_start, login.parts.host_text_end);
        /* Section 3.10: a file's empty host and localhost are both the machine that interprets the URL. */
        if (fu_traits[shape].login == FU_LOGIN_HOST && w->count - host == 9 && memcmp(w->to + host, "localhost", 9) == 0)
            w->count = host;
        fu_write_port(w, login.parts.host_text_end, login.end, own);
        fu_write_path_key(w, login.end, end, shape);
    }
}

/* Return the violations of a text that fu_split has split. */
static inline uint32_t fu_violations_of(const fu_kernel *kernel, const fu_scheme_table *table, const uint8_t *p,
                                        const fu_spans *s) {
    fu_diagnostics found;
    if (s->flags & FU_PROVEN_VALID) return 0;
    fu_start_diagnostics(&found);
    kernel->validate(table, p, s, FU_FORM_URL, &found);
    return found.findings & FU_VIOLATIONS;
}

/* Write the key of a text. `to` has space for the whole text. */
static inline fu_key fu_write_key(const fu_kernel *kernel, const fu_scheme_table *table, const uint8_t *p, size_t n,
                                  uint8_t *to) {
    fu_writer w = {p, to, 0, 1};
    fu_spans s, whole;
    fu_key key;
    kernel->split(table, p, n, FU_FORM_URL, 1, &s);
    size_t end = n;
    key.violations = 0;
    if (s.flags & FU_HAS_FRAGMENT) {
        end = s.query_end;
        kernel->split(table, p, end, FU_FORM_URL, 1, &s);
    }
    fu_shape shape = fu_shape_of(table, s.scheme);
    if (shape == FU_SHAPE_CUSTOM) {
        key.kind = FU_KEY_OF_CUSTOM;
        kernel->split(table, p, n, FU_FORM_URL, 0, &whole);
        key.violations = fu_violations_of(kernel, table, p, &whole);
        fu_write_lower(&w, 0, s.scheme_end);
        fu_write_escapes(&w, s.scheme_end, end, NULL);
    } else if (shape == FU_SHAPE_HTTP && !(s.flags & FU_HAS_SUSPECT)) {
        /* Without escapes, the key of the parts is the normal form. A valid URL has this key only if this URL is valid too. */
        key.kind = FU_KEY_OF_EITHER;
        w.count = fu_normal(table, p, &s, FU_NORMAL_KEY, to);
    } else if (shape != FU_SHAPE_GENERIC && !fu_violations_of(kernel, table, p, &s)) {
        key.kind = FU_KEY_OF_PARTS;
        fu_write_lower(&w, 0, s.scheme_end + 1);
        fu_write_parts_key(&w, s.scheme_end + 1, end, shape, fu_port_of(table, s.scheme));
    } else {
        key.kind = FU_KEY_OF_TEXT;
        w.count = fu_normal(table, p, &s, FU_NORMAL_KEY, to);
        /* The normal form keeps the case of a scheme that the lenient split reads as a path, such as "9P:". */
        for (size_t i = 0; i < s.scheme_end; i++) to[i] = fu_lower(to[i]);
    }
    key.url = w.count;
    fu_write_raw(&w, end, n);
    key.count = w.count;
    return key;
}

static inline int fu_same_keys(const fu_key *a, const uint8_t *a_bytes, const fu_key *b, const uint8_t *b_bytes) {
    int same_kind = a->kind == b->kind || a->kind == FU_KEY_OF_EITHER || b->kind == FU_KEY_OF_EITHER;
    return same_kind && a->violations == b->violations && a->url == b->url && a->count == b->count &&
           memcmp(a_bytes, b_bytes, a->count) == 0;
}

#endif
