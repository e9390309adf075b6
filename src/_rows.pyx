# distutils: language = c
"""Octets of URLs to rows, for the commands that look at each one.

A row is a tuple of None, bool, int, str, bytes, or a tuple of str. The cut and the judgement are the kernel's, the same
that :func:`fasturl.parse` gives; this room only spares the objects between.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport int32_t, uint8_t, uint32_t

cimport _scan
from _scan cimport fu_form, fu_netloc, fu_scheme_table, fu_spans, fu_verdict

import os

from fasturl import _fastparse

cdef extern from "Python.h":
    bint PyBytes_CheckExact(object value)

_scan.fu_start_kernels()
if "FASTURL_KERNEL" in os.environ:
    _scan.fu_use_kernel(os.environ["FASTURL_KERNEL"].encode())

cdef const fu_scheme_table *schemes_table = <const fu_scheme_table *>PyCapsule_GetPointer(
    _fastparse._scheme_table, b"fasturl._fastparse._scheme_table")


cdef enum:
    WHERE = 4       # file, line, field, url
    PARTS = 9
    WIDTH = 16      # and valid, findings, error_offset


cdef inline void set_item(tuple row, Py_ssize_t place, object value) noexcept:
    Py_INCREF(value)    # the tuple takes a reference over
    PyTuple_SET_ITEM(row, place, value)


cdef inline object cut(const uint8_t *p, size_t start, size_t end):
    return PyBytes_FromStringAndSize(<const char *>p + start, <Py_ssize_t>(end - start))


cdef object port_number(const uint8_t *p, fu_netloc *places):
    """The port, None when there is none, it is empty, or no number up to 65535."""
    cdef size_t i
    cdef int32_t number = 0
    if places.port_start == _scan.FU_ABSENT or places.port_start == places.port_end:
        return None
    for i in range(places.port_start, places.port_end):
        if not _scan.fu_is(p[i], _scan.TERM_DIGIT):
            return None
        number = number * 10 + p[i] - 48
        if number > 65535:
            return None
    return number


cdef int fill(tuple row, Py_ssize_t at, object url, fu_form form, object names) except -1:
    """Put the parts and the verdict of a URL into its row, from place `at`."""
    cdef const uint8_t *p = <const uint8_t *>PyBytes_AS_STRING(url)
    cdef size_t n = <size_t>PyBytes_GET_SIZE(url)
    cdef fu_spans spans
    cdef fu_netloc places
    cdef fu_verdict verdict
    cdef uint32_t findings = 0
    cdef object offset = None
    cdef Py_ssize_t i
    _scan.fu_split(schemes_table, p, n, form, False, &spans)
    if not spans.flags & _scan.FU_CLEAN:
        _scan.fu_start_verdict(&verdict)
        _scan.fu_judge(schemes_table, p, &spans, form, &verdict)
        findings = verdict.findings
        if verdict.error_offset != _scan.FU_ABSENT:
            offset = verdict.error_offset
        if spans.scheme != _scan.FU_NO_SCHEME and _scan.fu_shape_of(schemes_table, spans.scheme) == _scan.FU_SHAPE_CUSTOM:
            # Productions in Python: the URL object knows how to ask them.
            judged = _fastparse.parse(url, form="url" if form == _scan.FU_FORM_URL else "request-target")
            findings = <uint32_t><int>judged.findings
            offset = judged.error_offset
    if not spans.flags & _scan.FU_HAS_SCHEME:
        set_item(row, at, None)
    elif spans.scheme == _scan.FU_NO_SCHEME:
        set_item(row, at, cut(p, 0, spans.scheme_end).lower())
    else:
        set_item(row, at, PyBytes_FromStringAndSize(
            schemes_table.entries[spans.scheme].name, schemes_table.entries[spans.scheme].length))
    if spans.flags & _scan.FU_HAS_NETLOC:
        _scan.fu_cut_netloc(p, spans.netloc_start, spans.path_start, &places)
        set_item(row, at + 1, cut(p, spans.netloc_start, spans.path_start))
        set_item(row, at + 2, None if places.user_start == _scan.FU_ABSENT else cut(p, places.user_start, places.user_end))
        set_item(row, at + 3, None if places.password_start == _scan.FU_ABSENT else
                 cut(p, places.password_start, places.password_end))
        set_item(row, at + 4, cut(p, places.host_start, places.host_end))
        set_item(row, at + 5, port_number(p, &places))
    else:
        for i in range(1, 6):
            set_item(row, at + i, None)
    set_item(row, at + 6, cut(p, spans.path_start, spans.path_end))
    set_item(row, at + 7, cut(p, spans.path_end + 1, spans.query_end) if spans.flags & _scan.FU_HAS_QUERY else None)
    set_item(row, at + 8, cut(p, spans.query_end + 1, n) if spans.flags & _scan.FU_HAS_FRAGMENT else None)
    set_item(row, at + 9, not findings & _scan.FU_VIOLATIONS)
    set_item(row, at + 10, names[findings])
    set_item(row, at + 11, offset)
    return 0


def url_rows(file, list numbers not None, list fields not None, list urls not None, list details not None,
             frozenset targets not None, names not None):
    """One row a URL: (file, line, field, url, scheme, netloc, username, password, host, port, path, query, fragment,
    valid, findings, error_offset, *details).

    numbers, fields, urls, details : the line, the field, the octets (bytes; TypeError else) and the tuple of details of each URL;
        ValueError when they are not of one length
    targets : the fields that are read with form="request-target"; the others are read as URLs
    names : a mapping of finding bits to what stands for them in the row
    Absent parts are None, empty ones b""; a port that is no number up to 65535 is None, and BAD_PORT says why.
    Cost: one pass over each URL.

    >>> url_rows(b"f", [1], ["url"], [b"HTTP://h:80/?"], [()], frozenset(), {0: ()})
    [(b'f', 1, 'url', b'HTTP://h:80/?', b'http', b'h:80', None, None, b'h', 80, b'/', b'', None, True, (), None)]
    """
    cdef Py_ssize_t count = len(urls), i, j
    cdef tuple row, detail
    cdef fu_form form
    cdef object url, field, last = None
    cdef bint target = False
    cdef list rows = []
    if not len(numbers) == len(fields) == len(details) == count:
        raise ValueError("numbers, fields, urls and details differ in length")
    for i in range(count):
        url, field, detail = urls[i], fields[i], details[i]
        if not PyBytes_CheckExact(url) or detail is None:
            raise TypeError("a URL must be bytes, and its details a tuple")
        if field is not last:
            target = field in targets
            last = field
        form = _scan.FU_FORM_TARGET if target else _scan.FU_FORM_URL
        row = PyTuple_New(WIDTH + len(detail))
        # The tuple is no one else's until it is full; empty places are NULL, which it can be dropped with.
        set_item(row, 0, file)
        set_item(row, 1, numbers[i])
        set_item(row, 2, field)
        set_item(row, 3, url)
        fill(row, WHERE, url, form, names)
        for j in range(len(detail)):
            set_item(row, WIDTH + j, detail[j])
        rows.append(row)
    return rows
