/* The scheme table: the only source of each scheme's shape and default port. It starts with RFC 1738's ten schemes;
 * fu_register_scheme adds others. The caller of fu_register_scheme holds the lock that orders writers. Readers need no lock,
 * because writers raise the count last. */
#ifndef FASTURL_SCHEMES_H
#define FASTURL_SCHEMES_H

#include <stdint.h>
#include <string.h>

#include "compiler.h"
#include "chars.h"
#include "split/ports.h"
#include "split/shapes.h"

#define FU_SCHEME_NAME_MAX 63
#define FU_SCHEMES_MAX 1024
#define FU_NO_SCHEME UINT32_MAX
#define FU_NO_PORT (-1)

typedef struct {
    uint8_t length;
    char name[FU_SCHEME_NAME_MAX]; /* lower case */
    uint8_t shape;
    int32_t port; /* default port, or FU_NO_PORT */
    const struct fu_productions *productions; /* never freed; NULL unless the shape is custom */
} fu_scheme;

typedef struct {
    uint32_t count;
    uint32_t https; /* index of https for the split's fast path; FU_NO_SCHEME until it is registered with http's shape */
    fu_scheme entries[FU_SCHEMES_MAX];
} fu_scheme_table;

FU_STATIC_ASSERT(FU_SHAPES <= UINT8_MAX && FU_SCHEME_NAME_MAX <= UINT8_MAX, "fu_scheme stores both in a byte");

/* http comes first, because most URLs of logs and crawls have it. */
#define FU_SCHEME_HTTP 0
#define FU_BUILTIN_SCHEMES 10
static const struct {
    const char *name;
    fu_shape shape;
    int32_t port;
} fu_builtin_schemes[FU_BUILTIN_SCHEMES] = {
    {"http", FU_SHAPE_HTTP, FU_PORT_HTTP},       {"ftp", FU_SHAPE_FTP, FU_PORT_FTP},
    {"gopher", FU_SHAPE_GOPHER, FU_PORT_GOPHER}, {"mailto", FU_SHAPE_MAILTO, FU_NO_PORT},
    {"news", FU_SHAPE_NEWS, FU_NO_PORT},         {"nntp", FU_SHAPE_NNTP, FU_PORT_NNTP},
    {"telnet", FU_SHAPE_TELNET, FU_PORT_TELNET}, {"wais", FU_SHAPE_WAIS, FU_PORT_WAIS},
    {"file", FU_SHAPE_FILE, FU_NO_PORT},         {"prospero", FU_SHAPE_PROSPERO, FU_PORT_PROSPERO},
};

/* A table without schemes, for urllib's reading: lookups have nothing to search. Its index of https names no entry, but enables
 * the split's fast path for web URLs. All bytes are zero, so a variable that is not const takes no space in the binary. */
#define FU_TABLE_OF_NO_SCHEMES                   \
    {                                            \
        0, FU_SCHEME_HTTP, {                     \
            { 0, "", FU_SHAPE_GENERIC, 0, NULL } \
        }                                        \
    }
FU_STATIC_ASSERT(FU_SCHEME_HTTP == 0 && FU_SHAPE_GENERIC == 0, "every entry of a zeroed table is generic");

static inline uint8_t fu_lower(uint8_t byte) { return byte >= 'A' && byte <= 'Z' ? (uint8_t)(byte + 32) : byte; }

static inline uint32_t fu_find_scheme(const fu_scheme_table *table, const uint8_t *p, size_t length) {
    if (length == 0 || length > FU_SCHEME_NAME_MAX) return FU_NO_SCHEME;
    uint8_t first = fu_lower(p[0]);
    for (uint32_t i = 0; i < table->count; i++) {
        const fu_scheme *entry = &table->entries[i];
        if (entry->length != length || (uint8_t)entry->name[0] != first) continue;
        size_t k = 1;
        while (k < length && fu_lower(p[k]) == (uint8_t)entry->name[k]) k++;
        if (k == length) return i;
    }
    return FU_NO_SCHEME;
}

/* Add a scheme and return its index, or FU_NO_SCHEME if the table is full. The caller has checked the name: in lower case,
 * valid by the RFC's production, not yet registered, at most FU_SCHEME_NAME_MAX bytes. */
static inline uint32_t fu_register_scheme(fu_scheme_table *table, const char *name, size_t length, fu_shape shape, int32_t port,
                                          const struct fu_productions *productions) {
    if (table->count >= FU_SCHEMES_MAX) return FU_NO_SCHEME;
    fu_scheme *entry = &table->entries[table->count];
    memcpy(entry->name, name, length);
    entry->length = (uint8_t)length;
    entry->shape = (uint8_t)shape;
    entry->port = port;
    entry->productions = productions;
    if (length == 5 && memcmp(name, "https", 5) == 0 && shape == FU_SHAPE_HTTP) table->https = table->count;
    return table->count++;
}

static inline void fu_register_builtin_schemes(fu_scheme_table *table) {
    table->https = FU_NO_SCHEME;
    for (uint32_t i = 0; i < FU_BUILTIN_SCHEMES; i++)
        fu_register_scheme(table, fu_builtin_schemes[i].name, strlen(fu_builtin_schemes[i].name), fu_builtin_schemes[i].shape,
                           fu_builtin_schemes[i].port, NULL);
}

static inline fu_shape fu_shape_of(const fu_scheme_table *table, uint32_t scheme) {
    return scheme == FU_NO_SCHEME ? FU_SHAPE_GENERIC : (fu_shape)table->entries[scheme].shape;
}

/* Return the port that IANA or a scheme's document registers for a name in any case, or FU_NO_PORT. */
static inline int32_t fu_registered_port(const uint8_t *p, size_t length) {
    size_t low = 0, high = FU_PORTS;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const char *name = fu_ports[middle].name;
        size_t k = 0;
        while (k < length && k < sizeof fu_ports[0].name - 1 && name[k] && fu_lower(p[k]) == (uint8_t)name[k]) k++;
        const int left = k < length ? fu_lower(p[k]) + 1 : 0, right = name[k] ? (uint8_t)name[k] + 1 : 0;
        const int difference = left - right;
        if (difference == 0) return fu_ports[middle].port;
        if (difference < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return FU_NO_PORT;
}

static inline int32_t fu_port_of(const fu_scheme_table *table, uint32_t scheme) {
    return scheme == FU_NO_SCHEME ? FU_NO_PORT : table->entries[scheme].port;
}

#endif
