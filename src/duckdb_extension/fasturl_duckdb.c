/* A DuckDB extension: fasturl's functions as SQL functions that run on all of DuckDB's threads. It uses DuckDB's stable C API.
 *
 * DuckDB passes vectors of strings, which the kernel reads as they are (FU_STRINGS). In the kernel's views of results, the number
 * of a row stands for the buffer. They become strings again: DuckDB copies their bytes into the result's memory at once.
 *
 * Errors (no memory, a text over 2^30 bytes, an unknown part) end the query with a message. */
#define DUCKDB_EXTENSION_NAME fasturl
#define DUCKDB_EXTENSION_API_VERSION_MAJOR 1
#define DUCKDB_EXTENSION_API_VERSION_MINOR 2
#define DUCKDB_EXTENSION_API_VERSION_PATCH 0
#include <duckdb_extension.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "columns/columns.h"
#include "columns/gather.h"
#include "columns/textwork.h"
#include "runtime.h"

DUCKDB_EXTENSION_EXTERN

FU_STATIC_ASSERT(sizeof(duckdb_string_t) == sizeof(fu_view) && sizeof(void *) == 8, "DuckDB's layout of a string");
#ifndef FU_LITTLE_ENDIAN
#error "DuckDB's validity masks are read as bytes, lowest first"
#endif

#define FU_ANY_NUMBER (-1) /* the most arguments of a variadic function */

/* How a function computes its result. FU_SQL_FIELD: `which` is a column of parse_rows. FU_SQL_PARSE: a struct of these.
 * FU_SQL_TEXT: `which` is an fu_text_work_kind. FU_SQL_APPLY, FU_SQL_HASH, FU_SQL_WHETHER: an fu_function_kind. FU_SQL_WHETHER: the
 * result is whether the function's text is empty. */
typedef enum {
    FU_SQL_FIELD,
    FU_SQL_PARSE,
    FU_SQL_TEXT,
    FU_SQL_APPLY,
    FU_SQL_DEPTH,
    FU_SQL_HASH,
    FU_SQL_WHETHER,
    FU_SQL_SAME,
    FU_SQL_VALUES
} fu_sql_kind;

typedef struct {
    const char *name;
    fu_sql_kind kind;
    int which;
    int plus;        /* for quote and unquote: + stands for a space */
    int has_form;    /* 1: there is also a function of request targets */
    int least, most; /* bounds of the number of arguments after the columns */
} fu_sql_function;

/* The functions beside those of one field and those of the URL alone (fu_prepare_calls adds these). Other functions of fasturl
 * need Python: join delegates to it, decompose builds one struct per scheme, and lists are built there alone. */
static const fu_sql_function fu_sql_functions[] = {
    {"parse", FU_SQL_PARSE, 0, 0, 1, 0, 0},
    {"path_template", FU_SQL_APPLY, FU_GIVES_PATH_TEMPLATE, 0, 1, 0, FU_ANY_NUMBER},
    {"drop_params", FU_SQL_APPLY, FU_GIVES_DROP_PARAMS, 0, 1, 1, FU_ANY_NUMBER},
    {"drop_parts", FU_SQL_APPLY, FU_GIVES_DROP_PARTS, 0, 1, 0, FU_ANY_NUMBER},
    {"dedup_key", FU_SQL_APPLY, FU_GIVES_DEDUP_KEY, 0, 0, 0, 0},
    {"canonicalize", FU_SQL_APPLY, FU_GIVES_CANONICALIZE, 0, 0, 0, 0},
    {"surt", FU_SQL_APPLY, FU_GIVES_SURT, 0, 0, 0, 0},
    {"blocks", FU_SQL_APPLY, FU_GIVES_BLOCKS, 0, 1, 1, FU_ANY_NUMBER},
    {"allows", FU_SQL_WHETHER, FU_GIVES_ALLOWS, 0, 1, 1, FU_ANY_NUMBER},
    {"dedup_hash", FU_SQL_HASH, FU_GIVES_DEDUP_KEY, 0, 0, 0, 0},
    {"fetch_refusal", FU_SQL_APPLY, FU_GIVES_FETCH_REFUSAL, 0, 0, 0, 0},
    {"is_fetchable", FU_SQL_WHETHER, FU_GIVES_FETCH_REFUSAL, 0, 0, 0, 0},
    {"normalize", FU_SQL_TEXT, FU_NORMALIZE_TEXTS, 0, 0, 0, 0},
    {"quote", FU_SQL_TEXT, FU_QUOTE_TEXTS, 0, 0, 0, 1},
    {"quote_plus", FU_SQL_TEXT, FU_QUOTE_TEXTS, 1, 0, 0, 1},
    {"unquote", FU_SQL_TEXT, FU_UNQUOTE_TEXTS, 0, 0, 0, 0},
    {"unquote_plus", FU_SQL_TEXT, FU_UNQUOTE_TEXTS, 1, 0, 0, 0},
    {"unquote_safe", FU_SQL_TEXT, FU_UNQUOTE_TEXTS_SAFELY, 0, 0, 0, 0},
    {"redact", FU_SQL_TEXT, FU_REDACT_TEXTS, 0, 0, 0, FU_ANY_NUMBER},
    {"query_value", FU_SQL_TEXT, FU_QUERY_VALUES, 0, 0, 1, 2},
    {"query_values", FU_SQL_VALUES, FU_QUERY_VALUES, 0, 1, 1, FU_ANY_NUMBER},
    {"path_depth", FU_SQL_DEPTH, 0, 0, 1, 0, 0},
    {"equivalent", FU_SQL_SAME, 0, 0, 0, 0, 0},
};
#define FU_SQL_FUNCTIONS (sizeof fu_sql_functions / sizeof fu_sql_functions[0])

/* One SQL function: one of the above for text or BLOB, for URLs or request targets. */
typedef struct {
    fu_sql_function function;
    int binary;
    fu_form form;
    char name[64];
} fu_sql_call;

static const char *const fu_sql_prefixes[4] = {"url_", "url_blob_", "target_", "target_blob_"};
static fu_sql_call fu_sql_calls[4 * (FU_COLUMNS + FU_SQL_FUNCTIONS + FU_FUNCTION_KINDS)];
static size_t fu_sql_call_count;
static const fu_runtime *fu_the_kernels; /* NULL: libfasturl is of another build */

/* ---- the state of one vector */

typedef struct {
    const duckdb_string_t *texts;
    const uint64_t *validity; /* NULL: no nulls */
    int is_null; /* 1: all rows are NULL, of any type */
} fu_argument;

typedef struct {
    const fu_sql_call *call;
    duckdb_vector output;
    int64_t rows;
    fu_input url, other;
    fu_buffer *buffers; /* from number `rows` on, the blocks that `owned` frees; a lower number of a view is that of its row */
    int32_t buffer_count, buffer_capacity;
    void **owned;
    size_t owned_count, owned_capacity;
    uint8_t *block; /* the last block of map_rows */
    size_t block_used, block_capacity;
    int32_t block_number;
    fu_argument *arguments;
    size_t argument_count;
    struct fu_shared_list *list; /* the host list of the last group of rows */
    char message[200]; /* the error, or empty */
} fu_batch;

