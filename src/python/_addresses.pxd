"""Declarations of escapes/addresses.h: the recogniser of addresses."""

from libc.stdint cimport uint8_t


cdef extern from "escapes/addresses.h" nogil:
    ctypedef struct fu_address:
        size_t start, end, sign, sign_end, size
        const uint8_t *packed
    ctypedef struct fu_address_search:
        const uint8_t *p
        size_t n
    int fu_next_address(fu_address_search *s, fu_address *out)
