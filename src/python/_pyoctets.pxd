"""Declarations of pyoctets.h: conversion of an object to an exact text, and access to its bytes."""

from libc.stdint cimport uint8_t

cdef extern from "pyoctets.h":
    ctypedef struct fu_octets:
        const uint8_t *p
        size_t n
        const void *points
        int width
        uint8_t *owned
    object fu_exact_text(object text, object url_class, const char *caller)
    int fu_octets_of(object text, fu_octets *out) except -1
    void fu_free_octets(fu_octets *octets)
    object fu_substring(object text, size_t start, size_t end)
    object fu_lower_substring(object text, size_t start, size_t end)
