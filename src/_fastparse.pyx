# distutils: language = c
"""Parse one URL or a stream of URLs: text -> scan -> spans and findings -> URL object.

The C kernel splits and validates the bytes in place, without a copy of bytes or of an ASCII or Latin-1 str. A URL
object stores the spans. A part becomes a Python object when it is read.
"""

from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.pycapsule cimport PyCapsule_New
from libc.stdint cimport SIZE_MAX, uint8_t, uint32_t
from libc.stdlib cimport free

cimport _scan
from _docs cimport complete_docs
from _forms cimport *
from _pybytes cimport fu_exact_text, fu_free_bytes, fu_bytes, fu_bytes_of
from _pytext cimport *
from _runtime cimport FU_HAS_GIL, RUNTIME_NAME, import_runtime, refuse_new, runtime
from _scan cimport *

import os

from fasturl import _rfc3986, _terms
from fasturl.errors import InvalidURL
from fasturl._findings import Finding, Problem

cdef extern from *:
    """
    #ifndef FASTURL_BUILD_NAME
    #define FASTURL_BUILD_NAME "release"
    #endif
    """
    const char *FASTURL_BUILD_NAME

cdef fu_runtime *own = _scan.fu_start_runtime()
if "FASTURL_KERNEL" in os.environ and not _scan.fu_use_kernel(own, os.environ["FASTURL_KERNEL"].encode()):
    raise ImportError(f"FASTURL_KERNEL={os.environ['FASTURL_KERNEL']!r} is not a kernel that runs here")
# The other extensions get the runtime from this capsule, by import_runtime().
_runtime = PyCapsule_New(own, RUNTIME_NAME, NULL)
import_runtime()

_BUILD = FASTURL_BUILD_NAME.decode()


def _kernels():
    """Return the names of the kernels that run on this processor, the widest last."""
    return [own.kernels[i].name.decode() for i in range(own.count)]


def _use_kernel(str name not None):
    """Switch every extension to one kernel. For tests and benchmarks."""
    if not _scan.fu_use_kernel(own, name.encode()):
        from fasturl._quoted import quoted
        raise ValueError(f"{quoted(name)} is not a kernel that runs here")


def _let_texts_change(bint may):
    """Turn off asserts that read a text twice, for tests in which another thread writes to it."""
    _scan.fu_texts_may_change = may


cdef class _Counted:
    """A callable that counts its calls and adds no Python frame."""
    cdef readonly object __wrapped__
    cdef public Py_ssize_t calls

    def __init__(self, function):
        self.__wrapped__ = function
        self.calls = 0

    def __call__(self, *args, **kwargs):
        self.calls += 1
        return self.__wrapped__(*args, **kwargs)


# --- text and form ----------------------------------------------------------------------------------------------------

cdef dict finding_sets = {}         # bits -> Finding; the lookup of IntFlag costs twenty times as much


def exact_text(text, str caller not None):
    """Return the exact str or bytes with the content of a text: of a str, a bytes-like object, or a URL.

    No method of the text is called. The package's Python modules use this. TypeError for other types names the caller,
    as in "parse()".
    """
    return fu_exact_text(text, URL, caller.encode())


def is_request_target(form):
    """Return True for "request-target" and False for "url". ValueError for another form."""
    return form_of(form) == _scan.FU_FORM_TARGET


cdef object finding_set(uint32_t bits):
    found = finding_sets.get(bits)
    if found is None:
        found = finding_sets[bits] = Finding(bits)
    return found


# --- URL objects ------------------------------------------------------------------------------------------------------

include "extensions/fastparse/forks.pxi"
include "extensions/fastparse/schemes.pxi"
include "extensions/fastparse/url.pxi"


cdef bint read_url(void *object_, fu_form form, bint any_first, void **text, fu_spans *out) noexcept:
    """The runtime's read_url."""
    cdef URL url = <URL>object_
    text[0] = <void *>url.text
    if out == NULL or url.form_ != form or not (PyBytes_CheckExact(url.text) or PyUnicode_IS_ASCII(url.text)):
        return False
    url.fill(out)
    out.flags |= _scan.FU_HAS_FINDINGS
    out.findings = url.finding_bits
    # Meanwhile, a program may have registered an unknown scheme.
    return out.scheme != _scan.FU_NO_SCHEME or not (any_first or url.flags & _scan.FU_HAS_SCHEME)


own.read_url = read_url


