# Part of _functions.pyx: find and wrap URLs in running text (RFC 1738, appendix); normalize and compare URLs (2.2).


# --- the bytes of a text ----------------------------------------------------------------------------------------------

cdef struct Text:
    const uint8_t *p
    size_t n


cdef inline bint has_bytes(object text, Text *out):
    """Read a text as one byte per character. Return False for a str that contains a character above FF."""
    if not PyUnicode_Check(text):
        out.p = <const uint8_t *>PyBytes_AS_STRING(text)
        out.n = <size_t>PyBytes_GET_SIZE(text)
        return True
    out.p = <const uint8_t *>PyUnicode_DATA(text)
    out.n = <size_t>PyUnicode_GET_LENGTH(text)
    return PyUnicode_KIND(text) == 1


# --- a URL found in a text --------------------------------------------------------------------------------------------

cdef extern from *:
    """
    static PyStructSequence_Field extracted_fields[] = {
        {"url", "str or bytes: the URL without markers, white space and fragment."},
        {"start", "int: the offset where the match starts, including the marker."},
        {"end", "int: the offset where the match ends, including the marker."},
        {"fragment", "str, bytes or None: the text after '#', or None if there is no '#'."},
        {"hyphen", "bool: True if a line ended right after a '-', which may or may not belong to the URL."},
        {NULL, NULL},
    };
    /* An FoundURL unpacks into four fields. `hyphen` is only an attribute. */
    static PyStructSequence_Desc extracted_description = {
        "fasturl.FoundURL",
        "A URL that find_urls() found in a text. You can unpack it as (url, start, end, fragment).\\n\\n"
        "text[start:end] is the whole match. Offsets count characters in a str, and bytes in bytes. The attribute\\n"
        "hyphen is not part of the tuple. When it is True, check the URL, because RFC 1738 warns that the hyphen at a\\n"
        "line's end may or may not belong to the URL.",
        extracted_fields,
        4,
    };
    """
    PyStructSequence_Desc extracted_description

cdef type extracted_type = PyStructSequence_NewType(&extracted_description)
FoundURL = extracted_type


@cython.binding(True)
def _shown(self):
    """Return the repr of an FoundURL, without secrets."""
    from fasturl._quoted import without_secrets
    url, start, end, fragment = self
    if isinstance(url, (str, bytes)):   # an FoundURL created by hand may hold any object
        hash_, hidden = ("#", "***") if isinstance(url, str) else (b"#", b"***")
        if type(fragment) is type(url):
            url, mark, fragment = without_secrets(url + hash_ + fragment).partition(hash_)
            fragment = fragment if mark else hidden  # a password may hold the "#"
        else:
            url = without_secrets(url)
    return f"fasturl.FoundURL(url={url!r}, start={start!r}, end={end!r}, fragment={fragment!r})"


FoundURL.__repr__ = _shown


cdef inline int set_item(object record, Py_ssize_t position, object item) except -1:
    Py_INCREF(item)     # SET_ITEM takes a reference
    PyStructSequence_SET_ITEM(record, position, item)
    return 0


# --- find_urls ----------------------------------------------------------------------------------------------------------

# A search of up to SHORT_SEARCH characters holds the GIL: releasing it costs more. A longer search checks for signals
# every LONG_SEARCH characters.
cdef enum:
    SHORT_SEARCH = 1 << 16
    LONG_SEARCH = 1 << 24


