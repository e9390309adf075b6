/* A kernel: what a processor's vector instructions do for this package, under one name. Each is compiled once, from its
 * kernel_NAME.c; runtime.h says which one is in use. */
#ifndef FASTURL_KERNEL_H
#define FASTURL_KERNEL_H

#include "compiler.h"
#include "split/schemes.h"
#include "split/spans.h"

struct fu_diagnostics;
struct fu_input;
struct fu_output;
struct fu_worker;
struct fu_text_work;
struct fu_mapping;
struct fu_gather_work;
struct fu_gathering;
struct fu_quote_table;
struct fu_pair;
struct fu_context;
struct fu_context_match;

typedef struct {
    const char *name;

    /* Split a text into spans (split_body.h). any_first: a scheme may start with a digit, "+", "-" or "." too. */
    void (*split)(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, int any_first, fu_spans *out);

    /* Validate a text that was split (validate/validate.h). The caller has called fu_start_diagnostics. */
    void (*validate)(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form,
                     struct fu_diagnostics *v);

    /* Read rows [start, end) of the input and write them, or those before w->next (columns_body.h). start: a multiple of 64. */
    void (*parse_rows)(const fu_scheme_table *table, const struct fu_input *in, struct fu_output *out, fu_form form,
                       int64_t start, int64_t end, struct fu_worker *w);

    /* Go on with a column of texts (textcolumns_body.h): 1 when done, 0 when a block or a shorter text is wanted. */
    int (*map_rows)(const struct fu_text_work *work, const struct fu_input *in, struct fu_mapping *m);

    /* Go on with a column of lists, of several values a row, or of numbers (gather_body.h): 1 when done, 0 when capacity for
     * more items is wanted or a row has a fault. */
    int (*gather_rows)(const struct fu_gather_work *work, const struct fu_input *in, struct fu_gathering *g);

    /* Where the first octet stands that does not stay; n when all do. */
    size_t (*quote_find)(const struct fu_quote_table *table, const uint8_t *p, size_t n);
    /* How many octets p[0:n] becomes; at most 3 * n. */
    size_t (*quote_length)(const struct fu_quote_table *table, const uint8_t *p, size_t n);
    /* Writes what p[0:n] becomes and returns its length. `out` has space for 3 * n + FU_QUOTE_SLACK octets. */
    size_t (*quote_write)(const struct fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out);
    /* The same, stopping at `capacity` octets (quote_body.h). */
    size_t (*quote_write_within)(const struct fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out,
                                 size_t capacity);

    /* Where the first % stands (or, with `plus`, the first + or %); n when there is none. */
    size_t (*unquote_find)(const uint8_t *p, size_t n, int plus);
    /* Writes what p[0:n] decodes to, at most n octets, and returns its length; with `plus`, a + becomes a space first.
     * `out` has space for n octets and does not overlap p. `seen` gathers the highest bit of all octets that came from
     * escapes: below 80, ASCII text has stayed ASCII. */
    size_t (*unquote_write)(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen);

    /* The next pairs of a query from p[*at] on, `most` of them (at least 1) or up to its end, and *at past them. Their number. */
    size_t (*cut_pairs)(const uint8_t *p, size_t n, size_t *at, uint8_t separator, struct fu_pair *pairs, size_t most);

    /* The next URL of a text of n characters of `width` octets: 1 and *out, or 0. A search of [position, limit) alone:
     * with limit below n, 0 means that the search has got there. */
    int (*context_next)(const fu_scheme_table *table, const void *text, size_t n, int width, int flags,
                        struct fu_context *at, size_t limit, struct fu_context_match *out);
} fu_kernel;

extern const fu_kernel fu_kernel_scalar;
#ifdef FU_HAVE_NEON
extern const fu_kernel fu_kernel_neon;
#endif
#ifdef FU_HAVE_SSE2
extern const fu_kernel fu_kernel_sse2;
#endif
#ifdef FU_HAVE_AVX
extern const fu_kernel fu_kernel_avx2;
extern const fu_kernel fu_kernel_avx512;
#endif

#endif
