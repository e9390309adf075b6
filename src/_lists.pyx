# cython: binding=False, embedsignature.format=clinic
"""The functions from a URL to a list: the names and values of its query, the paths above it. And columns of them, for
fasturl.arrow, by addresses and without the GIL."""

from cpython.bytes cimport PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Calloc, PyMem_Free, PyMem_Malloc
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.string cimport memcpy, memset

from _escaping cimport *
from _functions cimport *
from _pyoctets cimport fu_exact_text
from _runtime cimport import_runtime, runtime
from _scan cimport (
    FU_ABSENT,
    FU_GATHER_DEPTHS,
    FU_GATHER_HASHES,
    FU_GATHER_LISTS,
    FU_GATHER_VALUES,
    FU_LISTS_PATH_PREFIXES,
    FU_LISTS_QUERY,
    FU_LISTS_URL_PREFIXES,
    fu_gather_kind,
    fu_gather_work,
    fu_gathered_values,
    fu_gathering,
    fu_input,
    fu_list_kind,
    fu_name,
    fu_pair,
    fu_spans,
    fu_view,
)

from fasturl._fastparse import URL
from fasturl._queries import _name_octets, _octets_tell, query_value

__all__ = ["path_prefixes", "query_names", "query_pairs", "query_values", "url_prefixes"]

import_runtime()


cdef object listed(object url, fu_list_kind kind, object form, size_t most, int columns, bint decode, const char *caller):
    """A list of names (columns 1), of values or prefixes (2) or of pairs of them (3); None where there is none."""
    cdef Octets octets
    cdef fu_listing listing
    cdef fu_spans spans
    cdef fu_pair item
    cdef list found = []
    _held = octets_in(fu_exact_text(url, URL, caller), &octets)
    runtime.kernel.split(runtime.schemes, octets.p, octets.n, form_named(form), False, &spans)
    if not fu_start_listing(&listing, kind, most, octets.p, &spans):
        return None
    while fu_next_item(&listing, &item):
        name = value = None
        if columns & 1:
            name = part_of_pair(&octets, item.start, item.name_end, decode, item.name_marks)
        if columns & 2:
            value = part_of_pair(&octets, item.value, item.end, decode, item.value_marks)
        found.append(name if columns == 1 else value if columns == 2 else (name, value))
    return found


cdef object part_of_pair(const Octets *octets, size_t start, size_t end, bint decode, bint marks):
    if decode and marks:
        return decoded_part(octets.p + start, end - start, True, octets.as_text)
    return text_out(octets.p + start, end - start, octets.as_text)


def query_names(url, *, bint decode=True, form="url"):
    """The names of a URL's query, in order and as often as they stand there.

    url, form : as for :func:`fasturl.file_name`.
    decode : read escapes, and ``+`` as a space, as ``urllib.parse.parse_qsl`` does.
    Returns: a list of str for a str, of bytes for bytes; None without a query, empty for an empty one. A pair is what stands
        between two ``&``; one of no octets is none, and one without ``=`` is a name.
    Raises: TypeError for another type. Cost: O(n).

    >>> query_names("/a?x=1&caf%C3%A9=2&x=3&&y"), query_names("/a?"), query_names("/a")
    (['x', 'café', 'x', 'y'], [], None)
    """
    return listed(url, FU_LISTS_QUERY, form, 0, 1, decode, b"query_names()")


def query_pairs(url, *, bint decode=True, form="url"):
    """The names and values of a URL's query, in order and as often as they stand there.

    url, decode, form, Raises, Cost: as for :func:`query_names`.
    Returns: a list of (name, value), None and empty as for :func:`query_names`; the value of a pair without ``=`` is empty.

    >>> query_pairs("/a?x=1&y=a+b&x=%33&z"), query_pairs(b"/a?x=%FF", decode=False)
    ([('x', '1'), ('y', 'a b'), ('x', '3'), ('z', '')], [(b'x', b'%FF')])
    """
    return listed(url, FU_LISTS_QUERY, form, 0, 3, decode, b"query_pairs()")


