/* Where a URL's query and password stand, one pair of a query at a time, and what of a URL is to be hidden. Offsets count octets.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_QUERY_H
#define FASTURL_QUERY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "percent/unquote.h"
#include "split/find.h"
#include "split/readings.h"

/* What stands between the first ? and the first #; 0 when a # or nothing comes before any ?. */
static inline int fu_query_span(const uint8_t *p, size_t n, size_t *start, size_t *end) {
    const uint8_t *hash = n ? (const uint8_t *)memchr(p, '#', n) : NULL;
    const uint8_t *mark;
    *end = hash ? (size_t)(hash - p) : n;
    mark = *end ? (const uint8_t *)memchr(p, '?', *end) : NULL;
    if (!mark) return 0;
    *start = (size_t)(mark - p) + 1;
    return 1;
}

typedef struct fu_pair {
    size_t start, name_end, value, end; /* name: [start, name_end); value: [value, end) */
    int has_value;                      /* an = stands between the two; else both are empty at the end */
    int name_marks, value_marks;        /* whether a % or a + is in it */
} fu_pair;

/* The pair that starts at p[at]: it ends before the next `separator` or at n, and so may be empty. */
static inline void fu_next_pair(const uint8_t *p, size_t n, size_t at, uint8_t separator, fu_pair *pair) {
    int marks = 0;
    size_t i = at;
    pair->start = at;
    pair->name_marks = 0;
    for (; i < n && p[i] != separator && p[i] != '='; i++) marks |= p[i] == '%' || p[i] == '+';
    pair->name_end = i;
    pair->name_marks = marks;
    pair->has_value = i < n && p[i] != separator;
    pair->value = i;
    marks = 0;
    if (pair->has_value) {
        pair->value = ++i;
        for (; i < n && p[i] != separator; i++) marks |= p[i] == '%' || p[i] == '+';
    }
    pair->end = i;
    pair->value_marks = marks;
}

typedef struct {
    const uint8_t *octets;
    size_t length;
} fu_name;

/* Whether p[0:n] with its escapes read, and spaces for +, is this name, octet by octet. */
static inline int fu_is_name(const uint8_t *p, size_t n, int marks, const fu_name *name) {
    size_t i = 0;
    if (!marks) return n == name->length && (n == 0 || memcmp(p, name->octets, n) == 0);
    for (size_t k = 0; k < name->length; k++) {
        if (i == n) return 0;
        int octet = fu_escape_value(p + i, n - i);
        i += octet < 0 ? 1 : 3;
        if (octet < 0) octet = p[i - 1] == '+' ? ' ' : p[i - 1];
        if (octet != name->octets[k]) return 0;
    }
    return i == n;
}

/* Whether a pair that starts with this octet may have one of the names: few of a query's pairs are read further. */
static inline int fu_may_be_named(const fu_name *names, size_t count, uint8_t first) {
    if (first == '%' || first == '+') return 1;
    for (size_t i = 0; i < count; i++)
        if (names[i].length == 0 || names[i].octets[0] == first) return 1;
    return 0;
}

/* Which two octets a pair may start with that has one of some names: bit (second & 15) of seconds[first]. Made once for all
 * rows of a column, since names may be hundreds. */
typedef struct {
    uint16_t seconds[256];
} fu_first_octets;

static inline void fu_add_first_octets(fu_first_octets *out, const fu_name *name) {
    const unsigned escapes = 1u << ('%' & 15) | 1u << ('+' & 15);
    const uint8_t *octets = name->octets;
    if (name->length < 2) /* anything may follow */
        out->seconds[name->length ? octets[0] : '='] = 0xFFFF;
    else
        out->seconds[octets[0]] = (uint16_t)(out->seconds[octets[0]] | 1u << (octets[1] & 15) | escapes);
}

static inline void fu_set_first_octets(fu_first_octets *out, const fu_name *names, size_t count) {
    memset(out, 0, sizeof *out);
    out->seconds['%'] = out->seconds['+'] = 0xFFFF;
    for (size_t i = 0; i < count; i++) fu_add_first_octets(out, &names[i]);
}

/* As fu_may_be_named, of the pair that starts at p[at], at < n. */
static inline int fu_may_start_name(const fu_first_octets *firsts, const uint8_t *p, size_t n, size_t at) {
    return firsts->seconds[p[at]] >> (at + 1 < n ? p[at + 1] & 15 : 0) & 1;
}

