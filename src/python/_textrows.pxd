"""Declarations of columns/rowtext.h and of the other kernel headers that the text outputs use."""

from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from _scan cimport fu_slice, fu_view


cdef extern from "columns/rowtext.h" nogil:
    ctypedef enum fu_row_kind:
        FU_ROW_NOTHING, FU_ROW_BEFORE, FU_ROW_TEXTS, FU_ROW_WRITTEN, FU_ROW_WORDS, FU_ROW_SETS, FU_ROW_BITS
        FU_ROW_INT16, FU_ROW_INT32, FU_ROW_INT64, FU_ROW_UINT16, FU_ROW_UINT64, FU_ROW_BEFORE_MAX
    ctypedef struct fu_row_column:
        fu_row_kind kind
        const uint8_t *validity
        int64_t first
        const void *values
        const uint8_t *const *data
        const fu_slice *words
        uint8_t before[32]
        size_t before_length
    ctypedef struct fu_row_text:
        uint8_t *start
        size_t length, capacity
        int escapes, csv_safe
    int fu_put_rows(fu_row_text *out, const fu_row_column *columns, size_t count, int64_t start, int64_t end,
                    const uint8_t *keep, int csv)
    int fu_row_reserve(fu_row_text *out, size_t more)
    void fu_row_json_string(fu_row_text *out, const uint8_t *p, size_t n)
    void fu_row_csv_string(fu_row_text *out, const uint8_t *p, size_t n)


cdef extern from "columns/facts.h" nogil:
    enum:
        FU_FINDING_BITS
    size_t fu_finding_lists(const uint32_t *sets, int64_t rows, int32_t *offsets, int8_t *values, size_t capacity)
    size_t fu_rows_with_findings(const uint32_t *sets, int64_t row, int64_t rows, uint32_t wanted, int64_t *found,
                                 size_t capacity)
    void fu_count_findings(const uint32_t *sets, int64_t rows, int64_t *counts, int64_t *first_rows)
    int fu_add_up(const int32_t *group_of, const int64_t *row_of, const uint64_t *sizes, int64_t items, int64_t rows,
                  int64_t groups, uint64_t *counts, uint64_t *sums, int64_t *last)


cdef extern from "columns/viewcolumns.h" nogil:
    enum:
        FU_VIEW_COPY_SLACK
    ctypedef struct fu_view_column:
        const fu_view *views
        const uint8_t *validity
        const uint8_t *const *data
        int64_t rows
    uint64_t fu_view_total(const fu_view_column *column)
    void fu_copy_views(const fu_view_column *column, int32_t *offsets, uint8_t *data)
    int fu_put_view_times(const fu_view_column *column, int64_t *times)
