# Part of _functions.pyx: columns of lists, of several values per row, and of numbers. The functions take addresses and run
# without the GIL.

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from _scan cimport *

cdef dict LISTS = {
    "path_prefixes": FU_LISTS_PATH_PREFIXES,
    "url_prefixes": FU_LISTS_URL_PREFIXES,
    "query": FU_LISTS_QUERY,
}


cdef class Gather:
    """An operation that gathers a list, several values, or a number from each text of a column."""

    cdef fu_gather_work work
    cdef Names names           # owns the names that the work points to
    cdef readonly list unsure  # the indexes of the names that cannot be compared as bytes; see _octets_tell

    @property
    def pointer(self):
        """A capsule of the fu_gather_work, which lives as long as this object."""
        return PyCapsule_New(&self.work, GATHER_NAME, NULL)


refuse_new(Gather)


cdef int check_kind(Gather work, fu_gather_kind kind, fu_gather_kind other) except -1:
    """Raise TypeError for work of neither kind: it would write to memory that is not allocated."""
    if work.work.kind != kind and work.work.kind != other:
        raise TypeError("the Gather is of another kind")
    return 0


cdef Gather new_gather(fu_gather_kind kind, object form):
    cdef Gather result = Gather.__new__(Gather)
    result.work.kind = kind
    result.work.form = form_named(form)
    result.work.schemes = runtime.schemes
    return result


def _listing(str name not None, *, form="url", size_t limit=0, bint decode=False, bint text=False):
    """Return the Gather that lists the pairs of the query, or at most `limit` prefixes.

    decode : decode the escapes of copied texts
    text : decode them as UTF-8 with errors replaced
    """
    cdef Gather result = new_gather(FU_GATHER_LISTS, form)
    result.work.list = LISTS[name]
    result.work.limit = limit
    result.work.decode, result.work.text = decode, text
    return result


def _values_of(names, *, bint text, form="url"):
    """Return the Gather that finds the first value of each name in the query."""
    cdef Gather result = new_gather(FU_GATHER_VALUES, form)
    result.names = Names(names, text)
    result.unsure = [i for i, name in enumerate(result.names.held) if not _octets_tell(name, text)]
    result.work.names = result.names.names
    result.work.count = result.names.count
    result.work.decode, result.work.text = True, text
    return result


def _depths(*, form="url"):
    """Return the Gather that counts the non-empty segments of a path."""
    return new_gather(FU_GATHER_DEPTHS, form)


def _hashes():
    """Return the Gather that computes the XXH64 of each text."""
    return new_gather(FU_GATHER_HASHES, "url")


def _gather_lists(source, Gather work not None, uintptr_t validity, uintptr_t offsets, *, int64_t start, int64_t end, allocate):
    """List the items of rows [start, end) of an InputColumn as views, without the GIL. start is a multiple of 64.

    validity, offsets : addresses of one bit and of 4 bytes per row of the source, plus one more offset. Row `start`
        begins with item 0
    allocate : called with a number of items; returns two addresses, for the items' names and values, with 16 bytes per
        item, or 0 if unwanted. Its earlier buffers stay alive until this function returns
    Returns the number of null rows and the number of items. ValueError for a row with a fault.
    """
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *>borrow(source, INPUT_NAME)
    cdef uintptr_t names, values
    cdef bint done = False
    check_kind(work, FU_GATHER_LISTS, FU_GATHER_LISTS)
    fu_start_gathering(&g, start, end, <uint8_t *>validity)
    g.offsets = <int32_t *>offsets + start
    if start == 0:
        g.offsets[0] = 0
    while not done:
        g.capacity = g.capacity * 2 if g.capacity else <size_t>(end - start) * 4 + 16
        if g.capacity > <size_t>INT32_MAX:
            raise ValueError("the rows of one array have more items than offsets can name: read it in slices")
        names, values = allocate(g.capacity)
        if names != 0 and g.used:
            memcpy(<void *>names, g.names, g.used * sizeof(fu_view))
        if values != 0 and g.used:
            memcpy(<void *>values, g.values, g.used * sizeof(fu_view))
        g.names = <fu_view *>names
        g.values = <fu_view *>values
        with nogil:
            done = runtime.kernel.gather_rows(&work.work, rows, &g)
        if g.failed_row >= 0:
            source.fail(g.failed_row, g.fault)
    return g.nulls, g.used


def _shift_offsets(uintptr_t offsets, *, int64_t start, int64_t end, int32_t base):
    """Add ``base`` to the offsets after row ``start``, up to ``end``."""
    cdef int32_t *first = <int32_t *>offsets + start + 1
    fu_shift_offsets(first, first, <size_t>(end - start), base)


def _gather_values(source, Gather work not None, uintptr_t validity, columns, *, int64_t start, int64_t end):
    """Write the first value of each name in rows [start, end) as views, without the GIL. start is a multiple of 64.

    validity : the address of one bit per row: 1 if the row has a URL
    columns : for each name, the addresses of 16 bytes and of one validity bit per row
    Returns a tuple: the number of rows without a URL, then for each name the number without a value. ValueError for a
    row with a fault.
    """
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *>borrow(source, INPUT_NAME)
    cdef size_t i
    cdef uintptr_t views, bits
    check_kind(work, FU_GATHER_VALUES, FU_GATHER_VALUES)
    if <size_t>len(columns) != work.work.count:
        raise ValueError("there must be a column for each name")
    fu_start_gathering(&g, start, end, <uint8_t *>validity)
    g.columns = <fu_gathered_values *>PyMem_Calloc(work.work.count + 1, sizeof(fu_gathered_values))
    if g.columns == NULL:
        raise MemoryError
    try:
        for i in range(work.work.count):
            views, bits = columns[i]
            g.columns[i].views = <fu_view *>views
            g.columns[i].validity = <uint8_t *>bits
        with nogil:
            runtime.kernel.gather_rows(&work.work, rows, &g)
        if g.failed_row >= 0:
            source.fail(g.failed_row, g.fault)
        nulls = [g.nulls]
        for i in range(work.work.count):
            nulls.append(g.columns[i].nulls)
        return tuple(nulls)
    finally:
        PyMem_Free(g.columns)


def _gather_numbers(source, Gather work not None, uintptr_t validity, uintptr_t numbers, *, int64_t start, int64_t end):
    """Write a number for each of rows [start, end): 4 bytes per depth, 8 per hash. Return the number of null rows."""
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *>borrow(source, INPUT_NAME)
    check_kind(work, FU_GATHER_DEPTHS, FU_GATHER_HASHES)
    fu_start_gathering(&g, start, end, <uint8_t *>validity)
    g.depths = <uint32_t *>numbers
    g.hashes = <uint64_t *>numbers
    with nogil:
        runtime.kernel.gather_rows(&work.work, rows, &g)
    if g.failed_row >= 0:
        source.fail(g.failed_row, g.fault)
    return g.nulls
