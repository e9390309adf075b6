"""Every finding of a URL with its place and in words: the slow way through the judge, for people and for exceptions."""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, realloc

cimport _scan
from _pyoctets cimport fu_free_octets, fu_octets, fu_octets_of
from _runtime cimport import_runtime, runtime
from _scan cimport fu_diagnostics, fu_form, fu_problem, fu_spans

from operator import itemgetter

from fasturl import _fastparse, _terms
from fasturl.findings import Finding, Problem

import_runtime()


cdef fu_form form_of(object form):
    """Of a form that fasturl.parse has taken."""
    return _scan.FU_FORM_TARGET if form == "request-target" else _scan.FU_FORM_URL


by_place = itemgetter(0, 1, 2)


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


cdef list found_in(url, bint strict):
    """(start, bit, end, term) of every finding, in order."""
    cdef fu_form form = form_of(url.form)
    cdef fu_octets octets
    cdef fu_spans spans
    cdef fu_diagnostics diagnostics
    cdef fu_problem *problem
    cdef size_t i
    cdef list found = [(start, bit, end, term) for bit, term, start, end in _fastparse._custom_problems(url)]
    fu_octets_of(url.text, &octets)
    _scan.fu_start_diagnostics(&diagnostics)
    diagnostics.grow = grow
    try:
        runtime.kernel.split(runtime.schemes, octets.p, octets.n, form, strict, &spans)
        _scan.fu_validate(runtime.schemes, octets.p, &spans, form, &diagnostics)
        if diagnostics.grow == NULL:
            raise MemoryError
        for i in range(diagnostics.count):
            problem = &diagnostics.problems[i]
            found.append((problem.start, problem.finding, problem.end, _terms.NAMES[problem.term]))
    finally:
        free(diagnostics.problems)
        fu_free_octets(&octets)
    found.sort(key=by_place)
    return found


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
    found = found_in(url, strict)
    if not found:
        return []
    terms = _terms.Terms(url)
    return [Problem(Finding(bit), start, end, terms.message(bit, *terms.place(bit, term, start), start, end))
            for start, bit, end, term in found]


def _scan_in_place(buffer not None, *, bint strict=False, form="url"):
    """Split and judge a buffer where it stands, without a copy, as columns do: for tests of what the kernel touches.
    Returns (scheme_end, netloc_start, path_start, path_end, query_end, flags, findings, error_offset or None)."""
    cdef fu_spans s
    cdef fu_diagnostics v
    cdef fu_form as_form = form_of(form)
    cdef Py_buffer view
    PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE)
    with nogil:
        runtime.kernel.split(runtime.schemes, <const uint8_t *>view.buf, <size_t>view.len, as_form, strict, &s)
        _scan.fu_start_diagnostics(&v)
        _scan.fu_validate(runtime.schemes, <const uint8_t *>view.buf, &s, as_form, &v)
    PyBuffer_Release(&view)
    if s.flags & _scan.FU_PROVEN_VALID and v.findings:
        raise AssertionError("the split called a text clean that the judge finds fault with")
    offset = None if v.error_offset == _scan.FU_ABSENT else v.error_offset
    # Marks of where odd octets are, which only the judge reads, are left out of the flags.
    flags = s.flags & (_scan.FU_HAS_SCHEME | _scan.FU_HAS_NETLOC | _scan.FU_HAS_QUERY | _scan.FU_HAS_FRAGMENT)
    return s.scheme_end, s.netloc_start, s.path_start, s.path_end, s.query_end, flags, v.findings, offset