static int fu_fail(fu_batch *b, const char *message) {
    if (!b->message[0]) snprintf(b->message, sizeof b->message, "fasturl: %s: %s", b->call->name, message);
    return 0;
}

static int fu_fail_memory(fu_batch *b) { return fu_fail(b, "out of memory"); }

/* Free `memory` at the end of the batch, or at once if memory runs out. Return it, or NULL with the error set. */
static void *fu_own(fu_batch *b, void *memory) {
    if (memory == NULL) return fu_fail_memory(b), NULL;
    if (b->owned_count == b->owned_capacity) {
        const size_t capacity = 2 * b->owned_capacity + 16;
        void **owned = (void **)realloc((void *)b->owned, capacity * sizeof *owned);
        if (owned == NULL) {
            free(memory);
            return fu_fail_memory(b), NULL;
        }
        b->owned = owned;
        b->owned_capacity = capacity;
    }
    return b->owned[b->owned_count++] = memory;
}

/* Allocate zeroed memory that lives until the end of the batch. Return NULL, and set the error, if memory runs out. */
static void *fu_keep(fu_batch *b, size_t count, size_t width) { return fu_own(b, calloc(count ? count : 1, width)); }

/* ---- host lists

 * DuckDB passes the list anew with each vector, on each thread. The last list stays in memory, so that it is built once. */

typedef struct fu_shared_list {
    fu_host_list list;
    char *text; /* what the list was built of */
    uint8_t *mapped; /* the text as Python mapped it, or NULL */
    size_t length;
    int users;
} fu_shared_list;

static fu_shared_list *fu_last_list;
static pthread_mutex_t fu_list_lock = PTHREAD_MUTEX_INITIALIZER;

/* Another thread may hold the lock during a fork. */
static void fu_forget_list(void) {
    pthread_mutex_init(&fu_list_lock, NULL);
    fu_last_list = NULL;
}

static void fu_leave_list(fu_shared_list *shared) {
    if (shared == NULL) return;
    pthread_mutex_lock(&fu_list_lock);
    const int users = --shared->users;
    pthread_mutex_unlock(&fu_list_lock);
    if (users > 0) return;
    free(shared->list.names);
    free(shared->list.slots);
    free(shared->list.filter);
    free(shared->mapped);
    free(shared->text);
    free(shared);
}

#define FU_NEEDS_PYTHON "a host outside ASCII needs fasturl.engines.duckdb, in Python"

/* Build the list of shared->text. Return the error, or NULL. */
static const char *fu_build_list(fu_shared_list *shared) {
    fu_host_list *list = &shared->list;
    const fu_python *python = fu_the_kernels->python;
    const uint8_t *text = (const uint8_t *)shared->text;
    size_t n = shared->length, ignored, line;
    if (python != NULL && !fu_is_ascii(text, n)) {
        if (!python->answer(FU_GIVES_BLOCKS, text, n, &shared->mapped, &n)) return "out of memory";
        text = shared->mapped;
    }
    const fu_list_outcome sized = fu_size_list(text, n, 0, list, &ignored, &line);
    if (sized != FU_LIST_DONE)
        return sized == FU_LIST_TOO_LARGE ? "the list takes 2 GiB or more"
                                          : "a word of the list is not a host, address or network";
    list->names = (uint8_t *)malloc(list->room);
    list->slots = (fu_list_slot *)calloc(list->slot_count, sizeof *list->slots);
    list->filter = (uint64_t *)calloc(list->filter_words, sizeof *list->filter);
    if (list->names == NULL || list->slots == NULL || list->filter == NULL) return "out of memory";
    if (fu_fill_list(text, n, list, ignored) != FU_LIST_DONE) return "too many names of the list have one hash";
    return list->unsure && shared->mapped == NULL ? FU_NEEDS_PYTHON : NULL;
}

/* Return 1 if the list was built of these lines. */
static int fu_is_list_of(const fu_shared_list *shared, const fu_name *lines, size_t count) {
    size_t at = 0;
    for (size_t i = 0; i < count; i++) {
        const size_t n = lines[i].length;
        if (shared->length - at <= n || memcmp(shared->text + at, lines[i].data, n) != 0 || shared->text[at + n] != '\n')
            return 0;
        at += n + 1;
    }
    return at == shared->length;
}

/* Return a new list of these lines, with one user. NULL: the error is set. */
static fu_shared_list *fu_new_list(fu_batch *b, const fu_name *lines, size_t count) {
    fu_shared_list *shared = (fu_shared_list *)calloc(1, sizeof *shared);
    if (shared == NULL) return fu_fail_memory(b), NULL;
    shared->users = 1;
    for (size_t i = 0; i < count; i++) shared->length += lines[i].length + 1;
    shared->text = (char *)malloc(shared->length + 1);
    char *to = shared->text;
    for (size_t i = 0; to != NULL && i < count; i++) {
        memcpy(to, lines[i].data, lines[i].length);
        to += lines[i].length;
        *to++ = '\n';
    }
    const char *failure = to == NULL ? "out of memory" : fu_build_list(shared);
    if (failure == NULL) return shared;
    fu_leave_list(shared);
    return fu_fail(b, failure), NULL;
}

/* Return the list of these lines, which lives until fu_leave_list. NULL: the error is set. */
static fu_shared_list *fu_share_list(fu_batch *b, const fu_name *lines, size_t count) {
    pthread_mutex_lock(&fu_list_lock);
    fu_shared_list *shared = fu_last_list;
    if (shared != NULL) shared->users++;
    pthread_mutex_unlock(&fu_list_lock);
    if (shared != NULL && fu_is_list_of(shared, lines, count)) return shared;
    fu_leave_list(shared);
    shared = fu_new_list(b, lines, count);
    if (shared == NULL) return NULL;
    pthread_mutex_lock(&fu_list_lock);
    fu_shared_list *before = fu_last_list;
    fu_last_list = shared;
    shared->users++;
    pthread_mutex_unlock(&fu_list_lock);
    fu_leave_list(before);
    return shared;
}

static void fu_end_batch(fu_batch *b) {
    fu_leave_list(b->list);
    for (size_t i = 0; i < b->owned_count; i++) free(b->owned[i]);
    free((void *)b->owned);
    free(b->buffers);
}

/* Append a buffer that views can name. Return its number, or -1 if memory runs out. */
static int32_t fu_add_buffer(fu_batch *b, const uint8_t *data, size_t size) {
    if (b->buffer_count == b->buffer_capacity) {
        if (b->buffer_capacity > INT32_MAX / 2 - 64) return fu_fail(b, "too many texts in one vector"), -1;
        const int32_t capacity = 2 * b->buffer_capacity + 64;
        fu_buffer *buffers = (fu_buffer *)realloc(b->buffers, (size_t)capacity * sizeof *buffers);
        if (buffers == NULL) return fu_fail_memory(b), -1;
        b->buffers = buffers;
        b->buffer_capacity = capacity;
    }
    b->buffers[b->buffer_count].data = data;
    b->buffers[b->buffer_count].size = (int64_t)size;
    return b->buffer_count++;
}

