/* A URL without some of its parts and the delimiters that belong to them. */
#ifndef FASTURL_DROP_PARTS_H
#define FASTURL_DROP_PARTS_H

#include <string.h>

#include "split/find.h"
#include "functions/result.h"
#include "split/schemes.h"

/* FU_COPY_PART copies a part that stays, and may write up to FU_PART_SLACK bytes after it. Kernels may define their own; the
 * default is memcpy. */
#ifdef FU_COPY_PART
#define FU_PART_SLACK 64
#else
#define FU_COPY_PART memcpy
#define FU_PART_SLACK 0
#endif

enum {
    FU_LESS_SCHEME = 1 << 0,   /* "http:" */
    FU_LESS_LOGIN = 1 << 1,    /* "user:password@" */
    FU_LESS_PASSWORD = 1 << 2, /* ":password" */
    FU_LESS_WWW = 1 << 3,      /* a host's leading "www.", if a dot is left */
    FU_LESS_PORT = 1 << 4,     /* ":80" */
    FU_LESS_PATH = 1 << 5,
    FU_LESS_QUERY = 1 << 6,   /* "?x=1" */
    FU_LESS_FRAGMENT = 1 << 7 /* "#top" */
};

typedef struct {
    const char *name;
    unsigned bit;
} fu_part_name;

#define FU_PART_NAMES 8
/* The names that callers use for the parts. */
static const fu_part_name fu_part_names[FU_PART_NAMES] = {
    {"scheme", FU_LESS_SCHEME}, {"login", FU_LESS_LOGIN}, {"password", FU_LESS_PASSWORD}, {"www", FU_LESS_WWW},
    {"port", FU_LESS_PORT},     {"path", FU_LESS_PATH},   {"query", FU_LESS_QUERY},       {"fragment", FU_LESS_FRAGMENT}};

/* Return the length of the "www.", in any case, that starts [start, end), if a dot is left after it; otherwise 0. */
static inline size_t fu_www_length(const uint8_t *p, size_t start, size_t end) {
    if (end - start < 5 || p[start + 3] != '.') return 0;
    for (size_t i = start; i < start + 3; i++)
        if (fu_lower(p[i]) != 'w') return 0;
    return fu_first_of(p, start + 4, end, '.') < end ? 4 : 0;
}

typedef struct {
    size_t start[8], end[8];
    size_t count;
} fu_left_out;

static inline void fu_leave_out(fu_left_out *out, size_t start, size_t end) {
    if (start >= end) return;
    if (out->count > 0 && out->end[out->count - 1] == start) {
        out->end[out->count - 1] = end;
        return;
    }
    out->start[out->count] = start;
    out->end[out->count++] = end;
}

static inline void fu_leave_out_of_netloc(const uint8_t *p, const fu_spans *s, unsigned less, fu_left_out *out) {
    fu_netloc u;
    if (s->flags & FU_NETLOC_IS_HOSTNAME) {
        if (less & FU_LESS_WWW)
            fu_leave_out(out, s->netloc_start, s->netloc_start + fu_www_length(p, s->netloc_start, s->path_start));
        return;
    }
    fu_split_netloc(p, s->netloc_start, s->path_start, &u);
    if (u.user_start != FU_ABSENT) {
        size_t at = u.password_start == FU_ABSENT ? u.user_end : u.password_end; /* offset of the "@" */
        if (less & FU_LESS_LOGIN)
            fu_leave_out(out, u.user_start, at + 1);
        else if (less & FU_LESS_PASSWORD && u.password_start != FU_ABSENT)
            fu_leave_out(out, u.password_start - 1, u.password_end);
    }
    if (less & FU_LESS_WWW) fu_leave_out(out, u.host_start, u.host_start + fu_www_length(p, u.host_start, u.host_end));
    if (less & FU_LESS_PORT && u.port_start != FU_ABSENT) fu_leave_out(out, u.port_start - 1, u.port_end);
}

/* Return the URL without its query, its fragment, or both. `to` is as for fu_drop_parts. */
static inline fu_result fu_drop_tail(const uint8_t *p, const fu_spans *s, unsigned less, uint8_t *to) {
    const size_t start = less & FU_LESS_QUERY ? s->path_end : s->query_end;
    const size_t end = less & FU_LESS_FRAGMENT ? s->length : s->query_end, rest = s->length - end;
    if (start == end || rest == 0) return fu_part_result(0, start == end ? s->length : start);
    if (start == 0) return fu_part_result(end, s->length);
    FU_COPY_PART(to, p, start);
    FU_COPY_PART(to + start, p + end, rest);
    return fu_new_text(start + rest);
}

/* Return the URL without the parts in `less`. `to` has space for the text and FU_PART_SLACK bytes more. */
static inline fu_result fu_drop_parts(const uint8_t *p, const fu_spans *s, unsigned less, uint8_t *to) {
    const unsigned of_netloc = FU_LESS_LOGIN | FU_LESS_PASSWORD | FU_LESS_WWW | FU_LESS_PORT;
    fu_left_out out;
    out.count = 0;
    if (less & FU_LESS_SCHEME && s->flags & FU_HAS_SCHEME) fu_leave_out(&out, 0, s->scheme_end + 1);
    if (less & of_netloc && s->flags & FU_HAS_NETLOC) fu_leave_out_of_netloc(p, s, less, &out);
    if (less & FU_LESS_PATH) fu_leave_out(&out, s->path_start, s->path_end);
    if (less & FU_LESS_QUERY) fu_leave_out(&out, s->path_end, s->query_end);
    if (less & FU_LESS_FRAGMENT) fu_leave_out(&out, s->query_end, s->length);
    size_t first = 0, last = s->length; /* the part that stays if only the ends go */
    size_t i = 0, count = out.count;
    if (i < count && out.start[i] == 0) first = out.end[i++];
    if (i < count && out.end[count - 1] == last) last = out.start[--count];
    if (i == count) return fu_part_result(first, last);
    size_t length = 0;
    for (; i < count; i++) {
        FU_COPY_PART(to + length, p + first, out.start[i] - first);
        length += out.start[i] - first;
        first = out.end[i];
    }
    FU_COPY_PART(to + length, p + first, last - first);
    return fu_new_text(length + last - first);
}

#endif
