/* URLs in running text: RFC 1738's appendix, for text of one, two or four octets a character.
 *
 *   <URL:...>                  certain; ends at the first '>', and is none if a '<' or the text's end comes first
 *   <scheme://...>             the same without the prefix, where what follows '<' can only be a URL
 *   URL:scheme://...           ends where URL characters end, less the punctuation of the sentence around it
 *   scheme://...               the same, on request only
 *
 * Every octet is looked at a fixed number of times: whatever is rejected was read up to the next '<' or to the end of a
 * run of URL characters, and the search goes on so that no later candidate reads it again. No load leaves the text. */
#ifndef FASTURL_CONTEXT_H
#define FASTURL_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "schemes.h"
#include "spans.h"

#if defined(__SSE2__) || defined(_M_X64)
#define FU_HAVE_SSE2 1
#include <emmintrin.h>
#if !defined(__GNUC__) && !defined(__clang__)
#include "builtins.h"
#endif
#endif

enum { FU_CONTEXT_BARE = 1 << 0 };

typedef struct {
    size_t position; /* the search goes on here */
    size_t taken;    /* the end of the last match: a scheme is not looked for before it */
} fu_context;

typedef struct {
    size_t start, end;   /* the whole match, markers included */
    size_t body, stop;   /* what stands between the markers */
    size_t hash;         /* of the first '#' in there, stop when there is none */
    int url_spaced;      /* there is white space to leave out of [body, hash) ... */
    int fragment_spaced; /* ... and of (hash, stop) */
    int hyphen;          /* a line ended right after a '-': it may or may not be the URL's own */
} fu_context_match;

static inline int fu_is_line_break(uint32_t c) { return c == '\n' || c == '\r'; }
static inline int fu_is_space(uint32_t c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The text may hold any character; a URL holds these. '~' is national, but no reader of a text would end a URL there. */
static inline int fu_is_text_url(uint32_t c) {
    return c < 0x80 && (fu_is((uint8_t)c, TERM_XCHAR) || c == '%' || c == '#' || c == '~');
}

/* Punctuation that ends a sentence or a quotation, and seldom a URL. */
static inline int fu_is_sentence_end(uint32_t c) {
    return c == '.' || c == ',' || c == ':' || c == ';' || c == '!' || c == '?' || c == '\'';
}

#define FU_CONTEXT_GLUE_(a, b) a##_##b
#define FU_CONTEXT_GLUE(a, b) FU_CONTEXT_GLUE_(a, b)
#define FU_CONTEXT(name) FU_CONTEXT_GLUE(name, FU_WIDTH)

#define FU_CHAR uint8_t
#define FU_WIDTH 1
#include "context_body.h"
#undef FU_CHAR
#undef FU_WIDTH

#define FU_CHAR uint16_t
#define FU_WIDTH 2
#include "context_body.h"
#undef FU_CHAR
#undef FU_WIDTH

#define FU_CHAR uint32_t
#define FU_WIDTH 4
#include "context_body.h"
#undef FU_CHAR
#undef FU_WIDTH

/* The next URL of a text of n characters of `width` octets: 1 and *out, or 0. A search of [position, limit) alone:
 * with limit below n, 0 means that the search has got there. */
static inline int fu_context_next(const fu_scheme_table *table, const void *text, size_t n, int width, int flags,
                                  fu_context *at, size_t limit, fu_context_match *out) {
    if (width == 1) return fu_context_next_1(table, (const uint8_t *)text, n, flags, at, limit, out);
    if (width == 2) return fu_context_next_2(table, (const uint16_t *)text, n, flags, at, limit, out);
    return fu_context_next_4(table, (const uint32_t *)text, n, flags, at, limit, out);
}

/* Copies [start, end) without its white space; `to` has room for all of it. Returns how many characters it copied. */
static inline size_t fu_context_squeeze(const void *text, int width, size_t start, size_t end, void *to) {
    if (width == 1) return fu_context_squeeze_1((const uint8_t *)text, start, end, (uint8_t *)to);
    if (width == 2) return fu_context_squeeze_2((const uint16_t *)text, start, end, (uint16_t *)to);
    return fu_context_squeeze_4((const uint32_t *)text, start, end, (uint32_t *)to);
}

#endif
