/* Validation by RFC 3986 Appendix A, and of request targets by RFC 9112 section 3.2. It takes the spans of the split, because
 * both standards have the same delimiters. docs/rfc3986.md is its contract.
 *
 * RFC 3986 allows outside the authority what RFC 1738 calls an xchar, and "~". tools/gen_chars.py checks this. So the split's
 * masks of the bytes outside xchar hold every byte to look at. */
#ifndef FASTURL_RFC3986_H
#define FASTURL_RFC3986_H

#include "split/brackets.h"
#include "split/schemes.h"
#include "validate/validate.h"

/* Violations of RFC 1738 by a byte. Those of the first set are violations of RFC 3986, too. Without any of the second set,
 * no byte violates RFC 3986 by itself. */
enum {
    FU_BROKEN_BYTES = FU_CONTROL | FU_NON_ASCII | FU_BAD_ESCAPE,
    FU_VIOLATING_BYTES = FU_BROKEN_BYTES | FU_UNSAFE | FU_FRAGMENT
};

static inline int fu_is_3986(uint8_t byte, uint32_t set) { return (BYTE_3986[byte] & set) != 0; }

/* Return 1 if a text cannot violate RFC 3986: no byte violates it, and no authority needs a check, because the text has a scheme
 * that starts with a letter and a hostname, or starts with "/". has_clean_bytes: the caller knows that no byte does */
static inline int fu_is_plainly_3986(const uint8_t *p, const fu_spans *s, fu_form form, int has_clean_bytes) {
    const uint32_t shown = FU_HAS_SCHEME | FU_NETLOC_IS_HOSTNAME;
    if ((s->flags & FU_HAS_SUSPECT && !has_clean_bytes) || s->length == 0) return 0;
    return (s->flags & shown) == shown ? fu_is(p[0], TERM_ALPHA) : form == FU_FORM_TARGET && p[0] == '/';
}

/* Return the term of RFC 3986 that contains the byte at this offset. netloc: what fu_split_netloc finds from netloc_start to
 * path_start. The caller splits once for all offsets of a text, because a netloc may have a finding at each byte. */
static inline fu_term fu_term_3986_at(const fu_spans *s, const fu_netloc *netloc, size_t at) {
    if (s->flags & FU_HAS_SCHEME && at < s->scheme_end) return FU_TERM_SCHEME;
    if (s->flags & FU_HAS_NETLOC && at >= s->netloc_start && at < s->path_start) {
        if (at < netloc->host_text_start) return FU_TERM_USERINFO;
        return netloc->port_start != FU_ABSENT && at >= netloc->port_start ? FU_TERM_PORT : FU_TERM_HOST;
    }
    if (at < s->path_end || !(s->flags & (FU_HAS_QUERY | FU_HAS_FRAGMENT))) return FU_TERM_PATH;
    return s->flags & FU_HAS_FRAGMENT && at >= s->query_end ? FU_TERM_FRAGMENT : FU_TERM_QUERY;
}

/* Report the byte at p[i], which is outside xchar, unless RFC 3986 allows it there. The authority's own function reports
 * brackets there. */
static inline void fu_validate_suspect_3986(const uint8_t *p, const fu_spans *s, fu_form form, size_t i, fu_diagnostics *v) {
    const uint8_t byte = p[i];
    if (fu_is_3986(byte, URI_QUERY)) return;
    if (byte == '%') {
        if (fu_escape_value(p + i, s->length - i) < 0) fu_add(v, FU_BAD_ESCAPE, FU_TERM_BYTE, i, i + 1);
    } else if (byte == '#') {
        if (i != s->query_end)
            fu_add(v, FU_RESERVED, FU_TERM_BYTE, i, i + 1);
        else if (form == FU_FORM_TARGET)
            fu_add(v, FU_FRAGMENT, FU_TERM_REQUEST_TARGET, i, i + 1);
    } else if (byte == '[' || byte == ']') {
        const int is_authority = form == FU_FORM_TARGET && !(s->flags & FU_HAS_SCHEME) && p[0] != '/';
        if (!is_authority && (i < s->netloc_start || i >= s->path_start)) fu_add(v, FU_RESERVED, FU_TERM_BYTE, i, i + 1);
    } else {
        fu_add(v, byte >= 0x80 ? FU_NON_ASCII : byte < 0x20 || byte == 0x7f ? FU_CONTROL : FU_UNSAFE, FU_TERM_BYTE, i, i + 1);
    }
}

static inline void fu_validate_bytes_3986(const uint8_t *p, const fu_spans *s, fu_form form, fu_diagnostics *v) {
    const size_t n = s->length, end = s->flags & FU_HAS_SUSPECT_BEYOND || n < FU_SUSPECT_BYTES ? n : FU_SUSPECT_BYTES;
    for (size_t base = 0; base < end; base += FU_BLOCK)
        for (uint64_t suspects = fu_suspect_bytes(p, s, base); suspects; suspects &= suspects - 1) {
            fu_validate_suspect_3986(p, s, form, base + (size_t)__builtin_ctzll(suspects), v);
            if (fu_is_settled(v)) return;
        }
}

/* IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" ) */
static inline int fu_is_ip_future(const uint8_t *p, size_t n) {
    size_t i = 1;
    if (n == 0 || fu_lower(p[0]) != 'v') return 0;
    while (i < n && fu_is_hex_digit(p[i])) i++;
    if (i == 1 || i + 1 >= n || p[i] != '.') return 0;
    for (i++; i < n && fu_is_3986(p[i], URI_USERINFO);) i++;
    return i == n;
}

/* Validate host [ ":" port ] in [start, end), which has no "/", "?" or "#". Return the offset of the ":", or `end` without
 * one. */
static inline size_t fu_validate_hostport_3986(const uint8_t *p, size_t start, size_t end, fu_diagnostics *v) {
    size_t at = start;
    if (start < end && p[start] == '[') {
        const size_t close = fu_find(p, start, end, ']'), first = start + 1;
        if (close == end) {
            fu_add(v, FU_BAD_HOST, FU_TERM_HOST, start, end);
            return end;
        }
        if (!fu_is_ipv6(p + first, close - first) && !fu_is_ip_future(p + first, close - first)) {
            /* Name the first byte that no IPv6 address has, or the whole address. */
            size_t bad = first;
            while (bad < close && (fu_is_hex_digit(p[bad]) || p[bad] == ':' || p[bad] == '.')) bad++;
            fu_add(v, FU_BAD_HOST, FU_TERM_HOST, bad < close ? bad : first, close);
        }
        at = close + 1;
        if (at < end && p[at] != ':') {
            fu_add(v, FU_BAD_HOST, FU_TERM_HOST, at, end);
            return end;
        }
    } else {
        for (; at < end && p[at] != ':'; at++)
            if (p[at] == '[' || p[at] == ']' || p[at] == '@') fu_add(v, FU_RESERVED, FU_TERM_HOST, at, at + 1);
    }
    if (at < end) {
        const size_t bad = fu_skip(p, at + 1, end, TERM_DIGIT);
        if (bad < end) fu_add(v, FU_BAD_PORT, FU_TERM_PORT, bad, end);
    }
    return at;
}

/* authority = [ userinfo "@" ] host [ ":" port ] */
static inline void fu_validate_authority_3986(const uint8_t *p, size_t start, size_t end, fu_diagnostics *v) {
    const size_t at = fu_find_last(p, start, end, '@');
    for (size_t i = start; at != FU_ABSENT && i < at; i++)
        if (p[i] == '@' || p[i] == '[' || p[i] == ']') fu_add(v, FU_RESERVED, FU_TERM_USERINFO, i, i + 1);
    fu_validate_hostport_3986(p, at == FU_ABSENT ? start : at + 1, end, v);
}

/* Report why a text has no scheme that starts with a letter. */
static inline void fu_validate_no_scheme_3986(const uint8_t *p, size_t n, fu_diagnostics *v) {
    const size_t end = fu_skip(p, 0, n, TERM_SCHEME);
    if (end > 0 && end < n && p[end] == ':')
        fu_add(v, FU_BAD_SCHEME, FU_TERM_SCHEME, 0, 1);
    else
        fu_validate_no_scheme(p, n, v);
}

/* Validate a request target that is neither a path nor a URI. */
static inline void fu_validate_target_3986(const uint8_t *p, const fu_spans *s, fu_diagnostics *v) {
    const size_t n = s->length;
    size_t i = 0;
    if (n == 1 && p[0] == '*') return;
    while (i < n && p[i] != '/' && p[i] != '?' && p[i] != '#') i++;
    if (n == 0 || i < n)
        fu_add(v, FU_MISSING, FU_TERM_REQUEST_TARGET, 0, 0);
    else if (fu_validate_hostport_3986(p, 0, n, v) == n)
        fu_add(v, FU_MISSING, FU_TERM_REQUEST_TARGET, n, n);
}

/* Validate a split text as RFC 3986's `URI`, or as `request-target` for FU_FORM_TARGET. The caller has called fu_start_diagnostics.
 * has_clean_bytes: the caller knows that no byte violates RFC 3986 by itself */
static inline void fu_validate_3986(const uint8_t *p, const fu_spans *s, fu_form form, int has_clean_bytes, fu_diagnostics *v) {
    const int has_scheme = s->flags & FU_HAS_SCHEME && fu_is(p[0], TERM_ALPHA);
    if (s->flags & FU_HAS_SUSPECT && !has_clean_bytes) fu_validate_bytes_3986(p, s, form, v);
    if (fu_is_settled(v)) return;
    if (form == FU_FORM_TARGET) {
        if (s->length > 0 && p[0] == '/') return;
        if (!has_scheme) {
            fu_validate_target_3986(p, s, v);
            return;
        }
    } else if (!has_scheme) {
        fu_validate_no_scheme_3986(p, s->length, v);
    }
    if (s->flags & FU_HAS_NETLOC && !(s->flags & FU_NETLOC_IS_HOSTNAME))
        fu_validate_authority_3986(p, s->netloc_start, s->path_start, v);
}

#endif
