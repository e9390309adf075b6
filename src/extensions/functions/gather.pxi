# Part of _functions.pyx: the settings of columns of lists, of several values per row, and of numbers. _columns runs them.

cdef dict LISTS = {
    "path_prefixes": FU_LISTS_PATH_PREFIXES,
    "url_prefixes": FU_LISTS_URL_PREFIXES,
    "query": FU_LISTS_QUERY,
}


cdef class Gather:
    """An operation that gathers a list, several values, or a number from each text of a column."""

    cdef fu_gather_work work
    cdef Names names           # owns the names that the work points to
    cdef readonly list unsure  # the indexes of the names that cannot be compared as bytes; see _bytes_tell

    @property
    def pointer(self):
        """A capsule of the fu_gather_work, which lives as long as this object."""
        return PyCapsule_New(&self.work, GATHER_NAME, NULL)


refuse_new(Gather)


cdef Gather new_gather(fu_gather_kind kind, object form):
    cdef Gather result = Gather.__new__(Gather)
    result.work.kind = kind
    result.work.form = form_of(form)
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
    result.names = Names(names, text, False)
    result.unsure = [i for i, name in enumerate(result.names.held) if not _bytes_tell(name, text)]
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
