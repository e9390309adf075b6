"""Declarations of pybytes.h: conversion of an object to an exact text, and access to its bytes."""

from libc.stdint cimport uint8_t

cdef extern from "pybytes.h":
    ctypedef struct fu_bytes:
        const uint8_t *p
        size_t n
        const void *points
        int width
        uint8_t *owned
    object fu_exact_text(object text, object url_class, const char *caller)
    int fu_bytes_of(object text, fu_bytes *out) except -1
    void fu_free_bytes(fu_bytes *data)
    object fu_substring(object text, size_t start, size_t end)
    object fu_lower_substring(object text, size_t start, size_t end)
