# Part of _fastparse.pyx: every finding of a URL with its place and its message. The slow path of validation, for people.

cdef tuple SHAPE_NAMES = tuple(SHAPES)
# Finding by bit number, or None. IntFlag's own lookup costs twenty times as much.
cdef list finding_of_bit = []

# A text with many findings is validated in windows, to keep the memory for findings linear in the length of the text.
# The first pass covers the whole text and yields the length of the windows.
cdef enum:
    WINDOWS = 16
    WINDOW_MIN = 1 << 16

# `found` is the first member, so that grow_or_discard() can cast a pointer to it.
cdef struct fu_limited:
    fu_diagnostics found
    size_t limit      # the first pass discards and counts the findings it holds when they would exceed the limit
    size_t discarded


cdef int name_findings() except -1:
    cdef int bit
    cdef list known = [int(finding) for finding in Finding]
    for bit in range(32):
        finding_of_bit.append(Finding(1 << bit) if 1 << bit in known else None)
    return 0


name_findings()


cdef int grow_or_discard(fu_diagnostics *found) noexcept nogil:
    """Double the space for problems. Beyond the limit of the fu_limited, discard and count the problems instead."""
    cdef fu_limited *limited = <fu_limited *>found
    if 2 * found.capacity <= limited.limit:
        return fu_grow_problems(found)
    limited.discarded += found.count
    found.count = 0
    return 1


cdef int bit_number(uint32_t finding) noexcept:
    """Return the number of the single bit of a finding."""
    cdef int bit = 0
    while finding >> bit > 1:
        bit += 1
    return bit