static int fu_fail_row(fu_batch *b, int64_t row, fu_fault fault) {
    char message[120];
    snprintf(message, sizeof message, "row %lld of a vector %s", (long long)row, fu_fault_words[fault]);
    return fu_fail(b, message);
}

static int fu_row_is_valid(const uint64_t *validity, int64_t row) {
    return validity == NULL || (validity[row >> 6] >> (row & 63) & 1);
}

static uint32_t fu_string_length(const duckdb_string_t *text) { return text->value.inlined.length; }

static const uint8_t *fu_string_bytes(const duckdb_string_t *text) {
    return (const uint8_t *)(fu_string_length(text) <= FU_VIEW_INLINE_MAX ? text->value.inlined.inlined
                                                                          : text->value.pointer.ptr);
}

static void fu_read_column(const fu_batch *b, duckdb_vector vector, fu_input *in) {
    in->layout = FU_STRINGS;
    in->validity = (const uint8_t *)duckdb_vector_get_validity(vector);
    in->rows = b->rows;
    in->offsets = duckdb_vector_get_data(vector);
}

/* Return the bytes of a view, of more than FU_VIEW_INLINE_MAX bytes. */
static const uint8_t *fu_bytes_outside_view(const fu_batch *b, const fu_view *view) {
    const duckdb_string_t *texts = (const duckdb_string_t *)b->url.offsets;
    const int is_part = view->buffer < b->rows;
    return (is_part ? (const uint8_t *)texts[view->buffer].value.pointer.ptr : b->buffers[view->buffer].data) + view->offset;
}

static size_t fu_bitmap_size(int64_t rows) { return (size_t)(rows + 63) / 64 * 8; }

/* ---- results */

static void fu_put_nulls(duckdb_vector vector, const uint8_t *valid, int64_t rows) {
    const uint8_t all = 0xff;
    int64_t byte = 0;
    while (byte < rows / 8 && valid[byte] == all) byte++;
    if (byte == rows / 8 && (rows % 8 == 0 || (valid[byte] | (uint8_t)(all << rows % 8)) == all)) return;
    duckdb_vector_ensure_validity_writable(vector);
    uint8_t *mask = (uint8_t *)duckdb_vector_get_validity(vector);
    memcpy(mask, valid, (size_t)rows / 8);
    if (rows % 8) mask[rows / 8] = (uint8_t)(valid[rows / 8] | (uint8_t)(all << rows % 8));
}

/* Copy n bytes, more than FU_VIEW_INLINE_MAX. Most parts of a URL are too short for a call of memcpy to pay off. */
static void fu_copy_long(uint8_t *to, const uint8_t *p, size_t n) {
    if (n > 64) {
        memcpy(to, p, n);
    } else if (n > 32) {
        memcpy(to, p, 32);
        memcpy(to + n - 32, p + n - 32, 32);
    } else {
        const size_t second = n < 16 ? n - 8 : 8, third = n < 16 ? 0 : n - 16;
        memcpy(to, p, 8);
        memcpy(to + second, p + second, 8);
        memcpy(to + third, p + third, 8);
        memcpy(to + n - 8, p + n - 8, 8);
    }
}

/* Return the bytes of a string that are outside it: 0 for a short string. */
static size_t fu_bytes_outside(const fu_view *view) { return view->length > FU_VIEW_INLINE_MAX ? (size_t)view->length : 0; }

/* Write views as the strings of a vector, from its first row on. A null row's view is zero. The bytes of the long texts are
 * joined, and assigned as one string: DuckDB copies it into the vector's memory, where each row's string then points. */
#define FU_JOINED_MAX ((size_t)1 << 26) /* bytes per assigned string, unless one text is longer */
static int fu_put_texts(fu_batch *b, duckdb_vector vector, const fu_view *views, int64_t rows) {
    duckdb_string_t *out = (duckdb_string_t *)duckdb_vector_get_data(vector);
    size_t all = 0;
    for (int64_t row = 0; row < rows; row++) all += fu_bytes_outside(&views[row]);
    if (all == 0) memcpy(out, views, (size_t)rows * sizeof *out);
    for (int64_t start = 0, end; all && start < rows; start = end) {
        size_t total = all <= FU_JOINED_MAX ? all : 0;
        for (end = total ? rows : start; end < rows; end++) {
            const size_t length = fu_bytes_outside(&views[end]);
            if (total && total + length > FU_JOINED_MAX) break;
            total += length;
        }
        uint64_t to = 0;
        if (total) {
            uint8_t *joined = (uint8_t *)malloc(total), *at = joined;
            if (joined == NULL) return fu_fail_memory(b);
            for (int64_t row = start; row < end; row++) {
                const fu_view *view = &views[row];
                const size_t length = fu_bytes_outside(view);
                if (length) fu_copy_long(at, fu_bytes_outside_view(b, view), length);
                at += length;
            }
            memset(&out[start], 0, sizeof out[start]);
            duckdb_vector_assign_string_element_len(vector, (idx_t)start, (const char *)joined, total);
            free(joined);
            /* DuckDB assigns NULL instead of invalid UTF-8. */
            if (fu_string_length(&out[start]) != total) return fu_fail(b, "a text of the vector is not UTF-8");
            to = (uint64_t)(uintptr_t)out[start].value.pointer.ptr;
        }
        for (int64_t row = start; row < end; row++) {
            uint64_t words[2];
            const size_t length = fu_bytes_outside(&views[row]);
            memcpy(words, &views[row], sizeof words);
            words[1] = length ? to : words[1];
            memcpy(&out[row], words, sizeof words);
            to += length;
        }
    }
    return 1;
}

/* Write the lists of a vector, whose items start at the offsets. Return 0 if memory runs out. */
static int fu_put_lists(fu_batch *b, const int32_t *offsets, const uint8_t *valid) {
    duckdb_list_entry *out = (duckdb_list_entry *)duckdb_vector_get_data(b->output);
    const idx_t items = (idx_t)offsets[b->rows];
    for (int64_t row = 0; row < b->rows; row++) {
        out[row].offset = (uint64_t)offsets[row];
        out[row].length = (uint64_t)(offsets[row + 1] - offsets[row]);
    }
    fu_put_nulls(b->output, valid, b->rows);
    return (duckdb_list_vector_reserve(b->output, items) == DuckDBSuccess &&
            duckdb_list_vector_set_size(b->output, items) == DuckDBSuccess) ||
           fu_fail_memory(b);
}

/* ---- fields */

/* Write the values of one column of parse_rows. is_written: 0 if the column has no value in any row. */
static int fu_put_field(fu_batch *b, duckdb_vector vector, int column, const void *values, const uint8_t *valid, int is_written) {
    void *out = duckdb_vector_get_data(vector);
    const size_t width = fu_fields[column].width;
    fu_put_nulls(vector, valid, b->rows);
    if (width == 0) {
        for (int64_t row = 0; row < b->rows; row++)
            ((bool *)out)[row] = is_written && ((const uint8_t *)values)[row >> 3] >> (row & 7) & 1;
    } else if (!is_written) {
        memset(out, 0, (size_t)b->rows * width);
    } else if (column < FU_TEXT_COLUMNS) {
        return fu_put_texts(b, vector, (const fu_view *)values, b->rows);
    } else {
        memcpy(out, values, (size_t)b->rows * width);
    }
    return 1;
}

