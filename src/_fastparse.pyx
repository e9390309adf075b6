# distutils: language = c
"""Parse one URL or a stream of them: text -> scan -> spans and findings -> URL object.

The octets are read in place (no copy of bytes or of str that is ASCII or Latin-1), split and validated by the C kernel, and
kept as spans: a part becomes a Python object when it is asked for.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport uint32_t

cimport _scan
from _pyoctets cimport fu_exact_text, fu_free_octets, fu_octets, fu_octets_of
from _pytext cimport *
from _runtime cimport FU_HAS_GIL, RUNTIME_NAME
from _scan cimport fu_diagnostics, fu_form, fu_runtime, fu_spans

import os

from fasturl.errors import InvalidURL
from fasturl.findings import Finding

cdef extern from *:
    """
    #ifndef FASTURL_BUILD_NAME
    #define FASTURL_BUILD_NAME "release"
    #endif
    """
    const char *FASTURL_BUILD_NAME

cdef fu_runtime *own = _scan.fu_start_runtime()
if "FASTURL_KERNEL" in os.environ and not _scan.fu_use_kernel(own, os.environ["FASTURL_KERNEL"].encode()):
    raise ImportError(f"FASTURL_KERNEL={os.environ['FASTURL_KERNEL']!r} is no kernel that runs here")
# The other extensions find it here, by import_runtime().
_runtime = PyCapsule_New(own, RUNTIME_NAME, NULL)

_BUILD = FASTURL_BUILD_NAME.decode()


def _kernels():
    """The names of the kernels that run on this processor, the widest last."""
    return [own.kernels[i].name.decode() for i in range(own.count)]


def _use_kernel(str name not None):
    """Read all texts that follow with one kernel, in every extension: for tests and benchmarks."""
    if not _scan.fu_use_kernel(own, name.encode()):
        raise ValueError(f"{name!r} is no kernel that runs here")


def _let_texts_change(bint may):
    """Keep asserts, in builds that have them, from a second look at texts that another thread writes: for tests of that."""
    _scan.fu_texts_may_change = may


cdef class _Counted:
    """A callable that counts its calls, without a frame of its own."""
    cdef readonly object __wrapped__
    cdef public Py_ssize_t calls

    def __init__(self, function):
        self.__wrapped__ = function
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.__wrapped__(*args, **kwargs)


# --- text and form -------------------------------------------------------------------------------------------------------

cdef dict finding_sets = {}         # bits -> Finding; IntFlag's own look-up costs twenty times as much


def exact_text(text, str caller not None):
    """The exact str or bytes that stands for a text, a subclass's or a buffer's content or a URL's own; no method of it
    is called. For the package's plain modules: TypeError for other types names the caller, as in "parse()"."""
    return fu_exact_text(text, URL, caller.encode())


cdef fu_form form_named(object form) except *:
    if form == "url":
        return _scan.FU_FORM_URL
    if form == "request-target":
        return _scan.FU_FORM_TARGET
    raise ValueError(f"form must be 'url' or 'request-target', not {form!r}")


cdef object finding_set(uint32_t bits):
    found = finding_sets.get(bits)
    if found is None:
        found = finding_sets[bits] = Finding(bits)
    return found


# --- URL objects ---------------------------------------------------------------------------------------------------------

include "fastparse/schemes.pxi"
include "fastparse/url.pxi"


def _restore(text, form, strict):
    """Unpickle a URL."""
    return make(fu_exact_text(text, URL, b"_restore()"), form_named(form), strict)


