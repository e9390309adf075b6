/* The judge's means: octets, escapes, hosts, ports, logins, and parts made of a term's own set (RFC 1738 sections 2.2
 * and 3.1). What they find wrong they add to a verdict. */
#ifndef FASTURL_JUDGE_PARTS_H
#define FASTURL_JUDGE_PARTS_H

#include "octets.h"
#include "schemes.h"
#include "spans.h"
#include "verdict.h"

/* The decoded octet of an escape at p[i], -1 when there is none. */
static inline int fu_escape_at(const uint8_t *p, size_t n, size_t i) {
    if (n < 3 || i > n - 3 || p[i] != '%') return -1;
    int high = HEX_VALUE[p[i + 1]], low = HEX_VALUE[p[i + 2]];
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/* The escape at p[i], which is a '%'. */
static inline void fu_judge_escape(const uint8_t *p, size_t n, size_t i, fu_verdict *v) {
    int octet = fu_escape_at(p, n, i);
    if (octet < 0) {
        fu_add(v, FU_BAD_ESCAPE, FU_TERM_OCTET, i, i + 1);
    } else if (fu_is((uint8_t)octet, TERM_XCHAR)) {
        return; /* most escapes that harm nobody end here, and most others at the next line */
    } else if (octet < 0x20 || octet == 0x7f) {
        fu_add(v, FU_ENCODED_CONTROL, FU_TERM_OCTET, i, i + 3);
    } else if (octet == '%') {
        if (n - i >= 5 && HEX_VALUE[p[i + 3]] >= 0 && HEX_VALUE[p[i + 4]] >= 0)
            fu_add(v, FU_DOUBLE_ENCODED, FU_TERM_OCTET, i, i + 5);
    } else if (octet == 0xc0 || octet == 0xc1) {
        fu_add(v, FU_OVERLONG_UTF8, FU_TERM_OCTET, i, i + 3);
    } else if (octet == 0xe0 || octet == 0xf0) {
        int next = fu_escape_at(p, n, i + 3);
        if (next >= 0x80 && next <= (octet == 0xe0 ? 0x9f : 0x8f)) fu_add(v, FU_OVERLONG_UTF8, FU_TERM_OCTET, i, i + 6);
    }
}

/* An octet that no production derives raw, or an escape (sections 2.2 and 6). */
static inline void fu_judge_octet(const uint8_t *p, size_t n, size_t i, fu_verdict *v) {
    uint8_t octet = p[i];
    if (octet == '%') {
        fu_judge_escape(p, n, i, v);
    } else if (octet >= 0x80) {
        fu_add(v, FU_NON_ASCII, FU_TERM_OCTET, i, i + 1);
    } else if (octet < 0x20 || octet == 0x7f) {
        fu_add(v, FU_CONTROL, FU_TERM_OCTET, i, i + 1);
    } else if (octet == '#') {
        fu_add(v, FU_FRAGMENT, FU_TERM_OCTET, i, i + 1);
    } else {
        fu_add(v, FU_UNSAFE, FU_TERM_OCTET, i, i + 1);
        if (octet == '\\') fu_add(v, FU_BACKSLASH, FU_TERM_OCTET, i, i + 1);
    }
}

/* The split has marked the odd ones of the first blocks: of those only they are looked at. */
static inline void fu_judge_octets(const uint8_t *p, const fu_spans *s, fu_verdict *v) {
    size_t n = s->length, base = 0;
    for (; base < n && base < FU_BLOCK * FU_ODD_BLOCKS; base += FU_BLOCK)
        for (uint64_t odd = s->odd[base / FU_BLOCK] & fu_low_bits(n - base); odd; odd &= odd - 1) {
            size_t i = base + (size_t)__builtin_ctzll(odd);
            if (!fu_is(p[i], TERM_XCHAR)) fu_judge_octet(p, n, i, v);
        }
    if (!(s->flags & FU_ODD_BEYOND)) return;
    for (size_t i = base; i < n; i++)
        if (!fu_is(p[i], TERM_XCHAR)) fu_judge_octet(p, n, i, v);
}

/* Every reserved octet in [start, end) that the term's own set leaves out. */
static inline void fu_judge_term(const uint8_t *p, size_t start, size_t end, uint32_t set, fu_term term, fu_verdict *v) {
    for (size_t i = start; i < end; i++)
        if (fu_is(p[i], TERM_RESERVED) && !fu_is(p[i], set)) fu_add(v, FU_RESERVED, term, i, i + 1);
}

/* ... of a term made of segments, which "/" divides. */
static inline void fu_judge_segments(const uint8_t *p, size_t start, size_t end, uint32_t set, fu_term term,
                                     fu_verdict *v) {
    for (size_t i = start; i < end; i++)
        if (p[i] != '/' && fu_is(p[i], TERM_RESERVED) && !fu_is(p[i], set)) fu_add(v, FU_RESERVED, term, i, i + 1);
}

/* host = hostname | hostnumber. Where neither can go on, or `end` when it only stops too soon; FU_ABSENT when it is one. */
static inline size_t fu_host_breaks_at(const uint8_t *p, size_t start, size_t end) {
    size_t label = start, groups = 0;
    int digits_only = 1, label_digits = 1;
    for (size_t i = start; i <= end; i++) {
        if (i < end && fu_is(p[i], TERM_ALPHADIGIT)) {
            if (!fu_is(p[i], TERM_DIGIT)) label_digits = 0;
            continue;
        }
        if (i < end && p[i] == '-') {
            if (i == label) return i;
            label_digits = 0;
            continue;
        }
        if (i < end && p[i] != '.') return i;
        if (i == label || p[i - 1] == '-') return i;
        digits_only &= label_digits;
        groups++;
        if (i == end) break;
        label = i + 1;
        label_digits = 1;
    }
    if (fu_is(p[label], TERM_ALPHA)) return FU_ABSENT;
    return digits_only && groups == 4 ? FU_ABSENT : end;
}

static inline void fu_judge_host(const uint8_t *p, size_t start, size_t end, fu_verdict *v) {
    if (start == end) {
        fu_add(v, FU_MISSING, FU_TERM_HOST, start, end);
        return;
    }
    size_t at = fu_host_breaks_at(p, start, end);
    if (at != FU_ABSENT) fu_add(v, FU_BAD_HOST, FU_TERM_HOST, at, end);
}

/* The number of a port of digits, leading zeros or not; -1 when it is no number up to 65535. */
static inline int32_t fu_port_number(const uint8_t *p, size_t start, size_t end) {
    int32_t number = 0;
    if (start == end) return -1;
    for (size_t i = start; i < end; i++) {
        if (!fu_is(p[i], TERM_DIGIT)) return -1;
        number = number * 10 + (p[i] - '0');
        if (number > 65535) return -1;
    }
    return number;
}

static inline void fu_judge_port(const uint8_t *p, size_t start, size_t end, fu_verdict *v) {
    size_t i = start;
    while (i < end && fu_is(p[i], TERM_DIGIT)) i++;
    if (start == end || i < end)
        fu_add(v, FU_BAD_PORT, FU_TERM_PORT, i, end);
    else if (fu_port_number(p, start, end) < 0)
        fu_add(v, FU_BAD_PORT, FU_TERM_PORT, start, end);
}

/* hostport; for a file URL only a host, which may be empty. */
static inline void fu_judge_hostport(const uint8_t *p, size_t start, size_t end, int is_file, fu_verdict *v) {
    size_t from = start;
    if (start < end && p[start] == '[') {
        size_t close = fu_find(p, start, end, ']');
        if (close < end) from = close + 1;
    }
    size_t colon = fu_find(p, from, end, ':');
    if (!(is_file && start == colon)) fu_judge_host(p, start, colon, v);
    if (colon == end) return;
    if (is_file)
        fu_add(v, FU_BAD_PORT, FU_TERM_PORT, colon, end);
    else
        fu_judge_port(p, colon + 1, end, v);
}

static inline void fu_judge_login(const uint8_t *p, size_t start, size_t end, fu_shape shape, fu_verdict *v) {
    size_t at = fu_find_last(p, start, end, '@');
    size_t hostport = start;
    if (at != FU_ABSENT) {
        hostport = at + 1;
        if (shape == FU_SHAPE_FTP || shape == FU_SHAPE_TELNET) {
            size_t colon = fu_find(p, start, at, ':');
            fu_judge_term(p, start, colon, TERM_USER, FU_TERM_USER, v);
            if (colon < at) fu_judge_term(p, colon + 1, at, TERM_USER, FU_TERM_PASSWORD, v);
        } else {
            fu_add(v, FU_LOGIN, FU_TERM_LOGIN, start, hostport);
        }
    }
    fu_judge_hostport(p, hostport, end, shape == FU_SHAPE_FILE, v);
}

/* The first octet of [start, end) that is no `set`, or end. */
static inline size_t fu_skip(const uint8_t *p, size_t start, size_t end, uint32_t set) {
    while (start < end && fu_is(p[start], set)) start++;
    return start;
}

/* group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ] */
static inline void fu_judge_group(const uint8_t *p, size_t start, size_t end, fu_verdict *v) {
    size_t at = fu_is(p[start], TERM_ALPHA) ? fu_skip(p, start + 1, end, TERM_GROUP) : start;
    if (at < end) fu_add(v, FU_BAD_PART, FU_TERM_GROUP, at, end);
}

#endif
