/* The canonical form of w3lib's canonicalize_url, on bytes: escapes of one spelling, a sorted query, no dot segments.
 *
 * A text that w3lib strips, and a host in brackets or outside ASCII, need Python's tables: for these, the result is
 * FU_RESULT_ASKS. src/fasturl/_canonical.py then gives a text with the same canonical form that the kernel can read. */
#ifndef FASTURL_CANONICAL_H
#define FASTURL_CANONICAL_H

#include "functions/dedup.h"

enum {
    FU_CANONICAL_BLANKS = 1 << 0,   /* keep pairs without a value */
    FU_CANONICAL_FRAGMENT = 1 << 1, /* keep the fragment */
    FU_CANONICAL_FINAL = 1 << 2,    /* the text is Python's answer: never ask */
    FU_CANONICAL_KEEP = 1 << 3,     /* where there is no canonical form, the result is the text as written */
    FU_CANONICAL_PARAMS = 4,        /* shift of the number of schemes with params */
    FU_CANONICAL_SPECIAL = 6        /* the number of WHATWG's special schemes, the first names; then come those with params, and
                                       those that urllib writes with "//" */
};

/* Return the memory that fu_canonical needs for a text of n bytes: the result, and the pairs of its query. An escaped byte takes
 * three, and a pair may gain a "=". */
static inline size_t fu_canonical_capacity(size_t n) { return 4 * n + 16 + fu_pieces_size(n); }

/* Return 1 if p[0:n], in lower case, is one of the names. */
static inline int fu_is_named(const uint8_t *p, size_t n, const fu_name *names, size_t count) {
    for (size_t i = 0, k; i < count; i++) {
        if (names[i].length != n) continue;
        for (k = 0; k < n && fu_lower(p[k]) == names[i].data[k]; k++) continue;
        if (k == n) return 1;
    }
    return 0;
}

/* The parts of a URL, each with its own set of bytes that stay. FU_IN_TAIL: params or fragment, whose escapes stay as written. */
typedef enum { FU_IN_VALUE, FU_IN_LOGIN, FU_IN_TAIL, FU_IN_PATH } fu_canonical_part;

static inline int fu_stays(uint8_t byte, fu_canonical_part part) {
    const int rules = BYTE_3986[byte];
    switch (part) {
    case FU_IN_VALUE: return rules & URI_UNRESERVED;
    case FU_IN_LOGIN: return rules & URI_REG_NAME && byte != ';' && byte != '=';
    case FU_IN_TAIL: return rules & URI_QUERY || byte == '%';
    default: return rules & URI_QUERY || byte == '%' || byte == '[' || byte == ']' || byte == '|';
    }
}

/* Write [start, end) with its escapes decoded, and escape the bytes that do not stay. In a path, the escapes of "%", "/", ";" and
 * "?" are not decoded. In a query, "+" is a space. */
static inline void fu_write_canonical(fu_writer *w, size_t start, size_t end, fu_canonical_part part) {
    for (size_t i = start; i < end;) {
        const int value = part != FU_IN_TAIL && w->p[i] == '%' ? fu_escape_value(w->p + i, end - i) : -1;
        const uint8_t byte = value < 0 ? w->p[i] : (uint8_t)value;
        i += value < 0 ? 1 : 3;
        if (part == FU_IN_VALUE && (byte == ' ' || (byte == '+' && value < 0)))
            w->to[w->count++] = '+';
        else if (fu_stays(byte, part) &&
                 !(part == FU_IN_PATH && value >= 0 && (byte == '%' || byte == '/' || byte == ';' || byte == '?')))
            w->to[w->count++] = byte;
        else
            fu_write_escape(w, byte);
    }
}

/* Return the next decoded byte of a pair plus 1, or 0 at the "=" and at the end: in this order, (name, value) tuples compare. */
static inline unsigned fu_next_symbol(fu_slice *rest, int *in_value) {
    size_t next = 1;
    unsigned symbol = 0;
    if (rest->n == 0) return 0;
    if (*in_value || rest->p[0] != '=')
        symbol = 1u + fu_name_byte(rest->p, 0, rest->n, &next);
    else
        *in_value = 1;
    rest->p += next;
    rest->n -= next;
    return symbol;
}

static inline int fu_is_pair_before(const fu_slice *a, const fu_slice *b) {
    fu_slice left = *a, right = *b;
    int left_value = 0, right_value = 0;
    for (;;) {
        const unsigned x = fu_next_symbol(&left, &left_value), y = fu_next_symbol(&right, &right_value);
        if (x != y) return x < y;
        if (x == 0 && left.n == 0 && right.n == 0) return 0;
    }
}

/* Write the pairs of the query [start, end), sorted by their decoded names and values. */
static inline void fu_write_canonical_query(fu_writer *w, size_t start, size_t end, int blanks, fu_slice *pieces) {
    size_t count = 0;
    fu_pair pair;
    for (size_t at = start; fu_next_nonempty_pair(w->p, end, &at, &pair);) {
        if (!blanks && pair.value == pair.end) continue;
        pieces[count].p = w->p + pair.start;
        pieces[count++].n = pair.end - pair.start;
    }
    fu_sort_pieces(pieces, count, fu_is_pair_before);
    for (size_t i = 0; i < count; i++) {
        const size_t at = (size_t)(pieces[i].p - w->p), stop = at + pieces[i].n, equals = fu_find(w->p, at, stop, '=');
        w->to[w->count++] = i ? '&' : '?';
        fu_write_canonical(w, at, equals, FU_IN_VALUE);
        w->to[w->count++] = '=';
        fu_write_canonical(w, equals + 1, stop, FU_IN_VALUE);
    }
}