def _restore(text, form, strict, standard):
    """Unpickle a URL."""
    return make(fu_exact_text(text, URL, b"_restore()"), form_of(form), strictness_of(strict, standard))


cdef URL make(object text, fu_form form, Strictness strict):
    """Return the URL of an exact str or bytes. All URL objects are created here."""
    cdef URL url = URL.__new__(URL)
    cdef fu_bytes data
    cdef fu_spans spans
    cdef fu_diagnostics found
    fu_bytes_of(text, &data)
    own.kernel.split(own.schemes, data.p, data.n, form, strict == STRICT_1738, &spans)
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
    url.finding_bits = 0
    if not spans.flags & _scan.FU_PROVEN_VALID:
        _scan.fu_start_diagnostics(&found)
        found.text.points, found.text.width = data.points, data.width
        own.kernel.validate(own.schemes, data.p, &spans, form, &found)
        url.finding_bits = found.findings
        url.first_violation = found.error_offset
        if strict == STRICT_1738 and found.findings & _scan.FU_VIOLATIONS:
            fu_free_bytes(&data)
            raise_invalid(url, &found, "rfc1738")
    if strict == STRICT_3986:
        _scan.fu_start_diagnostics(&found)
        own.kernel.validate_3986(data.p, &spans, form, &found)
        if found.findings:
            fu_free_bytes(&data)
            raise_invalid(url, &found, "rfc3986")
    fu_free_bytes(&data)
    return url


cdef int raise_invalid(URL url, const fu_diagnostics *found, str standard) except -1:
    """Raise InvalidURL for the first violation."""
    raise _terms.invalid(url, found.first_finding, found.first_term, found.error_offset, found.first_end, standard)


# --- parse ------------------------------------------------------------------------------------------------------------

def parse(url, *, strict=False, standard="rfc1738", form="url"):
    """Parse a URL with any content.

    fasturl splits the URL as urllib does. It also validates the URL, and reports problems in ``URL.findings``.
    $Parameters
    url : str, bytes-like or URL
        URL to read. It may have any content, valid or not. A bytearray or a memoryview is copied.
    strict : bool
        Raise InvalidURL if the standard does not allow the text.
    standard : {"rfc1738", "rfc3986"}
        Standard that ``strict`` applies: RFC 1738 section 5, or RFC 3986.
    form : {"url", "request-target"}
        How to split the URL. Use "request-target" when it comes from an access log. Then ``//a/b`` is a path, and
        ``h:443``, ``*`` and ``-`` are valid.
    $Returns
    URL
        The text with its parts and findings.
    $Raises
    InvalidURL
        If you pass ``strict`` and the text is invalid.
    TypeError
        If ``url`` has another type.
    ValueError
        If ``form`` or ``standard`` has another value.
    $See Also
    parse_many : Parse a stream of URLs.
    problems : List every problem with its place.
    decompose : Return the parts that the scheme defines.
    $Notes
    Cost: O(n) for any text, in a single pass. A part is built when you read it. Source: RFC 1738 sections 2 to 5.
    Threads: safe.
    $Examples
    >>> parse("http://[bad/x").findings
    <Finding.UNSAFE|BAD_HOST|AMBIGUOUS_AUTHORITY: 16777488>
    >>> parse(b"//caf\\xe9/menu?x", form="request-target").path
    b'//caf\\xe9/menu'
    >>> parse("http://u:secret@example.com/", strict=True)
    Traceback (most recent call last):
    ...
    fasturl.errors.InvalidURL: login: at offset 7: this scheme allows no user or password; remove the text up to the '@' (RFC 1738 section 3.3)
    """
    cdef fu_form as_form = _scan.FU_FORM_URL
    if form is not "url":  # noqa: F632, E721 - the default is this object, so the fast path compares no strings
        as_form = form_of(form)
    cdef Strictness strictness = LENIENT
    if strict is not False or standard is not "rfc1738":  # noqa: F632, E721
        strictness = strictness_of(strict, standard)
    if not (PyUnicode_CheckExact(url) or PyBytes_CheckExact(url)):
        if type(url) is URL and (<URL>url).form_ == as_form and (<URL>url).strict_ == strictness:
            return url
        url = fu_exact_text(url, URL, b"parse()")
    return make(url, as_form, strictness)


include "extensions/fastparse/parse_many.pxi"
include "extensions/fastparse/logins.pxi"
include "extensions/fastparse/problems.pxi"

complete_docs(globals())
complete_docs(URL.__dict__)
