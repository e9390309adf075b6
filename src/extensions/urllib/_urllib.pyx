"""Compiled versions of the functions of urllib.parse; RFC 1738's own escapes; single query values; redaction.

Each function takes str, ASCII bytes, and parts that are None. At import, the module detects how the running Python
behaves where Python versions differ; it asks a copy of urllib.parse, which no test has patched. Unusual arguments
(subclasses of str with methods of their own, flags of other types) are delegated to the interpreter's own function,
before any argument is changed or consumed. So are texts that urllib refuses, unless every Python refuses them in the
same way. So results always have the value, class and exception of the running interpreter.

The originals call one another through the globals of urllib.parse, where install() has put the functions of this
module. This cannot loop: each function here falls back only to the original of its own name, and the calls among the
originals form no cycle.
"""

import urllib.parse as _urllib
from functools import lru_cache

from fasturl import _originals
from fasturl._fastparse import URL
from fasturl._chars import CharClass

cimport cython
from _docs cimport complete_docs
from cpython.buffer cimport PyBUF_SIMPLE, PyBuffer_Release, PyObject_GetBuffer
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.long cimport PyLong_AsLongAndOverflow, PyLong_AsLongLongAndOverflow, PyLong_Check, PyLong_CheckExact
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t, uint64_t
from libc.string cimport memchr, memcmp, memcpy

from _escaping cimport *
from _forms cimport KEEP, RAISE, ErrorPolicy, policy_of
from _pybytes cimport fu_exact_text, fu_free_bytes, fu_bytes, fu_bytes_of
from _pyparts cimport *
from _pytext cimport *
from _runtime cimport FU_HAS_GIL, import_runtime, runtime
from _scan cimport *
from _sink cimport *


cdef extern from "pyfront.h":
    ctypedef object (*fu_call)(PyObject *module, PyObject *const *args, Py_ssize_t n, PyObject *names)
    fu_call fu_install_fast_call(object function, fu_call front)

cdef extern from "pysubclass.h":
    enum:
        FU_ASKS_TRUTH, FU_ASKS_HASH, FU_ASKS_CONTAINS, FU_ASKS_SLICE, FU_ASKS_STR, FU_ASKS_EQUAL, FU_ASKS_SUM
    bint fu_acts_as_str(object text, unsigned asks, object method, object class_name)


cdef inline bint acts_as_str(object text, unsigned asks, object method):
    """Return True for a str of a subclass that overrides nothing that urllib calls: these of `asks`, and `method`."""
    return fu_acts_as_str(text, asks, method, "__class__")


cdef object original_urlsplit, original_urlparse, original_urlunsplit, original_urlunparse
cdef object original_urljoin, original_urldefrag
cdef object scheme_chars = _originals.FRESH.get("scheme_chars")
cdef dict urllib_globals  # the names of urllib.parse; while the module detects how Python behaves, those of the copy

cdef object SplitResult, SplitResultBytes, ParseResult, ParseResultBytes, DefragResult, DefragResultBytes
# (name, value) pairs that the interpreter sets on every result, or None
cdef object result_state = _originals.state_of(_originals.FRESH["urlsplit"]("//h/"))
cdef bint splits_here, parses_here, unsplits_here, unparses_here, joins_here, defragments_here
cdef bint splits_agree = True, parses_agree = True, defragments_agree = True  # with the interpreter's functions

# How the running interpreter behaves where Python versions differ; see ask_what_differs().
cdef bint cleans_here, none_is_empty, doubles_slashes, roots_paths, drops_empty

cdef str CLEANED = "lstrip"  # the method that urllib calls first of a text to split
cdef str NOTHING = ""
cdef str BLANKS = bytes(range(0x21)).decode()  # urllib strips these at the start of a text
cdef bytes NO_BYTES = b""

import_runtime()

cdef object url_class = URL


