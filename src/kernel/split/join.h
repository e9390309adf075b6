/* urllib's urljoin on bytes: resolve a reference against a base URL. Follows RFC 3986 section 5.2 where urllib does. RFC 1738
 * leaves relative URLs to RFC 1808. */
#ifndef FASTURL_JOIN_H
#define FASTURL_JOIN_H

#include "split/merge.h"
#include "split/schemes.h"
#include "split/spans.h"
#include "split/urllib.h"

/* Return 1 if the reference p has no scheme or the scheme of its base. */
static inline int fu_same_scheme(const uint8_t *base, const fu_spans *b, const uint8_t *p, const fu_spans *s) {
    if (s->scheme_end && s->scheme_end != b->scheme_end) return 0;
    for (size_t i = 0; i < s->scheme_end; i++)
        if (fu_lower(p[i]) != fu_lower(base[i])) return 0;
    return 1;
}

static inline fu_slice fu_slice_at(const uint8_t *p, size_t start, size_t end) {
    fu_slice piece = {p + start, end - start};
    return piece;
}

static inline fu_slice fu_query_slice(const uint8_t *p, const fu_spans *s) {
    return fu_slice_at(p, s->path_end + (s->flags & FU_HAS_QUERY ? 1 : 0), s->query_end);
}

/* FU_JOIN_UNSURE: delegate to urllib. FU_JOIN_BUILD: all parts are final. FU_JOIN_MERGE: out->path is the reference's; the
 * caller merges it with the base's path. */
typedef enum { FU_JOIN_UNSURE, FU_JOIN_BUILD, FU_JOIN_MERGE } fu_join;

/* Resolve the reference p against a base and write all parts except the scheme. urllib's uses_relative and uses_netloc both
 * list the base's scheme. drops_empty: 1 for Python before 3.14, where an empty part counts as absent and params are split off
 * the path. */
static inline fu_join fu_join_parts(const uint8_t *base, const fu_spans *b, const uint8_t *p, const fu_spans *s, int drops_empty,
                                    fu_parts *out) {
    if (drops_empty && fu_version_dependent_params(p, s)) return FU_JOIN_UNSURE;
    out->params = fu_slice_at(p, 0, 0);
    out->path = fu_slice_at(p, s->path_start, s->path_end);
    out->query = fu_query_slice(p, s);
    out->fragment = fu_slice_at(p, s->query_end + (s->flags & FU_HAS_FRAGMENT ? 1 : 0), s->length);
    out->empty_query = !drops_empty && fu_empty_query(s);
    out->empty_fragment = !drops_empty && fu_empty_fragment(s);
    out->slashes = 0;
    out->netloc = fu_slice_at(p, s->netloc_start, s->path_start);
    if (s->flags & FU_HAS_NETLOC && out->netloc.n) return FU_JOIN_BUILD;
    if (drops_empty && fu_version_dependent_params(base, b)) return FU_JOIN_UNSURE;
    out->netloc = fu_slice_at(base, b->netloc_start, b->path_start);
    out->slashes = !drops_empty && b->flags & FU_HAS_NETLOC;
    if (out->path.n) return FU_JOIN_MERGE;
    out->path = fu_slice_at(base, b->path_start, b->path_end);
    if (out->query.n == 0 && !out->empty_query) {
        out->query = fu_query_slice(base, b);
        out->empty_query = !drops_empty && fu_empty_query(b);
        if (!drops_empty && !(s->flags & FU_HAS_FRAGMENT)) {
            out->fragment = fu_slice_at(base, b->query_end + (b->flags & FU_HAS_FRAGMENT ? 1 : 0), b->length);
            out->empty_fragment = fu_empty_fragment(b);
        }
    }
    return FU_JOIN_BUILD;
}

#endif