# No tp_clear: Cython's would drop the reference to the buffer's object without releasing the buffer, so the memory
# would stay locked.
@cython.final
@cython.no_gc_clear
cdef class _Extract:
    """The iterator of find_urls(), in constant memory. Threads may share one; each URL goes to one thread.

    A signal handler or a finalizer that runs in the searching thread gets a RuntimeError: if it waited for the search,
    it would wait forever.
    """

    cdef object text        # a str, kept alive; None for a buffer
    cdef Py_buffer view
    cdef bint has_view
    cdef const void *data
    cdef size_t n
    cdef int width, flags
    cdef fu_context at
    cdef PyThread_type_lock lock    # not cython.pymutex: before 3.13, its allocation may fail without an error
    cdef unsigned long owner    # the searching thread, 0 for none
    cdef unsigned int forks     # runtime.forks when a thread last took the lock

    def __cinit__(self):
        self.lock = PyThread_allocate_lock()
        if self.lock == NULL:
            raise MemoryError()

    def __dealloc__(self):
        self.release()
        if self.lock != NULL:
            PyThread_free_lock(self.lock)

    cdef void release(self) noexcept:
        self.n = 0
        self.text = None
        if self.has_view:
            self.has_view = False
            PyBuffer_Release(&self.view)

    cdef object part(self, size_t start, size_t end, bint spaced):
        cdef void *squeezed
        cdef const void *from_ = <const uint8_t *>self.data + start * <size_t>self.width
        cdef size_t count = end - start
        if not spaced:
            if self.text is not None:
                return PyUnicode_Substring(self.text, <Py_ssize_t>start, <Py_ssize_t>end)
            return PyBytes_FromStringAndSize(<const char *>from_, <Py_ssize_t>count)
        squeezed = malloc(count * <size_t>self.width)
        if squeezed == NULL:
            raise MemoryError()
        try:
            count = _scan.fu_context_squeeze(self.data, self.width, start, end, squeezed)
            if self.text is not None:
                return PyUnicode_FromKindAndData(self.width, squeezed, <Py_ssize_t>count)
            return PyBytes_FromStringAndSize(<const char *>squeezed, <Py_ssize_t>count)
        finally:
            free(squeezed)

    cdef bint search(self, fu_context_match *found) except -1:
        cdef size_t limit = SHORT_SEARCH
        cdef bint taken
        if self.n - self.at.position > limit:
            if runtime.kernel.context_next(runtime.schemes, self.data, self.n, self.width, self.flags, &self.at, self.at.position + limit, found):
                return True
        else:
            return runtime.kernel.context_next(runtime.schemes, self.data, self.n, self.width, self.flags, &self.at, self.n, found)
        while self.at.position < self.n:
            limit = self.n - self.at.position
            limit = self.at.position + (limit if limit < LONG_SEARCH else LONG_SEARCH)
            with nogil:
                taken = runtime.kernel.context_next(runtime.schemes, self.data, self.n, self.width, self.flags, &self.at, limit, found)
            if taken:
                return True
            PyErr_CheckSignals()
        return False

    def __iter__(self):
        return self

    def __next__(self):
        cdef unsigned long thread = <unsigned long>PyThread_get_thread_ident()
        if self.owner == thread:
            raise RuntimeError("find_urls iterator already executing")
        if not PyThread_acquire_lock(self.lock, NOWAIT_LOCK):
            if self.forks != runtime.forks:
                raise RuntimeError("find_urls iterator was searching in the process that this one was forked from")
            with nogil:
                PyThread_acquire_lock(self.lock, WAIT_LOCK)
        self.owner = thread
        self.forks = runtime.forks
        try:
            return self.advance()
        finally:
            self.owner = 0
            PyThread_release_lock(self.lock)

    cdef object advance(self):
        cdef fu_context_match found
        if self.at.position >= self.n or not self.search(&found):
            self.release()
            raise StopIteration
        record = PyStructSequence_New(extracted_type)
        set_item(record, 4, bool(found.hyphen))
        set_item(record, 3, None)
        set_item(record, 0, self.part(found.body, found.hash, found.url_spaced))
        set_item(record, 1, found.start)
        set_item(record, 2, found.end)
        if found.hash < found.stop:
            set_item(record, 3, self.part(found.hash + 1, found.stop, found.fragment_spaced))
        return record


