"""The kernel's headers, declared for every extension that runs it. Bodies live in src/kernel/."""

from libc.stdint cimport int32_t, uint8_t, uint32_t


cdef extern from "spans.h" nogil:
    const size_t FU_ABSENT
    enum:
        FU_HAS_SCHEME
        FU_HAS_NETLOC
        FU_HAS_QUERY
        FU_HAS_FRAGMENT
        FU_CLEAN
        FU_ODD
    ctypedef enum fu_form:
        FU_FORM_URL
        FU_FORM_TARGET
    ctypedef struct fu_spans:
        size_t scheme_end
        size_t netloc_start
        size_t path_start
        size_t path_end
        size_t query_end
        size_t length
        uint32_t flags
        uint32_t scheme
    ctypedef struct fu_netloc:
        size_t user_start, user_end
        size_t password_start, password_end
        size_t host_start, host_end
        size_t port_start, port_end
    void fu_cut_netloc(const uint8_t *p, size_t start, size_t end, fu_netloc *out)
    bint fu_is(uint8_t octet, uint32_t terms)


cdef extern from "octets.h" nogil:
    enum:
        TERM_ALPHA
        TERM_DIGIT
        TERM_SCHEME


cdef extern from "schemes.h" nogil:
    const uint32_t FU_NO_SCHEME
    enum:
        FU_NO_PORT
        FU_SCHEME_NAME_MAX
    ctypedef enum fu_shape:
        FU_SHAPE_GENERIC
        FU_SHAPE_FTP
        FU_SHAPE_HTTP
        FU_SHAPE_GOPHER
        FU_SHAPE_MAILTO
        FU_SHAPE_NEWS
        FU_SHAPE_NNTP
        FU_SHAPE_TELNET
        FU_SHAPE_WAIS
        FU_SHAPE_FILE
        FU_SHAPE_PROSPERO
        FU_SHAPE_CUSTOM
        FU_SHAPES
    ctypedef struct fu_scheme:
        uint8_t length
        char name[63]
        uint8_t shape
        int32_t port
    ctypedef struct fu_scheme_table:
        uint32_t count
        uint32_t https
        fu_scheme entries[1024]
    void fu_register_builtin_schemes(fu_scheme_table *table)
    uint32_t fu_register_scheme(fu_scheme_table *table, const char *name, size_t length, fu_shape shape, int32_t port)
    uint32_t fu_find_scheme(const fu_scheme_table *table, const uint8_t *p, size_t length)
    fu_shape fu_shape_of(const fu_scheme_table *table, uint32_t scheme)
    int32_t fu_port_of(const fu_scheme_table *table, uint32_t scheme)


cdef extern from "split.h" nogil:
    ctypedef struct fu_kernel:
        const char *name
        bint runs_here
    fu_kernel fu_kernels[]
    int FU_KERNELS
    void fu_start_kernels()
    bint fu_use_kernel(const char *name)
    void fu_split(const fu_scheme_table *table, const uint8_t *p, size_t n, fu_form form, bint any_first, fu_spans *out)


cdef extern from "verdict.h" nogil:
    enum:
        FU_VIOLATIONS
    ctypedef struct fu_problem:
        uint32_t finding
        uint32_t term
        size_t start, end
    ctypedef struct fu_verdict:
        uint32_t findings
        uint32_t first_finding
        uint32_t first_term
        size_t error_offset
        size_t first_end
        fu_problem *problems
        size_t capacity, count


cdef extern from "judge.h" nogil:
    void fu_start_verdict(fu_verdict *v)
    void fu_judge(const fu_scheme_table *table, const uint8_t *p, const fu_spans *s, fu_form form, fu_verdict *v)
