"""Columns of texts from columns of texts: quote and its kin over rows, without the GIL.

As _columns, this works on addresses: fasturl.arrow holds the buffers alive and makes arrays of them.
"""

import urllib.parse as _urllib

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint8_t, uintptr_t
from libc.string cimport memset

cimport _scan
from _escaping cimport *
from _scan cimport fu_scheme_table

import os

from fasturl import _fastparse
from fasturl._query import _name_octets, _octets_tell

cdef extern from "columns.h" nogil:
    ctypedef struct fu_view:
        int32_t length
    ctypedef struct fu_input:
        int64_t rows
    void fu_view_of(fu_view *view, const uint8_t *p, size_t length, int32_t buffer, int64_t offset)

cdef extern from "query.h" nogil:
    ctypedef struct fu_name:
        const uint8_t *octets
        size_t length

cdef extern from "textcolumns.h" nogil:
    ctypedef enum fu_text_work_kind:
        FU_QUOTE_TEXTS
        FU_UNQUOTE_TEXTS
        FU_NORMALIZE_TEXTS
        FU_QUERY_VALUES
        FU_REDACT_TEXTS
    enum:
        FU_VIEW_MAX
    ctypedef struct fu_text_work:
        fu_text_work_kind kind
        bint text
        const fu_quote_table *quote
        const fu_scheme_table *schemes
        const fu_name *names
        size_t count
        bint octets_tell
        bint has_otherwise
        fu_view otherwise
    ctypedef struct fu_mapping:
        fu_view *views
        uint8_t *validity
        uint8_t *block
        size_t used
        size_t room
        int32_t buffer
        int64_t row
        int64_t end
        int64_t nulls
        size_t needed
        int64_t failed_row
    bint fu_map_rows(const fu_text_work *work, const fu_input *input, fu_mapping *m)

choose_kernel(None)
_scan.fu_start_kernels()
if "FASTURL_KERNEL" in os.environ:
    _scan.fu_use_kernel(os.environ["FASTURL_KERNEL"].encode())

cdef const fu_scheme_table *schemes_table = <const fu_scheme_table *>PyCapsule_GetPointer(
    _fastparse._scheme_table, "fasturl._fastparse._scheme_table")


def _kernels():
    """The names of the kernels for escapes that run on this processor, the plainest first."""
    return kernel_names()


def _use_kernel(name=None):
    """Use one of them from now on, in this module; the best when no name is given. For tests and measurements."""
    choose_kernel(name)


def _use_scan_kernel(str name not None):
    """Take one kernel for the split under ``normalizing``: for tests."""
    if not _scan.fu_use_kernel(name.encode()):
        raise ValueError(f"{name!r} is no kernel that runs here")


cdef bytes ALWAYS = always_kept(_urllib.quote)
cdef dict TABLES = {}


cdef class Work:
    """What to do with each text of a column."""

    cdef fu_text_work work
    cdef fu_name *names
    cdef tuple held                       # what the work points into
    cdef readonly object otherwise        # bytes for the rows that have no value, or None
    cdef readonly bint copies             # no view names the input

    def __dealloc__(self):
        PyMem_Free(self.names)

    cdef int name_all(self, list names) except -1:
        """Point at these names, which are bytes."""
        cdef Py_ssize_t i
        cdef bytes name
        self.held = tuple(names)
        if not names:
            return 0
        self.names = <fu_name *>PyMem_Malloc(len(names) * sizeof(fu_name))
        if self.names == NULL:
            raise MemoryError
        for i in range(len(names)):
            name = names[i]
            self.names[i].octets = octets_of(name)
            self.names[i].length = PyBytes_GET_SIZE(name)
        self.work.names = self.names
        self.work.count = len(names)
        return 0


def quoting(safe):
    """Escape all that ``fasturl.quote`` escapes with this ``safe``."""
    cdef Work made = Work()
    cdef bytes table = safe_table(safe, False, ALWAYS, TABLES)
    if table is None:
        raise TypeError(f"safe must be str or bytes, not {type(safe).__name__}")
    made.work.kind = FU_QUOTE_TEXTS
    made.work.quote = table_of(table)
    made.held = (table,)
    return made


def unquoting(*, bint text):
    """Read escapes; with ``text`` as UTF-8 with errors replaced."""
    cdef Work made = Work()
    made.work.kind = FU_UNQUOTE_TEXTS
    made.work.text = text
    return made


def normalizing():
    """Bring into the normal form of RFC 1738 section 2.2."""
    cdef Work made = Work()
    made.work.kind = FU_NORMALIZE_TEXTS
    made.work.schemes = schemes_table
    return made


def valuing(name, otherwise, *, bint text):
    """Give the first value of a name in the query, or ``otherwise``: bytes, or None for null."""
    cdef Work made = Work()
    cdef bytes octets = _name_octets(name, not text)
    made.name_all([octets])
    made.work.kind = FU_QUERY_VALUES
    made.work.text = text
    made.work.octets_tell = _octets_tell(octets, text)
    made.otherwise = otherwise
    return made


def redacting(keys, *, bint text):
    """Hide the password, and the values of names in the query."""
    cdef Work made = Work()
    made.name_all([*{_name_octets(key, not text) for key in keys}])
    made.work.kind = FU_REDACT_TEXTS
    made.copies = True
    return made


def map_rows(uintptr_t source, Work work not None, uintptr_t views, uintptr_t validity, *, int64_t start, int64_t end,
             take, int32_t otherwise_buffer=0):
    """Do the work for rows [start, end) of a Source, whose address is given, without the GIL. start is a multiple of 64.

    views, validity : addresses, as those of a Sink: 16 octets and one bit a row of the source
    take : called with a number of octets, and how many of the block before are used; gives the address, the size and the
        number of a block of memory with no less
    otherwise_buffer : the number by which views name the work's ``otherwise``
    Returns how many rows are null, and how many octets of the last block are used. ValueError for a text that no view can name, or
    that would become one.
    """
    cdef fu_mapping m
    cdef const fu_input *rows = <const fu_input *>source
    cdef fu_text_work job = work.work
    cdef bytes otherwise = work.otherwise
    cdef bint done
    cdef uintptr_t address
    if otherwise is not None:
        job.has_otherwise = True
        if PyBytes_GET_SIZE(otherwise) > <Py_ssize_t>FU_VIEW_MAX:
            raise ValueError("the default has more octets than a view can name")
        fu_view_of(&job.otherwise, octets_of(otherwise), PyBytes_GET_SIZE(otherwise), otherwise_buffer, 0)
    memset(&m, 0, sizeof(m))
    m.views = <fu_view *>views
    m.validity = <uint8_t *>validity
    m.row = start
    m.end = end
    m.failed_row = -1
    while True:
        with nogil:
            done = fu_map_rows(&job, rows, &m)
        if done:
            return m.nulls, m.used
        if m.failed_row >= 0:
            raise ValueError(f"row {m.failed_row} has or would have more octets than a view can name")
        address, m.room, m.buffer = take(m.needed, m.used)
        m.block = <uint8_t *>address
        m.used = 0
