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
#include <string.h>

#include "split/schemes.h"
#include "split/spans.h"

enum { FU_CONTEXT_BARE = 1 << 0 };

typedef struct fu_context {
    size_t position; /* the search goes on here */
    size_t taken;    /* the end of the last match: a scheme is not looked for before it */
} fu_context;

typedef struct fu_context_match {
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

static inline size_t fu_context_squeeze_of(const uint8_t *text, size_t width, size_t start, size_t end, uint8_t *to) {
    size_t count = 0;
    for (size_t i = start; i < end; i++) {
        uint32_t c = width == 1   ? text[i]
                     : width == 2 ? ((const uint16_t *)(const void *)text)[i]
                                  : ((const uint32_t *)(const void *)text)[i];
        if (!fu_is_space(c)) memcpy(to + width * count++, text + width * i, width);
    }
    return count;
}

/* Copies [start, end) without its white space; `to` has space for all of it. Returns how many characters it copied. */
static inline size_t fu_context_squeeze(const void *text, int width, size_t start, size_t end, void *to) {
    if (width == 1) return fu_context_squeeze_of((const uint8_t *)text, 1, start, end, (uint8_t *)to);
    if (width == 2) return fu_context_squeeze_of((const uint8_t *)text, 2, start, end, (uint8_t *)to);
    return fu_context_squeeze_of((const uint8_t *)text, 4, start, end, (uint8_t *)to);
}

#endif
