/* Parts of a path: segments, the file's name and extension, prefixes. Segments are separated by "/" in the path that fu_split
 * found. Nothing is decoded. And the origin of a URL: scheme, host and port in lower case.
 *
 * No load leaves the path. */
#ifndef FASTURL_PATH_H
#define FASTURL_PATH_H

#include "split/find.h"
#include "functions/result.h"
#include "functions/normalize.h"

/* Count the segments that are not empty. */
static inline size_t fu_path_depth(const uint8_t *p, const fu_spans *s) {
    size_t depth = 0;
    uint64_t slash_before = 1;
    for (size_t i = s->path_start; i < s->path_end; i += 64) {
        const size_t n = s->path_end - i < 64 ? s->path_end - i : 64;
        const uint64_t slashes = FU_BYTE_BITS(p + i, n, '/');
        depth += (size_t)__builtin_popcountll(~slashes & (slashes << 1 | slash_before) & fu_low_bits(n));
        slash_before = slashes >> 63;
    }
    return depth;
}

/* Return the last segment without its params, which start at a ";", or no result if the path is empty. */
static inline fu_result fu_file_name(const uint8_t *p, const fu_spans *s) {
    if (s->path_start == s->path_end) return fu_no_result();
    size_t slash = fu_last_of(p, s->path_start, s->path_end, '/');
    size_t start = slash == FU_ABSENT ? s->path_start : slash + 1;
    return fu_part_result(start, fu_first_of(p, start, s->path_end, ';'));
}

/* Return the part of the file name after its last dot. Leading dots do not count. */
static inline fu_result fu_file_extension(const uint8_t *p, const fu_spans *s) {
    fu_result name = fu_file_name(p, s);
    if (name.kind == FU_RESULT_NULL) return name;
    size_t start = name.start, end = name.start + name.length;
    while (start < end && p[start] == '.') start++;
    size_t dot = fu_last_of(p, start, end, '.');
    return dot == FU_ABSENT ? fu_no_result() : fu_part_result(dot + 1, end);
}

static inline fu_result fu_first_segment(const uint8_t *p, const fu_spans *s) {
    size_t start = s->path_start;
    if (start == s->path_end) return fu_no_result();
    if (p[start] == '/') start++;
    return fu_part_result(start, fu_first_of(p, start, s->path_end, '/'));
}

static inline fu_result fu_path_and_query(const fu_spans *s) { return fu_part_result(s->path_start, s->query_end); }

/* Return query and fragment. Without a query, the result starts with the "#". */
static inline fu_result fu_query_and_fragment(const fu_spans *s) {
    if (s->flags & FU_HAS_QUERY) return fu_part_result(s->path_end + 1, s->length);
    return s->flags & FU_HAS_FRAGMENT ? fu_part_result(s->query_end, s->length) : fu_no_result();
}

/* Return the end of the prefix after the one that ends at `at`: past the next segment and the run of "/" after it. Start with
 * path_start to list the prefixes of a whole URL. At the end, return `end`. */
static inline size_t fu_next_prefix(const uint8_t *p, size_t at, size_t end) {
    at = fu_first_of(p, at, end, '/');
    while (at < end && p[at] == '/') at++;
    return at;
}

/* Return the ends of all prefixes of a path of 1 to 64 bytes: a mask of the last byte of each. */
static inline uint64_t fu_prefix_ends(const uint8_t *p, size_t n) {
    const uint64_t slashes = FU_BYTE_BITS(p, n, '/');
    return (slashes & ~(slashes >> 1)) | (uint64_t)1 << (n - 1);
}

/* Return the origin of a text. The scheme's own port and an empty port are omitted. `to` has space for the text up to its path. */
static inline fu_result fu_origin(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, uint8_t *to) {
    const uint32_t both = FU_HAS_SCHEME | FU_HAS_NETLOC;
    fu_writer w = {p, to, 0, 0};
    fu_netloc u;
    if ((s->flags & both) != both) return fu_no_result();
    if (s->flags & FU_NETLOC_IS_HOSTNAME) return fu_lower_result(p, 0, s->path_start, to);
    fu_split_netloc(p, s->netloc_start, s->path_start, &u);
    size_t at = fu_find_last(p, s->netloc_start, s->path_start, '@');
    size_t host = at == FU_ABSENT ? s->netloc_start : at + 1;
    size_t host_end = u.port_start == FU_ABSENT ? s->path_start : u.port_start - 1;
    fu_write_lower(&w, 0, s->netloc_start);
    fu_write_lower(&w, host, host_end);
    if (u.port_start < u.port_end) fu_write_port(&w, host_end, s->path_start, fu_port_of(table, s->scheme));
    if (w.count == s->path_start && memcmp(to, p, w.count) == 0) return fu_part_result(0, w.count);
    return fu_new_text(w.count);
}

#endif
