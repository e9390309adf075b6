/* The functions of one kernel. Each kernel_NAME.c includes this header last, with FU_KERNEL defined as NAME. */
#ifndef FASTURL_KERNEL_BODY_H
#define FASTURL_KERNEL_BODY_H

#include "columns/columns_body.h"
#include "columns/gather_body.h"
#include "columns/textcolumns_body.h"
#include "kernel.h"
#include "escapes/pairs_body.h"
#include "split/split_body.h"
#include "functions/search_body.h"

static void fu_validate_text(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form, fu_diagnostics *v) {
    fu_validate(table, p, s, form, v);
}

static FU_NOINLINE void fu_validate_text_3986(const uint8_t *p, const fu_spans *s, fu_form form, fu_diagnostics *v) {
    fu_validate_3986(p, s, form, 0, v);
}

const fu_kernel FU_GLUE(fu_kernel, FU_KERNEL) = {
    FU_QUOTED(FU_KERNEL),  fu_split,        fu_validate_text, fu_validate_text_3986, fu_parse_rows,
    fu_map_rows,           fu_gather_rows,  fu_quote_find,    fu_quote_length,       fu_quote_write,
    fu_quote_write_within, fu_unquote_find, fu_unquote_write, fu_cut_pairs,          fu_context_next,
};

#endif
