"""Every finding of a URL with its place and in words: the slow way through validation, for people."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport INT32_MAX, SIZE_MAX, int32_t, int64_t, uint8_t, uint32_t, uintptr_t
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

cimport _scan
from _pyoctets cimport fu_exact_text, fu_free_octets, fu_octets, fu_octets_of
from _runtime cimport import_runtime, runtime
from _scan cimport fu_diagnostics, fu_form, fu_gather_work, fu_gathering, fu_input, fu_problem, fu_spans, fu_terms

from fasturl import _fastparse, _terms
from fasturl.errors import sentence
from fasturl.findings import Finding, Problem

import_runtime()

cdef tuple SHAPE_NAMES = tuple(_fastparse.SHAPES)
cdef dict sentences = {}        # sentence_key() -> the sentence's two halves; bounded by findings, terms and shapes
cdef list finding_of_bit = []   # by the number of the bit: IntFlag's own look-up costs twenty times as much

# A text with many findings is read in windows: at most so many, the shortest of so many octets. The first pass is of the
# whole text and tells how many they should be, so that what is held of findings is some octets for each of the text's.
cdef enum:
    WINDOWS = 16
    WINDOW_MIN = 1 << 16

cdef struct fu_kept:
    fu_diagnostics found
    size_t most       # of the first pass: with more, what was kept is forgotten and counted
    size_t forgotten


cdef fu_form form_of(object form):
    """Of a form that fasturl.parse has taken."""
    return _scan.FU_FORM_TARGET if form == "request-target" else _scan.FU_FORM_URL


cdef int name_findings() except -1:
    cdef int bit
    cdef list known = [int(finding) for finding in Finding]
    for bit in range(32):
        finding_of_bit.append(Finding(1 << bit) if 1 << bit in known else None)
    return 0


name_findings()


cdef int grow(fu_diagnostics *found) noexcept nogil:
    """Makes space for as many problems again; without it none is kept any more."""
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


cdef int grow_or_forget(fu_diagnostics *found) noexcept nogil:
    """The same of a fu_kept, up to its limit."""
    cdef fu_kept *kept = <fu_kept *>found
    if 2 * found.capacity <= kept.most:
        return grow(found)
    kept.forgotten += found.count
    found.count = 0
    return 1


cdef tuple sentence_of(int bit, uint32_t term, int shape):
    """The two halves of the sentence for a finding, which are made once."""
    cdef object key = bit | term << 8 | <uint32_t>shape << 16
    halves = sentences.get(key)
    if halves is None:
        name = _terms.NAMES[term]
        halves = sentence(1 << bit, name, _terms.section_of(1 << bit, name, SHAPE_NAMES[shape]))
        sentences[key] = halves
    return halves


cdef int bit_number(uint32_t finding) noexcept:
    """Of a finding, which is one bit."""
    cdef int bit = 0
    while finding >> bit > 1:
        bit += 1
    return bit


cdef class Findings:
    """The findings of one text in order, some at a time: what is held of them is bounded by the length of the text.

    text : an exact str or bytes
    form, strict : as for :func:`fasturl.parse`
    wanted : a set of findings, as an int; the others are left out
    """

    cdef object text
    cdef fu_octets octets
    cdef bint loaded, has_terms
    cdef fu_form form
    cdef fu_spans spans
    cdef fu_terms terms
    cdef fu_kept kept
    cdef fu_diagnostics *found  # of `kept`
    cdef size_t window, at, custom_at
    cdef list custom  # of a scheme's own productions: (start, bit, end, term), in order

    def __cinit__(self, text not None, form, uint32_t wanted, *, bint strict=False):
        self.text = fu_exact_text(text, _fastparse.URL, b"Findings()")
        self.form = form_of(form)
        fu_octets_of(self.text, &self.octets)
        self.loaded = True
        runtime.kernel.split(runtime.schemes, self.octets.p, self.octets.n, self.form, strict, &self.spans)
        self.found = &self.kept.found
        _scan.fu_start_diagnostics(self.found)
        self.found.wanted = wanted
        custom = _fastparse._custom_problems(self.text, self.spans.scheme, self.spans.scheme_end)
        self.custom = []
        for bit, term, start, end in custom:
            if bit & wanted:
                self.custom.append((start, bit, end, term))
        self.custom.sort()

    def __dealloc__(self):
        free(self.kept.found.problems)
        if self.loaded:
            fu_free_octets(&self.octets)

    cdef int validate(self, size_t start, size_t length, size_t most) except -1:
        """Finds what starts in a window; more than `most` are only counted."""
        cdef fu_diagnostics *found = self.found
        found.count = 0
        found.window_start, found.window_length = start, length
        found.grow = grow_or_forget
        self.kept.most, self.kept.forgotten = most, 0
        runtime.kernel.validate(runtime.schemes, self.octets.p, &self.spans, self.form, found)
        if found.grow == NULL:
            raise MemoryError
        if not self.kept.forgotten:  # or else these are found again
            _scan.fu_sort_problems(found.problems, found.count)
        self.at = 0
        return 0

    cdef int validate_all(self) except -1:
        """The first pass: finds all if they are few, or else how long the windows are to be."""
        cdef size_t n = self.octets.n, windows
        cdef size_t most = max(n // WINDOWS, <size_t>WINDOW_MIN)
        # A finding may stand at the end of the text, behind its last octet.
        self.validate(0, n + 1, SIZE_MAX if n <= WINDOW_MIN else most)
        if self.kept.forgotten:
            windows = min((self.kept.forgotten + self.found.count) // most + 1, <size_t>WINDOWS)
            self.window = max(n // windows + 1, <size_t>WINDOW_MIN)
            self.validate(0, self.window, SIZE_MAX)
        return 0

    cdef bint has_more(self) except -1:
        """Whether there is another one, for which the windows are gone through."""
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

    cdef tuple told(self, uint32_t finding, uint32_t term, size_t start, size_t end):
        """(start, end, bit, message)"""
        cdef bint secret
        cdef int bit = bit_number(finding)
        if not self.has_terms:
            _scan.fu_read_terms(runtime.schemes, self.octets.p, &self.spans, self.form, &self.terms)
            self.has_terms = True
        if term == _scan.FU_TERM_OCTET:
            term = _scan.fu_term_at(&self.terms, start)
        secret = _scan.fu_is_secret(&self.terms, finding, <_scan.fu_term>term, start)
        head, tail = sentence_of(bit, term, self.terms.shape)
        if secret or start >= end or start >= self.octets.n:
            shown = _terms.HIDDEN
        elif isinstance(self.text, bytes):
            shown = _terms.SHOWN[self.octets.p[start]]
        else:
            shown = _terms.shown(self.text, start, end, False)
        return start, end, bit, f"{head}{shown}{start}{tail}"

    def some(self, size_t most):
        """The next ones, at most so many: a list of (start, end, bit number, message), empty when all have been
        had."""
        cdef fu_problem *problem
        cdef bint more
        cdef list out = []
        while <size_t>len(out) < most:
            more = self.has_more()
            problem = &self.found.problems[self.at] if more else NULL
            if self.custom_at < <size_t>len(self.custom):
                start, finding, end, term = self.custom[self.custom_at]
                if not more or (start, finding, end) <= (problem.start, problem.finding, problem.end):
                    out.append(self.told(finding, _terms.NUMBERS[term], start, end))
                    self.custom_at += 1
                    continue
            if not more:
                break
            out.append(self.told(problem.finding, problem.term, problem.start, problem.end))
            self.at += 1
        return out


def problems(url, *, form="url", bint strict=False):
    """Every violation and hazard of a URL with its place, by start.

    url : str, bytes-like, or a URL (whose own form then counts)
    form, strict : as for :func:`parse`; nothing is raised for content
    Returns list[Problem(finding, start, end, message)]; places count characters of a str, octets of bytes.
    Cost: O(n) for the scan, and one object a problem. RFC 1738 sections 2.2, 3, 5 and 6.

    >>> for problem in problems("http://h/a b#c"):
    ...     print(problem.finding.name, problem.start, problem.end)
    UNSAFE 10 11
    FRAGMENT 12 13
    """
    cdef list out = []
    cdef Findings findings
    if not isinstance(url, _fastparse.URL):
        url = _fastparse.parse(url, form=form)
    findings = Findings(url.text, url.form, 0xFFFFFFFF, strict=strict)
    while some := findings.some(1 << 10):
        for start, end, bit, message in some:
            out.append(Problem(finding_of_bit[bit], start, end, message))
    return out


def _scan_in_place(buffer not None, *, bint strict=False, form="url"):
    """Split and validate a buffer where it stands, without a copy, as columns do: for tests of what the kernel touches.
    Returns (scheme_end, netloc_start, path_start, path_end, query_end, flags, findings, error_offset or None)."""
    cdef fu_spans s
    cdef fu_diagnostics v
    cdef fu_form as_form = form_of(form)
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
    # Marks of which blocks have an octet that is no xchar, which only validation reads, are left out of the flags.
    flags = s.flags & (_scan.FU_HAS_SCHEME | _scan.FU_HAS_NETLOC | _scan.FU_HAS_QUERY | _scan.FU_HAS_FRAGMENT)
    return s.scheme_end, s.netloc_start, s.path_start, s.path_end, s.query_end, flags, v.findings, offset


# ---- of columns, for fasturl.arrow

cdef void start_rows(fu_gather_work *work, fu_gathering *g, int64_t start, int64_t end, uintptr_t validity) noexcept:
    memset(work, 0, sizeof(work[0]))
    work.schemes = runtime.schemes
    work.kernel = runtime.kernel
    work.grow = grow
    _scan.fu_start_gathering(g, start, end, <uint8_t *>validity)


cdef fu_problem *problems_of(list found, size_t *count) except NULL:
    """Problems as the kernel has them; to be freed."""
    cdef size_t i
    cdef fu_problem *problems = <fu_problem *>realloc(NULL, (len(found) + 1) * sizeof(fu_problem))
    if problems == NULL:
        raise MemoryError
    for i in range(len(found)):
        problems[i].finding, problems[i].start, problems[i].end, _ = found[i]
    count[0] = len(found)
    return problems


def _gather_problems(source, uintptr_t validity, uintptr_t offsets, *, form="url", int64_t start, int64_t end, allocate):
    """List the problems of rows [start, end) of an InputColumn, without the GIL. start is a multiple of 64.

    validity, offsets : as for ``fasturl._parts._gather_lists``
    allocate : called with a number of items; gives three addresses of 4 octets for each: for findings, starts and ends
    Returns how many rows are null, and how many items there are. ValueError for a row with a fault.
    """
    cdef fu_gather_work work
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *><uintptr_t>source.address
    cdef fu_problem *answers = NULL
    cdef uintptr_t places[3]
    cdef bint done = False, fits = False
    start_rows(&work, &g, start, end, validity)
    work.kind = _scan.FU_GATHER_PROBLEMS
    work.form = form_of(form)
    g.offsets = <int32_t *>offsets + start
    if start == 0:
        g.offsets[0] = 0
    try:
        while not done:
            if not fits:
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
            fits = g.asks
            if g.asks:
                free(answers)
                answers = NULL
                answers = problems_of(problems(source.octets(g.row), form=form), &g.answer_count)
                g.answers = answers
                g.asks, g.is_answered = False, True
        return g.nulls, g.used
    finally:
        free(answers)
        free(g.problems)


def _gather_same(source, other, equivalent, uintptr_t validity, uintptr_t same, *, int64_t start, int64_t end):
    """Say for rows [start, end) of two InputColumns of as many rows whether they are equivalent, without the GIL.

    equivalent : what is asked of two texts, which are bytes, where a scheme's productions are their owner's
    validity, same : addresses of a bit a row
    Returns how many rows are null. ValueError for a row with a fault.
    """
    cdef fu_gather_work work
    cdef fu_gathering g
    cdef const fu_input *rows = <const fu_input *><uintptr_t>source.address
    cdef bint done = False
    start_rows(&work, &g, start, end, validity)
    work.kind = _scan.FU_GATHER_SAME
    g.other = <const fu_input *><uintptr_t>other.address
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
            if g.asks:
                g.answer = equivalent(source.octets(g.row), other.octets(g.row))
                g.asks, g.is_answered = False, True
        return g.nulls
    finally:
        free(g.keys)
