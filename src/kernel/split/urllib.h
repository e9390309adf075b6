/* urllib's own rules, on bytes: the characters it strips before a split, the differences between its versions, and how it
 * assembles a URL. */
#ifndef FASTURL_URLLIB_H
#define FASTURL_URLLIB_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "split/spans.h"
#include "ascii.h"

/* WHATWG and urllib delete these bytes. */
static inline int fu_is_deleted(uint8_t byte) { return byte == '\t' || byte == '\n' || byte == '\r'; }

/* Return 1 if urllib strips characters before it splits the text: C0 controls and spaces at the start, tabs and line ends
 * anywhere. n > 0. */
static inline int fu_is_unclean(const uint8_t *p, size_t n) {
    return p[0] <= 0x20 || memchr(p, '\n', n) || memchr(p, '\r', n) || memchr(p, '\t', n);
}

static inline int fu_has_brackets(const uint8_t *p, const fu_spans *s) {
    const size_t host = s->netloc_start, n = s->path_start - host;
    return memchr(p + host, '[', n) || memchr(p + host, ']', n);
}

/* Return 1 for a "?" with an empty query. Python before 3.14 drops the "?"; later versions keep it. */
static inline int fu_empty_query(const fu_spans *s) { return s->flags & FU_HAS_QUERY && s->query_end == s->path_end + 1; }

static inline int fu_empty_fragment(const fu_spans *s) { return s->flags & FU_HAS_FRAGMENT && s->length == s->query_end + 1; }

/* Return 1 if urljoin's result may depend on the Python version. Versions before 3.14 split the params off the paths. The
 * result can differ if the params are empty, or if the last segment without its params is empty or starts with a dot. */
static inline int fu_version_dependent_params(const uint8_t *p, const fu_spans *s) {
    size_t end = s->path_end, last = end;
    if (end == s->path_start || memchr(p + s->path_start, ';', end - s->path_start) == NULL) return 0;
    while (last > s->path_start && p[last - 1] != '/') last--;
    return last < end && (p[last] == ';' || p[last] == '.' || p[end - 1] == ';');
}

/* Merge the fragment into the part before it. A "#" still ends the netloc, but no other part. */
static inline void fu_drop_fragment(const uint8_t *p, fu_spans *s) {
    if (!(s->flags & FU_HAS_FRAGMENT)) return;
    if (!(s->flags & FU_HAS_QUERY)) {
        s->path_end = fu_find(p, s->query_end, s->length, '?');
        if (s->path_end < s->length) s->flags |= FU_HAS_QUERY;
    }
    s->query_end = s->length;
    s->flags &= ~(uint32_t)FU_HAS_FRAGMENT;
}

/* Return the offset of the first ";" in the path's last segment, which starts the params, or FU_ABSENT. */
static inline size_t fu_params_start(const uint8_t *p, const fu_spans *s) {
    if (s->path_end == s->path_start || !memchr(p + s->path_start, ';', s->path_end - s->path_start)) return FU_ABSENT;
    size_t slash = fu_find_last(p, s->path_start, s->path_end, '/');
    size_t at = fu_find(p, slash == FU_ABSENT ? s->path_start : slash, s->path_end, ';');
    return at < s->path_end ? at : FU_ABSENT;
}

/* Return 1 if urldefrag, in every Python version, returns the text before the "#" unchanged. A URL without a netloc whose
 * scheme is in uses_netloc is the caller's to exclude. */
static inline int fu_stands_before_fragment(const uint8_t *p, const fu_spans *s) {
    for (size_t i = 0; i < s->scheme_end; i++)
        if (p[i] >= 'A' && p[i] <= 'Z') return 0;
    if (s->flags & FU_HAS_NETLOC && s->path_start == s->netloc_start) return 0;
    if (fu_empty_query(s)) return 0;
    return s->path_end == s->path_start || p[s->path_end - 1] != ';'; /* empty params */
}

/* Parts of a URL, in ASCII or UTF-8. An empty part is absent, unless its flag below is set. */
typedef struct {
    fu_slice scheme, netloc, path, params, query, fragment;
    int empty_query, empty_fragment; /* write the "?" or "#" of an empty part */
    int slashes; /* write "//" before an empty netloc; also root the path with "/" */
} fu_parts;

static inline int fu_is_rooted(const fu_parts *u) { return u->path.n && u->path.p[0] == '/'; }

static inline int fu_needs_root(const fu_parts *u) {
    return (u->netloc.n || u->slashes) && !fu_is_rooted(u) && (u->path.n || u->params.n);
}

/* Compute the size of the rebuilt URL; return 0 if it exceeds `most`. Each part fits in memory, but one object may be passed as
 * all six. */
static inline int fu_rebuilt_size(const fu_parts *u, size_t most, size_t *out) {
    const fu_slice *pieces[] = {&u->scheme, &u->netloc, &u->path, &u->params, &u->query, &u->fragment};
    size_t size = (size_t)(u->scheme.n != 0) + 2 * (size_t)(u->netloc.n != 0 || u->slashes) + (size_t)(fu_needs_root(u) != 0) +
                  (u->params.n != 0) + (u->query.n != 0 || u->empty_query) + (u->fragment.n != 0 || u->empty_fragment);
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        if (pieces[i]->n > most - size) return 0;
        size += pieces[i]->n;
    }
    *out = size;
    return 1;
}

static inline uint8_t *fu_put(uint8_t *out, const char *delimiter, size_t size, fu_slice piece) {
    memcpy(out, delimiter, size);
    if (piece.n) memcpy(out + size, piece.p, piece.n);
    return out + size + piece.n;
}

static inline void fu_rebuild(const fu_parts *u, uint8_t *out) {
    const fu_slice none = {NULL, 0};
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
