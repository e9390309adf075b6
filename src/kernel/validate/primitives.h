/* Validators of bytes, escapes, hosts, ports, logins, and terms with their own set of bytes (RFC 1738 sections 2.2 and 3.1).
 * They add their findings to the diagnostics. */
#ifndef FASTURL_PRIMITIVES_H
#define FASTURL_PRIMITIVES_H

#include "chars.h"
#include "ascii.h"
#include "split/masks.h"
#include "split/readings.h"
#include "validate/diagnostics.h"
#include "validate/traversal.h"

/* Validate the escape at p[i], which is a '%'. */
static inline void fu_validate_escape(const uint8_t *p, size_t n, size_t i, fu_diagnostics *v) {
    int byte = fu_escape_value(p + i, n - i);
    if (byte < 0) {
        fu_add(v, FU_BAD_ESCAPE, FU_TERM_BYTE, i, i + 1);
        const size_t end = fu_nested_digits_end(p, n, i + 1);
        if (end) fu_add(v, FU_DOUBLE_ENCODED, FU_TERM_BYTE, i, end);
        v->has_nested_dot |= end && fu_may_become_dot(p, n, i + 1);
    } else if (!(ESCAPED_HAZARDS[byte >> 6] >> (byte & 63) & 1)) {
        return; /* one branch for all harmless escapes; a branch per kind would be unpredictable */
    } else if (byte < 0x20 || byte == 0x7f) {
        if (i != v->gopher_tabs[0] && i != v->gopher_tabs[1]) fu_add(v, FU_ENCODED_CONTROL, FU_TERM_BYTE, i, i + 3);
    } else if (byte == '%') {
        const size_t end = fu_nested_digits_end(p, n, i + 3);
        if (end) fu_add(v, FU_DOUBLE_ENCODED, FU_TERM_BYTE, i, end);
        v->has_nested_dot |= end && fu_may_become_dot(p, n, i + 3);
    } else if (byte == '.') {
        v->has_nested_dot |= fu_has_dot_beside(p, n, i);
    } else if (byte == 0xc0 || byte == 0xc1) {
        fu_add(v, FU_OVERLONG_UTF8, FU_TERM_BYTE, i, i + 3);
    } else if (byte == 0xe0 || byte == 0xf0) {
        int next = fu_escape_value(p + i + 3, n - i - 3);
        if (next >= 0x80 && next <= (byte == 0xe0 ? 0x9f : 0x8f)) fu_add(v, FU_OVERLONG_UTF8, FU_TERM_BYTE, i, i + 6);
    }
}

/* Report a byte that no production allows unescaped (sections 2.2 and 6). */
static inline void fu_validate_byte(const uint8_t *p, size_t i, fu_diagnostics *v) {
    uint8_t byte = p[i];
    if (byte >= 0x80) {
        fu_add(v, FU_NON_ASCII, FU_TERM_BYTE, i, i + 1);
    } else if (byte < 0x20 || byte == 0x7f) {
        fu_add(v, FU_CONTROL, FU_TERM_BYTE, i, i + 1);
    } else if (byte == '#') {
        fu_add(v, FU_FRAGMENT, FU_TERM_BYTE, i, i + 1);
    } else {
        fu_add(v, FU_UNSAFE, FU_TERM_BYTE, i, i + 1);
        if (byte == '\\') fu_add(v, FU_BACKSLASH, FU_TERM_BYTE, i, i + 1);
    }
}

/* Return the mask of the bytes outside xchar in a block; 1 <= n <= FU_BLOCK. */
static inline uint64_t fu_find_suspects(const uint8_t *p, size_t n) {
#ifdef FU_KERNEL /* included by a kernel, after its masks */
    fu_block m;
    fu_masks(p, n, &m);
    return m.suspect;
#else
    uint64_t bits = 0;
    for (size_t i = 0; i < n; i++) bits |= (uint64_t)!fu_is(p[i], TERM_XCHAR) << i;
    return bits;
#endif
}

#define FU_SUSPECT_BYTES (FU_BLOCK * FU_SUSPECT_BLOCKS)

/* Return the mask of the suspect bytes in the block at `base`: bytes outside xchar, including "%". Kernels with fu_harmful_suspects
 * leave harmless escapes out. Uses the split's mask if the split recorded one. */
static inline uint64_t fu_suspect_bytes(const uint8_t *p, const fu_spans *s, size_t base) {
    const size_t left = s->length - base;
#ifdef FU_HAS_HARMFUL_SUSPECTS
    const uint64_t suspects = base < FU_SUSPECT_BYTES ? s->suspect[base / FU_BLOCK] & fu_low_bits(left) : ~(uint64_t)0;
    /* For a single suspect, fu_harmful_suspects costs more than it saves. */
    return suspects & (suspects - 1) ? fu_harmful_suspects(p + base, left) : suspects;
#else
    return base < FU_SUSPECT_BYTES ? s->suspect[base / FU_BLOCK] & fu_low_bits(left)
                                   : fu_find_suspects(p + base, left < FU_BLOCK ? left : FU_BLOCK);
#endif
}

static inline void fu_validate_suspect(const uint8_t *p, size_t n, size_t i, fu_diagnostics *v) {
    if (p[i] == '%')
        fu_validate_escape(p, n, i, v);
    else if (!fu_is(p[i], TERM_XCHAR))
        fu_validate_byte(p, i, v);
}

static inline void fu_validate_bytes(const uint8_t *p, const fu_spans *s, fu_diagnostics *v) {
    const size_t n = s->length, end = s->flags & FU_HAS_SUSPECT_BEYOND || n < FU_SUSPECT_BYTES ? n : FU_SUSPECT_BYTES;
    for (size_t base = 0; base < end; base += FU_BLOCK)
        for (uint64_t suspects = fu_suspect_bytes(p, s, base); suspects; suspects &= suspects - 1) {
            fu_validate_suspect(p, n, base + (size_t)__builtin_ctzll(suspects), v);
            if (fu_is_settled(v)) return;
        }
}

