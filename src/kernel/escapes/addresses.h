/* The recogniser of addresses: finds the texts in a text that are IPv4 or IPv6 addresses, through the escapes of the text.
 * docs/redaction.md lists the spellings.
 *
 * A match goes forward from each place where an address may start, over at most 8 groups or 4 numbers. Such places are not
 * inside of a word, so each byte is visited a bounded number of times. No load leaves [p, p + n). */
#ifndef FASTURL_ADDRESSES_H
#define FASTURL_ADDRESSES_H

#include "ascii.h"
#include "compiler.h"
#include "escapes/characters.h"

typedef struct {
    size_t start, end;
    size_t sign, sign_end; /* the first dot or colon in [start, end), as it is written */
    uint8_t packed[16];
    size_t size; /* of `packed`: 4, also for IPv4 in IPv6, or 16 */
} fu_address;

/* All zeros but p and n at first. */
typedef struct {
    const uint8_t *p;
    size_t n, at;
    uint8_t before;  /* the character in front of p[at] */
    int is_numbered; /* 1: `before` is the dot after a digit, so a number there belongs to more than four */
} fu_address_search;

/* Return the character at p[at], and a NUL at the end of the text. */
static inline fu_character fu_address_character(const uint8_t *p, size_t n, size_t at) {
    fu_character c = {at, 0, 0};
    if (at >= n) return c;
    if (p[at] == '%' || p[at] == '\\') return fu_read_any_escape(p, n, at);
    c.byte = p[at];
    c.end = at + 1;
    return c;
}

static inline int fu_is_digit(uint8_t byte) { return byte >= '0' && byte <= '9'; }

/* Match four decimal numbers at p[at], with any zeros in front. is_inner: they end an IPv6 address. */
static inline int fu_match_ipv4(const uint8_t *p, size_t n, size_t at, int is_inner, fu_address *out) {
    for (size_t number = 0;; number++) {
        unsigned value = 0;
        int digits = 0;
        fu_character c = fu_address_character(p, n, at);
        for (; fu_is_digit(c.byte); c = fu_address_character(p, n, at)) {
            if (++digits > 3) return 0;
            value = value * 10 + (c.byte - '0');
            at = c.end;
        }
        if (digits == 0 || value > 255) return 0;
        out->packed[number] = (uint8_t)value;
        if (number == 3) {
            out->end = at;
            out->size = 4;
            return is_inner || c.byte != '.' || !fu_is_digit(fu_address_character(p, n, c.end).byte);
        }
        if (c.byte != '.') return 0;
        if (number == 0) {
            out->sign = at;
            out->sign_end = c.end;
        }
        at = c.end;
    }
}

/* Take the groups before p[at] as the address so far, if they are one that may end there. gap: where zeros stand for the groups
 * that lack, or -1. Return 1 if they are. A percent sign also starts a zone, whatever it decodes to. */
static inline int fu_take_ipv6(const uint8_t *p, size_t n, size_t at, const uint16_t *groups, int count, int gap,
                               fu_address *out) {
    static const uint8_t mapped[12] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
    if (gap < 0 ? count != 8 : count > 7) return 0;
    if (at < n && p[at] != '%' && fu_is_alnum(fu_address_character(p, n, at).byte)) return 0;
    memset(out->packed, 0, sizeof out->packed);
    for (int i = 0; i < count; i++) {
        const int place = gap < 0 || i < gap ? i : i + 8 - count;
        out->packed[2 * place] = (uint8_t)(groups[i] >> 8);
        out->packed[2 * place + 1] = (uint8_t)groups[i];
    }
    out->end = at;
    out->size = 16;
    if (memcmp(out->packed, mapped, sizeof mapped) == 0) {
        memmove(out->packed, out->packed + 12, 4);
        out->size = 4;
    }
    return 1;
}

