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
    """A compiled host list, for example a blocklist, an allow-list, or the hosts that you crawl.

    An entry is a name, an address, or a network such as ``10.0.0.0/8``. A name has at most 255 bytes: letters, digits,
    ``-``, ``_``, ``.`` and characters outside ASCII. fasturl maps these characters by Unicode's NFKC form and case
    folding, so that ``\u4e2d\u56fd`` and ``xn--fiqs8s`` are the same entry. A leading ``*.`` or dot and a trailing dot
    are dropped. Every spelling of an address is the same entry, for example decimal and hexadecimal numbers, or IPv4
    inside IPv6.

    Parameters
    ----------
    source : str, bytes-like or iterable
        An entry as str, an iterable of lines, or a file's content as bytes. A line has entries between white space, and
        a comment after ``#``. As in a hosts file, an address before a name is ignored, for example in
        ``0.0.0.0 ads.example``. An iterable can be a list, an Arrow array or ``gzip.open(path)``. To read a file, call
        ``HostList.from_file``.
    errors : {"raise", "ignore"}
        What to do when a word is no entry, for example a URL. ``ignored`` counts the words that "ignore" leaves out.

    Attributes
    ----------
    ignored : int
        How many words were no entry.

    Raises
    ------
    TypeError
        If ``source`` has another type.
    ValueError
        If a word is no entry, if the names take 2 GiB, or if someone chose names to make the list slow. No message
        quotes a word from the list.

    Notes
    -----
    Cost: O(n) in the list's bytes. The list needs about 35 bytes per domain, which ``nbytes`` returns. A list never
    changes, so threads can share it. You can pickle it.

    Examples
    --------
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
        """Read a host list from a UTF-8 file.

        Each line has entries between white space, and a comment after ``#``, as in a hosts file.
        $Parameters
        path : str or os.PathLike
            File to read.
        errors : {"raise", "ignore"}
            What to do when a word is no entry, for example a URL. ``ignored`` counts the words that "ignore" leaves
            out.
        $Returns
        HostList
            Compiled list.
        $Raises
        OSError
            If the file cannot be read.
        ValueError
            If a word is no entry, if the names take 2 GiB, or if someone chose names to make the list slow.
        $Notes
        Cost: O(n) in the file's bytes.
        $Examples
        >>> import pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = pathlib.Path(folder, "hosts")
        ...     _ = path.write_text("0.0.0.0 ads.example  # a line of a hosts file\\n")
        ...     HostList.from_file(path).blocks("http://www.ads.example/")
        'ads.example'
        """
        return HostList(file_bytes(path), errors=errors)

    def blocks(self, url, *, bint exact=False, form="url"):
        """Return the entry that blocks a URL.

        $blocking
        $Parameters
        $url
        $exact
        $form_or_host
        $Returns
        str, bytes or None
            The entry in lower case, in the same type as ``url``. ``None`` if no entry blocks the URL.
        $raises
        $Notes
        Cost: O(n) in the URL's length, however long the list is.
        $Examples
        >>> hosts = HostList(["blocked.example"])
        >>> hosts.blocks("http://blocked.example\\\\@ok.example/"), hosts.blocks("http:/www.Bl%6Fcked.example./")
        ('blocked.example', 'blocked.example')
        >>> hosts.blocks("http://blocked.example.org/"), hosts.blocks("http://www.blocked.example/", exact=True)
        (None, None)
        """
        return (<Function>_list_function("blocks", self, exact=exact, form=form)).of(url, b"blocks()")

    def allows(self, url, *, bint exact=False, form="url"):
        """Return True if every program sees the same host in a URL, and the list contains this host.

        A URL that programs read differently (``Finding.AMBIGUOUS_AUTHORITY``) is never allowed.
        $Parameters
        $url
        $exact
        $form_or_host
        $Returns
        bool
            True if the host equals an entry, is below it, or is an address in it.
        $raises
        $Notes
        Cost: O(n) in the URL's length, however long the list is.
        $Examples
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
        """int: the memory that the list needs, in bytes."""
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