cdef fu_name *names_of(list held) except NULL:
    """Names, which are bytes that stay alive, for the kernel; to be freed."""
    cdef Py_ssize_t i
    cdef bytes name
    cdef fu_name *names = <fu_name *>PyMem_Malloc((len(held) + 1) * sizeof(fu_name))
    if names == NULL:
        raise MemoryError
    for i in range(len(held)):
        name = held[i]
        names[i].octets = octets_of(name)
        names[i].length = PyBytes_GET_SIZE(name)
    return names


def query_values(url, names, *, form="url"):
    """The first value of each of some names in a URL's query, in one pass.

    url, form, Raises : as for :func:`query_names`.
    names : an iterable of names (str, or bytes-like where the URL is), compared with the decoded names of the query.
    Returns: a dict from each name, as given, to its value, decoded; None where no pair has the name, as
        :func:`fasturl.query_value` has it. Cost: O(n); each name in the query is compared with each of ``names``.

    >>> query_values("/a?x=1&y=a+b&x=2&z", ["x", "y", "z", "other"])
    {'x': '1', 'y': 'a b', 'z': '', 'other': None}
    """
    cdef Octets octets
    cdef fu_listing listing
    cdef fu_spans spans
    cdef fu_name *wanted = NULL
    cdef fu_pair *found = NULL
    cdef Py_ssize_t i
    cdef list given
    text = fu_exact_text(url, URL, b"query_values()")
    _held = octets_in(text, &octets)
    given = [names] if isinstance(names, (str, bytes)) else list(names)
    held = [_name_octets(item, not octets.as_text) for item in given]
    result = dict.fromkeys(given)
    runtime.kernel.split(runtime.schemes, octets.p, octets.n, form_named(form), False, &spans)
    if not fu_start_listing(&listing, FU_LISTS_QUERY, 0, octets.p, &spans):
        return result
    wanted = names_of(held)
    found = <fu_pair *>PyMem_Malloc((len(held) + 1) * sizeof(fu_pair))
    try:
        if found == NULL:
            raise MemoryError
        for i in range(len(held)):
            found[i].end = FU_ABSENT
        fu_find_values(octets.p, listing.at, listing.end, wanted, len(held), found, sizeof(fu_pair))
        for i, item in enumerate(given):
            if not _octets_tell(held[i], octets.as_text):
                result[item] = query_value(text, item)
            elif found[i].end != FU_ABSENT:
                result[item] = part_of_pair(&octets, found[i].value, found[i].end, True, found[i].value_marks)
        return result
    finally:
        PyMem_Free(wanted)
        PyMem_Free(found)


def path_prefixes(url, *, size_t most=32, form="url"):
    """The paths above a URL's path and the path itself, from short to long: one for each ``/`` but the first.

    url, form : as for :func:`fasturl.file_name`.
    most : how many, from the shortest on.
    Returns: a list of str for a str, of bytes for bytes; empty for an empty path or ``/``. Several ``/`` count as one.
    Raises: TypeError for another type. Cost: O(n * most).

    >>> path_prefixes("http://h/a/b/c.html?x=1"), path_prefixes("http://h/")
    (['/a/', '/a/b/', '/a/b/c.html'], [])
    """
    return listed(url, FU_LISTS_PATH_PREFIXES, form, most, 2, False, b"path_prefixes()")


def url_prefixes(url, *, size_t most=32, form="url"):
    """The URLs above a URL and itself, from the site's root to its path, without query and fragment.

    url, most, form, Raises, Cost: as for :func:`path_prefixes`.
    Returns: as :func:`path_prefixes`; a URL without a path is the only one.

    >>> url_prefixes("http://h/a/b?x=1"), url_prefixes("http://h?x=1")
    (['http://h/', 'http://h/a/', 'http://h/a/b'], ['http://h'])
    """
    return listed(url, FU_LISTS_URL_PREFIXES, form, most, 2, False, b"url_prefixes()")


# ---- columns of lists, of several values a row, and of numbers

cdef dict LISTS = {
    "path_prefixes": FU_LISTS_PATH_PREFIXES,
    "url_prefixes": FU_LISTS_URL_PREFIXES,
    "query": FU_LISTS_QUERY,
}