cdef URL make(object text, fu_form form, bint strict):
    """The one way to a URL object; text is an exact str or bytes."""
    cdef URL url = URL.__new__(URL)
    cdef fu_octets octets
    cdef fu_spans spans
    cdef fu_diagnostics found
    fu_octets_of(text, &octets)
    own.kernel.split(own.schemes, octets.p, octets.n, form, strict, &spans)
    url.text = text
    url.scheme_end = spans.scheme_end
    url.netloc_start = spans.netloc_start
    url.path_start = spans.path_start
    url.path_end = spans.path_end
    url.query_end = spans.query_end
    url.flags = spans.flags
    url.scheme_index = spans.scheme
    url.form_ = form
    url.strict_ = strict
    url.first_violation = _scan.FU_ABSENT
    if spans.flags & _scan.FU_PROVEN_VALID:
        url.finding_bits = 0
        fu_free_octets(&octets)
        return url
    _scan.fu_start_diagnostics(&found)
    own.kernel.validate(own.schemes, octets.p, &spans, form, &found)
    fu_free_octets(&octets)
    url.finding_bits = found.findings
    url.first_violation = found.error_offset
    if custom_validators and spans.scheme in custom_validators:
        ask_custom_validator(url, &found, strict)
    elif strict and found.findings & _scan.FU_VIOLATIONS:
        raise_invalid(url, &found, found.first_term)
    return url


cdef int raise_invalid(URL url, const fu_diagnostics *found, term) except -1:
    """InvalidURL for the first violation."""
    from fasturl._terms import invalid
    raise invalid(url, found.first_finding, term, found.error_offset, found.first_end)


cdef int ask_custom_validator(URL url, fu_diagnostics *found, bint strict) except -1:
    """Add what the productions that a scheme's owner brought have against the URL."""
    cdef uint32_t bit
    cdef size_t start, end
    first_term = found.first_term
    for bit, term, start, end in _custom_problems(url.text, url.scheme_index, url.scheme_end):
        url.finding_bits |= bit
        if bit & _scan.FU_VIOLATIONS and (start, bit) < (found.error_offset, found.first_finding):
            found.first_finding, found.error_offset, found.first_end = bit, start, end
            first_term = term
    url.first_violation = found.error_offset
    if strict and url.finding_bits & _scan.FU_VIOLATIONS:
        raise_invalid(url, found, first_term)
    return 0


def _custom_problems(text not None, uint32_t scheme, size_t scheme_end):
    """(bit, term, start, end) of what a scheme's own productions have against an exact text: none for a scheme without."""
    cdef fu_octets octets
    validator = custom_validators.get(scheme)
    if validator is None:
        return []
    fu_octets_of(text, &octets)
    try:
        copy = PyBytes_FromStringAndSize(<const char *>octets.p, <Py_ssize_t>octets.n)
    finally:
        fu_free_octets(&octets)
    found = []
    for bit, term, start, end in validator(copy, scheme_end + 1):
        found.append((int(bit), term, start, end))
    return found


# --- parse ------------------------------------------------------------------------------------------------------------

def parse(url, *, bint strict=False, form="url"):
    """Read one URL, whatever it holds.

    url : str or bytes-like (copied if it is not bytes); any octets, any length
    strict : raise InvalidURL for what RFC 1738 section 5 does not derive
    form : "url", or "request-target" for what an access log holds: ``/a?b``, ``http://h/a``, ``h:443``, ``*``, ``-``,
        and ``//a/b`` as a path
    Returns a URL; without strict it never raises for content. TypeError for other types, ValueError for another form.
    Cost: one pass and one object, O(n) for the worst text; the parts are built when read.
    Threads: safe. Source: RFC 1738 sections 2 to 5; the cut is urllib's.

    >>> parse("http://[bad/x").findings
    <Finding.UNSAFE|BAD_HOST: 272>
    >>> parse(b"//caf\\xe9/menu?x", form="request-target").path
    b'//caf\\xe9/menu'
    >>> parse("http://u:secret@example.com/", strict=True)
    Traceback (most recent call last):
    ...
    fasturl.errors.InvalidURL: login: at offset 7: this scheme allows no user or password (RFC 1738 section 3.1)
    """
    cdef fu_form as_form = _scan.FU_FORM_URL
    if form is not "url":  # noqa: F632, E721 - the default is this very object: no comparison on the common way
        as_form = form_named(form)
    if not (PyUnicode_CheckExact(url) or PyBytes_CheckExact(url)):
        url = fu_exact_text(url, URL, b"parse()")
    return make(url, as_form, strict)


include "fastparse/parse_many.pxi"
include "fastparse/logins.pxi"
