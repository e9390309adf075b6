/* The kind of a host, and the scope of an address. An address has many spellings: octal and hexadecimal numbers, fewer than four
 * of them, escapes, and IPv4 inside IPv6. Names are not resolved.
 *
 * The scopes are IANA's special-purpose registries for IPv4 and IPv6, grouped by the properties of Python's ipaddress. */
#ifndef FASTURL_ADDRESS_H
#define FASTURL_ADDRESS_H

#include "ascii.h"
#include "split/brackets.h"
#include "split/spans.h"

#define FU_HOST_KINDS(X) X(NONE, "none") X(NAME, "name") X(IPV4, "ipv4") X(IPV6, "ipv6") X(NUMERIC, "numeric")
#define FU_SCOPES(X)              \
    X(GLOBAL, "global")           \
    X(PRIVATE, "private")         \
    X(LOOPBACK, "loopback")       \
    X(LINK_LOCAL, "link-local")   \
    X(UNSPECIFIED, "unspecified") \
    X(MULTICAST, "multicast")     \
    X(RESERVED, "reserved")

#define FU_HOST_KIND_ENUM(constant, name) FU_HOST_##constant,
#define FU_SCOPE_ENUM(constant, name) FU_SCOPE_##constant,
typedef enum { FU_HOST_KINDS(FU_HOST_KIND_ENUM) FU_HOST_KIND_COUNT } fu_host_kind;
/* FU_NO_SCOPE: the host is not an address. */
typedef enum { FU_NO_SCOPE, FU_SCOPES(FU_SCOPE_ENUM) FU_SCOPE_COUNT } fu_scope;

#define FU_WORD(constant, name) {name, sizeof(name) - 1},
typedef struct {
    const char *text;
    size_t length; /* at most FU_WORD_MAX, so that a view holds it inline */
} fu_word;
enum { FU_WORD_MAX = 12 };
static const fu_word fu_host_kind_words[FU_HOST_KIND_COUNT] = {FU_HOST_KINDS(FU_WORD)};
static const fu_word fu_scope_words[FU_SCOPE_COUNT] = {{"", 0}, FU_SCOPES(FU_WORD)};

typedef struct {
    fu_host_kind kind;
    fu_scope scope;
} fu_host_facts;

/* A network: its first address, the length of its prefix, and its scope. The first network that holds an address decides. */
typedef struct {
    uint64_t first; /* of IPv6: the upper half */
    int bits;
    fu_scope scope;
} fu_network;

/* Return the scope of an address of `width` bits, of IPv6 that of its upper half; `otherwise` if no network holds it. */
static inline fu_scope fu_scope_among(const fu_network *networks, size_t count, uint64_t address, int width, fu_scope otherwise) {
    for (size_t i = 0; i < count; i++)
        if ((address ^ networks[i].first) >> (width - networks[i].bits) == 0) return networks[i].scope;
    return otherwise;
}

static inline fu_scope fu_ipv4_scope(uint32_t address) {
    static const fu_network networks[] = {
        {0x00000000, 32, FU_SCOPE_UNSPECIFIED}, /* 0.0.0.0 */
        {0x00000000, 8, FU_SCOPE_PRIVATE},      /* 0.0.0.0/8: this network */
        {0x0a000000, 8, FU_SCOPE_PRIVATE},      /* 10.0.0.0/8 */
        {0x64400000, 10, FU_SCOPE_PRIVATE},     /* 100.64.0.0/10: shared by a carrier's customers */
        {0x7f000000, 8, FU_SCOPE_LOOPBACK},     /* 127.0.0.0/8 */
        {0xa9fe0000, 16, FU_SCOPE_LINK_LOCAL},  /* 169.254.0.0/16 */
        {0xac100000, 12, FU_SCOPE_PRIVATE},     /* 172.16.0.0/12 */
        {0xc0000009, 32, FU_SCOPE_GLOBAL},      /* 192.0.0.9: port control protocol anycast */
        {0xc000000a, 32, FU_SCOPE_GLOBAL},      /* 192.0.0.10: TURN anycast */
        {0xc0000000, 24, FU_SCOPE_PRIVATE},     /* 192.0.0.0/24: protocol assignments */
        {0xc0000200, 24, FU_SCOPE_PRIVATE},     /* 192.0.2.0/24: documentation */
        {0xc0a80000, 16, FU_SCOPE_PRIVATE},     /* 192.168.0.0/16 */
        {0xc6120000, 15, FU_SCOPE_PRIVATE},     /* 198.18.0.0/15: benchmarks */
        {0xc6336400, 24, FU_SCOPE_PRIVATE},     /* 198.51.100.0/24: documentation */
        {0xcb007100, 24, FU_SCOPE_PRIVATE},     /* 203.0.113.0/24: documentation */
        {0xe0000000, 4, FU_SCOPE_MULTICAST},    /* 224.0.0.0/4 */
        {0xf0000000, 4, FU_SCOPE_RESERVED},     /* 240.0.0.0/4 */
    };
    return fu_scope_among(networks, sizeof networks / sizeof networks[0], address, 32, FU_SCOPE_GLOBAL);
}

