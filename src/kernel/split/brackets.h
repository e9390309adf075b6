/* Bracketed hosts that urllib accepts in every Python version. The address rules are those of Python's ipaddress. */
#ifndef FASTURL_BRACKETS_H
#define FASTURL_BRACKETS_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "split/spans.h"
#include "ascii.h"

static inline int fu_is_hex_digit(uint8_t byte) { return fu_is(byte, TERM_HEX); }

/* Return 1 for an IPv4 address: four decimal numbers below 256, without leading zeros. */
static inline int fu_is_ipv4(const uint8_t *p, size_t n) {
    size_t i = 0;
    for (int number = 0; number < 4; number++) {
        size_t start = i;
        unsigned value = 0;
        while (i < n && i - start < 3 && p[i] >= '0' && p[i] <= '9') value = 10 * value + (unsigned)(p[i++] - '0');
        if (i == start || value > 255 || (p[start] == '0' && i - start > 1)) return 0;
        if (number == 3) return i == n;
        if (i == n || p[i++] != '.') return 0;
    }
    return 0;
}

/* Return 1 for an IPv6 address: eight groups of hex digits. "::" may replace one run of groups. An IPv4 address may replace the
 * last two groups. */
static inline int fu_is_ipv6(const uint8_t *p, size_t n) {
    size_t i = 0;
    int groups = 0, gap = 0;
    if (n >= 2 && p[0] == ':' && p[1] == ':') {
        gap = 1;
        i = 2;
    }
    while (i < n) {
        size_t start = i;
        while (i < n && i - start < 5 && fu_is_hex_digit(p[i])) i++;
        if (i < n && p[i] == '.') {
            if (!fu_is_ipv4(p + start, n - start)) return 0;
            groups += 2;
            break;
        }
        if (i == start || i - start > 4 || ++groups > 8) return 0;
        if (i == n) break;
        if (p[i++] != ':' || i == n) return 0;
        if (p[i] == ':') {
            if (gap) return 0;
            gap = 1;
            i++;
        }
    }
    return gap ? groups <= 7 : groups == 8;
}

/* Return 1 for a zone ID, which follows the "%" of an address. ipaddress accepts more characters than these. */
static inline int fu_is_zone_id(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!fu_is(p[i], TERM_ALPHA | TERM_DIGIT) && p[i] != '.' && p[i] != '_' && p[i] != '-' && p[i] != '~') return 0;
    return n > 0;
}

/* Return 1 for an IPvFuture address: "v", hex digits, ".", and at least one byte (RFC 3986 section 3.2.2). */
static inline int fu_is_future_address(const uint8_t *p, size_t n) {
    size_t i = 1;
    if (n == 0 || p[0] != 'v') return 0;
    while (i < n && fu_is_hex_digit(p[i])) i++;
    return i > 1 && n - i >= 2 && p[i] == '.';
}

/* Find the bracketed host of a netloc. Return 0 unless there is exactly one pair of brackets and it encloses the whole host. */
static inline int fu_find_bracketed(const uint8_t *p, size_t start, size_t end, size_t *host, size_t *host_end) {
    size_t at = fu_find_last(p, start, end, '@'), open = at == FU_ABSENT ? start : at + 1;
    size_t close = fu_find(p, start, end, ']');
    if (fu_find(p, start, end, '[') != open || close == end || close < open) return 0;
    if (fu_find(p, open + 1, end, '[') < end || fu_find(p, close + 1, end, ']') < end) return 0;
    if (close + 1 < end && p[close + 1] != ':') return 0;
    *host = open + 1;
    *host_end = close;
    return 1;
}

/* Return 1 if every urllib accepts the host as an address. */
static inline int fu_is_address(const uint8_t *p, size_t n) {
    size_t zone = fu_find(p, 0, n, '%');
    if (zone < n) return fu_is_ipv6(p, zone) && fu_is_zone_id(p + zone + 1, n - zone - 1);
    return fu_is_ipv6(p, n) || fu_is_future_address(p, n);
}

/* Return 1 if every urllib rejects the host: it is ASCII, and before any zone it has a character that no address has. urllib
 * rejects other hosts too. A host with a leading "V" returns 0: CPython accepts "V" since 3.14.10. */
static inline int fu_is_no_address(const uint8_t *p, size_t n) {
    size_t zone = fu_find(p, 0, n, '%'), i = 0;
    while (i < zone && (fu_is_hex_digit(p[i]) || p[i] == ':' || p[i] == '.')) i++;
    return i < zone && p[0] != 'v' && p[0] != 'V' && fu_is_ascii(p, n);
}

typedef enum {
    FU_BRACKETS_FINE, /* a valid address */
    FU_BRACKETS_ODD, /* "[" without "]", or "]" without "[" */
    FU_BRACKETS_NO_ADDRESS,
    FU_BRACKETS_UNSURE /* delegated to urllib */
} fu_brackets;

/* Classify the brackets in the netloc p[start:end], which has at least one. FU_BRACKETS_UNSURE if versions of urllib may
 * differ. */
static inline fu_brackets fu_look_at_brackets(const uint8_t *p, size_t start, size_t end) {
    size_t host = 0, host_end = 0;
    if ((fu_find(p, start, end, '[') < end) != (fu_find(p, start, end, ']') < end)) return FU_BRACKETS_ODD;
    if (!fu_find_bracketed(p, start, end, &host, &host_end)) return FU_BRACKETS_UNSURE;
    if (fu_is_address(p + host, host_end - host)) return FU_BRACKETS_FINE;
    return fu_is_no_address(p + host, host_end - host) ? FU_BRACKETS_NO_ADDRESS : FU_BRACKETS_UNSURE;
}

#endif