/* The fields that only a call for them returns. */
#define FU_ON_REQUEST (FU_BIT(FU_COLUMN_HOSTNAME) | FU_BIT(FU_COLUMN_VALID_RFC3986) | FU_WANTS_HOST_FACTS)

/* Return 1 if readers may map a character of the text differently, or change its case. */
static int fu_may_change(const uint8_t *p, size_t n) {
    for (size_t i = 0; i < n;) {
        uint32_t code;
        const int length = fu_utf8_step(p + i, n - i, &code);
        if (length < 0 || (code >= 0x80 && !fu_is_plain_character(code))) return 1;
        i += (size_t)length;
    }
    return 0;
}

/* Lower the case of hosts outside ASCII, which needs Python's tables for a character that is not plain. */
static int fu_lower_hosts(fu_batch *b, fu_view *views) {
    const fu_python *python = fu_the_kernels->python;
    for (int64_t row = 0; row < b->rows; row++) {
        const uint8_t *host = views[row].data;
        const size_t n = (size_t)views[row].length;
        uint8_t *lower;
        size_t length;
        if (n > FU_VIEW_INLINE_MAX) host = fu_bytes_outside_view(b, &views[row]);
        if (!fu_may_change(host, n)) continue;
        if (python == NULL) return fu_fail(b, FU_NEEDS_PYTHON);
        if (!python->answer(FU_FUNCTION_KINDS, host, n, &lower, &length)) return fu_fail_memory(b);
        const int32_t buffer = fu_own(b, lower) == NULL ? -1 : fu_add_buffer(b, lower, length);
        if (buffer < 0) return 0;
        fu_view_of(&views[row], lower, length, buffer, 0);
    }
    return 1;
}

static int fu_run_fields(fu_batch *b) {
    const int is_struct = b->call->function.kind == FU_SQL_PARSE;
    fu_output out;
    fu_worker w;
    memset(&out, 0, sizeof out);
    memset(&w, 0, sizeof w);
    out.wanted = is_struct ? (FU_BIT(FU_COLUMNS) - 1) & ~FU_ON_REQUEST : FU_BIT(b->call->function.which);
    for (int column = 0; column < FU_COLUMNS; column++) {
        if (!(out.wanted & FU_BIT(column))) continue;
        const size_t width = fu_fields[column].width;
        out.values[column] = width ? fu_keep(b, (size_t)b->rows, width) : fu_keep(b, fu_bitmap_size(b->rows), 1);
        out.validity[column] = (uint8_t *)fu_keep(b, fu_bitmap_size(b->rows), 1);
        if (out.values[column] == NULL || out.validity[column] == NULL) return 0;
    }
    w.arena.buffer = b->buffer_count;
    w.failed_row = -1;
    fu_the_kernels->kernel->parse_rows(fu_the_kernels->schemes, &b->url, &out, b->call->form, 0, b->rows, &w);
    int done = w.out_of_memory ? fu_fail_memory(b) : w.failed_row >= 0 ? fu_fail_row(b, w.failed_row, w.fault) : 1;
    done = done && fu_add_buffer(b, w.arena.data, w.arena.used) >= 0;
    if (done && w.has_wide_host && !b->call->binary && out.wanted & FU_BIT(FU_COLUMN_HOSTNAME))
        done = fu_lower_hosts(b, (fu_view *)out.values[FU_COLUMN_HOSTNAME]);
    idx_t child = 0;
    for (int column = 0; done && column < FU_COLUMNS; column++)
        if (out.wanted & FU_BIT(column)) {
            duckdb_vector to = is_struct ? duckdb_struct_vector_get_child(b->output, child++) : b->output;
            const int is_written = (w.opened & FU_BIT(column)) != 0;
            done = fu_put_field(b, to, column, out.values[column], out.validity[column], is_written);
        }
    if (done && is_struct) fu_put_nulls(b->output, out.validity[FU_COLUMN_PATH], b->rows); /* null only for a null URL */
    free(w.arena.data);
    return done;
}

/* ---- texts to texts */

/* Ask Python for the result of a row. The GIL is held for this row alone. */
static int fu_answer_row(fu_batch *b, const fu_function *function, int64_t row, fu_mapping *m) {
    const fu_python *python = fu_the_kernels->python;
    const duckdb_string_t *text = (const duckdb_string_t *)b->url.offsets + row;
    uint8_t *answer;
    if (python == NULL) return fu_fail(b, FU_NEEDS_PYTHON);
    if (!python->answer((int)function->kind, fu_string_bytes(text), fu_string_length(text), &answer, &m->answer_length))
        return fu_fail_memory(b);
    m->asks = 0;
    m->is_answered = 1;
    m->answer = answer;
    if (answer != NULL && fu_own(b, answer) == NULL) return 0;
    if (function->kind != FU_GIVES_BLOCKS) return 1;
    fu_function final = *function;
    fu_spans s;
    uint8_t *to = (uint8_t *)fu_keep(b, fu_function_capacity(function, m->answer_length), 1);
    if (to == NULL) return 0;
    final.switches |= FU_LIST_MAPPED;
    fu_the_kernels->kernel->split(final.schemes, answer, m->answer_length, final.form, 0, &s);
    const fu_result entry = fu_apply(&final, answer, &s, to);
    m->answer = entry.kind == FU_RESULT_NULL ? NULL : to;
    m->answer_length = entry.length;
    return 1;
}

/* Map rows [start, end) to views; set their bits of `valid`, which are zero. Rows come in order. */
static int fu_map_group(fu_batch *b, const fu_text_work *work, int64_t start, int64_t end, fu_view *views, uint8_t *valid) {
    fu_input in = b->url;
    fu_mapping m;
    uint8_t few[8], *bits = valid + start / 8;
    in.offset += start;
    in.rows = end - start;
    memset(&m, 0, sizeof m);
    if (start % 8) bits = end - start <= 64 ? few : (uint8_t *)fu_keep(b, fu_bitmap_size(end - start), 1);
    if (bits == NULL) return 0;
    m.views = views + start;
    m.validity = bits;
    m.end = end - start;
    m.failed_row = -1;
    m.block = b->block;
    m.used = b->block_used;
    m.capacity = b->block_capacity;
    m.buffer = b->block_number;
    while (!fu_the_kernels->kernel->map_rows(work, &in, &m)) {
        if (m.failed_row >= 0) return fu_fail_row(b, start + m.failed_row, m.fault);
        if (m.asks) {
            if (!fu_answer_row(b, work->function, start + m.row, &m)) return 0;
            continue;
        }
        m.capacity = m.needed > 1 << 16 ? m.needed : 1 << 16;
        m.used = 0;
        m.block = (uint8_t *)fu_own(b, malloc(m.capacity));
        if (m.block == NULL) return 0;
        m.buffer = fu_add_buffer(b, m.block, m.capacity);
        if (m.buffer < 0) return 0;
    }
    b->block = m.block;
    b->block_used = m.used;
    b->block_capacity = m.capacity;
    b->block_number = m.buffer;
    if (start % 8)
        for (int64_t i = 0; i < end - start; i++)
            valid[(start + i) >> 3] = (uint8_t)(valid[(start + i) >> 3] | (bits[i >> 3] >> (i & 7) & 1) << ((start + i) & 7));
    return 1;
}