/* Resolve the dot segments of the path that was written from `start` on, in place. It starts with "/". A pop scans back over
 * bytes that are then gone, so time is linear. */
static inline void fu_remove_dots(fu_writer *w, size_t start) {
    uint8_t *to = w->to;
    size_t out = start;
    for (size_t i = start, stop; i < w->count; i = stop) {
        stop = fu_find(to, i + 1, w->count, '/');
        const size_t n = stop - i;
        const int up = n == 3 && to[i + 1] == '.' && to[i + 2] == '.';
        if (up && out > start) {
            do out--;
            while (to[out] != '/');
        }
        if (!up && !(n == 2 && to[i + 1] == '.')) {
            if (out < i) memmove(to + out, to + i, n);
            out += n;
        } else if (stop == w->count) {
            to[out++] = '/';
        }
    }
    w->count = out;
}

/* Write the login. Return 0 if its port is not a number below 65536. */
static inline int fu_write_canonical_login(fu_writer *w, const fu_spans *s) {
    fu_netloc u;
    fu_split_netloc(w->p, s->netloc_start, s->path_start, &u);
    if (u.user_start != FU_ABSENT) {
        fu_write_canonical(w, u.user_start, u.user_end, FU_IN_LOGIN);
        if (u.password_start != FU_ABSENT) {
            w->to[w->count++] = ':';
            fu_write_canonical(w, u.password_start, u.password_end, FU_IN_LOGIN);
        }
        w->to[w->count++] = '@';
    }
    fu_write_lower(w, u.host_text_start, u.port_start == FU_ABSENT ? s->path_start : u.port_start - 1);
    if (u.port_start == u.port_end) return 1;
    if (fu_port_number(w->p, u.port_start, u.port_end) < 0) return 0;
    fu_write_port(w, u.port_start - 1, u.port_end, FU_NO_PORT);
    return 1;
}

/* Write the canonical form of a text, split by FU_DETAIL_ALL, to `to`, which has fu_canonical_capacity(n) bytes. The result is
 * null where w3lib raises ValueError, or the text with FU_CANONICAL_KEEP. */
static FU_NOINLINE fu_result fu_canonical(const uint8_t *p, const fu_spans *s, unsigned switches, const fu_name *names,
                                          size_t count, uint8_t *to) {
    const size_t scheme = s->scheme_end, n = s->length, with_params = switches >> FU_CANONICAL_PARAMS;
    const int is_special = fu_is_named(p, scheme, names, FU_CANONICAL_SPECIAL);
    fu_slice *pieces = fu_pieces_in(to + 4 * n + 16);
    fu_writer w = {p, to, 0, 0};
    if (s->flags & FU_HAS_SUSPECT && !(switches & FU_CANONICAL_FINAL) &&
        (fu_is_unclean(p, n) || p[n - 1] <= 0x20 || fu_has_brackets(p, s) ||
         !fu_is_ascii(p + s->netloc_start, s->path_start - s->netloc_start) ||
         (is_special && fu_find(p, scheme, s->path_end, '\\') < s->path_end)))
        return fu_asks();
    fu_write_lower(&w, 0, scheme);
    if (scheme) to[w.count++] = ':';
    const size_t slashes = w.count, start = slashes + 2;
    to[w.count++] = '/';
    to[w.count++] = '/';
    if (s->flags & FU_HAS_NETLOC && !fu_write_canonical_login(&w, s))
        return switches & FU_CANONICAL_KEEP ? fu_part_result(0, n) : fu_no_result();
    const size_t path = w.count;
    size_t params = FU_ABSENT;
    if (fu_is_named(p, scheme, names + FU_CANONICAL_SPECIAL, with_params)) params = fu_params_start(p, s);
    fu_write_canonical(&w, s->path_start, params == FU_ABSENT ? s->path_end : params, FU_IN_PATH);
    if (w.count == path) to[w.count++] = '/';
    if (to[path] == '/') fu_remove_dots(&w, path);
    if (path == start && !(to[path] == '/' && ((w.count > path + 1 && to[path + 1] == '/') ||
                                               (scheme && fu_is_named(p, scheme, names + FU_CANONICAL_SPECIAL + with_params,
                                                                      count - FU_CANONICAL_SPECIAL - with_params))))) {
        memmove(to + slashes, to + path, w.count - path);
        w.count -= 2;
    }
    if (params != FU_ABSENT && params + 1 < s->path_end) {
        to[w.count++] = ';';
        fu_write_canonical(&w, params + 1, s->path_end, FU_IN_TAIL);
    }
    if (s->flags & FU_HAS_QUERY)
        fu_write_canonical_query(&w, s->path_end + 1, s->query_end, (switches & FU_CANONICAL_BLANKS) != 0, pieces);
    if (switches & FU_CANONICAL_FRAGMENT && s->query_end + 1 < n) {
        to[w.count++] = '#';
        fu_write_canonical(&w, s->query_end + 1, n, FU_IN_TAIL);
    }
    return w.count == n && (n == 0 || memcmp(p, to, n) == 0) ? fu_part_result(0, n) : fu_new_text(w.count);
}

#endif