/* Report the reserved bytes in [start, end) other than `divider` and the bytes of the segments' own set. Report only the first
 * one if no problems are recorded. */
static inline void fu_validate_segments(const uint8_t *p, size_t start, size_t end, uint8_t divider, uint32_t set, fu_term term,
                                        fu_diagnostics *v) {
    for (size_t i = start; i < end; i++) {
        if (!fu_is(p[i], TERM_RESERVED) || fu_is(p[i], set) || p[i] == divider) continue;
        fu_add(v, FU_RESERVED, term, i, i + 1);
        if (v->grow == NULL) return;
    }
}

/* Validate a term without a divider. NUL serves as the divider because it is not reserved. */
static inline void fu_validate_term(const uint8_t *p, size_t start, size_t end, uint32_t set, fu_term term, fu_diagnostics *v) {
    fu_validate_segments(p, start, end, 0, set, term, v);
}

/* Return the offset of the first byte in [start, end) outside `set`, or end. */
static inline size_t fu_skip(const uint8_t *p, size_t start, size_t end, uint32_t set) {
    while (start < end && fu_is(p[start], set)) start++;
    return start;
}

/* host = hostname | hostnumber. Return the offset of the first byte that continues neither, `end` if the text is truncated,
 * FU_ABSENT if it is a host. */
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

static inline void fu_validate_host(const uint8_t *p, size_t start, size_t end, fu_diagnostics *v) {
    if (start == end) {
        fu_add(v, FU_MISSING, FU_TERM_HOST, start, end);
        return;
    }
    size_t at = fu_host_breaks_at(p, start, end);
    if (at != FU_ABSENT) fu_add(v, FU_BAD_HOST, FU_TERM_HOST, at, end);
}

/* Return the value of a port, which may have leading zeros, or -1 if it is not a number up to 65535. */
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

static inline void fu_validate_port(const uint8_t *p, size_t start, size_t end, fu_diagnostics *v) {
    size_t i = fu_skip(p, start, end, TERM_DIGIT);
    if (start == end || i < end)
        fu_add(v, FU_BAD_PORT, FU_TERM_PORT, i, end);
    else if (fu_port_number(p, start, end) < 0)
        fu_add(v, FU_BAD_PORT, FU_TERM_PORT, start, end);
}

/* Validate a hostport. A file URL allows only a host, which may be empty. */
static inline void fu_validate_hostport(const uint8_t *p, const fu_login *login, int is_file, fu_diagnostics *v) {
    size_t start = login->parts.host_text_start, colon = login->parts.host_text_end;
    if (!(is_file && start == colon)) fu_validate_host(p, start, colon, v);
    if (colon == login->end) return;
    if (is_file)
        fu_add(v, FU_BAD_PORT, FU_TERM_PORT, colon, login->end);
    else
        fu_validate_port(p, colon + 1, login->end, v);
}

/* Return 1 if "//" and this login start the ip-schemepart of a schemepart that ends at `end`. If not, a scheme without its own
 * production has an opaque part there. An address in brackets counts as a host. A byte that no URL may hold counts as an
 * escape. */
static inline int fu_is_ip_schemepart(const uint8_t *p, const fu_login *login, size_t end) {
    const fu_netloc *at = &login->parts;
    if (login->end < end && p[login->end] != '/') return 0;
    size_t colon = at->password_start == FU_ABSENT ? FU_ABSENT : at->user_end;
    for (size_t i = login->start; i + 1 < at->host_text_start; i++)
        if (i != colon && fu_is(p[i], TERM_RESERVED) && !fu_is(p[i], TERM_USER)) return 0;
    size_t host = at->host_text_start, host_end = at->host_text_end;
    if ((host == host_end || p[host] != '[') && fu_host_breaks_at(p, host, host_end) != FU_ABSENT) return 0;
    return host_end == login->end || fu_port_number(p, host_end + 1, login->end) >= 0;
}

static inline void fu_validate_login(const uint8_t *p, const fu_login *login, fu_shape shape, fu_diagnostics *v) {
    const fu_netloc *at = &login->parts;
    if (fu_traits[shape].login == FU_LOGIN_USER) {
        if (at->user_start != FU_ABSENT) fu_validate_term(p, at->user_start, at->user_end, TERM_USER, FU_TERM_USER, v);
        if (at->password_start != FU_ABSENT)
            fu_validate_term(p, at->password_start, at->password_end, TERM_USER, FU_TERM_PASSWORD, v);
    } else if (at->user_start != FU_ABSENT) {
        fu_add(v, FU_LOGIN, FU_TERM_LOGIN, login->start, at->host_text_start);
    }
    fu_validate_hostport(p, login, fu_traits[shape].login == FU_LOGIN_HOST, v);
}

/* group = alpha *[ alpha | digit | "-" | "." | "+" | "_" ]. Return the offset of the first invalid byte, or FU_ABSENT for a
 * group. */
static inline size_t fu_group_breaks_at(const uint8_t *p, size_t start, size_t end) {
    if (start == end || !fu_is(p[start], TERM_ALPHA)) return start;
    size_t at = fu_skip(p, start + 1, end, TERM_GROUP);
    return at < end ? at : FU_ABSENT;
}

static inline void fu_validate_group(const uint8_t *p, size_t start, size_t end, fu_diagnostics *v) {
    size_t at = fu_group_breaks_at(p, start, end);
    if (at != FU_ABSENT) fu_add(v, FU_BAD_PART, FU_TERM_GROUP, at, end);
}

#endif
