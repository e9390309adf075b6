# Part of _functions.pyx: lists of hosts, as a hash table for the kernel.

from os import fspath


cdef object list_octets(source):
    """Return the bytes of a host list's lines: of a file, of a bytes-like object, or of an iterable of lines."""
    if isinstance(source, str) or hasattr(type(source), "__fspath__"):
        try:
            with open(source, "rb") as file:
                return file.read()
        except OSError as error:  # a path may be a URL with a secret
            from fasturl._quoted import without_secrets
            failure = type(error)(error.errno, error.strerror, without_secrets(fspath(source)))
        except UnicodeEncodeError:  # it would hold the path
            failure = ValueError("the path of a host list has a lone surrogate")
        raise failure
    if PyObject_CheckBuffer(source) and not hasattr(source, "to_pylist"):
        return source if PyBytes_CheckExact(source) else memoryview(source).tobytes()  # whatever methods a subclass has
    cdef list lines = []
    for line in source.to_pylist() if hasattr(source, "to_pylist") else source:
        if hasattr(line, "as_py"):
            line = line.as_py()
        if isinstance(line, str):
            line = line.encode("utf-8", "surrogatepass")
        if line is not None:
            lines.append(memoryview(line).tobytes().rstrip(b"\n"))
    return b"\n".join(lines)


@cython.final
cdef class HostList:
    """A compiled list of hosts, for :func:`fasturl.listed`: a blocklist, or the hosts of a crawl.

    source : the path of a file; bytes-like, the content of such a file; or an iterable of lines, such as a list, an Arrow
        array or ``gzip.open(path)``. A line has names between white space; text after ``#`` is a comment. An address
        before a name is left out, as in a hosts file (``0.0.0.0 example.com``). ``*.`` or a dot before a name, and a
        dot after it, are dropped.
    errors : "raise" or "ignore", for a word that is neither an address nor a name, such as a URL. A name has at most 255 bytes:
        letters, digits, ``-``, ``_``, ``.`` and characters outside ASCII. ``ignored`` counts the other words.
    Raises: OSError; TypeError for another source; ValueError for another word, for 4 GiB of names, or for names that
        were chosen to make the list slow.
    Cost: O(bytes). ``nbytes`` is the memory, about 35 bytes per domain. The list never changes, so threads may share it.
    It can be pickled.

    >>> hosts = HostList(b"# ads\\n0.0.0.0 ads.example\\nads.example tracker.example\\n")
    >>> len(hosts), listed("http://a.tracker.example/x", hosts)
    (2, 'tracker.example')
    """

    cdef fu_host_list list
    cdef readonly Py_ssize_t ignored

    def __cinit__(self, source, *, str errors not None="raise"):
        cdef bytes octets
        cdef fu_list_outcome outcome
        cdef size_t ignored = 0, line = 0
        cdef fu_slice bad
        if errors not in ("raise", "ignore"):
            from fasturl._quoted import quoted
            raise ValueError(f"errors must be 'raise' or 'ignore', not {quoted(errors)}")
        cdef bint ignores = errors == "ignore"
        octets = list_octets(source)
        cdef const uint8_t *p = octets_of(octets)
        cdef size_t n = PyBytes_GET_SIZE(octets)
        with nogil:
            outcome = fu_size_list(p, n, ignores, &self.list, &ignored, &bad, &line)
        self.ignored = ignored
        if outcome == FU_LIST_OTHER_WORDS:
            from fasturl._quoted import quoted
            word = bad.p[:bad.n].decode("utf-8", "replace")
            raise ValueError(f"line {line}: {quoted(word)} is not a name of a host")
        if outcome == FU_LIST_TOO_LARGE:
            raise ValueError("the names of a host list take 4 GiB or more")
        self.list.names = <uint8_t *>PyMem_Malloc(self.list.room)
        self.list.slots = <fu_list_slot *>PyMem_Calloc(self.list.slot_count, sizeof(fu_list_slot))
        self.list.filter = <uint64_t *>PyMem_Calloc(self.list.filter_words, sizeof(uint64_t))
        if self.list.names == NULL or self.list.slots == NULL or self.list.filter == NULL:
            raise MemoryError
        with nogil:
            outcome = fu_fill_list(p, n, &self.list, ignored)
        if outcome == FU_LIST_COLLIDES:
            raise ValueError("too many names of a host list have one hash")

    def __dealloc__(self):
        PyMem_Free(self.list.names)
        PyMem_Free(self.list.slots)
        PyMem_Free(self.list.filter)

    def __len__(self):
        return self.list.count

    def __repr__(self):
        # The address, because DuckDB's parse names a plan by its repr.
        return f"<fasturl.HostList of {self.list.count} hosts at {<size_t><void *>self:#x}>"

    @property
    def nbytes(self):
        """The memory of the list, in bytes."""
        return self.list.used + self.list.slot_count * sizeof(fu_list_slot) + self.list.filter_words * sizeof(uint64_t)

    def __reduce__(self):
        cdef size_t at = 0
        cdef list names = []
        while at < self.list.used:
            names.append(self.list.names[at + 1 : at + 1 + self.list.names[at]])
            at += 1 + self.list.names[at]
        return HostList, (b"\n".join(names),)
