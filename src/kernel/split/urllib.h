/* urllib's own rules, on octets: what it does before it cuts a text, where its versions differ, how it puts a URL together. */
#ifndef FASTURL_URLLIB_H
#define FASTURL_URLLIB_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "split/spans.h"
#include "text/ascii.h"

/* Whether urllib takes something away from a text before it splits it: C0 controls and spaces at its start, tabs and line
 * ends anywhere. n > 0. */
static inline int fu_is_unclean(const uint8_t *p, size_t n) {
    return p[0] <= 0x20 || memchr(p, '\n', n) || memchr(p, '\r', n) || memchr(p, '\t', n);
}

static inline int fu_has_brackets(const uint8_t *p, const fu_spans *s) {
    const size_t host = s->netloc_start, n = s->path_start - host;
    return memchr(p + host, '[', n) || memchr(p + host, ']', n);
}

/* Whether there is a "?" with nothing after it, which Pythons before 3.14 drop where later ones keep it. */
static inline int fu_empty_query(const fu_spans *s) { return s->flags & FU_HAS_QUERY && s->query_end == s->path_end + 1; }

static inline int fu_empty_fragment(const fu_spans *s) {
    return s->flags & FU_HAS_FRAGMENT && s->length == s->query_end + 1;
}

/* Whether it could show in urljoin's result that Pythons before 3.14 take params off the paths: params that are empty,
 * or a last segment that is empty or starts with a dot without them. */
static inline int fu_version_dependent_params(const uint8_t *p, const fu_spans *s) {
    size_t end = s->path_end, last = end;
    if (end == s->path_start || memchr(p + s->path_start, ';', end - s->path_start) == NULL) return 0;
    while (last > s->path_start && p[last - 1] != '/') last--;
    return last < end && (p[last] == ';' || p[last] == '.' || p[end - 1] == ';');
}

/* Take the fragment for a part of what stands before it: a "#" still ends the netloc, but nothing else. */
static inline void fu_drop_fragment(const uint8_t *p, fu_spans *s) {
    if (!(s->flags & FU_HAS_FRAGMENT)) return;
    if (!(s->flags & FU_HAS_QUERY)) {
        s->path_end = fu_find(p, s->query_end, s->length, '?');
        if (s->path_end < s->length) s->flags |= FU_HAS_QUERY;
    }
    s->query_end = s->length;
    s->flags &= ~(uint32_t)FU_HAS_FRAGMENT;
}

/* The first ";" of the path's last segment, which starts its params; FU_ABSENT without one. */
static inline size_t fu_params_start(const uint8_t *p, const fu_spans *s) {
    if (s->path_end == s->path_start || !memchr(p + s->path_start, ';', s->path_end - s->path_start)) return FU_ABSENT;
    size_t slash = fu_find_last(p, s->path_start, s->path_end, '/');
    size_t at = fu_find(p, slash == FU_ABSENT ? s->path_start : slash, s->path_end, ';');
    return at < s->path_end ? at : FU_ABSENT;
}

/* Whether what stands before the "#" is what urldefrag makes of it, in any Python; but for a scheme that has a netloc. */
static inline int fu_stands_before_fragment(const uint8_t *p, const fu_spans *s) {
    for (size_t i = 0; i < s->scheme_end; i++)
        if (p[i] >= 'A' && p[i] <= 'Z') return 0;
    if (s->flags & FU_HAS_NETLOC && s->path_start == s->netloc_start) return 0;
    if (fu_empty_query(s)) return 0;
    return s->path_end == s->path_start || p[s->path_end - 1] != ';'; /* params that are empty */
}

typedef struct {
    const uint8_t *p;
    size_t n;
} fu_piece;

/* Parts of a URL, in ASCII or UTF-8; an empty one is an absent one, but for those that are marked. */
typedef struct {
    fu_piece scheme, netloc, path, params, query, fragment;
    int empty_query, empty_fragment; /* "?" or "#" stands although nothing follows it */
    int slashes; /* "//" although there is no netloc; then, too, the path starts with "/" */
} fu_parts;

static inline int fu_rooted(const fu_parts *u) { return u->path.n && u->path.p[0] == '/'; }

static inline int fu_needs_root(const fu_parts *u) {
    return (u->netloc.n || u->slashes) && !fu_rooted(u) && (u->path.n || u->params.n);
}

/* 0 when the size cannot be had: each part exists, but one object may be given six times. */
static inline int fu_rebuilt_size(const fu_parts *u, size_t most, size_t *out) {
    const fu_piece *pieces[] = {&u->scheme, &u->netloc, &u->path, &u->params, &u->query, &u->fragment};
    size_t size = (size_t)(u->scheme.n != 0) + 2 * (size_t)(u->netloc.n != 0 || u->slashes) +
                  (size_t)(fu_needs_root(u) != 0) + (u->params.n != 0) +
                  (u->query.n != 0 || u->empty_query) + (u->fragment.n != 0 || u->empty_fragment);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        if (pieces[i]->n > most - size) return 0;
        size += pieces[i]->n;
    }
    *out = size;
    return 1;
}

static inline uint8_t *fu_put(uint8_t *out, const char *delimiter, size_t size, fu_piece piece) {
    memcpy(out, delimiter, size);
    if (piece.n) memcpy(out + size, piece.p, piece.n);
    return out + size + piece.n;
}

static inline void fu_rebuild(const fu_parts *u, uint8_t *out) {
    const fu_piece none = {NULL, 0};
    out = fu_put(out, "", 0, u->scheme);
    if (u->scheme.n) out = fu_put(out, ":", 1, none);
    if (u->netloc.n || u->slashes) out = fu_put(out, "//", 2, u->netloc);
    if (fu_needs_root(u)) out = fu_put(out, "/", 1, none);
    out = fu_put(out, "", 0, u->path);
    if (u->params.n) out = fu_put(out, ";", 1, u->params);
    if (u->query.n || u->empty_query) out = fu_put(out, "?", 1, u->query);
    if (u->fragment.n || u->empty_fragment) fu_put(out, "#", 1, u->fragment);
}

#endif