def find_urls(text, *, bint bare=False):
    """Find the URLs in running text, such as a mail, as the appendix of RFC 1738 describes.

    fasturl finds these forms:

    - ``<URL:…>``, in any case and with any content. White space in it is removed. It ends at the first ``>``. When a
      ``<`` comes first, there is no match.
    - ``<scheme://…>``, ``<mailto:…>`` and ``<news:…>``, unless the text contains a quotation mark or a control
      character.
    - ``URL:scheme://…``, ``URL:mailto:…`` and ``URL:news:…``, if no letter or digit comes before it. White space may
      follow ``URL:``. The URL ends before the sentence's punctuation: ``. , : ; ! ? '`` and an unpaired ``)``.
    - ``scheme://…`` when you pass ``bare``. It ends in the same way.

    fasturl does not validate what it finds. Call ``parse`` when you need that.
    $Parameters
    text : str or bytes-like
        Text to search, for example a memory-mapped file. It is not copied. The iterator holds the buffer until you
        exhaust or delete the iterator, so you cannot resize a bytearray meanwhile.
    bare : bool
        Also find ``http://…`` without a marker.
    $Returns
    Iterator[FoundURL]
        Each URL with its place, as (url, start, end, fragment). ``text[start:end]`` is the whole match with its
        markers.
    $Raises
    TypeError
        If ``text`` has another type.
    RuntimeError
        When a signal handler or a finalizer calls the iterator during a search in the same thread. Also in a process
        that you forked while another thread searched.
    $Notes
    Cost: O(n) in time and O(1) in memory, for any text. A long search releases the GIL. Threads can share an iterator.
    $Examples
    >>> for found in find_urls("Yes, Jim, I found it under <URL:ftp://info.cern.ch/pub/www/doc;type=d> but ..."):
    ...     print(found.url, found.start, found.end)
    ftp://info.cern.ch/pub/www/doc;type=d 27 70
    >>> [found[::3] for found in find_urls(b"see <url:http://ds.internic.net/instructions/\\n  overview.html#WARNING>.")]
    [(b'http://ds.internic.net/instructions/overview.html', b'WARNING')]
    >>> [found.url for found in find_urls("(http://h/a_(b)), or http://h/c.", bare=True)]
    ['http://h/a_(b)', 'http://h/c']
    """
    cdef _Extract found = _Extract.__new__(_Extract)
    found.has_view = False
    found.at.position = found.at.taken = 0
    found.flags = FU_CONTEXT_BARE if bare else 0
    if PyUnicode_Check(text):
        found.text = text
        found.width = PyUnicode_KIND(text)
        found.data = PyUnicode_DATA(text)
        found.n = <size_t>PyUnicode_GET_LENGTH(text)
    elif PyObject_CheckBuffer(text):
        PyObject_GetBuffer(text, &found.view, PyBUF_SIMPLE)
        found.has_view = True
        found.width = 1
        found.data = found.view.buf
        found.n = <size_t>found.view.len
    else:
        raise TypeError(f"find_urls() argument must be str or a bytes-like object, not {type(text).__name__}")
    return found


# --- wrap_url -------------------------------------------------------------------------------------------------------------

cdef object refuse(object text, object finding, Py_ssize_t offset):
    """Return the InvalidURL for a text that cannot be wrapped."""
    return _terms.invalid(parse(text), finding, "byte", offset, offset + 1)


cdef Py_ssize_t first_unwrappable(object text) except -2:
    """Return the offset of the first character that cannot be wrapped, or -1.

    find_urls would end the URL at such a character or remove it, or a reader would not see it.
    """
    cdef Text data
    cdef Py_ssize_t i
    cdef Py_ssize_t n = len(text)
    cdef bint narrow = has_bytes(text, &data)
    cdef Py_UCS4 character
    for i in range(n):
        character = data.p[i] if narrow else PyUnicode_READ_CHAR(text, i)
        if character <= 0x20 or character == 0x7F or character == 0x3C or character == 0x3E:
            return i
    return -1


