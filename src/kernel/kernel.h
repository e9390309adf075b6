/* A kernel: the code for one instruction set. kernel_NAME.c compiles the kernel NAME; runtime.h holds the kernel in use. */
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

    /* Split a text into spans (split_body.h). any_first: a scheme may also start with a digit, "+", "-" or ".". */
    void (*split)(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, int any_first, fu_spans *out);

    /* Validate a split text (validate/validate.h). The caller has called fu_start_diagnostics. */
    void (*validate)(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form, struct fu_diagnostics *v);

    /* Validate a split text by RFC 3986 (validate/rfc3986.h). The caller has called fu_start_diagnostics. */
    void (*validate_3986)(const uint8_t *p, const fu_spans *s, fu_form form, struct fu_diagnostics *v);

    /* Read rows [start, end) of the input and write them (columns_body.h). Stop early if copies lack space: then w->next is
     * the first row that is not written. `start` is a multiple of 64. */
    void (*parse_rows)(const fu_scheme_table *table, const struct fu_input *in, struct fu_output *out, fu_form form,
                       int64_t start, int64_t end, struct fu_worker *w);

    /* Continue a column of texts (textcolumns_body.h). Return 1 when done; return 0 if the caller must provide a block or an
     * answer, or if a row failed. */
    int (*map_rows)(const struct fu_text_work *work, const struct fu_input *in, struct fu_mapping *m);

    /* Continue a column of lists, of several values per row, or of numbers (gather_body.h). Return 1 when done; return 0 if the
     * caller must provide capacity for more items, or if a row failed. */
    int (*gather_rows)(const struct fu_gather_work *work, const struct fu_input *in, struct fu_gathering *g);

    /* Return the offset of the first byte that must be escaped, or n if there is none. */
    size_t (*quote_find)(const struct fu_quote_table *table, const uint8_t *p, size_t n);
    /* Return the quoted length of p[0:n], at most 3 * n. */
    size_t (*quote_length)(const struct fu_quote_table *table, const uint8_t *p, size_t n);
    /* Quote p[0:n] into `out` and return the length. `out` has space for 3 * n + FU_QUOTE_SLACK bytes. */
    size_t (*quote_write)(const struct fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out);
    /* Quote p[0:n] into `out`, but write at most `capacity` bytes (quote_body.h). */
    size_t (*quote_write_within)(const struct fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out, size_t capacity);

    /* Return the offset of the first "%" (with `plus`, of the first "+" or "%"), or n if there is none. */
    size_t (*unquote_find)(const uint8_t *p, size_t n, int plus);
    /* Unquote p[0:n] into `out` and return the length, at most n. With `plus`, a "+" becomes a space first. `out` has space
     * for n bytes and does not overlap p. The highest bit of *seen is set if an escape decodes to a non-ASCII byte: below
     * 0x80, ASCII text has stayed ASCII. */
    size_t (*unquote_write)(const uint8_t *p, size_t n, int plus, uint8_t *out, uint8_t *seen);

    /* Find the next pairs of a query from p[*at] on: `most` pairs (at least 1), or fewer at the query's end. Move *at past
     * them and return their number. */
    size_t (*cut_pairs)(const uint8_t *p, size_t n, size_t *at, uint8_t separator, struct fu_pair *pairs, size_t most);

    /* Find the next URL of a text of n characters of `width` bytes. Return 1 and set *out, or return 0. Only
     * candidates in [at->position, limit) are tried: with limit below n, 0 means that the search has reached the limit. */
    int (*context_next)(const fu_scheme_table *table, const void *text, size_t n, int width, int flags, struct fu_context *at,
                        size_t limit, struct fu_context_match *out);
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
