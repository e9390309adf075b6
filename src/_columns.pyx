"""The kernel's column side: rows of an Arrow array in, views and bitmaps out, without the GIL.

Everything here works on addresses: fasturl.arrow holds the buffers alive, sizes them, and makes arrays of them.
"""

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

cimport _scan
from _scan cimport fu_form, fu_scheme_table

import os

from fasturl import _fastparse

cdef extern from "columns.h" nogil:
    enum:
        FU_OFFSETS_32
        FU_OFFSETS_64
        FU_VIEWS
        FU_TEXT_COLUMNS
        FU_COLUMNS
        FU_COLUMN_PORT
        FU_COLUMN_FINDINGS
        FU_COLUMN_VALID
        FU_COLUMN_ERROR_OFFSET
        FU_WINDOW_BITS
    ctypedef enum fu_layout:
        pass
    ctypedef struct fu_view:
        int32_t length
    ctypedef struct fu_input:
        fu_layout layout
        const uint8_t *validity
        int64_t first
        int64_t rows
        const void *places
        const uint8_t *data
        const uint8_t *const *view_data
        const uint8_t *targets
    ctypedef struct fu_arena:
        uint8_t *octets
        size_t used
        int32_t buffer
    ctypedef struct fu_custom_row:
        int64_t row
        uint32_t scheme
    ctypedef struct fu_worker:
        fu_arena arena
        fu_custom_row *custom
        size_t customs
        int64_t nulls[13]
        uint32_t opened
        int64_t failed_row
        bint out_of_memory
    ctypedef struct fu_output:
        uint32_t wanted
        fu_view *texts[9]
        uint16_t *port
        uint32_t *findings
        uint8_t *valid
        int32_t *error_offset
        uint8_t *validity[13]
    void fu_zero_column(fu_output *output, int column, int64_t start, int64_t stop)
    void fu_parse_rows(const fu_scheme_table *table, const fu_input *input, fu_output *output, fu_form form,
                       int64_t start, int64_t end, fu_worker *worker)

_scan.fu_start_kernels()
if "FASTURL_KERNEL" in os.environ:
    _scan.fu_use_kernel(os.environ["FASTURL_KERNEL"].encode())

cdef const fu_scheme_table *schemes_table = <const fu_scheme_table *>PyCapsule_GetPointer(
    _fastparse._scheme_table, "fasturl._fastparse._scheme_table")

# The columns by name, in the kernel's order.
NAMES = (
    "scheme", "netloc", "username", "password", "host", "hostname", "path", "query", "fragment",
    "port", "findings", "valid", "error_offset",
)
TEXT_NAMES = NAMES[:FU_TEXT_COLUMNS]
WINDOW_BITS = FU_WINDOW_BITS
TEXT_MAX = 1 << FU_WINDOW_BITS

LAYOUTS = {"offsets32": FU_OFFSETS_32, "offsets64": FU_OFFSETS_64, "views": FU_VIEWS}


def _use_kernel(str name not None):
    """Take one kernel for all columns that follow: for tests and benchmarks."""
    if not _scan.fu_use_kernel(name.encode()):
        raise ValueError(f"{name!r} is no kernel that runs here")


cdef extern from "rooms.h" nogil:
    void *fu_room_take(size_t size)
    void fu_room_give(void *room, size_t size)


cdef class Room:
    """Memory for the columns of one batch, not zeroed; through the buffer protocol. When the last array that stands in
    it is gone it is kept for the next batch: fresh pages from the system cost more than filling them."""

    cdef void *start
    cdef Py_ssize_t size

    def __cinit__(self, Py_ssize_t size):
        if size < 0:
            raise ValueError("size must not be negative")
        self.start = fu_room_take(<size_t>size)
        if self.start == NULL:
            raise MemoryError()
        self.size = size

    def __dealloc__(self):
        if self.start != NULL:
            fu_room_give(self.start, <size_t>self.size)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.start, self.size, 0, flags)

    @property
    def address(self):
        """int: where it starts."""
        return <uintptr_t>self.start