/* Return 1 if the IPv6 address leads to the IPv4 address of its last 32 bits: mapped, or translated by NAT64, which IANA calls
 * global. */
static inline int fu_leads_to_ipv4(uint64_t high, uint64_t low) {
    return (high == 0 && low >> 32 == 0xffff) || (high == 0x0064ff9b00000000u && low >> 32 == 0);
}

/* Return 1, and the IPv4 address, if the IPv6 address holds one in another way: compatible, translated (RFC 2765), or 6to4. */
static inline int fu_may_hold_ipv4(uint64_t high, uint64_t low, uint32_t *address) {
    const int is_last = high == 0 && (low >> 32 == 0 || low >> 32 == 0xffff0000u);
    *address = is_last ? (uint32_t)low : (uint32_t)(high >> 16);
    return is_last || high >> 48 == 0x2002;
}

/* Return the scope of the IPv6 address with these halves. */
static inline fu_scope fu_ipv6_scope(uint64_t high, uint64_t low) {
    static const fu_network networks[] = {
        {0x0064ff9b00010000u, 48, FU_SCOPE_PRIVATE},    /* 64:ff9b:1::/48: local translation to IPv4 */
        {0x2001000300000000u, 32, FU_SCOPE_GLOBAL},     /* 2001:3::/32: AMT */
        {0x2001000401120000u, 48, FU_SCOPE_GLOBAL},     /* 2001:4:112::/48: AS112 */
        {0x2001002000000000u, 28, FU_SCOPE_GLOBAL},     /* 2001:20::/28: ORCHIDv2 */
        {0x2001003000000000u, 28, FU_SCOPE_GLOBAL},     /* 2001:30::/28: drone remote identification */
        {0x2001000000000000u, 23, FU_SCOPE_PRIVATE},    /* 2001::/23: protocol assignments, with Teredo */
        {0x20010db800000000u, 32, FU_SCOPE_PRIVATE},    /* 2001:db8::/32: documentation */
        {0x2002000000000000u, 16, FU_SCOPE_PRIVATE},    /* 2002::/16: 6to4 */
        {0x3fff000000000000u, 20, FU_SCOPE_PRIVATE},    /* 3fff::/20: documentation */
        {0x2000000000000000u, 3, FU_SCOPE_GLOBAL},      /* 2000::/3: global unicast */
        {0xfc00000000000000u, 7, FU_SCOPE_PRIVATE},     /* fc00::/7: unique local */
        {0xfe80000000000000u, 10, FU_SCOPE_LINK_LOCAL}, /* fe80::/10 */
        {0xfec0000000000000u, 10, FU_SCOPE_PRIVATE},    /* fec0::/10: site-local */
        {0xff00000000000000u, 8, FU_SCOPE_MULTICAST},   /* ff00::/8 */
    };
    uint32_t address;
    if (high == 0 && low <= 1) return low ? FU_SCOPE_LOOPBACK : FU_SCOPE_UNSPECIFIED;
    if (fu_leads_to_ipv4(high, low)) return fu_ipv4_scope((uint32_t)low);
    if (fu_may_hold_ipv4(high, low, &address) && fu_ipv4_scope(address) != FU_SCOPE_GLOBAL) return fu_ipv4_scope(address);
    if (high == 0x2001000100000000u && (low == 1 || low == 2)) return FU_SCOPE_GLOBAL; /* PCP and TURN anycast */
    return fu_scope_among(networks, sizeof networks / sizeof networks[0], high, 64, FU_SCOPE_RESERVED);
}

