"""Every finding of a URL with its place and in words: the slow way through the judge, for people and for exceptions."""

from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc

cimport _scan
from _scan cimport fu_form, fu_problem, fu_scheme_table, fu_spans, fu_verdict

from fasturl import _fastparse, _terms
from fasturl.errors import InvalidURL
from fasturl.findings import Finding, Problem

cdef extern from "pyoctets.h":
    ctypedef struct fu_octets:
        const uint8_t *p
        size_t n
    int fu_octets_of(object text, fu_octets *out) except -1
    void fu_free_octets(fu_octets *octets)

cdef const fu_scheme_table *schemes_table = <const fu_scheme_table *>PyCapsule_GetPointer(
    _fastparse._scheme_table, "fasturl._fastparse._scheme_table")
_scan.fu_start_kernels()


cdef fu_form form_of(object form):
    """Of a form that fasturl.parse has taken."""
    return _scan.FU_FORM_TARGET if form == "request-target" else _scan.FU_FORM_URL


cdef list found_in(url, bint strict):
    """(bit, term, start, end) of every finding, by start and then by bit."""
    cdef fu_form form = form_of(url.form)
    cdef fu_octets octets
    cdef fu_spans spans
    cdef fu_verdict verdict
    cdef fu_problem *stored = NULL
    cdef size_t i, count
    cdef list found = []
    fu_octets_of(url.text, &octets)
    try:
        _scan.fu_split(schemes_table, octets.p, octets.n, form, strict, &spans)
        _scan.fu_start_verdict(&verdict)
        _scan.fu_judge(schemes_table, octets.p, &spans, form, &verdict)
        count = verdict.count
        if count:
            if count > <size_t>-1 // sizeof(fu_problem):
                raise MemoryError()
            stored = <fu_problem *>malloc(count * sizeof(fu_problem))
            if stored == NULL:
                raise MemoryError()
            _scan.fu_start_verdict(&verdict)
            verdict.problems = stored
            verdict.capacity = count
            _scan.fu_judge(schemes_table, octets.p, &spans, form, &verdict)
            for i in range(count):
                found.append((stored[i].finding, _terms.NAMES[stored[i].term], stored[i].start, stored[i].end))
    finally:
        free(stored)
        fu_free_octets(&octets)
    found += _fastparse._custom_problems(url)
    found.sort(key=_terms.by_place)
    return found


def invalid(url):
    """InvalidURL for the first violation of a URL that was read under strict and has one."""
    for bit, term, start, end in found_in(url, True):
        if bit & _scan.FU_VIOLATIONS:
            term, section = _terms.place(url, bit, term, start)
            return InvalidURL(_terms.message(url, bit, term, section, start, end), bit, term, start, section)
    raise AssertionError("a URL with a violation has a problem")


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
    if not isinstance(url, _fastparse.URL):
        url = _fastparse.parse(url, form=form)
    found = []
    for bit, term, start, end in found_in(url, strict):
        term, section = _terms.place(url, bit, term, start)
        message = _terms.message(url, bit, term, section, start, end)
        found.append(Problem(Finding(bit), start, end, message))
    return found


def _scan_in_place(const uint8_t[::1] buffer not None, *, bint strict=False, form="url"):
    """Split and judge a buffer where it stands, without a copy, as columns do: for tests of what the kernel touches.
    Returns (scheme_end, netloc_start, path_start, path_end, query_end, flags, findings, error_offset or None)."""
    cdef fu_spans s
    cdef fu_verdict v
    cdef fu_form as_form = form_of(form)
    cdef const uint8_t *p = &buffer[0] if buffer.shape[0] else NULL
    with nogil:
        _scan.fu_split(schemes_table, p, <size_t>buffer.shape[0], as_form, strict, &s)
        _scan.fu_start_verdict(&v)
        _scan.fu_judge(schemes_table, p, &s, as_form, &v)
    if s.flags & _scan.FU_CLEAN and v.findings:
        raise AssertionError("the split called a text clean that the judge finds fault with")
    offset = None if v.error_offset == _scan.FU_ABSENT else v.error_offset
    # Marks of where odd octets are, which only the judge reads, are left out of the flags.
    flags = s.flags & (_scan.FU_HAS_SCHEME | _scan.FU_HAS_NETLOC | _scan.FU_HAS_QUERY | _scan.FU_HAS_FRAGMENT)
    return s.scheme_end, s.netloc_start, s.path_start, s.path_end, s.query_end, flags, v.findings, offset


def _use_kernel(str name not None):
    """Take one kernel for all scans of this module that follow: for tests."""
    if not _scan.fu_use_kernel(name.encode()):
        raise ValueError(f"{name!r} is no kernel that runs here")