cdef inline object plain(object text, unsigned asks, object method):
    """Return the text of a URL object, a copy of a str of a subclass, and any other object as it is.

    An empty str, and one of a subclass that overrides what urllib calls, stays as it is. asks, method : what urllib calls
    """
    return text if PyUnicode_CheckExact(text) else plain_of_other(text, asks, method)


cdef object plain_of_other(object text, unsigned asks, object method):
    cdef void *own
    if type(text) is url_class:
        runtime.read_url(<void *>text, FU_FORM_URL, False, &own, NULL)
        return <object>own
    return PyUnicode_FromObject(text) if is_plain(text, asks, method) else text


cdef inline bint is_plain(object text, unsigned asks, object method):
    """Return True for a text of a subclass that is not empty, and that urllib reads as it reads an exact str."""
    return PyUnicode_Check(text) and PyUnicode_GET_LENGTH(text) > 0 and acts_as_str(text, asks, method)


cdef inline object given(object argument, object text):
    """Return what urllib gets for an argument: the argument itself, or its `text` for a URL object."""
    return text if type(argument) is url_class else argument


include "install.pxi"


# ---- A cached copy of one of urllib's lists of schemes, which applications extend and replace ----

@cython.final
cdef class _SchemeList:
    cdef str name
    cdef tuple seen  # the list's items when `members` was built; valid while the list holds the same objects
    cdef frozenset members

    def __cinit__(self, str name):
        self.name = name
        self.seen = ()
        self.members = frozenset()

    cdef inline bint has(self, scheme) except -1:
        schemes = urllib_globals.get(self.name, ())
        if not FU_HAS_GIL:  # another thread may change the list or the two attributes
            return scheme in schemes
        if type(schemes) is list and fu_same_items(schemes, self.seen):
            return scheme in self.members
        return self.look_up(scheme, schemes)

    cdef bint look_up(self, scheme, schemes) except -1:
        if type(schemes) is not list:
            return scheme in schemes
        for one in schemes:
            if type(one) is not str:  # it may be unhashable or override __eq__
                return scheme in schemes
        seen = tuple(schemes)
        members = frozenset(seen)
        self.seen, self.members = seen, members  # after both allocations: sets both or neither
        return scheme in members


cdef _SchemeList uses_relative = _SchemeList("uses_relative")
cdef _SchemeList uses_netloc = _SchemeList("uses_netloc")
cdef _SchemeList uses_params = _SchemeList("uses_params")


# ---- Splitting ----

include "refusals.pxi"


cdef inline object cut(url, fu_pytext *text, fu_spans *s, bint refuses):
    """Split `url` and return the text that was split: `url`, or a copy without the characters that urllib deletes.

    Return None to fall back to urllib. If `refuses`, raise urllib's exception for a text that refuse() knows. The
    caller keeps the returned text alive as long as `text`, and releases `text`.

    A program may have replaced urllib.parse.scheme_chars; then only http and https URLs are split here. Another
    alphabet cannot change how these are split.
    """
    cdef int how = fu_split_text(url, text, s)
    if how != FU_SPLIT_DONE:
        url = cut_again(url, text, s, how, refuses)
        if url is None:
            return None
    if (s.scheme_end == 5 or s.scheme_end == 4) and memcmp(text.p, b"http", 4) == 0:
        return url
    return url if urllib_globals.get("scheme_chars") == scheme_chars else None


cdef object cut_again(url, fu_pytext *text, fu_spans *s, int how, bint refuses):
    if how == FU_SPLIT_AFTER_REMOVAL and cleans_here:
        if text.kind == FU_PYTEXT_WIDE:
            url = (<str>url).lstrip(BLANKS).replace("\t", "").replace("\r", "").replace("\n", "")
        else:
            url = fu_without_removed(url, text.p, text.data.n)
        fu_release_text(text)
        how = fu_split_text(url, text, s)
    if how == FU_SPLIT_DONE or (how == FU_SPLIT_WIDE_HOST and are_harmless(url, s.netloc_start, s.path_start)):
        return url
    if refuses:
        refuse(url, s, how)
    return None


