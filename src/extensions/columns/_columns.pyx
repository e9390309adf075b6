"""Run the kernel on the rows of Arrow arrays, without the GIL: parse URLs into columns, and map texts to texts.

All functions take addresses. fasturl.arrow allocates the buffers, keeps them alive, and wraps them in arrays.
"""

import os
import urllib.parse as _urllib

from cpython.buffer cimport PyBuffer_FillInfo
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free
from libc.stdint cimport INT32_MAX, int8_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcpy, memset

from _escaping cimport *
from _forms cimport form_of
from _pytext cimport *
from _runtime cimport FUNCTION_NAME, GATHER_NAME, borrow, import_runtime, refuse_new, runtime
from _scan cimport *
from _textrows cimport *

from fasturl._originals import FRESH
from fasturl._urllib import _bytes_tell, _name_bytes, _value_name, compiled_here

import_runtime()


def _after_fork():
    """Make the pool usable in a forked process, even if another thread of the parent was using it."""
    fu_pool_after_fork()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)

cdef dict TABLES = {}
cdef enum:
    FIRST_COPIES = 1 << 16  # bytes of a column's first buffer; its rows predict the size of the rest

# The columns in the kernel's order: (name, type, bytes per row). The type is "text" or a name of an Arrow type. A width
# of 0 bytes means one bit.
FIELDS = tuple([
    (fu_fields[i].name.decode(), fu_fields[i].type.decode(), fu_fields[i].width) for i in range(FU_COLUMNS)
])
NAMES = tuple([name for name, _, _ in FIELDS])
WINDOW_BITS = FU_WINDOW_BITS

# For each layout: the kernel's number, the bytes per row in the buffer of offsets or views, and its entries beyond one
# per row.
LAYOUTS = {"offsets32": (FU_OFFSETS_32, 4, 1), "offsets64": (FU_OFFSETS_64, 8, 1), "views": (FU_VIEWS, 16, 0)}


cdef class PooledBuffer:
    """Memory for the columns of one batch, exposed by the buffer protocol and not zeroed.

    The pool keeps the memory for the next batch after the last array that uses it dies. Fresh pages from the system
    cost more than filling them.

    sizes : the size of each part in bytes. Each part starts at a multiple of 64 bytes. The bytes between the parts are
        zero, so that they leak no data of an earlier batch.
    """

    cdef void *start
    cdef Py_ssize_t size
    cdef readonly tuple starts  # the offset of each part in bytes

    def __cinit__(self, *sizes):
        cdef Py_ssize_t size, end, total = 0
        starts = []
        for size in sizes:
            if not 0 <= size <= PY_SSIZE_T_MAX - 64 - total:
                raise ValueError("a size is negative, or they are too large")
            starts.append(total)
            self.size = total + size
            total = (self.size + 63) & ~63
        self.start = fu_pool_acquire(<size_t>total)
        if self.start == NULL:
            raise MemoryError()
        self.starts = tuple(starts)
        starts.append(total)
        for i, size in enumerate(sizes):
            end = self.starts[i] + size
            memset(<uint8_t *>self.start + end, 0, <size_t>(<Py_ssize_t>starts[i + 1] - end))

    def __dealloc__(self):
        if self.start != NULL:
            fu_pool_release(self.start, (<size_t>self.size + 63) & ~<size_t>63)

    def __getbuffer__(self, Py_buffer *view, int flags):
        PyBuffer_FillInfo(view, self, self.start, self.size, 0, flags)

    @property
    def address(self):
        """int: the address of the first byte."""
        return <uintptr_t>self.start