cdef object fold(object text, Py_ssize_t width):
    """Fold a wrapped URL into lines. No line ends with a hyphen; the last one ends with ">"."""
    cdef Py_ssize_t start = 0
    cdef Py_ssize_t n = len(text)
    cdef Py_ssize_t end
    hyphen, line_end = (b"-", b"\n") if PyBytes_CheckExact(text) else ("-", "\n")
    lines = []
    while start < n:
        end = min(start + width, n)
        while end > start and text[end - 1 : end] == hyphen:
            end -= 1
        if end == start:
            end = min(start + width, n)
            while text[end - 1 : end] == hyphen:
                end += 1
        lines.append(text[start:end])
        start = end
    return line_end.join(lines)


def wrap_url(url, fragment=None, *, width=None):
    """Wrap a URL for running text as ``<URL:…>``, so that readers see where it ends.

    ``find_urls`` finds the same URL again, and returns a fragment separately.
    $Parameters
    url : str, bytes-like or URL
        URL to wrap, valid or not. The text after a ``#`` in it is the fragment.
    fragment : str or bytes-like, optional
        Fragment to write after a ``#``, in the same type as ``url``.
    width : int, optional
        Maximum line length in characters (bytes for a URL in bytes), at least 6. A longer text is folded, and
        ``find_urls`` removes the line ends. No line ends with a hyphen, because you could not tell whether it belongs
        to the URL. A long run of hyphens therefore makes a longer line. By default, the text stays on a single line.
    $Returns
    str or bytes
        Wrapped text in the same type as ``url``.
    $Raises
    InvalidURL
        If ``find_urls`` would not return the same URL. For example, the URL is empty, or contains white space, ``<``,
        ``>`` or a control character. Also if the URL starts with ``#``, or contains ``#`` when you pass a fragment.
    TypeError
        If an argument has another type.
    ValueError
        If ``width`` is below 6.
    $Notes
    Cost: O(n). Source: RFC 1738, appendix.
    $Examples
    >>> wrap_url("http://ds.internic.net/instructions/overview.html", "WARNING")
    '<URL:http://ds.internic.net/instructions/overview.html#WARNING>'
    >>> print(wrap_url("http://ds.internic.net/rfc/rfc-index.txt", width=32))
    <URL:http://ds.internic.net/rfc/
    rfc-index.txt>
    >>> wrap_url(b"http://h/a b")
    Traceback (most recent call last):
    ...
    fasturl.errors.InvalidURL: hpath: ' ' at offset 10: an unsafe character; escape it as %20 (RFC 1738 section 2.2)
    """
    cdef object text = fu_exact_text(url, URL, b"wrap_url()")
    cdef Py_ssize_t at
    cdef bint data = PyBytes_CheckExact(text)
    cdef object mark = b"#" if data else "#"
    if width is not None:
        if not isinstance(width, int):
            raise TypeError(f"wrap_url() width must be int or None, not {type(width).__name__}")
        if width < 6:
            raise ValueError("wrap_url() width must be at least 6")
    if fragment is not None:
        if mark in text:
            raise refuse(text, Finding.FRAGMENT, text.index(mark))
        fragment = fu_exact_text(fragment, URL, b"wrap_url() fragment")
        if PyBytes_CheckExact(fragment) != data:
            raise TypeError("wrap_url() cannot mix str and bytes arguments")
        text = text + mark + fragment
    if not text or text.startswith(mark):
        parse(text[:0], strict=True)    # raises the usual InvalidURL for a missing scheme
    at = first_unwrappable(text)
    if at >= 0:
        raise refuse(text, Finding.UNSAFE if ord(text[at : at + 1]) in (0x20, 0x3C, 0x3E) else Finding.CONTROL, at)
    text = b"<URL:" + text + b">" if data else "<URL:" + text + ">"
    return text if width is None else fold(text, min(width, len(text)))


# --- normal form and equivalence --------------------------------------------------------------------------------------