cdef inline object scheme_of(const fu_pytext *text, const fu_spans *s, bint data):
    """Return the scheme in lower case, as bytes if `data`, else as a str."""
    if s.scheme_end == 5 and memcmp(text.p, b"https", 5) == 0:
        return b"https" if data else "https"
    if s.scheme_end == 4 and memcmp(text.p, b"http", 4) == 0:
        return b"http" if data else "http"
    scheme = fu_scheme_str(text, s)
    return (<str>scheme).encode("ascii") if data else scheme


cdef inline object with_state(result):
    """Set the state of the running interpreter on a result, and return it."""
    if result_state is not None:
        for name, value in result_state:
            setattr(result, name, value)
    return result


cdef inline bint is_plain_result(result) except -1:
    """Return True if a result has the default state, which the interpreter sets for a call without options."""
    if result_state is not None:
        for name, value in result_state:
            if getattr(result, name, value) is not value:
                return False
    return True


cdef object split(url, default_scheme, allow_fragments, bint params):
    """Return the SplitResult of `url`, or with `params` its ParseResult. Return None to fall back to urllib."""
    cdef fu_pytext text
    cdef fu_spans s
    cdef bint refuses
    if allow_fragments is not True and allow_fragments is not False:
        if not PyLong_CheckExact(allow_fragments):
            return None
        allow_fragments = True if allow_fragments else False
    if default_scheme is not NOTHING and not fu_stripped(default_scheme):
        return None
    refuses = PyUnicode_CheckExact(url) or PyUnicode_GET_LENGTH(default_scheme) == 0
    try:
        url = cut(url, &text, &s, refuses)
        if url is None or (text.kind == FU_PYTEXT_BYTES and PyUnicode_GET_LENGTH(default_scheme)):
            return None  # for example str mixed with bytes
        return split_result(&text, &s, default_scheme, allow_fragments is True, params)
    finally:
        fu_release_text(&text)


cdef object split_result(const fu_pytext *text, fu_spans *s, default_scheme, bint fragments, bint params):
    cdef fu_range parts[5]
    cdef size_t at
    cdef int n
    scheme = scheme_of(text, s, False) if s.flags & FU_HAS_SCHEME else default_scheme
    if not fragments:
        fu_drop_fragment(text.p, s)
    n = fu_ranges_of(s, params, parts)
    if params:
        at = fu_params_start(text.p, s)
        if at != FU_ABSENT and uses_params.has(scheme):
            parts[1].end = at
            parts[2].start = at + 1
    if text.kind == FU_PYTEXT_BYTES:
        cls = ParseResultBytes if params else SplitResultBytes
        scheme = scheme_of(text, s, True)
    else:
        cls = ParseResult if params else SplitResult
    return with_state(fu_make_result(cls, scheme, text, s.length, parts, n))


# ---- Building ----

include "build.pxi"
include "join.pxi"


# ---- The functions of urllib.parse ----

@cython.binding(True)
def urlsplit(url, scheme="", allow_fragments=True):
    """Split a URL into scheme, netloc, path, query and fragment, as ``urllib.parse.urlsplit`` does.
    $Parameters
    url : str, bytes or URL
        URL to split. Bytes must be ASCII.
    scheme : str or bytes
        Scheme to use when the URL has no scheme.
    allow_fragments : bool
        With False, ``#`` is no delimiter.
    $Returns
    urllib.parse.SplitResult or SplitResultBytes
        Parts in the same type as ``url``. An absent part is empty.
    $Raises
    TypeError
        If you mix str and bytes.
    ValueError
        If a host in brackets is invalid, or if NFKC would turn a character in the netloc into a delimiter.
    UnicodeDecodeError
        If bytes are not ASCII.
    $See Also
    parse : Parse any URL without an exception.
    $Notes
    Cost: O(n). When you pass ``url`` alone, fasturl caches the results for at most 256 texts up to 255 characters.
    Source: RFC 1738 section 2.1, as your Python's urllib reads it.
    $Examples
    >>> urlsplit("ftp://u@h:21/a;type=i?q#f")
    SplitResult(scheme='ftp', netloc='u@h:21', path='/a;type=i', query='q', fragment='f')
    """
    url = plain(url, FU_ASKS_HASH | FU_ASKS_EQUAL, CLEANED)
    result = split(url, scheme, allow_fragments, False) if splits_here else None
    return splitter(url, scheme, allow_fragments)(url, scheme, allow_fragments) if result is None else result


