/* The query of a URL, and its pairs one at a time. Offsets count bytes.
 *
 * No load leaves [p, p + n). */
#ifndef FASTURL_QUERY_H
#define FASTURL_QUERY_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "escapes/unquote.h"
#include "split/find.h"

/* Set the range between the first "?" and the first "#" after it. Return 0 if no "?" stands before the first "#". */
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
    int has_value;                      /* 1: "=" divides name and value; 0: the value is the empty range at `end` */
    int name_marks, value_marks;        /* 1 if the name or the value has a "%" or "+" */
} fu_pair;

/* Read the pair that starts at p[at]. It ends before the next `separator` or at n, and may be empty. */
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

/* The name of a parameter. For redaction: if `beside` is not NULL, the name is secret only in a text that also has the
 * parameter `beside`. `condition` numbers the names that have a `beside`. */
typedef struct {
    const uint8_t *data;
    size_t length;
    const uint8_t *beside;
    size_t beside_length;
    unsigned condition;
    uint8_t last; /* of a secret name: the last byte that counts, in lower case, or 0 */
} fu_name;

/* Return 1 if p[0:n] equals the name after its escapes are decoded, and each "+" to a space. */
static inline int fu_is_name(const uint8_t *p, size_t n, int marks, const fu_name *name) {
    size_t i = 0;
    if (!marks) return n == name->length && (n == 0 || memcmp(p, name->data, n) == 0);
    for (size_t k = 0; k < name->length; k++) {
        if (i == n) return 0;
        int byte = fu_escape_value(p + i, n - i);
        i += byte < 0 ? 1 : 3;
        if (byte < 0) byte = p[i - 1] == '+' ? ' ' : p[i - 1];
        if (byte != name->data[k]) return 0;
    }
    return i == n;
}

/* Return 1 if a name in a column can be compared as bytes: in text, invalid UTF-8 also decodes to U+FFFD. */
static inline int fu_bytes_tell(const fu_name *name, int text) {
    for (size_t i = 0; text && i + 3 <= name->length; i++)
        if (name->data[i] == 0xEF && memcmp(name->data + i, "\xef\xbf\xbd", 3) == 0) return 0;
    return 1;
}

/* Return 1 if a pair that starts with this byte may have the name. Most pairs of a query need no further read. */
static inline int fu_may_be_named(const fu_name *name, uint8_t first) {
    return first == '%' || first == '+' || name->length == 0 || name->data[0] == first;
}

/* Lookup table of the first two bytes of pairs that may have a name: bit (second & 15) of seconds[first]. It is filled once per
 * column. */
typedef struct {
    uint16_t seconds[256];
} fu_first_bytes;

static inline void fu_set_first_bytes(fu_first_bytes *out, const fu_name *name) {
    static const fu_first_bytes none = {{0}};
    const uint8_t *data = name->data;
    *out = none;
    if (name->length < 2) /* any byte may follow */
        out->seconds[name->length ? data[0] : '='] = 0xFFFF;
    else
        out->seconds[data[0]] = (uint16_t)(1u << (data[1] & 15) | 1u << ('%' & 15) | 1u << ('+' & 15));
    out->seconds['%'] = out->seconds['+'] = 0xFFFF;
}

/* As fu_may_be_named, for the pair that starts at p[at]; at < n. */
static inline int fu_may_start_name(const fu_first_bytes *firsts, const uint8_t *p, size_t n, size_t at) {
    return firsts->seconds[p[at]] >> (at + 1 < n ? p[at + 1] & 15 : 0) & 1;
}

/* Return the offset of the first "&" before a pair that may have the name, or an offset before any such "&". */
static FU_NOINLINE size_t fu_pass_pairs(const uint8_t *p, size_t n, size_t at, const fu_first_bytes *firsts) {
    for (; n - at > 64; at += 64) /* more than 64: a byte follows the block */
        for (uint64_t bits = FU_BYTE_BITS(p + at, 64, '&'); bits; bits &= bits - 1) {
            const size_t mark = at + (size_t)__builtin_ctzll(bits);
            if (fu_may_start_name(firsts, p, n, mark + 1)) return mark;
        }
    return at;
}

/* Return the start of the first pair at or after p[at] that may have the name; n if there is none. firsts: the lookup table of
 * the name, or NULL. */
static inline size_t fu_skip_pairs(const uint8_t *p, size_t n, size_t at, const fu_name *name, const fu_first_bytes *firsts) {
    while (at < n && !(firsts ? fu_may_start_name(firsts, p, n, at) : fu_may_be_named(name, p[at]))) {
        if (n - at > 64 && firsts) at = fu_pass_pairs(p, n, at, firsts);
        at = fu_first_near(p, at, n, '&');
        if (at < n) at++;
    }
    return at;
}

/* Find the first pair that has this name; return 0 if there is none. firsts: the lookup table of the name, or NULL. */
static inline int fu_find_pair(const uint8_t *p, size_t n, const fu_name *name, const fu_first_bytes *firsts, fu_pair *pair) {
    for (size_t at = 0; (at = fu_skip_pairs(p, n, at, name, firsts)) < n; at = pair->end + 1) {
        fu_next_pair(p, n, at, '&', pair);
        if (pair->end > pair->start && fu_is_name(p + pair->start, pair->name_end - pair->start, pair->name_marks, name))
            return 1;
    }
    return 0;
}

#endif
