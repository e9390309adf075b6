/* URLs in running text, by RFC 1738's appendix. A character of the text has one, two or four bytes.
 *
 *   <URL:...>                  certain; ends at the first '>'; rejected if a '<' or the end of the text comes first
 *   <scheme://...>             the same without the prefix, if the text after '<' can only be a URL
 *   URL:scheme://...           ends at the last URL character, without the punctuation of the sentence around the URL
 *   scheme://...               the same; found only with FU_CONTEXT_BARE
 *
 * The search is linear: it reads each character a bounded number of times. A rejected candidate was read up to the next '<' or
 * to the end of a run of URL characters, and the search continues so that no later candidate reads those characters again. No
 * load leaves the text. */
#ifndef FASTURL_CONTEXT_H
#define FASTURL_CONTEXT_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "ascii.h"
#include "split/schemes.h"
#include "split/spans.h"

enum { FU_CONTEXT_BARE = 1 << 0 };

typedef struct fu_context {
    size_t position; /* the search continues here */
    size_t taken;    /* end of the last match: a scheme starts at or after it */
} fu_context;

typedef struct fu_context_match {
    size_t start, end;   /* the match, including its markers */
    size_t body, stop;   /* the text between the markers */
    size_t hash;         /* offset of the first '#' in the body, or `stop` if there is none */
    int url_spaced;      /* [body, hash) contains white space to remove */
    int fragment_spaced; /* (hash, stop) contains white space to remove */
    int hyphen;          /* a line ends with '-', which may or may not belong to the URL */
} fu_context_match;

static inline int fu_is_line_break(uint32_t c) { return c == '\n' || c == '\r'; }

/* Return 1 if the character can belong to a URL in running text. RFC 1738 calls '~' national and leaves it out of a URL, but a
 * human reader would not end a URL there. */
static inline int fu_is_text_url(uint32_t c) {
    return c < 0x80 && (fu_is((uint8_t)c, TERM_XCHAR) || c == '%' || c == '#' || c == '~');
}

/* Return 1 for punctuation that often ends a sentence or a quotation, but seldom a URL. */
static inline int fu_is_sentence_end(uint32_t c) {
    return c == '.' || c == ',' || c == ':' || c == ';' || c == '!' || c == '?' || c == '\'';
}

static inline size_t fu_context_squeeze_of(const uint8_t *text, size_t width, size_t start, size_t end, uint8_t *to) {
    size_t count = 0;
    for (size_t i = start; i < end; i++) {
        if (!fu_is_space(fu_point_at(text, i, (int)width))) memcpy(to + width * count++, text + width * i, width);
    }
    return count;
}

/* Copy [start, end) without its white space, and return the number of characters copied. `to` has space for end - start
 * characters. */
static inline size_t fu_context_squeeze(const void *text, int width, size_t start, size_t end, void *to) {
    if (width == 1) return fu_context_squeeze_of((const uint8_t *)text, 1, start, end, (uint8_t *)to);
    if (width == 2) return fu_context_squeeze_of((const uint8_t *)text, 2, start, end, (uint8_t *)to);
    return fu_context_squeeze_of((const uint8_t *)text, 4, start, end, (uint8_t *)to);
}

#endif
