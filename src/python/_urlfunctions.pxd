"""Declarations of kernel/functions/, and the conversion of texts for its functions.

The functions take a URL and return a part of it, a new text, or a list.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t, uint32_t, uint64_t

from _escaping cimport *
from _pytext cimport *
from _scan cimport fu_form, fu_list_kind, fu_name, fu_pair, fu_scheme_table, fu_slice, fu_spans

cdef extern from "functions/result.h" nogil:
    ctypedef enum fu_result_kind:
        FU_RESULT_NULL, FU_RESULT_PART, FU_RESULT_NEW_TEXT, FU_RESULT_ASKS
    ctypedef struct fu_result:
        fu_result_kind kind
        size_t start, length

cdef extern from "functions/path.h" nogil:
    size_t fu_path_depth(const uint8_t *p, const fu_spans *s)

cdef extern from "functions/querylist.h" nogil:
    void fu_find_values(const uint8_t *p, size_t at, size_t end, const fu_name *names, size_t count, fu_pair *found,
                        size_t stride)

cdef extern from "functions/domains.h" nogil:
    enum:
        FU_RULE, FU_RULE_BELOW, FU_RULE_EXCEPTION, FU_RULE_BITS, FU_FILTER_BITS
    ctypedef struct fu_suffix_node:
        uint8_t rules
    ctypedef struct fu_suffix_slot:
        uint32_t node
    ctypedef struct fu_suffixes:
        fu_suffix_node *nodes
        uint32_t count
        fu_suffix_slot *slots
        size_t mask
        uint64_t *filter
    void fu_add_suffix_rule(fu_suffixes *t, const uint8_t *p, size_t n, uint8_t rules)

cdef extern from "functions/hostlist.h" nogil:
    ctypedef enum fu_list_outcome:
        FU_LIST_OTHER_WORDS, FU_LIST_TOO_LARGE, FU_LIST_COLLIDES
    enum:
        FU_LIST_EXACT, FU_LIST_MAPPED
    ctypedef struct fu_list_slot:
        uint32_t place
    ctypedef struct fu_host_list:
        uint8_t *names
        size_t used, room
        fu_list_slot *slots
        uint32_t slot_count
        uint64_t *filter
        uint32_t filter_words
        uint32_t count
    fu_list_outcome fu_size_list(const uint8_t *p, size_t n, bint ignores, fu_host_list *l, size_t *ignored, size_t *line)
    fu_list_outcome fu_fill_list(const uint8_t *p, size_t n, fu_host_list *l, size_t ignored)

cdef extern from "functions/drop_parts.h" nogil:
    enum:
        FU_PART_NAMES
    ctypedef struct fu_part_name:
        const char *name
        unsigned bit
    const fu_part_name *fu_part_names

cdef extern from "functions/dedup.h" nogil:
    enum:
        FU_DEDUP_NORMALIZE, FU_DEDUP_SORT, FU_DEDUP_FRAGMENT, FU_DEDUP_DROP, FU_TRACKING_NAMES
    const char **fu_tracking_names
    uint64_t fu_hash(const uint8_t *p, size_t n)

cdef extern from "functions/address.h" nogil:
    enum:
        FU_SCOPE_COUNT
    ctypedef struct fu_word:
        const char *text
        size_t length
    const fu_word *fu_scope_words

cdef extern from "functions/fetch.h" nogil:
    enum:
        FU_FETCH_NULL

cdef extern from "functions/canonical.h" nogil:
    enum:
        FU_CANONICAL_BLANKS, FU_CANONICAL_FRAGMENT, FU_CANONICAL_FINAL, FU_CANONICAL_KEEP, FU_CANONICAL_PARAMS

cdef extern from "functions/functions.h" nogil:
    enum:
        FU_FUNCTION_KINDS
    ctypedef enum fu_function_kind:
        FU_GIVES_FILE_NAME, FU_GIVES_FILE_EXTENSION, FU_GIVES_FIRST_SEGMENT, FU_GIVES_PATH_AND_QUERY, FU_GIVES_QUERY_AND_FRAGMENT
        FU_GIVES_ORIGIN, FU_GIVES_PATH_TEMPLATE, FU_GIVES_DROP_PARAMS, FU_GIVES_DROP_PARTS, FU_GIVES_BLOCKS, FU_GIVES_DEDUP_KEY
        FU_GIVES_HOST_KIND, FU_GIVES_ADDRESS_SCOPE, FU_GIVES_FETCH_REFUSAL, FU_GIVES_CANONICALIZE, FU_GIVES_SURT
        FU_GIVES_PUBLIC_SUFFIX, FU_GIVES_REGISTRABLE_DOMAIN, FU_GIVES_SUBDOMAIN
    const char **fu_function_names
    ctypedef struct fu_function:
        fu_function_kind kind
        fu_form form
        bint is_host
        const fu_scheme_table *schemes
        unsigned switches
        const fu_name *names
        size_t count
        const fu_suffixes *suffixes
        const fu_host_list *hosts
        const fu_host_list *not_hosts
        const uint8_t *ports
    size_t fu_function_capacity(const fu_function *f, size_t n)
    bint fu_function_any_first(const fu_function *f)
    fu_result fu_apply_to_host(const fu_function *f, const uint8_t *p, size_t start, size_t end, uint8_t *to)
    fu_result fu_apply(const fu_function *f, const uint8_t *p, const fu_spans *s, uint8_t *to)
    ctypedef struct fu_listing:
        size_t at, end
    void fu_start_listing(fu_listing *l, fu_list_kind kind, size_t limit, const uint8_t *p, const fu_spans *s)
    bint fu_next_item(fu_listing *l, fu_pair *item)


cdef enum:
    ON_STACK = 1024


cdef struct Bytes:
    const uint8_t *p
    size_t n
    bint as_text


cdef inline object bytes_in(object text, Bytes *out):
    """Read the bytes of an exact text; a str as UTF-8. Return the object that owns the bytes."""
    out.as_text = PyUnicode_CheckExact(text)
    if out.as_text:
        if PyUnicode_IS_ASCII(text):
            out.p = ascii_bytes(text)
            out.n = <size_t>PyUnicode_GET_LENGTH(text)
            return text
        text = PyUnicode_AsEncodedString(text, "utf-8", "surrogatepass")
    out.p = bytes_of(text)
    out.n = <size_t>PyBytes_GET_SIZE(text)
    return text


cdef inline object text_out(const uint8_t *p, size_t n, bint as_text):
    if as_text:
        return PyUnicode_DecodeUTF8(<const char *>p, <Py_ssize_t>n, "surrogatepass")
    return PyBytes_FromStringAndSize(<const char *>p, <Py_ssize_t>n)
