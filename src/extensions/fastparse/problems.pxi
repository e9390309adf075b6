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


cdef int grow(fu_diagnostics *found) noexcept nogil:
    """Double the space for problems. If that fails, return 0 and keep no more problems."""
    cdef size_t capacity = 2 * found.capacity if found.capacity else 16
    cdef fu_problem *problems = NULL
    if capacity <= <size_t>-1 // sizeof(fu_problem):
        problems = <fu_problem *>realloc(found.problems, capacity * sizeof(fu_problem))
    if problems == NULL:
        found.grow = NULL
        return 0
    found.problems = problems
    found.capacity = capacity
    return 1


cdef int grow_or_discard(fu_diagnostics *found) noexcept nogil:
    """Double the space for problems. Beyond the limit of the fu_limited, discard and count the problems instead."""
    cdef fu_limited *limited = <fu_limited *>found
    if 2 * found.capacity <= limited.limit:
        return grow(found)
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
    form, strict : as for :func:`fasturl.parse`
    wanted : int, the set of findings to list
    """

    cdef object text
    cdef fu_octets octets
    cdef bint loaded, has_terms
    cdef fu_form form
    cdef fu_spans spans
    cdef fu_terms terms
    cdef fu_limited limited
    cdef fu_diagnostics *found  # &limited.found
    cdef size_t window, at

    def __cinit__(self, text not None, form, uint32_t wanted, *, bint strict=False):
        self.text = fu_exact_text(text, URL, b"Findings()")
        self.form = form_named(form)
        fu_octets_of(self.text, &self.octets)
        self.loaded = True
        runtime.kernel.split(runtime.schemes, self.octets.p, self.octets.n, self.form, strict, &self.spans)
        self.found = &self.limited.found
        _scan.fu_start_diagnostics(self.found)
        self.found.wanted = wanted

    def __dealloc__(self):
        free(self.limited.found.problems)
        if self.loaded:
            fu_free_octets(&self.octets)

    cdef int validate(self, size_t start, size_t length, size_t limit) except -1:
        """Find the problems that start in a window. Discard and count them when they exceed the limit."""
        cdef fu_diagnostics *found = self.found
        found.count = 0
        found.window_start, found.window_length = start, length
        found.grow = grow_or_discard
        self.limited.limit, self.limited.discarded = limit, 0
        runtime.kernel.validate(runtime.schemes, self.octets.p, &self.spans, self.form, found)
        if found.grow == NULL:
            raise MemoryError
        if not self.limited.discarded:  # otherwise a window finds these again
            _scan.fu_sort_problems(found.problems, found.count)
        self.at = 0
        return 0

    cdef int validate_all(self) except -1:
        """Run the first pass. If it exceeds the limit, set the length of the windows and validate the first window."""
        cdef size_t n = self.octets.n, windows
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
        if self.spans.flags & _scan.FU_PROVEN_VALID:
            return False
        while self.at == self.found.count:
            start = self.found.window_start + self.found.window_length
            if start > self.octets.n:
                return False
            if start == 0:
                self.validate_all()
            else:
                self.validate(start, self.window, SIZE_MAX)
        return True

    cdef tuple described(self, uint32_t finding, uint32_t term, size_t start, size_t end):
        """Return (start, end, bit number, message)."""
        cdef bint secret
        cdef int bit = bit_number(finding)
        if not self.has_terms:
            _scan.fu_read_terms(runtime.schemes, self.octets.p, &self.spans, self.form, &self.terms)
            self.has_terms = True
        if term == _scan.FU_TERM_OCTET:
            term = _scan.fu_term_at(&self.terms, start)
        secret = _scan.fu_is_secret(&self.terms, finding, <_scan.fu_term>term, start)
        message = _terms.message(
            finding, _terms.TERMS[term], SHAPE_NAMES[self.terms.shape], self.text, start, end, secret)
        return start, end, bit, message

    def take(self, size_t limit):
        """Return the next findings, at most `limit`, as a list of (start, end, bit number, message). The list is empty
        after the last finding."""
        cdef fu_problem *problem
        cdef list out = []
        while <size_t>len(out) < limit and self.has_more():
            problem = &self.found.problems[self.at]
            out.append(self.described(problem.finding, problem.term, problem.start, problem.end))
            self.at += 1
        return out


def problems(url, *, form="url", bint strict=False):
    """List every violation and hazard of a URL with its place, in the order of the starts.

    url : str, bytes-like, or a URL (which has its own form)
    form, strict : as for :func:`parse`; no content raises an exception
    Returns list[Problem(finding, start, end, message)]; places count characters of a str, bytes of bytes.
    Cost: O(n) for the scan, and one object per problem. RFC 1738 sections 2.2, 3, 5 and 6.

    >>> for problem in problems("http://h/a b#c"):
    ...     print(problem.finding.name, problem.start, problem.end)
    UNSAFE 10 11
    FRAGMENT 12 13
    """
    cdef list out = []
    cdef Findings findings
    if not isinstance(url, URL):
        url = parse(url, form=form)
    findings = Findings(url.text, url.form, 0xFFFFFFFF, strict=strict)
    while batch := findings.take(1 << 10):
        for start, end, bit, message in batch:
            out.append(Problem(finding_of_bit[bit], start, end, message))
    return out


def _scan_in_place(buffer not None, *, bint strict=False, form="url"):
    """Split and validate a buffer without a copy, as columns do. Tests use it to see which bytes the kernel touches.
    Returns (scheme_end, netloc_start, path_start, path_end, query_end, flags, findings, error_offset or None)."""
    cdef fu_spans s
    cdef fu_diagnostics v
    cdef fu_form as_form = form_named(form)
    cdef Py_buffer view
    PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE)
    with nogil:
        runtime.kernel.split(runtime.schemes, <const uint8_t *>view.buf, <size_t>view.len, as_form, strict, &s)
        _scan.fu_start_diagnostics(&v)
        runtime.kernel.validate(runtime.schemes, <const uint8_t *>view.buf, &s, as_form, &v)
    PyBuffer_Release(&view)
    if s.flags & _scan.FU_PROVEN_VALID and v.findings:
        raise AssertionError("the split proved a text valid in which validation finds something")
    offset = None if v.error_offset == _scan.FU_ABSENT else v.error_offset
    # Leave out the flags that only validation reads: they mark the blocks that hold a byte outside xchar.
    flags = s.flags & (_scan.FU_HAS_SCHEME | _scan.FU_HAS_NETLOC | _scan.FU_HAS_QUERY | _scan.FU_HAS_FRAGMENT)
    return s.scheme_end, s.netloc_start, s.path_start, s.path_end, s.query_end, flags, v.findings, offset


# ---- columns, for fasturl.arrow

cdef void start_rows(fu_gather_work *work, fu_gathering *g, int64_t start, int64_t end, uintptr_t validity) noexcept:
    memset(work, 0, sizeof(work[0]))
    work.schemes = runtime.schemes
    work.kernel = runtime.kernel
    work.grow = grow
    _scan.fu_start_gathering(g, start, end, <uint8_t *>validity)


def _gather_problems(source, uintptr_t validity, uintptr_t offsets, *, form="url", int64_t start, int64_t end, allocate):
    """List the problems of rows [start, end) of an InputColumn, without the GIL. start is a multiple of 64.

    validity, offsets : as for ``fasturl._functions._gather_lists``
    allocate : called with a number of items; returns the addresses of three buffers with 4 bytes per item: findings,
        starts, ends
    Returns the number of null rows and the number of items. ValueError for a row with a fault.
    """
    cdef fu_gather_work work
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *>borrow(source, INPUT_NAME)
    cdef uintptr_t places[3]
    cdef bint done = False
    start_rows(&work, &g, start, end, validity)
    work.kind = _scan.FU_GATHER_PROBLEMS
    work.form = form_named(form)
    g.offsets = <int32_t *>offsets + start
    if start == 0:
        g.offsets[0] = 0
    try:
        while not done:
            g.capacity = 2 * g.capacity if g.capacity else <size_t>(end - start) // 4 + 64
            if g.capacity > <size_t>INT32_MAX:
                raise ValueError("the rows of one array have more items than offsets can name: read it in slices")
            places[0], places[1], places[2] = allocate(g.capacity)
            if g.used:
                memcpy(<void *>places[0], g.findings, g.used * sizeof(uint32_t))
                memcpy(<void *>places[1], g.starts, g.used * sizeof(int32_t))
                memcpy(<void *>places[2], g.ends, g.used * sizeof(int32_t))
            g.findings = <uint32_t *>places[0]
            g.starts, g.ends = <int32_t *>places[1], <int32_t *>places[2]
            with nogil:
                done = runtime.kernel.gather_rows(&work, rows, &g)
            if g.failed_row >= 0:
                source.fail(g.failed_row, g.fault)
            if g.out_of_memory:
                raise MemoryError
        return g.nulls, g.used
    finally:
        free(g.problems)


def _gather_same(source, other, uintptr_t validity, uintptr_t same, *, int64_t start, int64_t end):
    """Compare rows [start, end) of two InputColumns of equal length for equivalence, without the GIL.

    validity, same : addresses of one bit per row
    Returns the number of null rows. ValueError for a row with a fault.
    """
    cdef fu_gather_work work
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *>borrow(source, INPUT_NAME)
    cdef bint done = False
    start_rows(&work, &g, start, end, validity)
    work.kind = _scan.FU_GATHER_SAME
    g.other = <const fu_input *>borrow(other, INPUT_NAME)
    g.same = <uint8_t *>same
    if g.other.rows != rows.rows:
        raise ValueError("the columns must have as many rows")
    try:
        while not done:
            with nogil:
                done = runtime.kernel.gather_rows(&work, rows, &g)
            if g.failed_row >= 0:
                (other if g.failed_other else source).fail(g.failed_row, g.fault)
            if g.out_of_memory:
                raise MemoryError
        return g.nulls
    finally:
        free(g.keys)
