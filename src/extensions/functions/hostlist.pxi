# Part of _functions.pyx: lists of hosts, as a hash table for the kernel.

from os import fspath


cdef bytes file_bytes(path):
    try:
        with open(fspath(path), "rb") as file:  # fspath refuses a file descriptor
            return file.read()
    except OSError as error:  # a path may be a URL with a secret
        from fasturl._quoted import without_secrets
        failure = type(error)(error.errno, error.strerror, without_secrets(fspath(path)))
    except UnicodeEncodeError:  # it would hold the path
        failure = ValueError("the path of a host list has a lone surrogate")
    raise failure


cdef object list_bytes(source):
    """Return the bytes of a host list's lines: of a bytes-like object, of one entry, or of an iterable of lines."""
    if hasattr(type(source), "__fspath__"):
        raise TypeError("a path is no host list: HostList.from_file(path) reads the file")
    if PyObject_CheckBuffer(source) and not hasattr(source, "to_pylist"):
        return source if PyBytes_CheckExact(source) else memoryview(source).tobytes()  # whatever methods a subclass has
    cdef list lines = []
    if isinstance(source, str):
        source = (source,)
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
    """A compiled list of hosts, for :meth:`blocks` and :meth:`allows`: a blocklist, an allow-list, or the hosts of a crawl.

    source : an entry as str; an iterable of lines, such as a list, an Arrow array or ``gzip.open(path)``; or bytes-like, the
        content of a file. :meth:`from_file` reads a file. A line has entries between white space; text after ``#`` is a
        comment. An address before a name is left out, as in a hosts file (``0.0.0.0 example.com``).
    errors : "raise" or "ignore", for a word that is no entry, such as a URL. ``ignored`` counts these words.
    Raises: TypeError for another source; ValueError for another word, for 2 GiB of names, or for names that were chosen to
        make the list slow. No message has a word of the list.
    Cost: O(bytes). ``nbytes`` is the memory, about 35 bytes per domain. The list never changes, so threads may share it.
    It can be pickled.

    An entry is a name, an address or a network such as ``10.0.0.0/8``. A name has at most 255 bytes: letters, digits, ``-``,
    ``_``, ``.`` and characters outside ASCII, which are mapped by Unicode's NFKC form and case folding. ``*.`` or a dot before
    a name, and a dot after it, are dropped. ``\u4e2d\u56fd`` and ``xn--fiqs8s`` are the same entry. An address is the same in
    each spelling: as decimal, octal or hexadecimal numbers, and as IPv4 inside IPv6.

    >>> hosts = HostList(b"# ads\\n0.0.0.0 ads.example\\nads.example tracker.example 10.0.0.0/8\\n")
    >>> len(hosts), hosts.blocks("http://a.tracker.example/x"), hosts.blocks("http://0x0a.1/")
    (3, 'tracker.example', '10.0.0.0/8')
    """

    cdef fu_host_list list
    cdef readonly Py_ssize_t ignored

    def __cinit__(self, source, *, str errors not None="raise"):
        cdef bytes data
        cdef fu_list_outcome outcome
        cdef size_t ignored = 0, line = 0
        if errors not in ("raise", "ignore"):
            from fasturl._quoted import quoted
            raise ValueError(f"errors must be 'raise' or 'ignore', not {quoted(errors)}")
        cdef bint ignores = errors == "ignore"
        data = list_bytes(source)
        if not data.isascii():
            data = _mapped(data)
        cdef const uint8_t *p = bytes_of(data)
        cdef size_t n = PyBytes_GET_SIZE(data)
        with nogil:
            outcome = fu_size_list(p, n, ignores, &self.list, &ignored, &line)
        self.ignored = ignored
        if outcome == FU_LIST_OTHER_WORDS:
            raise ValueError(f"line {line} of a host list: expected names, addresses and networks, without a scheme, port or path")
        if outcome == FU_LIST_TOO_LARGE:
            raise ValueError("the names of a host list take 2 GiB or more")
        self.list.names = <uint8_t *>PyMem_Malloc(self.list.room)
        self.list.slots = <fu_list_slot *>PyMem_Calloc(self.list.slot_count, sizeof(fu_list_slot))
        self.list.filter = <uint64_t *>PyMem_Calloc(self.list.filter_words, sizeof(uint64_t))
        if self.list.names == NULL or self.list.slots == NULL or self.list.filter == NULL:
            raise MemoryError
        with nogil:
            outcome = fu_fill_list(p, n, &self.list, ignored)
        if outcome == FU_LIST_COLLIDES:
            raise ValueError("too many names of a host list have one hash")

    @staticmethod
    def from_file(path, *, str errors not None="raise"):
        """Read a list from a file, which has the lines that the class describes, in UTF-8.

        path : str or os.PathLike
        errors, Cost: as for the class. Raises: as the class; OSError for a file that cannot be read.

        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "hosts")
        ...     _ = path.write_text("0.0.0.0 ads.example  # a line of a hosts file\\n")
        ...     HostList.from_file(path).blocks("http://www.ads.example/")
        'ads.example'
        """
        return HostList(file_bytes(path), errors=errors)

    def blocks(self, url, *, bint exact=False, form="url"):
        """Return the entry that blocks a URL: the host in some reading equals the entry, is below it or is an address of it.

        Browsers and libraries read some texts differently. This method searches every host that any reader may see, so no
        spelling of a host avoids the list. If readers map a character of the host differently, its NFKC form is searched too.

        url : str, bytes-like or URL, valid or not.
        exact : True if hosts below an entry do not match.
        form : "url" or "request-target", as for :func:`fasturl.parse`; or "host" for a text that is a host, not a URL.
        Returns: the entry in lower case, str for a str and bytes for bytes; None if no reading has a host of the list.
        Raises: TypeError for another type. Cost: O(n), whatever the length of the list.

        >>> hosts = HostList(["blocked.example"])
        >>> hosts.blocks("http://blocked.example\\\\@ok.example/"), hosts.blocks("http:/www.Bl%6Fcked.example./")
        ('blocked.example', 'blocked.example')
        >>> hosts.blocks("http://blocked.example.org/"), hosts.blocks("http://www.blocked.example/", exact=True)
        (None, None)
        """
        return (<Function>_list_function("blocks", self, exact=exact, form=form)).of(url, b"blocks()")

    def allows(self, url, *, bint exact=False, form="url"):
        """Return True if every reader sees the same host, and this host equals an entry, is below it or is an address of it.

        A URL that any two readers may read differently (:attr:`fasturl.Finding.AMBIGUOUS_AUTHORITY`) is not allowed.

        url, exact, form, Raises, Cost: as for :meth:`blocks`.

        >>> hosts = HostList(["trusted.example"])
        >>> hosts.allows("https://www.trusted.example:8443/a"), hosts.allows("http://evil.example\\\\@trusted.example/")
        (True, False)
        """
        return not (<Function>_list_function("allows", self, exact=exact, form=form)).of(url, b"allows()")

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
            if self.list.names[at] == 0:  # the entry's text follows its key
                at += 2 + self.list.names[at + 1]
            names.append(self.list.names[at + 1 : at + 1 + self.list.names[at]])
            at += 1 + self.list.names[at]
        return HostList, (b"\n".join(names),)