@cython.binding(True)
def urlparse(url, scheme="", allow_fragments=True):
    """Split a URL into scheme, netloc, path, params, query and fragment, as ``urllib.parse.urlparse`` does.

    When the scheme is in ``urllib.parse.uses_params``, the text after ``;`` in the last path segment becomes params.
    $Parameters
    url : str, bytes or URL
        URL to split. Bytes must be ASCII.
    scheme : str or bytes
        Scheme to use when the URL has no scheme.
    allow_fragments : bool
        With False, ``#`` is no delimiter.
    $Returns
    urllib.parse.ParseResult or ParseResultBytes
        Parts in the same type as ``url``. An absent part is empty.
    $Raises
    TypeError
        If you mix str and bytes.
    ValueError
        If a host in brackets is invalid, or if NFKC would turn a character in the netloc into a delimiter.
    UnicodeDecodeError
        If bytes are not ASCII.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.1, with params as in sections 3.2.2 and 3.11.
    $Examples
    >>> urlparse("ftp://h/a;type=i").params
    'type=i'
    """
    url = plain(url, FU_ASKS_HASH | FU_ASKS_EQUAL, CLEANED)
    result = split(url, scheme, allow_fragments, True) if parses_here else None
    return original_urlparse(url, scheme, allow_fragments) if result is None else result


@cython.binding(True)
def urlunsplit(components):
    """Build a URL from five parts, as ``urllib.parse.urlunsplit`` does.
    $Parameters
    components : iterable of str or bytes
        Scheme, netloc, path, query and fragment, such as a ``SplitResult``. An empty part is left out with the
        delimiter.
    $Returns
    str or bytes
        URL in the same type as the parts.
    $Raises
    TypeError
        If you mix str and bytes.
    ValueError
        If there are more or fewer than five parts.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.1, as your Python's urllib writes it.
    $Examples
    >>> urlunsplit(("http", "h", "a/b", "q", ""))
    'http://h/a/b?q'
    """
    result = unsplit(components, SplitResult, SplitResultBytes, 5) if unsplits_here else None
    return original_urlunsplit(components) if result is None else result


@cython.binding(True)
def urlunparse(components):
    """Build a URL from six parts, as ``urllib.parse.urlunparse`` does.
    $Parameters
    components : iterable of str or bytes
        Scheme, netloc, path, params, query and fragment, such as a ``ParseResult``. An empty part is left out with the
        delimiter.
    $Returns
    str or bytes
        URL in the same type as the parts.
    $Raises
    TypeError
        If you mix str and bytes.
    ValueError
        If there are more or fewer than six parts.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.1, as your Python's urllib writes it.
    $Examples
    >>> urlunparse(("ftp", "h", "/a", "type=i", "", ""))
    'ftp://h/a;type=i'
    """
    result = unsplit(components, ParseResult, ParseResultBytes, 6) if unparses_here else None
    return original_urlunparse(components) if result is None else result