cdef class Findings:
    """The findings of one text, in order and in batches. Memory is linear in the length of the text.

    text : an exact str or bytes
    form, strict : as for ``fasturl.parse``
    wanted : int, the set of findings to list
    standard : "rfc1738", or "rfc3986" for the violations of RFC 3986
    """

    cdef object text
    cdef fu_bytes data
    cdef bint loaded, has_terms
    cdef fu_form form
    cdef Standard standard
    cdef fu_spans spans
    cdef fu_terms terms
    cdef fu_netloc netloc       # for the terms of RFC 3986
    cdef fu_limited limited
    cdef fu_diagnostics *found  # &limited.found
    cdef size_t window, at

    def __cinit__(self, text not None, form, uint32_t wanted, *, strict=False, standard="rfc1738"):
        cdef bint any_first = strictness_of(strict, standard) == STRICT_1738
        self.text = fu_exact_text(text, URL, b"Findings()")
        self.form = form_of(form)
        self.standard = standard_of(standard)
        fu_bytes_of(self.text, &self.data)
        self.loaded = True
        runtime.kernel.split(runtime.schemes, self.data.p, self.data.n, self.form, any_first,
                             &self.spans)
        self.found = &self.limited.found
        _scan.fu_start_diagnostics(self.found)
        self.found.wanted = wanted
        self.found.text.points, self.found.text.width = self.data.points, self.data.width

    def __dealloc__(self):
        free(self.limited.found.problems)
        if self.loaded:
            fu_free_bytes(&self.data)

    cdef int validate(self, size_t start, size_t length, size_t limit) except -1:
        """Find the problems that start in a window. Discard and count them when they exceed the limit."""
        cdef fu_diagnostics *found = self.found
        found.count = 0
        found.window_start, found.window_length = start, length
        found.grow = grow_or_discard
        self.limited.limit, self.limited.discarded = limit, 0
        if self.standard == RFC3986:
            runtime.kernel.validate_3986(self.data.p, &self.spans, self.form, found)
        else:
            runtime.kernel.validate(runtime.schemes, self.data.p, &self.spans, self.form, found)
        if found.grow == NULL:
            raise MemoryError
        if not self.limited.discarded:  # otherwise a window finds these again
            _scan.fu_sort_problems(found.problems, found.count)
        self.at = 0
        return 0

    cdef int validate_all(self) except -1:
        """Run the first pass. If it exceeds the limit, set the length of the windows and validate the first window."""
        cdef size_t n = self.data.n, windows
        cdef size_t limit = max(n // WINDOWS, <size_t>WINDOW_MIN)
        # A problem may start at n, after the last byte.
        self.validate(0, n + 1, SIZE_MAX if n <= WINDOW_MIN else limit)
        if self.limited.discarded:
            windows = min((self.limited.discarded + self.found.count) // limit + 1, <size_t>WINDOWS)
            self.window = max(n // windows + 1, <size_t>WINDOW_MIN)
            self.validate(0, self.window, SIZE_MAX)
        return 0

    cdef bint has_more(self) except -1:
        """Return True if there is another problem. Validate further windows until one has a problem."""
        cdef size_t start
        if self.standard == RFC1738 and self.spans.flags & _scan.FU_PROVEN_VALID:
            return False
        while self.at == self.found.count:
            start = self.found.window_start + self.found.window_length
            if start > self.data.n:
                return False
            if start == 0:
                self.validate_all()
            else:
                self.validate(start, self.window, SIZE_MAX)
        return True

    cdef tuple describe(self, uint32_t finding, uint32_t term, size_t start, size_t end):
        """Return (start, end, bit number, message)."""
        cdef bint secret
        cdef int bit = bit_number(finding)
        if not self.has_terms:
            _scan.fu_read_terms(runtime.schemes, self.data.p, &self.spans, self.form, &self.terms)
            if self.standard == RFC3986:
                _scan.fu_split_netloc(self.data.p, self.spans.netloc_start, self.spans.path_start, &self.netloc)
            self.has_terms = True
        if term == _scan.FU_TERM_BYTE:
            if self.standard == RFC3986:
                term = _scan.fu_term_3986_at(&self.spans, &self.netloc, start)
            else:
                term = _scan.fu_term_at(&self.terms, start)
        secret = _scan.fu_is_secret(&self.terms, finding, <_scan.fu_term>term, start)
        shape = _rfc3986.SHAPE if self.standard == RFC3986 else SHAPE_NAMES[self.terms.shape]
        message = _terms.message(finding, _terms.TERMS[term], shape, self.text, start, end, secret)
        return start, end, bit, message

    def take(self, size_t limit):
        """Return the next findings, at most `limit`, as a list of (start, end, bit number, message). The list is empty
        after the last finding."""
        cdef fu_problem *problem
        cdef list out = []
        while <size_t>len(out) < limit and self.has_more():
            problem = &self.found.problems[self.at]
            out.append(self.describe(problem.finding, problem.term, problem.start, problem.end))
            self.at += 1
        return out


def problems(url, *, form="url", strict=False, standard="rfc1738"):
    """List every violation and hazard in a URL with its place, in order.
    $Parameters
    url : str, bytes-like or URL
        URL to read. It may have any content, valid or not.
    form : {"url", "request-target"}
        How to split a text. Use "request-target" when it comes from an access log. A ``URL`` keeps the form from its
        parse.
    strict : bool
        Split the URL as a strict parse does, in which a scheme can start with a digit.
    standard : {"rfc1738", "rfc3986"}
        Standard to judge by. With "rfc3986", fasturl lists only violations: by RFC 3986, or by RFC 9112 section 3.2 for
        a request target.
    $Returns
    list[Problem]
        Problems as (finding, start, end, message). Places count characters in a str, and bytes in bytes.
    $Raises
    TypeError
        If ``url`` has another type.
    ValueError
        If ``form`` or ``standard`` has another value.
    $Notes
    Cost: O(n), and an object per problem. Source: RFC 1738 sections 2.2, 3, 5 and 6. ``fasturl.arrow.problems`` counts
    bytes, also in text.
    $Examples
    >>> for problem in problems("http://h/a b#c"):
    ...     print(problem.finding.name, problem.start, problem.end)
    UNSAFE 10 11
    FRAGMENT 12 13
    >>> [problem.message for problem in problems("http://h/~u?q[]=#c", standard="rfc3986")][0]
    "query: '[' at offset 13: a reserved character, which this part must escape (RFC 3986 section 3.4)"
    """
    cdef list out = []
    cdef Findings findings
    if not isinstance(url, URL):
        url = parse(url, form=form)
    findings = Findings(url.text, url.form, 0xFFFFFFFF, strict=strict, standard=standard)
    while batch := findings.take(1 << 10):
        for start, end, bit, message in batch:
            out.append(Problem(finding_of_bit[bit], start, end, message))
    return out


def _scan_in_place(buffer not None, *, bint strict=False, form="url"):
    """Split and validate a buffer without a copy, as columns do. Tests use it to see which bytes the kernel touches.
    Returns (scheme_end, netloc_start, path_start, path_end, query_end, flags, findings, error_offset or None)."""
    cdef fu_spans s
    cdef fu_diagnostics v, uri
    cdef fu_form as_form = form_of(form)
    cdef Py_buffer view
    PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE)
    with nogil:
        runtime.kernel.split(runtime.schemes, <const uint8_t *>view.buf, <size_t>view.len, as_form, strict, &s)
        _scan.fu_start_diagnostics(&v)
        runtime.kernel.validate(runtime.schemes, <const uint8_t *>view.buf, &s, as_form, &v)
        _scan.fu_start_diagnostics(&uri)
        runtime.kernel.validate_3986(<const uint8_t *>view.buf, &s, as_form, &uri)
    PyBuffer_Release(&view)
    if s.flags & _scan.FU_PROVEN_VALID and v.findings:
        raise AssertionError("the split proved a text valid in which validation finds something")
    offset = None if v.error_offset == _scan.FU_ABSENT else v.error_offset
    # Leave out the flags that only validation reads: they mark the blocks that hold a byte outside xchar.
    flags = s.flags & (_scan.FU_HAS_SCHEME | _scan.FU_HAS_NETLOC | _scan.FU_HAS_QUERY | _scan.FU_HAS_FRAGMENT)
    return s.scheme_end, s.netloc_start, s.path_start, s.path_end, s.query_end, flags, v.findings, offset