/* Match the longest text at p[at] that is an IPv6 address. before: the character in front of it. */
static FU_NOINLINE int fu_match_ipv6(const uint8_t *p, size_t n, size_t at, uint8_t before, fu_address *out) {
    uint16_t groups[8];
    int count = 0, gap = -1, is_one = 0, is_pairs = 1, may_be_print = 0;
    fu_character c = fu_address_character(p, n, at);
    out->sign_end = 0;
    if (c.byte == ':') {
        out->sign = at;
        out->sign_end = at = c.end;
        c = fu_address_character(p, n, at);
        if (c.byte != ':') return 0;
    }
    for (;;) {
        if (c.byte == ':') {
            if (gap >= 0) break;
            gap = count;
            at = c.end;
            is_one |= fu_take_ipv6(p, n, at, groups, count, gap, out);
            c = fu_address_character(p, n, at);
        }
        const size_t start = at;
        int digits = 0;
        groups[count] = 0;
        for (; digits < 4 && HEX_VALUE[c.byte] >= 0; digits++) {
            if (digits > 0 && p[at] == '%' && fu_take_ipv6(p, n, at, groups, count + 1, gap, out)) {
                is_one = 1;
                may_be_print = is_pairs && digits == 2;
            }
            groups[count] = (uint16_t)(groups[count] << 4 | HEX_VALUE[c.byte]);
            at = c.end;
            c = fu_address_character(p, n, at);
        }
        if (digits == 0) break;
        if (c.byte == '.' && (gap < 0 ? count == 6 : count <= 5)) {
            fu_address inner;
            if (fu_match_ipv4(p, n, start, 1, &inner)) {
                groups[count] = (uint16_t)(inner.packed[0] << 8 | inner.packed[1]);
                groups[count + 1] = (uint16_t)(inner.packed[2] << 8 | inner.packed[3]);
                /* A letter may follow, as behind any IPv4 address. */
                is_one |= fu_take_ipv6(p, inner.end, inner.end, groups, count + 2, gap, out);
                break;
            }
        }
        count++;
        is_pairs &= digits == 2;
        if (fu_take_ipv6(p, n, at, groups, count, gap, out)) {
            is_one = 1;
            may_be_print = is_pairs;
        }
        if (count == 8 || c.byte != ':') break;
        if (out->sign_end == 0) {
            out->sign = at;
            out->sign_end = c.end;
        }
        at = c.end;
        c = fu_address_character(p, n, at);
    }
    if (gap >= 0 || !may_be_print) return is_one;
    /* More than eight pairs of digits are the fingerprint of a key. */
    c = fu_address_character(p, n, out->end);
    return before != ':' && (c.byte != ':' || HEX_VALUE[fu_address_character(p, n, c.end).byte] < 0);
}

/* Return 1 if the dot, colon or escape at p[sign] may be the first one of an address. before: the character in front of it. */
static inline int fu_may_be_first_sign(const uint8_t *p, size_t n, size_t sign, uint8_t before) {
    const uint8_t next = sign + 1 < n ? p[sign + 1] : 0;
    if (p[sign] == '%' || p[sign] == '\\' || next == '%' || next == '\\') return 1;
    if (p[sign] == '.') return fu_is_digit(before) && fu_is_digit(next);
    return next == ':' || (HEX_VALUE[before] >= 0 && HEX_VALUE[next] >= 0);
}

/* Set *out to the next address. Return 0 after the last one. */
static inline int fu_next_address(fu_address_search *s, fu_address *out) {
    static const uint8_t signs[256] = {['.'] = 1, [':'] = 1, ['%'] = 1, ['\\'] = 1};
    const uint8_t *p = s->p;
    const size_t n = s->n;
    size_t at = s->at, sign = 0; /* the first sign at or behind p[at] */
    uint8_t before = s->before;
    int is_numbered = s->is_numbered, is_found = 0;
    while (at < n) {
        if (sign <= at) {
            /* An address has at most four digits in front of its first sign. */
            for (sign = at; sign < n && !signs[p[sign]];) sign++;
            size_t start = sign;
            if (sign < n && fu_may_be_first_sign(p, n, sign, sign > at ? p[sign - 1] : before))
                while (start > at && start + 4 > sign && HEX_VALUE[p[start - 1]] >= 0) start--;
            if (start > at) {
                if (start == n) {
                    at = n;
                    break;
                }
                before = p[start - 1];
                is_numbered = 0;
                at = start;
            }
        }
        const fu_character c = fu_address_character(p, n, at);
        const int is_digit = fu_is_digit(c.byte);
        if (((c.byte == ':' || HEX_VALUE[c.byte] >= 0) && !fu_is_alnum(before) && fu_match_ipv6(p, n, at, before, out)) ||
            (is_digit && !is_numbered && !fu_is_digit(before) && fu_match_ipv4(p, n, at, 0, out))) {
            out->start = at;
            at = out->end;
            before = '0';
            is_numbered = 0;
            is_found = 1;
            break;
        }
        is_numbered = c.byte == '.' && fu_is_digit(before);
        before = c.byte;
        at = c.end;
    }
    s->at = at;
    s->before = before;
    s->is_numbered = is_numbered;
    return is_found;
}

#endif