cdef object normal_text(object text):
    """Return the normal form of an exact str or bytes: the same object if nothing changes."""
    cdef Text source
    cdef fu_spans spans
    cdef uint8_t on_stack[ON_STACK]
    cdef uint8_t *to = on_stack
    cdef size_t count
    if not has_bytes(text, &source):
        data = text.encode("utf-8", "surrogatepass")
        normal = normal_text(data)
        return text if normal is data else normal.decode("utf-8", "surrogatepass")
    runtime.kernel.split(runtime.schemes, source.p, source.n, _scan.FU_FORM_URL, True, &spans)
    if fu_is_plainly_normal(source.p, &spans):
        return text
    if source.n > ON_STACK:
        to = <uint8_t *>malloc(source.n)
        if to == NULL:
            raise MemoryError()
    try:
        count = fu_normal(runtime.schemes, source.p, &spans, 0, to)
        if count == source.n and memcmp(to, source.p, count) == 0:
            return text
        if PyUnicode_Check(text):
            return PyUnicode_FromKindAndData(1, to, <Py_ssize_t>count)
        return PyBytes_FromStringAndSize(<const char *>to, <Py_ssize_t>count)
    finally:
        if to != on_stack:
            free(to)


def normalize(url, *, standard="rfc1738"):
    """Return a URL's normal form, so that equivalent spellings become equal.

    By RFC 1738 (section 2.2):

    - An escape of a letter, a digit, ``-``, ``_`` or ``.`` becomes that byte. All other bytes stay escaped, with hex
      digits in upper case. For example, ``%2B`` stays, because a form reader takes ``+`` for a space.
    - Scheme and host become lower case. The scheme's default port is removed. Another port loses leading zeros.
    - When you registered the scheme with productions, only the scheme's name becomes lower case.
    - Nothing else changes: no path, no empty query, no fragment. A strict parse therefore decodes the same parts before
      and after, except for the host's case.
    - An invalid URL changes only where every program reads it alike. An invalid netloc stays as written. An escape
      stays in a part that allows no escapes, and if its byte would complete another escape, as in ``%%341``.

    By RFC 3986 (sections 6.2.2 and 6.2.3), escapes become unreserved bytes (letters, digits, ``-._~``), also in the
    host. Dot segments disappear from a URI's path. A default or empty port disappears. An empty path after a netloc
    becomes ``/``. docs/rfc3986.md has the details.
    $Parameters
    url : str, bytes-like or URL
        URL to change. It may have any content, valid or not.
    standard : {"rfc1738", "rfc3986"}
        Standard that defines the normal form.
    $Returns
    str or bytes
        Text of the same type as ``url``. It is the same object when nothing changes.
    $Raises
    TypeError
        If ``url`` has another type.
    ValueError
        If ``standard`` has another value.
    $See Also
    equivalent : Compare two URLs. Equivalent URLs can have different normal forms.
    dedup_key : Return a key that also drops trackers.
    $Notes
    Cost: O(n), and several microseconds more by RFC 3986. A second call changes nothing. Threads: safe.
    $Examples
    >>> normalize("HTTP://EXAMPLE.com:80/%7euser/%41%2f?")
    'http://example.com/%7Euser/A%2F?'
    >>> normalize(b"ftp://Me@H:0021/%2Fetc/motd;type=A")
    b'ftp://Me@h/%2Fetc/motd;type=A'
    >>> normalize("HTTP://EXAMPLE.com:80/a/./b/../%7euser", standard="rfc3986")
    'http://example.com/a/~user'
    """
    text = fu_exact_text(url, URL, b"normalize()")
    if standard is not "rfc1738" and standard_of(standard) == RFC3986:  # noqa: F632 - the default is this object
        from fasturl._uris import normal_form
        return normal_form(text)
    return normal_text(text)


