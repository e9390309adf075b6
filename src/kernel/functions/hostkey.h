/* The key of a host: what all spellings of one host share. A name's key is its ASCII form, in lower case, without trailing dots:
 * labels outside ASCII are in Punycode (RFC 3492). An address's key is its 128 bits; IPv4 is mapped into IPv6 (RFC 4291). */
#ifndef FASTURL_HOSTKEY_H
#define FASTURL_HOSTKEY_H

#include "functions/address.h"
#include "validate/plain.h"

enum {
    FU_ENTRY_MAX = 255,       /* bytes of a name */
    FU_LABEL_POINTS_MAX = 63, /* characters of a label outside ASCII: DNS allows 63 bytes of Punycode */
    FU_HOST_TAIL = 3 * 1024,  /* the last bytes of a host, which hold any name of an entry, even escaped */
    FU_ADDRESS_KEY = 34
};

/* Write the Punycode of a label, without "xn--" (RFC 3492 section 6.3). Return its length: at most 7 bytes per character, and 1. */
static inline size_t fu_punycode(const uint32_t *points, size_t count, uint8_t *to) {
    uint32_t least = 128, delta = 0, bias = 72, done = 0;
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        if (points[i] < 128) to[length++] = (uint8_t)points[i];
    const uint32_t basic = done = (uint32_t)length;
    if (basic) to[length++] = '-';
    for (; done < count; delta++, least++) {
        uint32_t next = UINT32_MAX;
        for (size_t i = 0; i < count; i++)
            if (points[i] >= least && points[i] < next) next = points[i];
        delta += (next - least) * (done + 1);
        least = next;
        for (size_t i = 0; i < count; i++) {
            if (points[i] < least) delta++;
            if (points[i] != least) continue;
            uint32_t rest = delta, base = 36, shift = 0;
            for (;; base += 36) {
                const uint32_t limit = base <= bias ? 1 : base >= bias + 26 ? 26 : base - bias;
                const uint32_t digit = rest < limit ? rest : limit + (rest - limit) % (36 - limit);
                to[length++] = (uint8_t)(digit < 26 ? 'a' + digit : '0' + digit - 26);
                if (rest < limit) break;
                rest = (rest - limit) / (36 - limit);
            }
            delta = done == basic ? delta / 700 : delta / 2;
            for (delta += delta / ++done; delta > 455; delta /= 35) shift += 36;
            bias = shift + 36 * delta / (delta + 38);
            delta = 0;
        }
    }
    return length;
}

/* Write the ASCII form of a label, at most 512 bytes. Return its length, or 0 if no entry has such a label. Set *unsure if readers may
 * map a character of the label differently. */
static inline size_t fu_ascii_label(const uint8_t *p, size_t n, uint8_t *to, int *unsure) {
    uint32_t points[FU_LABEL_POINTS_MAX];
    size_t count = 0;
    if (fu_is_ascii(p, n)) {
        for (size_t i = 0; n <= FU_ENTRY_MAX && i < n; i++) to[i] = fu_lower(p[i]);
        return n <= FU_ENTRY_MAX ? n : 0;
    }
    for (size_t i = 0; i < n;) {
        uint32_t code;
        const int length = fu_utf8_step(p + i, n - i, &code);
        *unsure |= length < 0 || (code >= 0x80 && !fu_is_plain_character(code));
        if (length < 0 || code == 0xFFFD || count == FU_LABEL_POINTS_MAX) return 0;
        points[count++] = code < 0x80 ? fu_lower((uint8_t)code) : code;
        i += (size_t)length;
    }
    memcpy(to, "xn--", 4);
    return 4 + fu_punycode(points, count, to + 4);
}

typedef struct {
    uint8_t text[FU_ENTRY_MAX + 3];
    size_t start; /* the key is text[start:]; "?" stands for labels that no entry has */
    int unsure;   /* a label of the host has a character that readers may map differently */
} fu_host_key;

#define FU_KEY_END (sizeof((fu_host_key *)0)->text)

/* Compute the key of the name p[start:end). decodes: decode escapes, as browsers do. */
static FU_NOINLINE void fu_key_of_host(const uint8_t *p, size_t start, size_t end, int decodes, fu_host_key *key) {
    uint8_t name[FU_HOST_TAIL], label[512];
    size_t n = 0;
    const int is_cut = end - start > FU_HOST_TAIL;
    for (size_t i = is_cut ? end - FU_HOST_TAIL : start; i < end;) name[n++] = decodes ? fu_host_byte(p, &i, end) : p[i++];
    while (n > 0 && name[n - 1] == '.') n--;
    key->start = FU_KEY_END;
    key->unsure = 0;
    for (size_t stop = n;;) {
        const size_t dot = fu_find_last(name, 0, stop, '.'), at = dot == FU_ABSENT ? 0 : dot + 1;
        const size_t length = fu_ascii_label(name + at, stop - at, label, &key->unsure);
        if ((is_cut && at == 0) || (length == 0 && at < stop) || length + 2 > key->start) {
            key->text[--key->start] = '?';
            return;
        }
        key->start -= length;
        memcpy(key->text + key->start, label, length);
        if (at == 0) return;
        key->text[--key->start] = '.';
        stop = at - 1;
    }
}

/* Read the host p[start:end) as an address, in any spelling. Return 4 or 6, or 0 if it is none. */
static inline int fu_read_address(const uint8_t *p, size_t start, size_t end, uint64_t halves[2]) {
    const size_t zone = fu_find(p, start, end, ':') < end ? fu_find(p, start, end, '%') : start;
    uint32_t address;
    if (zone > start) return fu_is_ipv6(p + start, zone - start) && fu_read_ipv6(p + start, zone - start, halves) ? 6 : 0;
    if (!fu_read_ipv4(p, start, end, &address)) return 0;
    halves[0] = 0;
    halves[1] = (uint64_t)0xffff << 32 | address;
    return 4;
}

/* Write the key of the network of `bits` bits, 0 to 128, that has this address. Its bytes are above 7F, so it is no name's key. */
static inline void fu_key_of_network(const uint64_t halves[2], unsigned bits, uint8_t key[FU_ADDRESS_KEY]) {
    for (unsigned i = 0; i < 32; i++) {
        const unsigned nibble = (unsigned)(halves[i / 16] >> (60 - 4 * (i % 16))) & 15, at = 4 * i;
        key[i] = (uint8_t)(0x80 | (at >= bits ? 0 : bits - at >= 4 ? nibble : nibble & (0xf0u >> (bits - at))));
    }
    key[32] = (uint8_t)(0x80 | bits >> 4);
    key[33] = (uint8_t)(0x80 | (bits & 15));
}

#endif