/* The first "&" from p[at] on before a pair that may have one of the names, or a place before which there is none. */
static FU_NOINLINE size_t fu_pass_pairs(const uint8_t *p, size_t n, size_t at, const fu_first_octets *firsts) {
    for (; n - at > 64; at += 64) /* more than 64: an octet follows the last of the block */
        for (uint64_t bits = FU_OCTET_BITS(p + at, 64, '&'); bits; bits &= bits - 1) {
            const size_t mark = at + (size_t)__builtin_ctzll(bits);
            if (fu_may_start_name(firsts, p, n, mark + 1)) return mark;
        }
    return at;
}

/* Where the first pair from p[at] on starts that may have one of the names; n when there is none. `firsts` are theirs, or
 * NULL. */
static inline size_t fu_skip_pairs(const uint8_t *p, size_t n, size_t at, const fu_name *names, size_t count,
                                   const fu_first_octets *firsts) {
    while (at < n && !(firsts ? fu_may_start_name(firsts, p, n, at) : fu_may_be_named(names, count, p[at]))) {
        if (n - at > 64 && firsts) at = fu_pass_pairs(p, n, at, firsts);
        at = fu_first_near(p, at, n, '&');
        if (at < n) at++;
    }
    return at;
}

/* The first pair of a query that has this name, whose first octets are `firsts`, or NULL. */
static inline int fu_find_pair(const uint8_t *p, size_t n, const fu_name *name, const fu_first_octets *firsts, fu_pair *pair) {
    for (size_t at = 0; (at = fu_skip_pairs(p, n, at, name, 1, firsts)) < n; at = pair->end + 1) {
        fu_next_pair(p, n, at, '&', pair);
        if (pair->end > pair->start && fu_is_name(p + pair->start, pair->name_end - pair->start, pair->name_marks, name))
            return 1;
    }
    return 0;
}

/* What is hidden of a URL, from left to right: its password in every reading, and the values of the pairs of some names. */
typedef struct {
    const uint8_t *p;
    const fu_name *names;
    size_t count;
    const fu_first_octets *firsts; /* of the names, or NULL */
    fu_place passwords[FU_READINGS];
    size_t password, password_count;
    size_t at, end;    /* of the query, what is still to be read */
    fu_place value;    /* the next one to hide; its start is FU_ABSENT after the last */
} fu_redaction;

static inline void fu_next_value(fu_redaction *r) {
    for (;;) {
        fu_pair pair;
        if (r->at < r->end) r->at = fu_skip_pairs(r->p, r->end, r->at, r->names, r->count, r->firsts);
        if (r->at >= r->end) break;
        fu_next_pair(r->p, r->end, r->at, '&', &pair);
        r->at = pair.end + 1;
        if (!pair.has_value) continue;
        for (size_t i = 0; i < r->count; i++)
            if (fu_is_name(r->p + pair.start, pair.name_end - pair.start, pair.name_marks, &r->names[i])) {
                r->value.start = pair.value;
                r->value.end = pair.end;
                return;
            }
    }
    r->value.start = FU_ABSENT;
}

static inline void fu_start_redaction(fu_redaction *r, const fu_scheme_table *table, const uint8_t *p, size_t n,
                                      const fu_name *names, size_t count, const fu_first_octets *firsts) {
    r->p = p;
    r->names = names;
    r->count = count;
    r->firsts = firsts;
    r->password = 0;
    r->password_count = fu_find_passwords(table, p, n, r->passwords);
    if (count == 0 || !fu_query_span(p, n, &r->at, &r->end)) r->at = r->end = 0;
    fu_next_value(r);
}

/* Whether there is a place to hide that fu_next_hidden has not given yet. */
static inline int fu_hides_any(const fu_redaction *r) {
    return r->password < r->password_count || r->value.start != FU_ABSENT;
}

/* The next place to hide; places that overlap, since a "?" may stand in a password, are one. */
static inline int fu_next_hidden(fu_redaction *r, size_t *start, size_t *end) {
    fu_place hidden = {FU_ABSENT, 0};
    for (;;) {
        const fu_place *password = &r->passwords[r->password];
        int is_password = r->password < r->password_count && (r->value.start == FU_ABSENT || password->start <= r->value.start);
        fu_place next = is_password ? *password : r->value;
        if (next.start == FU_ABSENT || (hidden.start != FU_ABSENT && next.start > hidden.end)) break;
        if (hidden.start == FU_ABSENT) hidden.start = next.start;
        if (next.end > hidden.end) hidden.end = next.end;
        if (is_password)
            r->password++;
        else
            fu_next_value(r);
    }
    *start = hidden.start;
    *end = hidden.end;
    return hidden.start != FU_ABSENT;
}

#endif