@cython.binding(True)
def urljoin(base, url, allow_fragments=True):
    """Resolve a relative URL against a base URL, as ``urllib.parse.urljoin`` does.
    $Parameters
    base : str, bytes or URL
        Base URL. When it is empty, you get ``url``.
    url : str, bytes or URL
        URL to resolve, in the same type. When it is empty, you get ``base``.
    allow_fragments : bool
        With False, ``#`` is no delimiter.
    $Returns
    str or bytes
        Resolved URL. It is ``url`` itself if its scheme differs from the base's scheme, or if
        urllib.parse.uses_relative does not list the scheme.
    $Raises
    TypeError
        If you mix str and bytes.
    ValueError
        If a host in brackets is invalid, or if NFKC would turn a character in the netloc into a delimiter.
    UnicodeDecodeError
        If bytes are not ASCII.
    $See Also
    resolve : Resolve a reference exactly as RFC 3986 describes.
    $Notes
    Cost: O(n), even for a path with many ``..``. Source: RFC 3986 section 5.2, where urllib follows it.
    $Examples
    >>> urljoin("http://h/a/b?q", "../c")
    'http://h/c'
    """
    result = None
    start = plain(base, FU_ASKS_TRUTH | FU_ASKS_HASH | FU_ASKS_EQUAL, CLEANED)
    text = plain(url, FU_ASKS_TRUTH | FU_ASKS_HASH | FU_ASKS_EQUAL, CLEANED)
    if joins_here and (allow_fragments is True or allow_fragments is False):
        if PyUnicode_CheckExact(start) and PyUnicode_CheckExact(text):
            if not start:
                return given(url, text)
            if not text:
                return given(base, start)
            result = join(start, text, allow_fragments is True)
        elif PyBytes_CheckExact(start) and PyBytes_CheckExact(text) and start and text:
            result = join(start, text, allow_fragments is True)
    if result is None:
        return original_urljoin(given(base, start), given(url, text), allow_fragments)
    return given(url, text) if result is text else result


@cython.binding(True)
def urldefrag(url):
    """Separate a URL from the fragment, as ``urllib.parse.urldefrag`` does.
    $Parameters
    url : str, bytes or URL
        URL to separate. Bytes must be ASCII.
    $Returns
    urllib.parse.DefragResult or DefragResultBytes
        URL and fragment. When the URL contains ``#``, it is split and rebuilt, so that the spelling can change.
    $Raises
    ValueError
        If the URL contains ``#`` and a host in brackets is invalid.
    UnicodeDecodeError
        If bytes are not ASCII.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.2, "Unsafe".
    $Examples
    >>> urldefrag("http://h/a#top")
    DefragResult(url='http://h/a', fragment='top')
    """
    text = plain(url, FU_ASKS_HASH | FU_ASKS_EQUAL | FU_ASKS_CONTAINS, CLEANED)
    url = given(url, text)
    result = defragment(text, url) if defragments_here else None
    return original_urldefrag(url) if result is None else result


cdef object cached_urlsplit = None
cdef bint counts = _originals.COUNTS


cdef object splitter(url, scheme, allow_fragments):
    """Return urllib's urlsplit for arguments that are delegated: with its cache for objects that can have methods.

    urllib's cache calls these methods, and raises TypeError for an unhashable object. It calls this module, under
    install(). No other text is kept in a cache.
    """
    if (type(url) is str or type(url) is bytes) and (type(scheme) is str or type(scheme) is bytes) \
            and type(allow_fragments) is bool or (trampolines and frames_between()):
        return original_urlsplit
    return splitter_with_cache()


cdef object splitter_with_cache():
    global cached_urlsplit
    if urllib_globals.get("urlsplit") is not cached_urlsplit:
        cached_urlsplit = _originals.cached("urlsplit")
    if counts:
        original_urlsplit.calls += 1
    return cached_urlsplit


include "repeats.pxi"


# ---- The properties of results ----

include "netlocs.pxi"


# ---- The functions with the signatures of Python 3.15 ----

cdef object plain_urlunsplit = _originals.original("urlunsplit")
plain_urlunsplit = getattr(plain_urlunsplit, "__wrapped__", plain_urlunsplit)
cdef object unspecified = (getattr(plain_urlunsplit, "__kwdefaults__", None) or {}).get("keep_empty")