cdef class Source:
    """The addresses of one array's rows. Whoever makes it keeps their buffers alive."""

    cdef fu_input input

    def __cinit__(self, str layout not None, int64_t first, int64_t rows, uintptr_t validity, uintptr_t places,
                  uintptr_t data, tuple view_data not None, uintptr_t targets=0):
        cdef Py_ssize_t i
        cdef const uint8_t **addresses
        self.input.layout = <fu_layout><int>LAYOUTS[layout]
        self.input.first = first
        self.input.rows = rows
        self.input.validity = <const uint8_t *>validity
        self.input.places = <const void *>places
        self.input.data = <const uint8_t *>data
        self.input.targets = <const uint8_t *>targets
        if view_data:
            addresses = <const uint8_t **>malloc(len(view_data) * sizeof(void *))
            if addresses == NULL:
                raise MemoryError()
            for i in range(len(view_data)):
                addresses[i] = <const uint8_t *><uintptr_t>view_data[i]
            self.input.view_data = <const uint8_t *const *>addresses

    def __dealloc__(self):
        free(<void *>self.input.view_data)

    @property
    def address(self):
        """int: where its fu_input is, for the other extension that reads columns."""
        return <uintptr_t>&self.input


cdef class Sink:
    """The addresses of the columns to write, by name: (values, validity) each. They are of the source's rows, the views
    16 octets a row, port two, findings and error_offset four, valid and every validity one bit."""

    cdef fu_output output

    def __cinit__(self, dict columns not None):
        cdef int column
        cdef uintptr_t values, validity
        for name, (values, validity) in columns.items():
            column = NAMES.index(name)
            self.output.wanted |= <uint32_t>1 << column
            self.output.validity[column] = <uint8_t *>validity
            if column < FU_TEXT_COLUMNS:
                self.output.texts[column] = <fu_view *>values
            elif column == FU_COLUMN_PORT:
                self.output.port = <uint16_t *>values
            elif column == FU_COLUMN_FINDINGS:
                self.output.findings = <uint32_t *>values
            elif column == FU_COLUMN_VALID:
                self.output.valid = <uint8_t *>values
            else:
                self.output.error_offset = <int32_t *>values


def parse_rows(Source source not None, Sink sink not None, *, bint request_target, int64_t start, int64_t end,
               int32_t arena_buffer):
    """Read rows [start, end) of the source into the sink, without the GIL. start is a multiple of 64; callers may share
    a source and a sink when their rows do not meet in a block of 64.

    arena_buffer : the number by which views name the octets that stand nowhere in the input
    Returns (nulls by column, the columns that were written, those octets or None, rows of custom schemes as (row, scheme
    index)). A column without a value in these rows is left as it was: zero_rows makes it one of zeros. ValueError for a text
    of over TEXT_MAX octets, which no view can name.
    """
    cdef fu_worker worker
    cdef fu_form form = _scan.FU_FORM_TARGET if request_target else _scan.FU_FORM_URL
    cdef size_t i
    memset(&worker, 0, sizeof(worker))
    worker.arena.buffer = arena_buffer
    worker.failed_row = -1
    try:
        with nogil:
            fu_parse_rows(schemes_table, &source.input, &sink.output, form, start, end, &worker)
        if worker.out_of_memory:
            raise MemoryError()
        if worker.failed_row >= 0:
            raise ValueError(f"row {worker.failed_row} has over {TEXT_MAX} octets, more than a view can name")
        nulls = {NAMES[i]: worker.nulls[i] for i in range(FU_COLUMNS) if sink.output.wanted >> i & 1}
        octets = None
        if worker.arena.used:
            octets = PyBytes_FromStringAndSize(<const char *>worker.arena.octets, <Py_ssize_t>worker.arena.used)
        custom = [(worker.custom[i].row, worker.custom[i].scheme) for i in range(worker.customs)]
        opened = {NAMES[i] for i in range(FU_COLUMNS) if worker.opened >> i & 1}
        return nulls, opened, octets, custom
    finally:
        free(worker.arena.octets)
        free(worker.custom)


def zero_rows(Sink sink not None, str name not None, int64_t start, int64_t end):
    """Make the values of a column zero in rows [start, end)."""
    fu_zero_column(&sink.output, NAMES.index(name), start, end)
