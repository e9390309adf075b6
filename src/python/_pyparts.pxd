"""Declarations of pytext.h, pyparts.h, and the kernel functions that split, join and build as urllib does."""

from cpython.object cimport PyObject
from libc.stdint cimport uint8_t

from _pybytes cimport fu_bytes
from _scan cimport fu_range, fu_slice, fu_spans


cdef extern from "split/urllib.h" nogil:
    ctypedef struct fu_parts:
        fu_slice scheme, netloc, path, params, query, fragment
        bint empty_query, empty_fragment, slashes
    void fu_drop_fragment(const uint8_t *p, fu_spans *s)
    size_t fu_params_start(const uint8_t *p, const fu_spans *s)
    bint fu_stands_before_fragment(const uint8_t *p, const fu_spans *s)
    bint fu_empty_query(const fu_spans *s)
    bint fu_is_rooted(const fu_parts *parts)
    bint fu_rebuilt_size(const fu_parts *parts, size_t most, size_t *out)
    void fu_rebuild(const fu_parts *parts, uint8_t *out)


cdef extern from "split/join.h" nogil:
    ctypedef enum fu_join:
        FU_JOIN_UNSURE, FU_JOIN_BUILD, FU_JOIN_MERGE
    fu_slice fu_slice_at(const uint8_t *p, size_t start, size_t end)
    fu_slice fu_query_slice(const uint8_t *p, const fu_spans *s)
    bint fu_same_scheme(const uint8_t *base, const fu_spans *b, const uint8_t *p, const fu_spans *s)
    fu_join fu_join_parts(
        const uint8_t *base, const fu_spans *b, const uint8_t *p, const fu_spans *s, bint drops_empty, fu_parts *out
    )
    size_t fu_merge_paths(const uint8_t *base, size_t base_n, const uint8_t *path, size_t n, uint8_t *out)


cdef extern from "pytext.h":
    ctypedef enum fu_pytext_kind:
        FU_PYTEXT_ASCII, FU_PYTEXT_BYTES, FU_PYTEXT_WIDE
    ctypedef struct fu_pytext:
        PyObject *object
        const uint8_t *p
        fu_pytext_kind kind
        fu_bytes data
    ctypedef enum fu_split_state:
        FU_SPLIT_NOT_OURS, FU_SPLIT_NOT_ASCII, FU_SPLIT_ODD_BRACKETS, FU_SPLIT_NO_ADDRESS, FU_SPLIT_DONE
        FU_SPLIT_AFTER_REMOVAL, FU_SPLIT_WIDE_HOST
    object fu_without_removed(object url, const uint8_t *p, size_t n)
    int fu_split_text(object url, fu_pytext *text, fu_spans *s) except -1
    bint fu_stripped(object scheme)
    object fu_scheme_str(const fu_pytext *text, const fu_spans *s)
    void fu_release_text(fu_pytext *text)


cdef extern from "pyparts.h":
    int fu_ranges_of(const fu_spans *s, bint params, fu_range *out)
    bint fu_slice_of(object item, fu_slice *out)
    bint fu_optional_slice(object item, bint none, fu_slice *out)
    bint fu_byte_slice(object item, fu_slice *out)
    object fu_ascii_str(const uint8_t *p, size_t n)
    object fu_make_result(
        object cls, object first, const fu_pytext *text, size_t length, const fu_range *ranges, int n
    )
    object fu_part(const fu_pytext *text, size_t length, fu_range range)
    bint fu_tuple_like(object cls)
    bint fu_same_items(object items, object snapshot)
