"""Declarations of what reads logs: logs/rows.h, from lines to rows; routes; and the recogniser of addresses."""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint64_t

from _scan cimport fu_slice, fu_view


cdef extern from "logs/rows.h" nogil:
    enum:
        FU_LOG_VIEWS, FU_LOG_COLUMNS, FU_LOG_ROWS_A_LINE
    ctypedef struct fu_log_line:
        fu_slice fields[1]
        int status, has_size
        uint64_t size
    enum:
        FU_TEMPLATE_STEPS_MAX, FU_TEMPLATE_BYTES_MAX, FU_TEMPLATE_ARENA_A_LINE
    ctypedef struct fu_template_step:
        uint8_t kind, flag, field, stop
        uint16_t at, length, program_at, program_length
    ctypedef struct fu_line_template:
        int count, has_more, escaped, is_exact
        fu_template_step steps[1]
        uint8_t data[1]
    ctypedef struct fu_lines:
        const uint8_t *at
        const uint8_t *end
        int64_t number, last
        uint8_t separator
        int strips_return
        const uint8_t *separated
    ctypedef struct fu_log_rows:
        int64_t rows, empty
        int escaped, by_request
        const uint8_t *block
        int32_t buffer
        int64_t *numbers
        int8_t *fields
        uint8_t *targets
        fu_view *views[1]
        uint8_t *validity[1]
        int64_t nulls[1]
        int16_t *status
        uint64_t *size
        double *duration
        uint64_t *request_length
        uint8_t *arena
        size_t arena_used
        uint8_t time[1]
    size_t fu_count_byte(const uint8_t *p, size_t n, uint8_t byte)
    enum:
        FU_OBJECT_KEYS_MAX, FU_OBJECT_ROOT, FU_OBJECT_COLUMNS, FU_LOG_FIELDS
    ctypedef struct fu_object_key:
        uint16_t node, rank
        uint8_t column, exponent, required, barred
    ctypedef struct fu_object_template:
        int syntax, needs, is_mapped, count
        uint8_t required
        uint16_t host
    enum:
        FU_PREFIX_HOLDER, FU_PREFIXES
    ctypedef struct fu_line_reader:
        const fu_line_template *template
        const fu_object_template *objects
        const fu_object_template *holder
        int vhost, combined, prefix
    void fu_put_log_lines(fu_log_rows *out, fu_lines *lines, const fu_line_reader *by)
    const uint8_t *fu_behind_prefix(int prefix, const uint8_t *p, const uint8_t *end, fu_slice *time)
    ctypedef struct fu_object_value:
        pass
    int fu_held_line(const fu_line_reader *by, const uint8_t *p, size_t n, uint8_t *data, fu_slice *held,
                     fu_object_value *time)
    fu_object_key *fu_add_object_key(fu_object_template *template, uint16_t parent, const uint8_t *p, size_t n)
    ctypedef struct fu_object_values:
        pass
    int fu_scan_json(const uint8_t *p, const uint8_t *end, const fu_object_template *template, fu_object_values *found)
    int fu_read_object_line(const uint8_t *p, size_t n, const fu_object_template *template, fu_log_line *line)
    ctypedef struct fu_template_stop:
        int step
        size_t at
    int fu_read_template_line(const uint8_t *p, size_t n, const fu_line_template *template, fu_log_line *line,
                              fu_template_stop *stop)
    int64_t fu_put_url_lines(fu_view *views, int64_t *numbers, int64_t rows, const uint8_t *block, int32_t buffer,
                             fu_lines *lines)
    void fu_next_line(fu_lines *lines)
    int fu_read_log_line(const uint8_t *p, size_t n, int vhost, int combined, fu_log_line *line)
    int FU_ESCAPED_BY_SERVER, FU_QUOTES_DOUBLED, FU_ESCAPED_AS_JSON, FU_NOT_ESCAPED
    size_t fu_unescape_as(int escaped, const uint8_t *p, size_t n, uint8_t *out)
    size_t FU_TIME_IMPOSSIBLE
    size_t fu_iso_time(const uint8_t *p, size_t n, uint8_t *out)
    size_t fu_checked_iso_time(const uint8_t *p, size_t n, uint8_t *out)


cdef extern from "logs/routes.h" nogil:
    ctypedef struct fu_route_literal:
        const uint8_t *data
        size_t length
        int32_t node, after
    ctypedef struct fu_route_parameter:
        const uint8_t *prefix
        const uint8_t *suffix
        size_t prefix_length, suffix_length
        int32_t node, after, next
        int is_tail
    ctypedef struct fu_route_table:
        fu_route_literal *slots
        size_t slot_mask, longest
        fu_route_parameter *parameters
        int32_t *first_parameter
        int32_t *ranks
        int32_t *here
        int32_t *ahead
    fu_route_literal *fu_route_slot(const fu_route_table *t, const uint8_t *p, size_t n, int32_t node)
    int32_t fu_match_route(const fu_route_table *t, const uint8_t *p, size_t n)


cdef extern from "escapes/addresses.h" nogil:
    ctypedef struct fu_address:
        size_t start, end, sign, sign_end, size
        const uint8_t *packed
    ctypedef struct fu_address_search:
        const uint8_t *p
        size_t n
    int fu_next_address(fu_address_search *s, fu_address *out)