@cython.binding(True)
def later_urlsplit(url, scheme=None, allow_fragments=True, *, missing_as_none=False):
    own = splits_here and missing_as_none is False
    url = plain(url, FU_ASKS_HASH | FU_ASKS_EQUAL, CLEANED)
    default = NOTHING if scheme is None else scheme
    result = split(url, default, allow_fragments, False) if own else None
    if result is None:
        own_urlsplit = splitter(url, default, allow_fragments if type(missing_as_none) is bool else None)
        return own_urlsplit(url, scheme, allow_fragments, missing_as_none=missing_as_none)
    return result


@cython.binding(True)
def later_urlparse(url, scheme=None, allow_fragments=True, *, missing_as_none=False):
    own = parses_here and missing_as_none is False
    url = plain(url, FU_ASKS_HASH | FU_ASKS_EQUAL, CLEANED)
    result = split(url, NOTHING if scheme is None else scheme, allow_fragments, True) if own else None
    if result is None:
        return original_urlparse(url, scheme, allow_fragments, missing_as_none=missing_as_none)
    return result


@cython.binding(True)
def later_urlunsplit(components, *, keep_empty=unspecified):
    if keep_empty is not unspecified:
        return original_urlunsplit(components, keep_empty=keep_empty)
    result = unsplit(components, SplitResult, SplitResultBytes, 5) if unsplits_here else None
    return original_urlunsplit(components) if result is None else result


@cython.binding(True)
def later_urlunparse(components, *, keep_empty=unspecified):
    if keep_empty is not unspecified:
        return original_urlunparse(components, keep_empty=keep_empty)
    result = unsplit(components, ParseResult, ParseResultBytes, 6) if unparses_here else None
    return original_urlunparse(components) if result is None else result


@cython.binding(True)
def later_urldefrag(url, *, missing_as_none=False):
    text = plain(url, FU_ASKS_HASH | FU_ASKS_EQUAL | FU_ASKS_CONTAINS, CLEANED)
    url = given(url, text)
    result = defragment(text, url) if defragments_here and missing_as_none is False else None
    return original_urldefrag(url, missing_as_none=missing_as_none) if result is None else result


# ---- Detection of the running interpreter's behaviour ----

cdef tuple RESULTS = ("SplitResult", "SplitResultBytes", "ParseResult", "ParseResultBytes", "DefragResult", "DefragResultBytes")


cdef tuple results_in(dict names):
    """Return the result classes that urllib.parse or its copy defines. A reload of urllib.parse replaces them."""
    return tuple([_originals.own_class(name, names) for name in RESULTS])


cdef void use_results(tuple results) noexcept:
    """Switch to the classes from results_in(). Cannot fail halfway."""
    global SplitResult, SplitResultBytes, ParseResult, ParseResultBytes, DefragResult, DefragResultBytes
    global splits_here, parses_here, defragments_here
    SplitResult, SplitResultBytes, ParseResult, ParseResultBytes = results[0], results[1], results[2], results[3]
    DefragResult, DefragResultBytes = results[4], results[5]
    fu_forget_repeats(&repeats)
    splits_here = splits_agree and fu_tuple_like(SplitResult) and fu_tuple_like(SplitResultBytes)
    parses_here = parses_agree and fu_tuple_like(ParseResult) and fu_tuple_like(ParseResultBytes)
    defragments_here = defragments_agree and fu_tuple_like(DefragResult) and fu_tuple_like(DefragResultBytes)


cdef int use_names(dict names, original) except -1:
    """Read these names of urllib.parse or of its copy, build their results, and delegate to these functions."""
    global urllib_globals, original_urlsplit, original_urlparse, original_urlunsplit, original_urlunparse
    global original_urljoin, original_urldefrag, scheme_chars
    urllib_globals = names
    if names.get("scheme_chars") == scheme_chars:
        scheme_chars = names.get("scheme_chars")  # the same object compares faster
    original_urlsplit, original_urlparse = original("urlsplit"), original("urlparse")
    original_urlunsplit, original_urlunparse = original("urlunsplit"), original("urlunparse")
    original_urljoin, original_urldefrag = original("urljoin"), original("urldefrag")
    use_results(results_in(names))
    return 0