static int fu_same_string(const duckdb_string_t *a, const duckdb_string_t *b) {
    if (memcmp(a, b, sizeof *a) == 0) return 1;
    const uint32_t length = fu_string_length(a);
    return length == fu_string_length(b) && memcmp(fu_string_bytes(a), fu_string_bytes(b), length) == 0;
}

static int fu_argument_is_valid(const fu_argument *argument, int64_t row) {
    return !argument->is_null && fu_row_is_valid(argument->validity, row);
}

/* Return the end of the rows from `start` on that have the same arguments. */
static int64_t fu_group_end(const fu_batch *b, int64_t start) {
    int64_t end = b->rows;
    for (size_t i = 0; i < b->argument_count; i++) {
        const fu_argument *argument = &b->arguments[i];
        const int is_valid = fu_argument_is_valid(argument, start), may_be_null = argument->is_null || argument->validity != NULL;
        const duckdb_string_t *first = &argument->texts[start];
        if (!may_be_null && memcmp(first, first + 1, (size_t)(end - start - 1) * sizeof *first) == 0)
            continue; /* all are alike */
        for (int64_t row = start + 1; row < end; row++) {
            if (!may_be_null && fu_same_string(&argument->texts[row], &argument->texts[start])) continue;
            if (may_be_null && fu_argument_is_valid(argument, row) == is_valid &&
                (!is_valid || fu_same_string(&argument->texts[row], &argument->texts[start])))
                continue;
            end = row;
        }
    }
    return end;
}

/* Return 1 if an argument is the same text in all rows: for Python, a text and not a second column. */
static int fu_is_constant(const fu_batch *b, const fu_argument *argument) {
    for (int64_t row = 1; row < b->rows; row++)
        if (!fu_argument_is_valid(argument, row) || !fu_same_string(&argument->texts[row], &argument->texts[0])) return 0;
    return 1;
}

typedef struct {
    fu_text_work work;
    fu_function function;
    fu_quote_table quote;
} fu_sql_work;

/* Take the arguments as the lines of a host list. */
static int fu_prepare_list(fu_batch *b, fu_function *function) {
    fu_leave_list(b->list);
    b->list = fu_share_list(b, function->names, function->count);
    if (b->list == NULL) return 0;
    function->hosts = &b->list->list;
    return 1;
}

