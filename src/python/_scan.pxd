"""Declarations of the kernel's headers, for every extension that calls the kernel. The code is in src/kernel/."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t


cdef extern from "ascii.h" nogil:
    ctypedef struct fu_slice:
        const uint8_t *p
        size_t n
    bint fu_is_ascii(const uint8_t *p, size_t n)
    size_t fu_write_number(uint64_t value, uint8_t *to)


cdef extern from "split/spans.h" nogil:
    ctypedef struct fu_range:
        size_t start, end
    const size_t FU_ABSENT
    enum:
        FU_HAS_SCHEME, FU_HAS_NETLOC, FU_HAS_QUERY, FU_HAS_FRAGMENT, FU_PROVEN_VALID, FU_HAS_FINDINGS
        FU_NETLOC_IS_HOSTNAME
    ctypedef enum fu_form:
        FU_FORM_URL, FU_FORM_TARGET
    ctypedef struct fu_spans:
        size_t scheme_end, netloc_start, path_start, path_end, query_end, length
        uint32_t flags, scheme, findings
    ctypedef struct fu_netloc:
        size_t user_start, user_end, password_start, password_end, host_start, host_end, port_start, port_end
    void fu_split_netloc(const uint8_t *p, size_t start, size_t end, fu_netloc *out)
    bint fu_is(uint8_t byte, uint32_t terms)


cdef extern from "split/urllib.h" nogil:
    bint fu_version_dependent_params(const uint8_t *p, const fu_spans *s)


cdef extern from "chars.h" nogil:
    enum:
        TERM_DIGIT
        TERM_HEX
        TERM_SCHEME
        TERM_USER
        URI_UNRESERVED
    const uint8_t *BYTE_3986
    const uint8_t *BYTE_CLASS
    const uint32_t *BYTE_TERMS


cdef extern from "validate/productions.h" nogil:
    ctypedef struct fu_productions:
        uint8_t columns[256]
        size_t width, states
        const uint32_t *rows
        const uint8_t *accepting
    bint fu_are_productions(const fu_productions *g)
    size_t fu_productions_stop(const fu_productions *g, const uint8_t *p, size_t start, size_t end)


cdef extern from "split/schemes.h" nogil:
    const uint32_t FU_NO_SCHEME
    enum:
        FU_NO_PORT, FU_SCHEME_NAME_MAX
    ctypedef enum fu_shape:
        FU_SHAPE_GENERIC, FU_SHAPES
    ctypedef struct fu_shape_traits:
        const char *name
    const fu_shape_traits fu_traits[]
    ctypedef struct fu_scheme:
        uint8_t length
        char name[63]
        uint8_t shape
        int32_t port
        const fu_productions *productions
    ctypedef struct fu_scheme_table:
        uint32_t count, https
        fu_scheme entries[1024]
    uint32_t fu_register_scheme(fu_scheme_table *table, const char *name, size_t length, fu_shape shape, int32_t port,
                                const fu_productions *productions)
    uint8_t fu_lower(uint8_t byte)
    uint32_t fu_find_scheme(const fu_scheme_table *table, const uint8_t *p, size_t length)
    int32_t fu_registered_port(const uint8_t *p, size_t length)


cdef extern from "split/readings.h" nogil:
    ctypedef struct fu_login:
        size_t start, end
        fu_netloc parts
    void fu_split_login(const uint8_t *p, size_t start, size_t end, fu_login *out)
    size_t fu_login_end(const uint8_t *p, size_t start, size_t end, fu_shape shape)


cdef extern from "validate/diagnostics.h" nogil:
    enum:
        FU_VIOLATIONS
    ctypedef struct fu_problem:
        uint32_t finding, term
        size_t start, end
    ctypedef struct fu_characters:
        const void *points
        int width
    ctypedef struct fu_diagnostics:
        uint32_t findings, first_finding, first_term
        size_t error_offset, first_end
        fu_problem *problems
        size_t capacity, count
        uint32_t wanted
        size_t window_start, window_length
        int (*grow)(fu_diagnostics *v) noexcept
        bint only_whether
        fu_characters text
    ctypedef enum fu_term:
        FU_TERM_BYTE
    void fu_sort_problems(fu_problem *problems, size_t count)


cdef extern from "validate/primitives.h" nogil:
    int32_t fu_port_number(const uint8_t *p, size_t start, size_t end)
    bint fu_is_ip_schemepart(const uint8_t *p, const fu_login *login, size_t end)
    size_t fu_host_breaks_at(const uint8_t *p, size_t start, size_t end)
    size_t fu_group_breaks_at(const uint8_t *p, size_t start, size_t end)
    size_t fu_skip(const uint8_t *p, size_t start, size_t end, uint32_t set)


cdef extern from "validate/validate.h" nogil:
    void fu_start_diagnostics(fu_diagnostics *v)


cdef extern from "validate/rfc3986.h" nogil:
    bint fu_is_plainly_3986(const uint8_t *p, const fu_spans *s, fu_form form, bint has_clean_bytes)
    fu_term fu_term_3986_at(const fu_spans *s, const fu_netloc *netloc, size_t at)


cdef extern from "validate/terms.h" nogil:
    ctypedef struct fu_terms:
        fu_shape shape
    void fu_read_terms(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form, fu_terms *out)
    fu_term fu_term_at(const fu_terms *terms, size_t at)
    bint fu_is_secret(const fu_terms *terms, uint32_t finding, fu_term term, size_t at)


cdef extern from "functions/normalize.h" nogil:
    bint fu_is_plainly_normal(const uint8_t *p, const fu_spans *s)
    size_t fu_normal(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, int flags, uint8_t *to)


cdef extern from "escapes/quote.h" nogil:
    enum:
        FU_QUOTE_PIECE, FU_QUOTE_SLACK
    ctypedef struct fu_quote_table:
        pass
    void fu_quote_table_fill(fu_quote_table *table, const uint8_t *keep, int plus)


cdef extern from "escapes/unquote_safe.h" nogil:
    enum:
        FU_KEEP_CONTROLS, FU_KEEP_UTF8, FU_KEEP_C1, FU_KEEP_HIGH, FU_KEEP_ALL
    size_t fu_unquote_safe_write(const uint8_t *p, size_t n, int keep, uint8_t *out, uint8_t *seen)
    size_t fu_unquote_wide(const void *points, size_t n, int width, int plus, Py_UCS4 *out)


cdef extern from "escapes/utf8.h" nogil:
    size_t fu_utf8_encode(const void *points, size_t n, int width, uint8_t *out)
    size_t fu_utf8_decode(const uint8_t *p, size_t n, Py_UCS4 *out)
    size_t fu_utf8_valid(const uint8_t *p, size_t n)


cdef extern from "escapes/query.h" nogil:
    ctypedef struct fu_pair:
        size_t start, name_end, value, end
        bint has_value, name_marks, value_marks
    ctypedef struct fu_name:
        const uint8_t *data
        size_t length
    ctypedef struct fu_first_bytes:
        pass
    bint fu_query_span(const uint8_t *p, size_t n, size_t *start, size_t *end)
    void fu_next_pair(const uint8_t *p, size_t n, size_t at, uint8_t separator, fu_pair *pair)
    bint fu_find_pair(const uint8_t *p, size_t n, const fu_name *name, const fu_first_bytes *firsts, fu_pair *pair)
    void fu_set_first_bytes(fu_first_bytes *out, const fu_name *name)


cdef extern from "escapes/secrets.h" nogil:
    enum:
        FU_SECRET_KEYS
    const char **fu_secret_keys
    void fu_set_last_bytes(fu_first_bytes *out, const fu_name *keys, size_t count)


cdef extern from "escapes/redaction.h" nogil:
    ctypedef struct fu_redaction:
        pass
    void fu_set_secret_name(fu_name *out, const uint8_t *key, size_t length, unsigned *conditions)
    void fu_start_redaction(fu_redaction *r, const fu_scheme_table *table, const uint8_t *p, size_t n, bint is_text,
                            const fu_name *names, size_t count, const fu_first_bytes *lasts, bint hides_users)
    bint fu_next_hidden(fu_redaction *r, size_t *start, size_t *end)


cdef extern from "functions/context.h" nogil:
    enum:
        FU_CONTEXT_BARE
    ctypedef struct fu_context:
        size_t position, taken
    ctypedef struct fu_context_match:
        size_t start, end, body, stop, hash
        bint url_spaced, fragment_spaced, hyphen
    size_t fu_context_squeeze(const void *text, int width, size_t start, size_t end, void *to)


cdef extern from "columns/fields.h" nogil:
    enum:
        FU_COLUMNS
    ctypedef struct fu_field:
        const char *name
        const char *type
        size_t width
    fu_field fu_fields[]


cdef extern from "columns/view.h" nogil:
    ctypedef struct fu_view:
        int32_t length
        uint8_t data[4]
    void fu_view_of(fu_view *view, const uint8_t *p, size_t length, int32_t buffer, int64_t offset)
    void fu_shift_offsets(int32_t *to, const int32_t *source, size_t count, int32_t base)


cdef extern from "columns/facts.h" nogil:
    ctypedef struct fu_words:
        fu_view *words
    int fu_encode_words(const fu_view *views, const int32_t *offsets, const uint8_t *data, const uint8_t *validity,
                        int64_t rows, int32_t *numbers, fu_words *known)


cdef extern from "columns/input.h" nogil:
    enum:
        FU_OFFSETS_32, FU_OFFSETS_64, FU_VIEWS, FU_WINDOW_BITS, FU_VIEW_MAX
    ctypedef enum fu_layout:
        pass
    ctypedef enum fu_fault:
        FU_FAULT_NONE
    const char *fu_fault_words[]
    ctypedef struct fu_buffer:
        const uint8_t *data
        int64_t size
    ctypedef struct fu_input:
        fu_layout layout
        const uint8_t *validity
        int64_t offset, rows
        const void *offsets
        const fu_buffer *buffers
        int32_t buffer_count
        const uint8_t *targets
    ctypedef struct fu_arrow_text:
        const uint8_t *p
        int64_t length
    uint64_t fu_validity_word(const fu_input *input, int64_t row, int64_t rows)
    fu_fault fu_load_text(const fu_input *input, int64_t row, fu_arrow_text *text)


cdef extern from "columns/columns.h" nogil:
    int fu_grow_problems(fu_diagnostics *found)
    ctypedef struct fu_arena:
        uint8_t *data
        size_t used
        int32_t buffer
    ctypedef struct fu_copied_column:
        int32_t *offsets
        uint8_t *data
        size_t used, capacity
    enum:
        FU_COPY_SLACK
    ctypedef struct fu_copies:
        fu_copied_column columns[FU_COLUMNS]
        size_t needed
    ctypedef struct fu_worker:
        fu_copies *copies
        int64_t start, next
        fu_arena arena
        int64_t nulls[FU_COLUMNS]
        uint32_t opened
        int64_t failed_row
        fu_fault fault
        bint out_of_memory
        bint has_wide_host
    ctypedef struct fu_output:
        uint32_t wanted
        void *values[FU_COLUMNS]
        uint8_t *validity[FU_COLUMNS]
    void fu_zero_column(fu_output *output, int column, int64_t start, int64_t stop)


cdef extern from "functions/functions.h" nogil:
    ctypedef enum fu_list_kind:
        FU_LISTS_PATH_PREFIXES, FU_LISTS_URL_PREFIXES, FU_LISTS_QUERY


cdef extern from "columns/textwork.h" nogil:
    ctypedef enum fu_text_work_kind:
        FU_QUOTE_TEXTS, FU_UNQUOTE_TEXTS, FU_NORMALIZE_TEXTS, FU_QUERY_VALUES, FU_REDACT_TEXTS, FU_APPLY_FUNCTION
        FU_UNQUOTE_TEXTS_SAFELY, FU_JOIN_TEXTS, FU_JOIN_PAIRS, FU_QUERY_VALUE_PAIRS
    ctypedef struct fu_join_base:
        const uint8_t *p
        size_t n
        fu_spans spans
        fu_slice scheme
        bint is_sure, is_relative, uses_netloc, depends_on_version
    ctypedef struct fu_text_work:
        fu_text_work_kind kind
        bint text, plus
        const fu_quote_table *quote
        const void *function
        const fu_scheme_table *schemes
        const fu_name *names
        size_t count
        fu_first_bytes firsts
        fu_slice mark
        bint hides_users, quotes_urls, bytes_tell, has_otherwise
        fu_view otherwise
        const uint8_t *other_text
        size_t other_length
        fu_join_base base
        const fu_input *others
    ctypedef struct fu_mapping:
        fu_view *views
        int32_t *offsets
        uint8_t *validity
        uint8_t *block
        size_t used, capacity
        int32_t buffer
        int64_t start, row, end, nulls
        size_t needed
        bint asks, is_answered
        const uint8_t *answer
        size_t answer_length
        int64_t failed_row
        int fault
        bint failed_other


cdef extern from "columns/gather.h" nogil:
    ctypedef enum fu_gather_kind:
        FU_GATHER_LISTS, FU_GATHER_VALUES, FU_GATHER_DEPTHS, FU_GATHER_HASHES, FU_GATHER_PROBLEMS, FU_GATHER_SAME
    ctypedef struct fu_gather_work:
        fu_gather_kind kind
        fu_list_kind list
        fu_form form
        size_t limit
        bint decode, text
        const fu_scheme_table *schemes
        const fu_name *names
        size_t count
        const void *kernel
    ctypedef struct fu_gathered_values:
        fu_mapping *texts
        uint8_t *validity
        int64_t nulls
    ctypedef struct fu_gathering:
        int64_t start, row, end
        uint8_t *validity
        int64_t nulls
        int32_t *offsets
        fu_mapping *names
        fu_mapping *values
        fu_mapping *lacking
        size_t used, capacity
        fu_gathered_values *columns
        uint32_t *depths
        uint64_t *hashes
        uint32_t *findings
        int32_t *starts
        int32_t *ends
        fu_problem *problems
        const fu_input *other
        uint8_t *same
        uint8_t *keys
        bint out_of_memory, failed_other
        int64_t failed_row
        fu_fault fault
    void fu_start_gathering(fu_gathering *g, int64_t start, int64_t end, uint8_t *validity)


cdef extern from "columns/pool.h" nogil:
    void *fu_pool_acquire(size_t size)
    void fu_pool_release(void *buffer, size_t size)
    void fu_pool_after_fork()


cdef extern from "split/invariants.h" nogil:
    bint fu_texts_may_change

cdef extern from "runtime.h" nogil:
    ctypedef struct fu_kernel:
        const char *name
        void (*split)(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, bint any_first,
                      fu_spans *out) noexcept nogil
        void (*validate)(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form,
                         fu_diagnostics *v) noexcept nogil
        void (*validate_3986)(const uint8_t *p, const fu_spans *s, fu_form form, fu_diagnostics *v) noexcept nogil
        void (*parse_rows)(const fu_scheme_table *table, const fu_input *input, fu_output *output, fu_form form,
                           int64_t start, int64_t end, fu_worker *worker) noexcept nogil
        bint (*map_rows)(const fu_text_work *work, const fu_input *input, fu_mapping *m) noexcept nogil
        bint (*gather_rows)(const fu_gather_work *work, const fu_input *input, fu_gathering *g) noexcept nogil
        size_t (*quote_find)(const fu_quote_table *table, const uint8_t *p, size_t n) noexcept nogil
        size_t (*quote_length)(const fu_quote_table *table, const uint8_t *p, size_t n) noexcept nogil
        size_t (*quote_write)(const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out) noexcept nogil
        size_t (*quote_write_within)(
            const fu_quote_table *table, const uint8_t *p, size_t n, uint8_t *out, size_t capacity
        ) noexcept nogil
        size_t (*unquote_find)(const uint8_t *p, size_t n, bint plus) noexcept nogil
        size_t (*unquote_write)(const uint8_t *p, size_t n, bint plus, uint8_t *out, uint8_t *seen) noexcept nogil
        bint (*context_next)(const fu_scheme_table *table, const void *text, size_t n, int width, int flags,
                             fu_context *at, size_t limit, fu_context_match *out) noexcept nogil
    ctypedef struct fu_python:
        const void *canonical
        const void *suffixes
        int (*answer)(int kind, const uint8_t *p, size_t n, uint8_t **answer, size_t *length) noexcept nogil
    ctypedef struct fu_runtime:
        const fu_python *python
        const fu_kernel *kernel
        fu_scheme_table *schemes
        const fu_kernel **kernels
        size_t count
        unsigned int forks
        bint (*read_url)(void *url, fu_form form, bint any_first, void **text, fu_spans *out) noexcept
    fu_runtime *fu_start_runtime()
    bint fu_use_kernel(fu_runtime *runtime, const char *name)


cdef extern from "functions/equivalence.h" nogil:
    ctypedef struct fu_key:
        size_t url, count
    fu_key fu_write_key(const fu_kernel *kernel, const fu_scheme_table *table, const uint8_t *p, size_t n, uint8_t *to)
    bint fu_same_keys(const fu_key *a, const uint8_t *a_bytes, const fu_key *b, const uint8_t *b_bytes)
