"""Columns of texts from columns of texts: quote and its kin over rows, without the GIL.

As _columns, this works on addresses: fasturl.arrow holds the buffers alive and makes arrays of them.
"""

import urllib.parse as _urllib

from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t, uintptr_t
from libc.string cimport memset

from _escaping cimport *

cdef extern from "columns.h" nogil:
    ctypedef struct fu_view:
        int32_t length
    ctypedef struct fu_input:
        int64_t rows

cdef extern from "textcolumns.h" nogil:
    ctypedef enum fu_text_work_kind:
        FU_QUOTE_TEXTS
        FU_UNQUOTE_TEXTS
    ctypedef struct fu_text_work:
        fu_text_work_kind kind
        bint text
        const fu_quote_table *quote
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


def _kernels():
    """The names of the kernels for escapes that run on this processor, the plainest first."""
    return kernel_names()


def _use_kernel(name=None):
    """Use one of them from now on, in this module; the best when no name is given. For tests and measurements."""
    choose_kernel(name)


cdef bytes ALWAYS = always_kept(_urllib.quote)
cdef dict TABLES = {}


cdef class Work:
    """What to do with each text of a column."""

    cdef fu_text_work work
    cdef tuple held    # what the work points into


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


def map_rows(uintptr_t source, Work work not None, uintptr_t views, uintptr_t validity, *, int64_t start, int64_t end,
             take):
    """Do the work for rows [start, end) of a Source, whose address is given, without the GIL. start is a multiple of 64.

    views, validity : addresses, as those of a Sink: 16 octets and one bit a row of the source
    take : called with a number of octets; gives the address, the size and the number of a block of memory with no less
    Returns how many rows are null. ValueError for a text that no view can name, or
    that would become one.
    """
    cdef fu_mapping m
    cdef const fu_input *rows = <const fu_input *>source
    cdef bint done
    cdef uintptr_t address
    memset(&m, 0, sizeof(m))
    m.views = <fu_view *>views
    m.validity = <uint8_t *>validity
    m.row = start
    m.end = end
    m.failed_row = -1
    while True:
        with nogil:
            done = fu_map_rows(&work.work, rows, &m)
        if done:
            return m.nulls
        if m.failed_row >= 0:
            raise ValueError(f"row {m.failed_row} has or would have more octets than a view can name")
        address, m.room, m.buffer = take(m.needed)
        m.block = <uint8_t *>address
        m.used = 0