cdef class InputColumn:
    """The addresses of one array's buffers. The caller keeps the buffers alive.

    layout : one of LAYOUTS
    offset, rows : the array's offset and length, in rows
    validity, offsets : (address, size in bytes) of each buffer; validity is (0, 0) if there are no nulls
    data : (address, size in bytes) of each data buffer: one for offsets, any number for views
    targets : the address of one bit per row that marks request targets; 0 if no row is one
    name, first : the word for a row in error messages, and the number of the first row
    ValueError if the validity bitmap or the offsets are too short for the rows. The values of offsets and views are
    checked when a row is read.
    """

    cdef fu_input input
    cdef str name
    cdef int64_t first

    def __cinit__(self, str layout not None, int64_t offset, int64_t rows, tuple validity not None,
                  tuple offsets not None, list data not None, uintptr_t targets=0, str name="row", int64_t first=0):
        cdef Py_ssize_t i
        cdef fu_buffer *buffers
        cdef uintptr_t address
        cdef int64_t size, width, more
        self.name, self.first = name, first
        code, width, more = LAYOUTS[layout]
        if offset >> 48 or rows >> 48:  # the limit keeps the sums below from overflow
            raise ValueError("offset or length of the array is negative or too large")
        self.input.layout = <fu_layout><int>code
        self.input.offset, self.input.rows = offset, rows
        address, size = validity
        if address and size < (offset + rows + 7) // 8:
            raise ValueError("the validity bitmap is shorter than the array")
        self.input.validity = <const uint8_t *>address
        address, size = offsets
        if rows and (not address or size // width < offset + rows + more):
            raise ValueError(f"the buffer of {'views' if code == FU_VIEWS else 'offsets'} is shorter than the array")
        self.input.offsets = <const void *>address
        self.input.targets = <const uint8_t *>targets
        buffers = <fu_buffer *>malloc((len(data) + 1) * sizeof(fu_buffer))
        if buffers == NULL:
            raise MemoryError()
        self.input.buffers = buffers
        for i in range(len(data)):
            address, size = data[i]
            buffers[i].data = <const uint8_t *>address
            buffers[i].size = size if address else 0
        self.input.buffer_count = <int32_t>len(data)

    def __dealloc__(self):
        free(<void *>self.input.buffers)

    cdef object failure(self, int64_t row, fu_fault fault):
        return ValueError(f"{self.name} {self.first + row} {fu_fault_words[<int>fault].decode()}")

    def data(self, int64_t row):
        """Return a copy of the text of a row that is not null, as bytes. ValueError for a row with a fault."""
        cdef fu_arrow_text text
        cdef fu_fault fault
        if not 0 <= row < self.input.rows:
            raise IndexError("no such row")
        fault = fu_load_text(&self.input, row, &text)
        if fault != FU_FAULT_NONE:
            raise self.failure(row, fault)
        return PyBytes_FromStringAndSize(<const char *>text.p, text.length)

    cdef fu_fault text_at(self, const int64_t *places, int64_t line, int64_t *row, fu_arrow_text *text) noexcept nogil:
        row[0] = line if places == NULL else places[line]
        if 0 <= row[0] < self.input.rows and fu_validity_word(&self.input, row[0], 1):
            return fu_load_text(&self.input, row[0], text)
        text.p, text.length = b"", 0
        return FU_FAULT_NONE


cdef class OutputColumns:
    """The columns to write, by name.

    Parts 2 * i and 2 * i + 1 of the memory hold the values and the validity of column i. Both have one entry per row of
    the input. FIELDS has the width of a value; validity has one bit per row.
    """

    cdef fu_output output
    cdef PooledBuffer memory

    def __cinit__(self, tuple names not None, PooledBuffer memory not None):
        cdef int column
        cdef Py_ssize_t i
        cdef uintptr_t start = memory.address
        self.memory = memory
        if len(memory.starts) != 2 * len(names):
            raise ValueError("there must be two parts for each column")
        for i in range(len(names)):
            column = NAMES.index(names[i])
            self.output.wanted |= <uint32_t>1 << column
            self.output.values[column] = <void *>(start + <uintptr_t>memory.starts[2 * i])
            self.output.validity[column] = <uint8_t *>(start + <uintptr_t>memory.starts[2 * i + 1])


def join_lines(InputColumn source not None, int64_t count, uintptr_t places):
    """Return rows of the source as lines that end with a line feed, without the GIL. A null becomes an empty line.

    Line feeds at the end of a text are left out. A text with another line feed becomes an empty line.

    count : the number of lines
    places : the address of each line's row, 8 bytes, negative for a null; 0 for the first rows in order
    ValueError for a row with a fault, and for lines of 2**31 bytes or more. Cost: O(bytes).
    """
    cdef fu_arrow_text text
    cdef fu_fault fault
    cdef int64_t line, row = 0, n, size = count
    cdef uint8_t *to
    cdef uint8_t *end
    cdef bytes block
    with nogil:
        for line in range(count):
            fault = source.text_at(<const int64_t *>places, line, &row, &text)
            if fault != FU_FAULT_NONE:
                break
            size += text.length
            if size > INT32_MAX:
                break
    if count and fault != FU_FAULT_NONE:
        raise source.failure(row, fault)
    if size > INT32_MAX:
        raise ValueError("the lines have 2**31 bytes or more: give fewer at once")
    block = PyBytes_FromStringAndSize(NULL, size)
    to = <uint8_t *>PyBytes_AS_STRING(block)
    end = to + size
    with nogil:
        for line in range(count):
            fault = source.text_at(<const int64_t *>places, line, &row, &text)
            n = text.length
            # Another thread may have changed the offsets.
            if fault != FU_FAULT_NONE or n > end - to - (count - line):
                break
            memcpy(to, text.p, <size_t>n)
            while n and to[n - 1] == c"\n":
                n -= 1
            if memchr(to, c"\n", <size_t>n) != NULL:
                n = 0
            to += n
            to[0] = c"\n"
            to += 1
        else:
            line = count
    if line < count:
        raise ValueError("the column changed while it was read")
    return block if to == end else block[:size - (end - to)]


include "copies.pxi"


def parse_rows(InputColumn source not None, OutputColumns out not None, *, bint request_target, int64_t start, int64_t end,
               int32_t arena_buffer, Copies copies=None):
    """Parse rows [start, end) of the input into the output, without the GIL. start is a multiple of 64.

    Several threads may share the input and the output if no two of them write to the same block of 64 rows.

    arena_buffer : the buffer number in views of bytes that are not in the input, as a long host in lower case
    copies : space for end - start rows of the wanted text columns, which then have no values; None to write views
    Returns (nulls by column, the names of the written columns, the bytes that are not in the input or None, True if a
    hostname has characters above 7F, whose case is not changed). The values of a column without a value in these rows stay unwritten: call zero_rows for them. ValueError names a row with a fault.
    """
    cdef fu_worker worker
    cdef fu_form form = FU_FORM_TARGET if request_target else FU_FORM_URL
    cdef size_t i
    memset(&worker, 0, sizeof(worker))
    worker.arena.buffer = arena_buffer if copies is None else -1
    worker.failed_row = -1
    worker.start = worker.next = start
    if copies is not None:
        worker.copies = copies.copies
        worker.copies.needed = 64 * FU_COPY_SLACK
        copies.make_space(0)
    try:
        while True:
            with nogil:
                runtime.kernel.parse_rows(runtime.schemes, &source.input, &out.output, form, worker.next, end, &worker)
            if worker.out_of_memory:
                raise MemoryError()
            if worker.failed_row >= 0:
                raise source.failure(worker.failed_row, worker.fault)
            if copies is None or worker.next >= end:
                break
            copies.make_space(worker.next - start)
        if copies is not None:
            copies.finish()
            worker.arena.used = 0
        nulls = {NAMES[i]: worker.nulls[i] for i in range(FU_COLUMNS) if out.output.wanted >> i & 1}
        data = None
        if worker.arena.used:
            data = PyBytes_FromStringAndSize(<const char *>worker.arena.data, <Py_ssize_t>worker.arena.used)
        opened = {NAMES[i] for i in range(FU_COLUMNS) if worker.opened >> i & 1}
        return nulls, opened, data, worker.has_wide_host
    finally:
        free(worker.arena.data)


def zero_rows(OutputColumns out not None, str name not None, int64_t start, int64_t end):
    """Set the values of a column to zero in rows [start, end)."""
    fu_zero_column(&out.output, NAMES.index(name), start, end)


include "gather.pxi"

# --- columns of a few distinct words ----------------------------------------------------------------------------------


def encode_words(uintptr_t views, uintptr_t offsets, uintptr_t data, uintptr_t validity, int64_t rows, uintptr_t numbers):
    """Encode a column of few distinct short words as a dictionary: write the 32-bit number of each row's word.

    views : the address of the column's views; 0 for a column of bytes with 32-bit offsets
    validity : the address of the bitmap; 0 if there are no nulls
    Returns the words in the order of their numbers. Returns None if there are more than 64 words, or a word is longer
    than 12 bytes; then the numbers mean nothing.
    """
    cdef fu_words known
    cdef int count, i
    with nogil:
        count = fu_encode_words(<const fu_view *>views, <const int32_t *>offsets, <const uint8_t *>data,
                                <const uint8_t *>validity, rows, <int32_t *>numbers, &known)
    if count < 0:
        return None
    words = []
    for i in range(count):
        words.append(PyBytes_FromStringAndSize(<const char *>known.words[i].data, known.words[i].length))
    return words

# --- texts to texts --------------------------------------------------------------------------------------------------


cdef class Work:
    """An operation on each text of a column."""

    cdef fu_text_work work
    cdef fu_name *names
    cdef tuple held                       # owns the memory that the work points to
    cdef InputColumn others               # the second column, or None
    cdef object ask                       # answers rows that the kernel cannot: takes bytes, returns bytes or None
    cdef readonly object otherwise        # the bytes of rows without a value, or None
    cdef bytes mark                       # what stands for a secret
    cdef readonly bint copies             # the views point only to new memory, never to the input

    def __dealloc__(self):
        PyMem_Free(self.names)

    cdef int name_all(self, tuple names) except -1:
        """Set the names of the work, which are bytes."""
        self.held = names
        set_names(&self.names, names, self.work.kind == FU_REDACT_TEXTS)
        self.work.names = self.names
        self.work.count = <size_t>len(names)
        return 0


refuse_new(Work)


cdef Work new_work(fu_text_work_kind kind, bint text=False, bint plus=False):
    """text : decode as UTF-8 with errors replaced; plus : decode a + as a space"""
    cdef Work result = Work.__new__(Work)
    result.work.kind = kind
    result.work.schemes = runtime.schemes
    result.work.text, result.work.plus = text, plus
    return result


def quoting(safe, *, bint plus=False):
    """Return the Work that escapes as ``fasturl.quote`` or, with ``plus``, ``fasturl.quote_plus`` does."""
    cdef Work result = new_work(FU_QUOTE_TEXTS)
    cdef bytes table = safe_table(safe, plus, TABLES)
    if table is None:
        raise TypeError(f"safe must be str or bytes, not {type(safe).__name__}")
    result.work.quote = table_of(table)
    result.held = (table,)
    return result


def unquoting(*, bint text, bint plus=False):
    """Return the Work that decodes escapes.

    text : decode as UTF-8 with errors replaced
    plus : decode a + as a space
    """
    return new_work(FU_UNQUOTE_TEXTS, text, plus)


def unquoting_safely(*, bint text):
    """Return the Work that decodes escapes except those of control characters.

    The result is UTF-8 with errors replaced, also in binary columns: a reader may take an invalid byte for a control
    character.
    """
    return new_work(FU_UNQUOTE_TEXTS_SAFELY, text)


def joining(bytes base not None, join):
    """Return the Work that joins references to ``base`` as urljoin does.

    join : the fallback for one reference, called where Python versions differ or check the text
    """
    cdef Work result = new_work(FU_JOIN_TEXTS)
    cdef fu_join_base *to = &result.work.base
    cdef bytes clean = base.translate(None, b"\t\r\n") or base  # urllib deletes these once, not in each row
    cdef bytes scheme, netloc
    result.otherwise = base
    result.ask = join
    to.p, to.n = bytes_of(clean), PyBytes_GET_SIZE(clean)
    runtime.kernel.split(runtime.schemes, to.p, to.n, FU_FORM_URL, False, &to.spans)
    scheme = clean[:to.spans.scheme_end].lower()
    netloc = clean[to.spans.netloc_start:to.spans.path_start]
    result.held = (clean, scheme)
    to.scheme.p, to.scheme.n = bytes_of(scheme), PyBytes_GET_SIZE(scheme)
    name = scheme.decode("ascii", "replace")
    to.is_relative, to.uses_netloc = name in _urllib.uses_relative, name in _urllib.uses_netloc
    to.depends_on_version = fu_version_dependent_params(to.p, &to.spans)
    to.is_sure = (
        joins_here() and to.n > 0 and clean[0] > 0x20 and b"\n" not in clean and netloc.isascii()
        and b"[" not in netloc and b"]" not in netloc)
    return result


cdef bint joins_here() except -1:
    """Return True if the running urljoin is the one that the kernel follows."""
    return "urljoin" in compiled_here() and getattr(_urllib, "scheme_chars", None) == FRESH.get("scheme_chars")


cdef Work paired(fu_text_work_kind kind, InputColumn others, bint text=False):
    """Return a Work of two columns. The caller keeps the buffers of the second one alive."""
    cdef Work result = new_work(kind, text)
    result.work.others = &others.input
    result.others = others
    return result


def joining_each(InputColumn bases not None, join):
    """Return the Work that joins each reference to the base of its row. join : the fallback for a base and a reference"""
    cdef Work result = paired(FU_JOIN_PAIRS, bases)
    result.ask = join
    result.work.base.is_relative = {"", "http", "https"} <= set(_urllib.uses_relative)
    result.work.base.uses_netloc = {"", "http", "https"} <= set(_urllib.uses_netloc)
    result.work.base.is_sure = joins_here() and result.work.base.is_relative and result.work.base.uses_netloc
    return result


def valuing_each(InputColumn names not None, otherwise, *, bint text):
    """Return the Work that extracts the first value of the name of each row in its query. otherwise : as for valuing"""
    cdef Work result = paired(FU_QUERY_VALUE_PAIRS, names, text)
    result.otherwise = otherwise
    return result


def normalizing():
    """Return the Work that normalizes by RFC 1738 section 2.2."""
    return new_work(FU_NORMALIZE_TEXTS)


def valuing(name, otherwise, *, bint text):
    """Return the Work that extracts the first value of a name in the query.

    otherwise : the bytes for rows without the name; None for null
    """
    cdef Work result = new_work(FU_QUERY_VALUES, text)
    cdef bytes data = _value_name(name, not text)
    result.name_all((data,))
    fu_set_first_bytes(&result.work.firsts, result.names)
    result.work.bytes_tell = _bytes_tell(data, text)
    result.otherwise = otherwise
    return result


def redacting(keys, bytes mark=b"***", *, bint text, bint quotes_urls=False, bint user=False):
    """Return the Work that hides passwords, tokens and the values of secret names.

    mark : what stands for a secret
    quotes_urls : the rows are texts that may quote URLs, as lines of a log, not URLs
    """
    cdef Work result = new_work(FU_REDACT_TEXTS)
    result.mark = mark
    result.work.mark.p, result.work.mark.n = bytes_of(mark), PyBytes_GET_SIZE(mark)
    result.work.hides_users = user
    result.name_all(tuple({_name_bytes(key, not text) for key in keys}))
    fu_set_last_bytes(&result.work.firsts, result.names, result.work.count)
    result.work.quotes_urls = quotes_urls
    result.copies = True
    return result


def applying(function):
    """Return the Work that applies a ``Function`` of ``fasturl._functions``."""
    cdef Work result = new_work(FU_APPLY_FUNCTION)
    result.held = (function,)
    result.work.function = borrow(function, FUNCTION_NAME)
    result.ask = function.answer
    return result


def map_rows(InputColumn source not None, Work work not None, uintptr_t views, uintptr_t validity, *, int64_t start, int64_t end,
             take, int32_t otherwise_buffer=0):
    """Do the work for rows [start, end) of an InputColumn and write views, without the GIL. start is a multiple of 64.

    views, validity : addresses of 16 bytes and of one bit per row of the source
    take : allocates a block; called with the least size in bytes and the used bytes of the previous block; returns the
        address, the size and the buffer number of the block
    otherwise_buffer : the buffer number in views of the work's ``otherwise``
    Returns the number of null rows, and the used bytes of the last block. ValueError names a row with a fault.
    """
    cdef fu_mapping m
    cdef uintptr_t address
    cdef list answers = []
    start_mapping(&m, validity, start, end)
    m.views = <fu_view *>views
    while not mapped_to_end(&m, work, source, otherwise_buffer, answers):
        address, m.capacity, m.buffer = take(m.needed, m.used)
        m.block = <uint8_t *>address
        m.used = 0
    return m.nulls, m.used


cdef void start_mapping(fu_mapping *m, uintptr_t validity, int64_t start, int64_t end) noexcept:
    memset(m, 0, sizeof(m[0]))
    m.validity = <uint8_t *>validity
    m.start = m.row = start
    m.end = end
    m.failed_row = -1


cdef bint mapped_to_end(fu_mapping *m, Work work, InputColumn source, int32_t otherwise_buffer, list answers) except -1:
    """Continue the work. Return False if the current row needs m.needed more bytes, True at the end.

    answers : owns the answer that m points to until the next call returns
    """
    cdef fu_text_work job = work.work
    cdef bytes otherwise = work.otherwise
    cdef bytes answer = None
    cdef bint done
    if work.others is not None and work.others.input.rows != source.input.rows:
        raise ValueError("the columns must have as many rows")
    if otherwise is not None:
        job.has_otherwise = True
        if PyBytes_GET_SIZE(otherwise) > <Py_ssize_t>FU_VIEW_MAX:
            raise ValueError("the default has more bytes than a view can hold")
        job.other_text, job.other_length = bytes_of(otherwise), PyBytes_GET_SIZE(otherwise)
        fu_view_of(&job.otherwise, job.other_text, job.other_length, otherwise_buffer, 0)
    while True:
        with nogil:
            done = runtime.kernel.map_rows(&job, &source.input, m)
        if done:
            return True
        if m.failed_row >= 0:
            raise (work.others if m.failed_other else source).failure(m.failed_row, <fu_fault>m.fault)
        if not m.asks:
            return False
        text = source.data(m.row)
        answer = work.ask(text) if work.others is None else work.ask(work.others.data(m.row), text)
        m.asks, m.is_answered = False, True
        m.answer, m.answer_length = NULL, 0
        answers[:] = [answer]
        if answer is not None:
            m.answer, m.answer_length = bytes_of(answer), PyBytes_GET_SIZE(answer)


include "rowtext.pxi"