/* Return the ASCII character of the host at *i, and advance *i. Escapes are decoded, as by browsers. */
static inline uint8_t fu_host_byte(const uint8_t *p, size_t *i, size_t end) {
    const int value = p[*i] == '%' ? fu_escape_value(p + *i, end - *i) : -1;
    const uint8_t byte = value < 0 ? p[*i] : (uint8_t)value;
    *i += value < 0 ? 1 : 3;
    return byte;
}

/* Read an IPv4 address in the spellings of inet_aton: one to four numbers, each decimal, octal (with a leading 0) or hexadecimal
 * (with a leading 0x). The last number fills the remaining bytes. As in browsers, "0x" is 0, and a dot may follow. */
static inline int fu_read_ipv4(const uint8_t *p, size_t start, size_t end, uint32_t *out) {
    uint64_t number = 0;
    uint32_t high = 0;
    int numbers = 0, base = 0; /* base 0: no digit of this number was read */
    size_t digits = 0;
    for (size_t i = start;;) {
        const uint8_t c = i < end ? fu_host_byte(p, &i, end) : '.';
        if (c == '.') {
            if (base == 0) return 0;
            if (i == end) {
                *out = high | (uint32_t)number;
                return number >> (32 - 8 * numbers) == 0;
            }
            if (number > 255 || ++numbers == 4) return 0;
            high |= (uint32_t)number << (32 - 8 * numbers);
            number = digits = 0;
            base = 0;
        } else if (base == 8 && digits == 1 && (c == 'x' || c == 'X')) {
            base = 16;
        } else {
            const int digit = HEX_VALUE[c];
            if (base == 0) base = c == '0' ? 8 : 10;
            if (digit < 0 || digit >= base) return 0;
            number = number * (unsigned)base + (unsigned)digit;
            if (number > UINT32_MAX) return 0;
            digits++;
        }
    }
}

/* Read an address that fu_is_ipv6 accepts. Return 0 if it is none. The bounds hold even if another thread changes the text. */
static inline int fu_read_ipv6(const uint8_t *p, size_t n, uint64_t halves[2]) {
    uint16_t groups[8] = {0};
    size_t count = 0, gap = 8;
    for (size_t i = 0; i < n && count < 8;) {
        size_t stop = i;
        uint32_t value = 0;
        while (stop < n && p[stop] != ':' && p[stop] != '.') stop++;
        if (stop < n && p[stop] == '.') {
            if (count > 6 || !fu_read_ipv4(p, i, n, &value)) return 0;
            groups[count++] = (uint16_t)(value >> 16);
            groups[count++] = (uint16_t)value;
            break;
        }
        for (size_t k = i; k < stop; k++) value = value << 4 | (uint32_t)(HEX_VALUE[p[k]] & 15);
        if (stop > i) groups[count++] = (uint16_t)value;
        if (stop + 1 < n && p[stop + 1] == ':') gap = count;
        i = stop + 1 + (stop + 1 < n && p[stop + 1] == ':');
    }
    halves[0] = halves[1] = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t place = i < gap ? i : i + 8 - count;
        halves[place / 4] |= (uint64_t)groups[i] << (48 - 16 * (place % 4));
    }
    return 1;
}

/* Classify the host p[start:end), which is without brackets. */
static FU_NOINLINE fu_host_facts fu_facts_of_host(const uint8_t *p, size_t start, size_t end) {
    fu_host_facts facts = {FU_HOST_NAME, FU_NO_SCOPE};
    const size_t n = end - start;
    uint64_t halves[2];
    uint32_t address;
    if (start > 0 && p[start - 1] == '[') {
        const size_t zone = fu_find(p, start, end, '%');
        if (!fu_is_ipv6(p + start, zone - start)) return facts; /* or an IPvFuture address */
        facts.kind = FU_HOST_IPV6;
        facts.scope = fu_read_ipv6(p + start, zone - start, halves) ? fu_ipv6_scope(halves[0], halves[1]) : FU_SCOPE_RESERVED;
    } else if (n == 0) {
        facts.kind = FU_HOST_NONE;
    } else if (fu_read_ipv4(p, start, end, &address)) {
        facts.kind = fu_is_ipv4(p + start, n) ? FU_HOST_IPV4 : FU_HOST_NUMERIC;
        facts.scope = fu_ipv4_scope(address);
    }
    return facts;
}

#endif