def equivalent(a, b):
    """Return True if two URLs are equivalent by RFC 1738 section 2.2.

    - An escape equals its byte unless the URL's scheme reserves the byte. Two valid URLs are therefore equivalent if
      they decompose to the same parts. The default port is filled in. fasturl compares a host and an ftp typecode
      without case. A missing path equals an empty path in http, gopher and telnet. http's path and search stay as
      written, and reserve ``/ ; ?``.
    - A ``file`` URL's empty host equals ``localhost``.
    - Two other texts are equivalent if their normal forms are equal after fasturl decodes the unreserved bytes
      (letters, digits, ``$-_.+!*'(),``).
    - When you registered the scheme with productions, both texts must also be valid, or both invalid.
    - A fragment is not part of a URL, so it is compared as written.

    A form reader distinguishes some queries that the RFC does not. For example, ``?a=1%262`` and ``?a=1&2`` are
    equivalent.
    $Parameters
    a : str, bytes-like or URL
        First URL.
    b : str, bytes-like or URL
        Second URL. Pass two texts or two bytes.
    $Returns
    bool
        True if the URLs are equivalent.
    $Raises
    TypeError
        If an argument has another type, or if you mix str and bytes.
    $See Also
    normalize : Return the normal form.
    $Notes
    Cost: O(n). Source: RFC 1738 sections 2.2 and 3.1 to 3.11. Threads: safe.
    $Examples
    >>> equivalent("http://h", "HTTP://H:80/"), equivalent("http://h/a", "http://h/a/")
    (True, False)
    >>> equivalent("http://h/a%2fb", "http://h/a/b"), equivalent("gopher://h/1a%2fb", "gopher://h/1a/b")
    (False, True)
    """
    cdef Text source[2]
    cdef fu_key key, other
    cdef uint8_t on_stack[2 * ON_STACK]
    cdef uint8_t *to = on_stack
    cdef bint a_bytes, b_bytes
    a = fu_exact_text(a, URL, b"equivalent()")
    b = fu_exact_text(b, URL, b"equivalent()")
    if PyUnicode_Check(a) != PyUnicode_Check(b):
        raise TypeError("equivalent() cannot mix str and bytes arguments")
    if a is b:
        return True
    a_bytes, b_bytes = has_bytes(a, &source[0]), has_bytes(b, &source[1])
    if a_bytes != b_bytes:
        return False    # equivalence never adds or removes a character above FF
    if not a_bytes:
        return equivalent(a.encode("utf-8", "surrogatepass"), b.encode("utf-8", "surrogatepass"))
    if source[0].n == source[1].n and memcmp(source[0].p, source[1].p, source[0].n) == 0:
        return True
    if source[0].n > 2 * ON_STACK - source[1].n or source[1].n > 2 * ON_STACK:
        to = <uint8_t *>malloc(source[0].n + source[1].n)
        if to == NULL:
            raise MemoryError()
    key = fu_write_key(runtime.kernel, runtime.schemes, source[0].p, source[0].n, to)
    other = fu_write_key(runtime.kernel, runtime.schemes, source[1].p, source[1].n, to + source[0].n)
    same = fu_same_keys(&key, to, &other, to + source[0].n)
    if to != on_stack:
        free(to)
    return same


def _normalize_in_place(buffer not None, *, bint key=False):
    """Return the normal form or the equivalence key of a buffer, read in place as columns are.

    Tests use it to see which bytes the kernel touches.
    """
    cdef fu_spans spans
    cdef Py_buffer view
    to = PyBytes_FromStringAndSize(NULL, len(buffer))
    PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE)
    p, n, written = <const uint8_t *>view.buf, <size_t>view.len, <uint8_t *>PyBytes_AS_STRING(to)
    runtime.kernel.split(runtime.schemes, p, n, _scan.FU_FORM_URL, True, &spans)
    if key:
        n = fu_write_key(runtime.kernel, runtime.schemes, p, n, written).count
    elif fu_is_plainly_normal(p, &spans):
        memcpy(written, p, n)
    else:
        n = fu_normal(runtime.schemes, p, &spans, 0, written)
    PyBuffer_Release(&view)
    return to[:n]
