/* The origin of a URL: scheme, host and port in lower case. The scheme's own port and an empty port are omitted. */
#ifndef FASTURL_ORIGIN_H
#define FASTURL_ORIGIN_H

#include "functions/result.h"
#include "functions/normalize.h"

/* Return the origin of a text. `to` has space for the text up to its path. */
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
    return fu_made_result(w.count);
}

#endif