cdef int ask_what_differs() except -1:
    """Detect the interpreter's behaviour for common inputs where Python versions differ."""
    global cleans_here, CLEANED, none_is_empty, doubles_slashes, roots_paths, drops_empty
    cleans_here = _originals.gives("urlsplit", (" //h/\ta\n",), ("", "h", "/a", "", ""))
    CLEANED = "lstrip" if cleans_here else "replace"
    none_is_empty = _originals.gives("urlunparse", (("x", None, "a", None, None, None),), "x:a")
    doubles_slashes = _originals.gives("urlunsplit", (("", "", "//a", "", ""),), "////a")
    roots_paths = _originals.gives("urlunsplit", (("http", "", "a", "", ""),), "http:///a")
    drops_empty = _originals.gives("urljoin", ("http://h/a?b", "?#"), "http://h/a?b")
    return 0


use_names(_originals.FRESH, _originals.FRESH.get)
ask_what_differs()
unsplits_here = unparses_here = joins_here = True

# For each name, a function per signature that a Python version uses. The first signature is that of 3.11 to 3.14.
SHAPES = {
    "urldefrag": {"url": urldefrag, "url, *, missing_as_none": later_urldefrag},
    "urljoin": {"base, url, allow_fragments=True": urljoin},
    "urlparse": {
        "url, scheme='', allow_fragments=True": urlparse,
        "url, scheme=None, allow_fragments=True, *, missing_as_none": later_urlparse,
    },
    "urlsplit": {
        "url, scheme='', allow_fragments=True": urlsplit,
        "url, scheme=None, allow_fragments=True, *, missing_as_none": later_urlsplit,
    },
    "urlunparse": {"components": urlunparse, "components, *, keep_empty": later_urlunparse},
    "urlunsplit": {"components": urlunsplit, "components, *, keep_empty": later_urlunsplit},
}
complete_docs(globals())  # take_shapes() copies docstrings
_originals.take_shapes(globals(), SHAPES)
urlsplit_behind = fu_install_fast_call(urlsplit, urlsplit_in_front)
del SHAPES, later_urlsplit, later_urlparse, later_urlunsplit, later_urlunparse, later_urldefrag

splits_agree = _originals.agrees("urlsplit", urlsplit)
parses_agree = _originals.agrees("urlparse", urlparse)
defragments_agree = _originals.agrees("urldefrag", urldefrag)
unsplits_here = _originals.agrees("urlunsplit", urlunsplit)
unparses_here = _originals.agrees("urlunparse", urlunparse)
joins_here = _originals.agrees("urljoin", urljoin)
use_names(vars(_urllib), _originals.original)
globals().update(zip(RESULTS, results_in(vars(_urllib))))


@cython.binding(True)
def compiled_here():
    """Return the names of the functions whose compiled version is active. The others delegate every call to urllib.

    >>> sorted(compiled_here())
    ['urldefrag', 'urljoin', 'urlparse', 'urlsplit', 'urlunparse', 'urlunsplit']
    """
    held = {"urlsplit": splits_here, "urlparse": parses_here, "urlunsplit": unsplits_here,
            "urlunparse": unparses_here, "urljoin": joins_here, "urldefrag": defragments_here}
    return frozenset([name for name in held if held[name]])


def _method_of_cache(name):
    def method():
        if name == "cache_clear":
            fu_forget_repeats(&repeats)
        return getattr(_urllib.urlsplit, name)()
    return method


if "urlsplit" in _originals.COMPILED and hasattr(_originals.FRESH["urlsplit"], "__wrapped__"):
    urlsplit.__wrapped__ = _originals.FUNCTIONS.get("urlsplit", _originals.original("urlsplit"))
    for name in ("cache_info", "cache_clear", "cache_parameters"):
        setattr(urlsplit, name, _method_of_cache(name))
    del name


include "quoting.pxi"
include "pairs.pxi"
include "queries.pxi"
include "escapes.pxi"

complete_docs(globals())
