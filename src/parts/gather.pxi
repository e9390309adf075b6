# Part of _parts.pyx: columns of lists, of several values a row, and of numbers, by addresses and without the GIL.

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint32_t, uint64_t
from libc.string cimport memcpy

from _scan cimport (
    FU_GATHER_DEPTHS,
    FU_GATHER_HASHES,
    FU_GATHER_LISTS,
    FU_GATHER_VALUES,
    fu_gather_kind,
    fu_gather_work,
    fu_gathered_values,
    fu_gathering,
    fu_input,
    fu_start_gathering,
    fu_view,
)

cdef dict LISTS = {
    "path_prefixes": FU_LISTS_PATH_PREFIXES,
    "url_prefixes": FU_LISTS_URL_PREFIXES,
    "query": FU_LISTS_QUERY,
}


cdef class Gather:
    """What to gather from each text of a column."""

    cdef fu_gather_work work
    cdef Names names           # what the work points into
    cdef readonly list unsure  # the numbers of the names that octets do not tell

    @property
    def address(self):
        """Where the kernel finds the work, as long as this object lives."""
        return <uintptr_t>&self.work


cdef Gather new_gather(fu_gather_kind kind, object form):
    cdef Gather made = Gather()
    made.work.kind = kind
    made.work.form = form_named(form)
    made.work.schemes = runtime.schemes
    return made


def _listing(str name not None, *, form="url", size_t most=0, bint decode=False, bint text=False):
    """The pairs of the query, or at most so many prefixes.

    decode, text : of what is copied: whether its escapes are read, and as UTF-8 with errors replaced
    """
    cdef Gather made = new_gather(FU_GATHER_LISTS, form)
    made.work.list = LISTS[name]
    made.work.most = most
    made.work.decode, made.work.text = decode, text
    return made


def _values_of(names, *, bint text, form="url"):
    """The first value of each of some names in the query."""
    cdef Gather made = new_gather(FU_GATHER_VALUES, form)
    made.names = Names(names, text)
    made.unsure = [i for i, name in enumerate(made.names.held) if not _octets_tell(name, text)]
    made.work.names = made.names.names
    made.work.count = made.names.count
    made.work.decode, made.work.text = True, text
    return made


def _depths(*, form="url"):
    """How many segments of a path are not empty."""
    return new_gather(FU_GATHER_DEPTHS, form)


def _hashes():
    """XXH64 of each text."""
    return new_gather(FU_GATHER_HASHES, "url")


def _gather_lists(source, Gather work not None, uintptr_t validity, uintptr_t offsets, *, int64_t start, int64_t end, allocate):
    """List the items of rows [start, end) of an InputColumn, without the GIL. start is a multiple of 64.

    validity, offsets : addresses of a bit and of 4 octets a row of the source; one offset more. The first of these rows
        starts with item 0
    allocate : called with a number of items; gives the addresses of 16 octets for each of their names and of their values, 0 for
        what is not wanted. What it gave before stays there until the end
    Returns how many rows are null, and how many items there are. ValueError for a row with a fault.
    """
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *><uintptr_t>source.address
    cdef uintptr_t names, values
    cdef bint done = False
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
    """Let the lists of rows [start, end) start ``base`` items later."""
    cdef int64_t row
    for row in range(start + 1, end + 1):
        (<int32_t *>offsets)[row] += base


def _gather_values(source, Gather work not None, uintptr_t validity, columns, *, int64_t start, int64_t end):
    """Write the values of rows [start, end) as views, as map_rows does.

    validity : the address of a bit a row, which says whether there is a URL
    columns : for each name the addresses of 16 octets and of one bit a row
    Returns how many rows have none, of URLs and of each name. ValueError for a row with a fault.
    """
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *><uintptr_t>source.address
    cdef size_t i
    cdef uintptr_t views, bits
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
    """Write a number for each of rows [start, end): 4 octets of depths, 8 of hashes. Returns how many rows are null."""
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *><uintptr_t>source.address
    fu_start_gathering(&g, start, end, <uint8_t *>validity)
    g.depths = <uint32_t *>numbers
    g.hashes = <uint64_t *>numbers
    with nogil:
        runtime.kernel.gather_rows(&work.work, rows, &g)
    if g.failed_row >= 0:
        source.fail(g.failed_row, g.fault)
    return g.nulls
