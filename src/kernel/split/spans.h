/* The data model: the offsets of a URL's parts in its text.
 *
 *     https://user:secret@example.com:8080/a/b?x=1&y=2#top
 *     |    |  |           |          |    |    |       |  |
 *     |    |  |           |          |    |    |       |  length
 *     |    |  |           |          |    |    |       query_end
 *     |    |  |           |          |    |    path_end
 *     |    |  |           |          |    path_start  (the end of the netloc)
 *     |    |  netloc_start
 *     |    scheme_end
 *     0
 *
 * The split follows urllib: the netloc runs from "//" to the first "/", "?" or "#"; the query starts at the first "?" before
 * the first "#". Flags distinguish an absent part from an empty one. All sizes are size_t, so no input length overflows
 * them. */
#ifndef FASTURL_SPANS_H
#define FASTURL_SPANS_H

#include <stddef.h>
#include <stdint.h>

#include "compiler.h"
#include "chars.h"

#define FU_ABSENT SIZE_MAX

enum {
    FU_HAS_SCHEME = 1 << 0,
    FU_HAS_NETLOC = 1 << 1,
    FU_HAS_QUERY = 1 << 2,
    FU_HAS_FRAGMENT = 1 << 3,
    FU_PROVEN_VALID = 1 << 4,     /* proved valid and free of each hazard of clean text, so validation is skipped */
    FU_HAS_SUSPECT = 1 << 5,       /* some byte is outside xchar: '%', '#', or a byte that no URL may hold */
    FU_PLAIN_HTTP = 1 << 6,        /* http or https, a hostname alone as netloc, and no fragment */
    FU_NETLOC_IS_HOSTNAME = 1 << 7,   /* the netloc is only a hostname: no user, no port, no IP address */
    FU_HAS_SUSPECT_BEYOND = 1 << 8, /* some byte after the blocks that `suspect` covers is outside xchar */
    FU_HAS_FINDINGS = 1 << 11,      /* the spans of a URL object: `findings` stands in place of the masks */
    FU_HAS_DOT_PAIR = 1 << 10,        /* ".." may be a segment of the path. After the first "?", nobody looks for it */
    FU_NO_STRAY_RESERVED = 1 << 9     /* a hostname, http's shape, and no reserved byte in path or search that http forbids */
};

#define FU_BLOCK 64
#define FU_SUSPECT_BLOCKS 4

FU_STATIC_ASSERT(FU_BLOCK == 64, "a block's masks have one bit per byte");

typedef enum { FU_FORM_URL = 0, FU_FORM_TARGET = 1 } fu_form;

/* The spans that a caller needs. A compile-time constant in every split, so the compiler drops masks that nobody reads.
 * Other spans and flags may be missing. PLACES, HOST and ALL each include the one before. */
typedef enum {
    FU_DETAIL_NETLOC, /* scheme and netloc, their flags, FU_NETLOC_IS_HOSTNAME; the rest may count as path, unread */
    FU_DETAIL_TAIL,   /* query and fragment; everything before them counts as path */
    FU_DETAIL_PLACES, /* all offsets, the scheme, and the flags of scheme, netloc, query and fragment */
    FU_DETAIL_HOST,   /* also FU_NETLOC_IS_HOSTNAME and FU_PLAIN_HTTP */
    FU_DETAIL_ALL,
    FU_DETAIL_OF_HOST /* of functions of the host alone: they have loops of their own, and no split is for it */
} fu_span_detail;

typedef struct {
    size_t start, end;
} fu_range;

typedef struct {
    size_t scheme_end;   /* offset of the ':'; 0 without a scheme */
    size_t netloc_start; /* path_start without a netloc */
    size_t path_start;
    size_t path_end;
    size_t query_end; /* path_end without a query */
    size_t length;
    union {
        uint64_t suspect[FU_SUSPECT_BLOCKS]; /* masks of the bytes outside xchar in the first blocks */
        uint32_t findings; /* with FU_HAS_FINDINGS, what validation found */
    };
    uint32_t flags;
    uint32_t scheme; /* index in the scheme table; FU_NO_SCHEME without a scheme or for one not in the table */
} fu_spans;

/* The parts of a login, which urllib calls a netloc. The last '@' ends user and password. The first ':' before it ends the
 * user. A host in brackets runs to the first ']'. */
typedef struct {
    size_t user_start, user_end;         /* user_start is FU_ABSENT without an '@' */
    size_t password_start, password_end; /* password_start is FU_ABSENT without a ':' before the '@' */
    size_t host_start, host_end;         /* without brackets */
    size_t port_start, port_end;         /* port_start is FU_ABSENT without a ':' after the host */
    /* The host in section 5's reading, for validation. It includes the brackets. Unless one pair of brackets encloses the host,
     * it ends at the first ':'. */
    size_t host_text_start, host_text_end;
} fu_netloc;

static inline uint64_t fu_low_bits(size_t n) { return n >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << n) - 1; }

static inline int fu_is(uint8_t byte, uint32_t terms) { return (BYTE_TERMS[byte] & terms) != 0; }

/* Return the offset of the first `byte` in [start, end), or end. */
static inline size_t fu_find(const uint8_t *p, size_t start, size_t end, uint8_t byte) {
    while (start < end && p[start] != byte) start++;
    return start;
}

static inline size_t fu_find_last(const uint8_t *p, size_t start, size_t end, uint8_t byte) {
    for (size_t i = end; i > start; i--)
        if (p[i - 1] == byte) return i - 1;
    return FU_ABSENT;
}

static inline void fu_split_netloc(const uint8_t *p, size_t start, size_t end, fu_netloc *out) {
    size_t at = fu_find_last(p, start, end, '@');
    out->user_start = out->user_end = out->password_start = out->password_end = FU_ABSENT;
    size_t hostport = start;
    if (at != FU_ABSENT) {
        size_t colon = fu_find(p, start, at, ':');
        out->user_start = start;
        out->user_end = colon;
        if (colon < at) {
            out->password_start = colon + 1;
            out->password_end = at;
        }
        hostport = at + 1;
    }
    out->host_text_start = hostport;
    size_t bracket = fu_find(p, hostport, end, '[');
    size_t colon;
    if (bracket < end) {
        size_t close = fu_find(p, bracket + 1, end, ']');
        out->host_start = bracket + 1;
        out->host_end = close;
        colon = close < end ? fu_find(p, close + 1, end, ':') : end;
        out->host_text_end = bracket == hostport && close < end ? colon : fu_find(p, hostport, end, ':');
    } else {
        colon = fu_find(p, hostport, end, ':');
        out->host_start = hostport;
        out->host_end = out->host_text_end = colon;
    }
    out->port_start = colon < end ? colon + 1 : FU_ABSENT;
    out->port_end = colon < end ? end : FU_ABSENT;
}

#endif