/* Prepare the work for a group of rows with these arguments. `names` has space for all arguments. */
static int fu_prepare(fu_batch *b, fu_sql_work *w, fu_name *names, size_t count) {
    const fu_sql_function *f = &b->call->function;
    fu_text_work *work = &w->work;
    memset(work, 0, sizeof *work);
    const int applies = f->kind == FU_SQL_APPLY || f->kind == FU_SQL_HASH || f->kind == FU_SQL_WHETHER;
    work->kind = applies ? FU_APPLY_FUNCTION : (fu_text_work_kind)f->which;
    work->schemes = fu_the_kernels->schemes;
    work->text = !b->call->binary;
    work->plus = f->plus;
    if (work->kind == FU_APPLY_FUNCTION) {
        memset(&w->function, 0, sizeof w->function);
        w->function.kind = (fu_function_kind)f->which;
        w->function.form = b->call->form;
        w->function.schemes = fu_the_kernels->schemes;
        w->function.names = names;
        w->function.count = count;
        work->function = &w->function;
        for (size_t i = 0; w->function.kind == FU_GIVES_DROP_PARTS && i < count; i++) {
            size_t part = 0;
            while (part < FU_PART_NAMES && (strlen(fu_part_names[part].name) != names[i].length ||
                                            memcmp(fu_part_names[part].name, names[i].data, names[i].length) != 0))
                part++;
            if (part == FU_PART_NAMES) return fu_fail(b, "an argument is not a part to leave out");
            w->function.switches |= fu_part_names[part].bit;
        }
        if (w->function.kind == FU_GIVES_CANONICALIZE) {
            if (fu_the_kernels->python == NULL) return fu_fail(b, "its rules by scheme need fasturl.engines.duckdb, in Python");
            w->function = *fu_the_kernels->python->canonical;
        }
        if (fu_asks_list(&w->function)) {
            if (!fu_prepare_list(b, &w->function)) return 0;
        } else if (fu_function_detail(&w->function) == FU_DETAIL_OF_HOST) {
            const fu_python *python = fu_the_kernels->python;
            if (python == NULL) return fu_fail(b, "the Public Suffix List needs fasturl.engines.duckdb, in Python");
            if (python->suffixes == NULL)
                return fu_fail(b, "the package publicsuffixlist is missing: pip install 'fasturl[domains]'");
            w->function.suffixes = python->suffixes;
            w->function.switches = 1; /* with the private section */
        }
        if (w->function.kind == FU_GIVES_DEDUP_KEY)
            w->function.switches = FU_DEDUP_NORMALIZE | FU_DEDUP_SORT | FU_DEDUP_FRAGMENT | FU_DEDUP_DROP;
        if (w->function.kind == FU_GIVES_FETCH_REFUSAL) /* is_fetchable tells an empty reason from a null URL */
            w->function.switches = 1U << FU_SCOPE_GLOBAL | (f->kind == FU_SQL_APPLY ? (unsigned)FU_FETCH_NULL : 0);
    } else if (work->kind == FU_QUOTE_TEXTS) {
        uint8_t keep[128];
        for (int c = 0; c < 128; c++)
            keep[c] = (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z') || (c && strchr("_.-~", c) != NULL);
        if (count == 0 && !f->plus) keep['/'] = 1;
        for (size_t i = 0; count && i < names[0].length; i++)
            if (names[0].data[i] < 128) keep[names[0].data[i]] = 1;
        fu_quote_table_fill(&w->quote, keep, f->plus);
        work->quote = &w->quote;
    } else if (work->kind == FU_REDACT_TEXTS) {
        unsigned conditions = 0;
        for (size_t i = 0; i < count; i++) fu_set_secret_name(&names[i], names[i].data, names[i].length, &conditions);
        work->names = names;
        work->count = count;
        fu_set_last_bytes(&work->firsts, names, count);
        work->mark.p = (const uint8_t *)"***";
        work->mark.n = 3;
    } else if (work->kind == FU_QUERY_VALUES) {
        if (names[0].length && memchr(names[0].data, '*', names[0].length) != NULL &&
            (f->kind == FU_SQL_VALUES || fu_is_constant(b, &b->arguments[0])))
            return fu_fail(b, "a name with * is a pattern, but a value is read by its exact name");
        work->names = names;
        work->count = 1;
        work->bytes_tell = fu_bytes_tell(&names[0], work->text);
        fu_set_first_bytes(&work->firsts, names);
        if (count > 1) {
            int32_t buffer = 0;
            if (names[1].length > FU_VIEW_MAX) return fu_fail(b, "the default has more bytes than a view can name");
            if (names[1].length > FU_VIEW_INLINE_MAX && (buffer = fu_add_buffer(b, names[1].data, names[1].length)) < 0) return 0;
            work->has_otherwise = 1;
            work->other_text = names[1].data;
            work->other_length = names[1].length;
            fu_view_of(&work->otherwise, names[1].data, names[1].length, buffer, 0);
        }
    }
    return 1;
}

/* Read the arguments of a row as names. Return their number, or -1 if one is NULL: then the result is NULL. A NULL in place of
 * a default is like no argument. */
static int fu_read_names(const fu_batch *b, int64_t row, fu_name *names) {
    const fu_sql_function *f = &b->call->function;
    size_t count = b->argument_count;
    if (f->most != FU_ANY_NUMBER && count > (size_t)f->least && !fu_argument_is_valid(&b->arguments[count - 1], row)) count--;
    for (size_t i = 0; i < count; i++) {
        if (!fu_argument_is_valid(&b->arguments[i], row)) return -1;
        memset(&names[i], 0, sizeof names[i]);
        names[i].data = fu_string_bytes(&b->arguments[i].texts[row]);
        names[i].length = fu_string_length(&b->arguments[i].texts[row]);
    }
    return (int)count;
}

/* Map all rows to views, one group of equal arguments after another. */
static int fu_map_all(fu_batch *b, fu_view *views, uint8_t *valid) {
    static const char *const web[] = {"http", "https"};
    const int is_fetch = b->call->function.which == FU_GIVES_FETCH_REFUSAL;
    const int is_redaction = b->call->function.kind == FU_SQL_TEXT && b->call->function.which == FU_REDACT_TEXTS;
    const char *const *given = is_fetch ? web : is_redaction ? fu_secret_keys : fu_tracking_names; /* the default names */
    const size_t tracked = b->call->function.which == FU_GIVES_DEDUP_KEY && b->argument_count == 0 ? FU_TRACKING_NAMES : 0;
    const size_t secret = is_redaction && b->argument_count == 0 ? FU_SECRET_KEYS : 0;
    const size_t defaults = is_fetch ? sizeof web / sizeof web[0] : is_redaction ? secret : tracked;
    fu_name *names = (fu_name *)fu_keep(b, b->argument_count + defaults, sizeof *names);
    fu_sql_work *work = (fu_sql_work *)fu_keep(b, 1, sizeof *work);
    if (names == NULL || work == NULL) return 0;
    for (int64_t start = 0, end; start < b->rows; start = end) {
        end = fu_group_end(b, start);
        int count = fu_read_names(b, start, names);
        for (size_t i = 0; i < defaults; i++, count++) {
            names[i].data = (const uint8_t *)given[i];
            names[i].length = strlen(given[i]);
        }
        if (count < 0) continue; /* the views are zero */
        if (!fu_prepare(b, work, names, (size_t)count) || !fu_map_group(b, &work->work, start, end, views, valid)) return 0;
    }
    return 1;
}

static int fu_run_texts(fu_batch *b) {
    fu_view *views = (fu_view *)fu_keep(b, (size_t)b->rows, sizeof *views);
    uint8_t *valid = (uint8_t *)fu_keep(b, fu_bitmap_size(b->rows), 1);
    if (views == NULL || valid == NULL || !fu_map_all(b, views, valid)) return 0;
    if (b->call->function.kind == FU_SQL_WHETHER) {
        bool *flags = (bool *)duckdb_vector_get_data(b->output);
        for (int64_t row = 0; row < b->rows; row++) flags[row] = views[row].length == 0;
        fu_put_nulls(b->output, valid, b->rows);
        return 1;
    }
    if (b->call->function.kind != FU_SQL_HASH) {
        fu_put_nulls(b->output, valid, b->rows);
        return fu_put_texts(b, b->output, views, b->rows);
    }
    fu_gather_work work;
    fu_gathering g;
    fu_input keys = {FU_VIEWS, valid, 0, b->rows, views, b->buffers, b->buffer_count, NULL};
    uint8_t *hashed = (uint8_t *)fu_keep(b, fu_bitmap_size(b->rows), 1);
    if (hashed == NULL) return 0;
    for (int64_t row = 0; row < b->rows; row++) { /* the keys may be views of the texts */
        b->buffers[row].data = fu_string_bytes((const duckdb_string_t *)b->url.offsets + row);
        b->buffers[row].size = fu_string_length((const duckdb_string_t *)b->url.offsets + row);
    }
    memset(&work, 0, sizeof work);
    work.kind = FU_GATHER_HASHES;
    fu_start_gathering(&g, 0, b->rows, hashed);
    g.hashes = (uint64_t *)duckdb_vector_get_data(b->output);
    if (!fu_the_kernels->kernel->gather_rows(&work, &keys, &g)) return fu_fail_row(b, g.failed_row, g.fault);
    fu_put_nulls(b->output, hashed, b->rows);
    return 1;
}

/* A MAP from each name to its first value. DuckDB stores a map as a list of structs of key and value. */
static int fu_run_values(fu_batch *b) {
    const size_t width = b->argument_count, items = (size_t)b->rows * width;
    fu_name *names = (fu_name *)fu_keep(b, width, sizeof *names);
    fu_sql_work *work = (fu_sql_work *)fu_keep(b, 1, sizeof *work);
    fu_view *views = (fu_view *)fu_keep(b, items, sizeof *views), *keys = (fu_view *)fu_keep(b, items, sizeof *keys);
    fu_view *values = (fu_view *)fu_keep(b, items, sizeof *values);
    uint8_t *valid = (uint8_t *)fu_keep(b, width, fu_bitmap_size(b->rows));
    uint8_t *has_map = (uint8_t *)fu_keep(b, fu_bitmap_size(b->rows), 1),
            *has_value = (uint8_t *)fu_keep(b, fu_bitmap_size((int64_t)items), 1);
    int32_t *offsets = (int32_t *)fu_keep(b, (size_t)b->rows + 1, sizeof *offsets);
    if (b->message[0]) return 0;
    if (items > INT32_MAX) return fu_fail(b, "too many names");
    size_t item = 0;
    for (int64_t start = 0, end; start < b->rows; start = end) {
        end = fu_group_end(b, start);
        const int count = fu_read_names(b, start, names);
        for (int name = 0; name < count; name++) {
            for (int before = 0; before < name; before++)
                if (names[before].length == names[name].length &&
                    memcmp(names[before].data, names[name].data, names[name].length) == 0)
                    return fu_fail(b, "a name is given twice");
            if (!fu_prepare(b, work, &names[name], 1) ||
                !fu_map_group(b, &work->work, start, end, views + name * b->rows, valid + (size_t)name * fu_bitmap_size(b->rows)))
                return 0;
            int32_t buffer = 0;
            if (names[name].length > FU_VIEW_MAX) return fu_fail(b, "a name has more bytes than a view can name");
            if (names[name].length > FU_VIEW_INLINE_MAX && (buffer = fu_add_buffer(b, names[name].data, names[name].length)) < 0)
                return 0;
            fu_view_of(&keys[item + (size_t)name], names[name].data, names[name].length, buffer, 0);
        }
        const fu_view *group_keys = keys + item;
        for (int64_t row = start; row < end; row++) {
            if (count > 0 && fu_row_is_valid((const uint64_t *)b->url.validity, row)) {
                has_map[row >> 3] = (uint8_t)(has_map[row >> 3] | 1 << (row & 7));
                for (size_t name = 0; name < width; name++, item++) {
                    const uint8_t *bits = valid + name * fu_bitmap_size(b->rows);
                    keys[item] = group_keys[name];
                    values[item] = views[(int64_t)name * b->rows + row];
                    has_value[item >> 3] = (uint8_t)(has_value[item >> 3] | (bits[row >> 3] >> (row & 7) & 1) << (item & 7));
                }
            }
            offsets[row + 1] = (int32_t)item;
        }
    }
    if (!fu_put_lists(b, offsets, has_map)) return 0;
    duckdb_vector entries = duckdb_list_vector_get_child(b->output);
    duckdb_vector value = duckdb_struct_vector_get_child(entries, 1);
    fu_put_nulls(value, has_value, (int64_t)item);
    return fu_put_texts(b, duckdb_struct_vector_get_child(entries, 0), keys, (int64_t)item) &&
           fu_put_texts(b, value, values, (int64_t)item);
}

/* ---- numbers */

static int fu_run_numbers(fu_batch *b) {
    const int is_depth = b->call->function.kind == FU_SQL_DEPTH;
    fu_gather_work work;
    fu_gathering g;
    uint8_t *valid = (uint8_t *)fu_keep(b, fu_bitmap_size(b->rows), 1);
    uint8_t *same = (uint8_t *)fu_keep(b, fu_bitmap_size(b->rows), 1);
    if (valid == NULL || same == NULL) return 0;
    memset(&work, 0, sizeof work);
    work.kind = is_depth ? FU_GATHER_DEPTHS : FU_GATHER_SAME;
    work.form = b->call->form;
    work.schemes = fu_the_kernels->schemes;
    work.kernel = fu_the_kernels->kernel;
    fu_start_gathering(&g, 0, b->rows, valid);
    g.other = &b->other;
    g.same = same;
    g.depths = (uint32_t *)duckdb_vector_get_data(b->output);
    const int done = fu_the_kernels->kernel->gather_rows(&work, &b->url, &g);
    free(g.keys);
    if (!done) return g.out_of_memory ? fu_fail_memory(b) : fu_fail_row(b, g.failed_row, g.fault);
    bool *flags = (bool *)duckdb_vector_get_data(b->output);
    for (int64_t row = 0; !is_depth && row < b->rows; row++) flags[row] = same[row >> 3] >> (row & 7) & 1;
    fu_put_nulls(b->output, valid, b->rows);
    return 1;
}

/* ---- DuckDB's side */

/* Read the arguments after the columns. A VARCHAR or BLOB is a text; a vector of NULLs may have any type. */
static int fu_read_arguments(fu_batch *b, duckdb_data_chunk input, idx_t first) {
    const idx_t columns = duckdb_data_chunk_get_column_count(input);
    b->argument_count = (size_t)(columns - first);
    b->arguments = (fu_argument *)fu_keep(b, b->argument_count, sizeof *b->arguments);
    if (b->arguments == NULL) return 0;
    for (size_t i = 0; i < b->argument_count; i++) {
        duckdb_vector vector = duckdb_data_chunk_get_vector(input, first + i);
        fu_argument *argument = &b->arguments[i];
        duckdb_logical_type type = duckdb_vector_get_column_type(vector);
        const duckdb_type id = duckdb_get_type_id(type);
        duckdb_destroy_logical_type(&type);
        argument->validity = duckdb_vector_get_validity(vector);
        argument->texts = (const duckdb_string_t *)duckdb_vector_get_data(vector);
        if (id == DUCKDB_TYPE_VARCHAR || (id == DUCKDB_TYPE_BLOB && b->call->binary)) continue;
        for (int64_t row = 0; row < b->rows; row++)
            if (fu_row_is_valid(argument->validity, row)) return fu_fail(b, "an argument after the URL is not a VARCHAR");
        argument->is_null = 1;
    }
    return 1;
}

static int fu_run(fu_batch *b, duckdb_data_chunk input) {
    const int two = b->call->function.kind == FU_SQL_SAME;
    const size_t space = (size_t)b->rows + 64;
    b->buffers = (fu_buffer *)malloc(space * sizeof *b->buffers);
    if (b->buffers == NULL) return fu_fail_memory(b);
    b->buffer_capacity = (int32_t)space;
    b->buffer_count = (int32_t)b->rows;
    fu_read_column(b, duckdb_data_chunk_get_vector(input, 0), &b->url);
    if (two) {
        fu_read_column(b, duckdb_data_chunk_get_vector(input, 1), &b->other);
    } else if (!fu_read_arguments(b, input, 1)) {
        return 0;
    }
    switch (b->call->function.kind) {
    case FU_SQL_FIELD:
    case FU_SQL_PARSE: return fu_run_fields(b);
    case FU_SQL_TEXT:
    case FU_SQL_APPLY:
    case FU_SQL_WHETHER:
    case FU_SQL_HASH: return fu_run_texts(b);
    case FU_SQL_VALUES: return fu_run_values(b);
    default: return fu_run_numbers(b);
    }
}

static void fu_execute(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    fu_batch b;
    memset(&b, 0, sizeof b);
    b.call = (const fu_sql_call *)duckdb_scalar_function_get_extra_info(info);
    b.output = output;
    b.rows = (int64_t)duckdb_data_chunk_get_size(input);
    if (b.rows > INT32_MAX / 2)
        fu_fail(&b, "a vector has too many rows");
    else
        fu_run(&b, input);
    if (b.message[0]) duckdb_scalar_function_set_error(info, b.message);
    fu_end_batch(&b);
}

static duckdb_logical_type fu_simple_type(const char *arrow_type, int binary) {
    if (strcmp(arrow_type, "text") == 0) return duckdb_create_logical_type(binary ? DUCKDB_TYPE_BLOB : DUCKDB_TYPE_VARCHAR);
    return duckdb_create_logical_type(strcmp(arrow_type, "uint16") == 0   ? DUCKDB_TYPE_USMALLINT
                                      : strcmp(arrow_type, "uint32") == 0 ? DUCKDB_TYPE_UINTEGER
                                      : strcmp(arrow_type, "uint64") == 0 ? DUCKDB_TYPE_UBIGINT
                                      : strcmp(arrow_type, "int32") == 0  ? DUCKDB_TYPE_INTEGER
                                                                          : DUCKDB_TYPE_BOOLEAN);
}

static duckdb_logical_type fu_struct_type(int binary) {
    const char *names[FU_COLUMNS];
    duckdb_logical_type members[FU_COLUMNS];
    idx_t count = 0;
    for (int column = 0; column < FU_COLUMNS; column++) {
        if (FU_ON_REQUEST & FU_BIT(column)) continue;
        names[count] = fu_fields[column].name;
        members[count++] = fu_simple_type(fu_fields[column].type, binary);
    }
    duckdb_logical_type type = duckdb_create_struct_type(members, names, count);
    for (idx_t i = 0; i < count; i++) duckdb_destroy_logical_type(&members[i]);
    return type;
}

static duckdb_logical_type fu_result_type(const fu_sql_call *call) {
    switch (call->function.kind) {
    case FU_SQL_FIELD: return fu_simple_type(fu_fields[call->function.which].type, call->binary);
    case FU_SQL_PARSE: return fu_struct_type(call->binary);
    case FU_SQL_DEPTH: return fu_simple_type("uint32", 0);
    case FU_SQL_HASH: return fu_simple_type("uint64", 0);
    case FU_SQL_WHETHER:
    case FU_SQL_SAME: return fu_simple_type("bool", 0);
    case FU_SQL_VALUES: {
        duckdb_logical_type text = fu_simple_type("text", call->binary), type = duckdb_create_map_type(text, text);
        duckdb_destroy_logical_type(&text);
        return type;
    }
    default: return fu_simple_type("text", call->binary);
    }
}

static duckdb_scalar_function fu_new_function(const fu_sql_call *call, int arguments) {
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_logical_type text = fu_simple_type("text", call->binary), result = fu_result_type(call);
    /* With BLOBs, the arguments after the URL may be VARCHAR or BLOB. */
    duckdb_logical_type any = duckdb_create_logical_type(call->binary ? DUCKDB_TYPE_ANY : DUCKDB_TYPE_VARCHAR);
    duckdb_scalar_function_set_name(function, call->name);
    duckdb_scalar_function_add_parameter(function, text);
    if (call->function.kind == FU_SQL_SAME) duckdb_scalar_function_add_parameter(function, text);
    for (int i = 0; i < arguments; i++) duckdb_scalar_function_add_parameter(function, any);
    if (call->function.most == FU_ANY_NUMBER) duckdb_scalar_function_set_varargs(function, any);
    duckdb_scalar_function_set_return_type(function, result);
    duckdb_scalar_function_set_special_handling(function); /* the functions decide about NULL */
    duckdb_scalar_function_set_extra_info(function, (void *)call, NULL);
    duckdb_scalar_function_set_function(function, fu_execute);
    duckdb_destroy_logical_type(&any);
    duckdb_destroy_logical_type(&result);
    duckdb_destroy_logical_type(&text);
    return function;
}

static bool fu_register(duckdb_connection connection, const fu_sql_call *call) {
    duckdb_scalar_function_set set = duckdb_create_scalar_function_set(call->name);
    const int least = call->function.least, most = call->function.most == FU_ANY_NUMBER ? least : call->function.most;
    bool done = true;
    for (int arguments = least; arguments <= most; arguments++) {
        duckdb_scalar_function function = fu_new_function(call, arguments);
        done = done && duckdb_add_scalar_function_to_set(set, function) == DuckDBSuccess;
        duckdb_destroy_scalar_function(&function);
    }
    done = done && duckdb_register_scalar_function_set(connection, set) == DuckDBSuccess;
    duckdb_destroy_scalar_function_set(&set);
    return done;
}

static void fu_put_version(duckdb_function_info info, duckdb_data_chunk input, duckdb_vector output) {
    (void)info;
    for (idx_t row = 0; row < duckdb_data_chunk_get_size(input); row++)
        duckdb_vector_assign_string_element(output, row, FASTURL_VERSION);
}

/* fasturl_version() tells Python, and others, that these functions are there. */
static bool fu_register_version(duckdb_connection connection) {
    duckdb_scalar_function function = duckdb_create_scalar_function();
    duckdb_logical_type text = fu_simple_type("text", 0);
    duckdb_scalar_function_set_name(function, "fasturl_version");
    duckdb_scalar_function_set_return_type(function, text);
    duckdb_scalar_function_set_function(function, fu_put_version);
    const bool done = duckdb_register_scalar_function(connection, function) == DuckDBSuccess;
    duckdb_destroy_scalar_function(&function);
    duckdb_destroy_logical_type(&text);
    return done;
}

static void fu_add_calls(const fu_sql_function *function) {
    for (int i = 0; i < 4; i++) {
        if (i >= 2 && !function->has_form) continue;
        fu_sql_call *call = &fu_sql_calls[fu_sql_call_count++];
        const char *prefix = fu_sql_prefixes[i];
        const int has_prefix = strncmp(function->name, prefix, strlen(prefix)) == 0;
        call->function = *function;
        call->binary = i & 1;
        call->form = i >= 2 ? FU_FORM_TARGET : FU_FORM_URL;
        snprintf(call->name, sizeof call->name, "%s%s", has_prefix ? "" : prefix, function->name);
    }
}

/* Return 1 if a field or a row of the table above has this name. */
static int fu_has_call(const char *name) {
    for (size_t i = 0; i < fu_sql_call_count; i++)
        if (strcmp(fu_sql_calls[i].function.name, name) == 0) return 1;
    return 0;
}

/* The dynamic linker runs this function once, before DuckDB's threads can call any other. */
__attribute__((constructor)) static void fu_prepare_calls(void) {
    if (strcmp(fu_kernel_build, FASTURL_KERNEL_BUILD) != 0) return; /* of another fasturl in this process */
    fu_the_kernels = fu_start_runtime();
    pthread_atfork(NULL, NULL, fu_forget_list);
    for (int column = 0; column < FU_COLUMNS; column++) {
        const fu_sql_function field = {fu_fields[column].name, FU_SQL_FIELD, column, 0, 1, 0, 0};
        fu_add_calls(&field);
    }
    for (size_t i = 0; i < FU_SQL_FUNCTIONS; i++) fu_add_calls(&fu_sql_functions[i]);
    for (int kind = 0; kind < FU_FUNCTION_KINDS; kind++) {
        const fu_sql_function of_url = {fu_function_names[kind], FU_SQL_APPLY, kind, 0, 1, 0, 0};
        if (!fu_has_call(of_url.name)) fu_add_calls(&of_url);
    }
}

DUCKDB_EXTENSION_ENTRYPOINT(duckdb_connection connection, duckdb_extension_info info, struct duckdb_extension_access *access) {
    if (fu_the_kernels == NULL) {
        access->set_error(info, "fasturl: another build of fasturl is loaded in this process");
        return false;
    }
    for (size_t i = 0; i < fu_sql_call_count; i++)
        if (!fu_register(connection, &fu_sql_calls[i])) {
            char message[120];
            snprintf(message, sizeof message, "fasturl: there is a function %s already", fu_sql_calls[i].name);
            access->set_error(info, message);
            return false;
        }
    return fu_register_version(connection);
}