cdef class Gather:
    """What to gather from each text of a column."""

    cdef fu_gather_work work
    cdef fu_name *names
    cdef list held                # what the names point into
    cdef readonly list unsure  # the numbers of the names that octets do not tell

    def __dealloc__(self):
        PyMem_Free(self.names)


cdef Gather new_gather(fu_gather_kind kind, object form):
    cdef Gather made = Gather()
    made.work.kind = kind
    made.work.form = form_named(form)
    made.work.schemes = runtime.schemes
    return made


def _listing(str name not None, *, form="url", size_t most=0):
    """The pairs of the query, or at most so many prefixes."""
    cdef Gather made = new_gather(FU_GATHER_LISTS, form)
    made.work.list = LISTS[name]
    made.work.most = most
    return made


def _values_of(names, *, bint text, form="url"):
    """The first value of each of some names in the query."""
    cdef Gather made = new_gather(FU_GATHER_VALUES, form)
    made.held = [_name_octets(name, not text) for name in names]
    made.unsure = [i for i, name in enumerate(made.held) if not _octets_tell(name, text)]
    made.names = names_of(made.held)
    made.work.names = made.names
    made.work.count = len(made.held)
    return made


def _depths(*, form="url"):
    """How many segments of a path are not empty."""
    return new_gather(FU_GATHER_DEPTHS, form)


def _hashes():
    """XXH64 of each text."""
    return new_gather(FU_GATHER_HASHES, "url")


cdef int start_gathering(fu_gathering *g, int64_t start, int64_t end, uintptr_t validity) except -1:
    memset(g, 0, sizeof(g[0]))
    g.start = g.row = start
    g.end = end
    g.validity = <uint8_t *>validity + start // 8
    g.failed_row = -1
    return 0


def _gather_lists(source, Gather work not None, uintptr_t validity, uintptr_t offsets, *, int64_t start, int64_t end, take):
    """List the items of rows [start, end) of an InputColumn, without the GIL. start is a multiple of 64.

    validity, offsets : addresses of a bit and of 4 octets a row of the source; one offset more. The first of these rows
        starts with item 0
    take : called with a number of items; gives the addresses of 16 octets for each of their names and of their values, 0 for
        what is not wanted. What it gave before stays there until the end
    Returns how many rows are null, and how many items there are. ValueError for a row with a fault.
    """
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *><uintptr_t>source.address
    cdef uintptr_t names, values
    cdef bint done = False
    start_gathering(&g, start, end, validity)
    g.offsets = <int32_t *>offsets + start
    if start == 0:
        g.offsets[0] = 0
    while not done:
        g.capacity = g.capacity * 2 if g.capacity else <size_t>(end - start) * 4 + 16
        if g.capacity > <size_t>INT32_MAX:
            raise ValueError("the rows of one array have more items than offsets can name: read it in slices")
        names, values = take(g.capacity)
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
    cdef uintptr_t views, present
    if <size_t>len(columns) != work.work.count:
        raise ValueError("there must be a column for each name")
    start_gathering(&g, start, end, validity)
    g.columns = <fu_gathered_values *>PyMem_Calloc(work.work.count + 1, sizeof(fu_gathered_values))
    if g.columns == NULL:
        raise MemoryError
    try:
        for i in range(work.work.count):
            views, present = columns[i]
            g.columns[i].views = <fu_view *>views
            g.columns[i].validity = <uint8_t *>present
        with nogil:
            runtime.kernel.gather_rows(&work.work, rows, &g)
        if g.failed_row >= 0:
            source.fail(g.failed_row, g.fault)
        return g.nulls, *[g.columns[i].nulls for i in range(work.work.count)]
    finally:
        PyMem_Free(g.columns)


def _gather_numbers(source, Gather work not None, uintptr_t validity, uintptr_t numbers, *, int64_t start, int64_t end):
    """Write a number for each of rows [start, end): 4 octets of depths, 8 of hashes. Returns how many rows are null."""
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *><uintptr_t>source.address
    start_gathering(&g, start, end, validity)
    g.depths = <uint32_t *>numbers
    g.hashes = <uint64_t *>numbers
    with nogil:
        runtime.kernel.gather_rows(&work.work, rows, &g)
    if g.failed_row >= 0:
        source.fail(g.failed_row, g.fault)
    return g.nulls
