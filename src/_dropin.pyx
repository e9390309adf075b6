"""urllib.parse's six functions that take URLs apart and put them together, compiled.

Each takes the inputs on which every supported Python agrees (exact str, or ASCII bytes, that urllib would cut
without stripping, deleting or refusing anything) and hands all others to the function that stood in
urllib.parse when this module was first imported. So an answer is always the running interpreter's own, in
value, class and exception. The originals call one another through urllib.parse's globals, which install()
replaces; that cannot loop, because each function here falls back only on the original of its own name, and
among the originals the calls go one way.
"""

import urllib.parse as _urllib

from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from cpython.unicode cimport PyUnicode_CheckExact
from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from _scan cimport (
    FU_HAS_FRAGMENT,
    FU_HAS_NETLOC,
    FU_HAS_QUERY,
    FU_HAS_SCHEME,
    fu_spans,
    fu_start_kernels,
)


cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(object)
    Py_ssize_t PyUnicode_GET_LENGTH(object)
    uint8_t *PyUnicode_1BYTE_DATA(object)
    object PyUnicode_New(Py_ssize_t, Py_UCS4)
    const Py_ssize_t PY_SSIZE_T_MAX


cdef extern from "schemes.h" nogil:
    uint8_t fu_lower(uint8_t)


cdef extern from "urllib.h" nogil:
    ctypedef struct fu_piece:
        const uint8_t *p
        size_t n
    ctypedef struct fu_parts:
        fu_piece scheme, netloc, path, params, query, fragment
        bint slashes
    bint fu_empty_query(const fu_spans *s)
    bint fu_empty_fragment(const fu_spans *s)
    bint fu_odd_params(const uint8_t *p, const fu_spans *s)
    bint fu_rooted(const fu_parts *parts)
    bint fu_rebuilt_size(const fu_parts *parts, size_t most, size_t *out)
    void fu_rebuild(const fu_parts *parts, uint8_t *out)


cdef extern from "merge.h" nogil:
    size_t fu_merge_paths(const uint8_t *base, size_t base_n, const uint8_t *path, size_t n, uint8_t *out)


cdef extern from "pytext.h":
    ctypedef enum fu_text_kind:
        FU_TEXT_ASCII
        FU_TEXT_OCTETS
        FU_TEXT_WIDE
    ctypedef struct fu_text:
        PyObject *object
        const uint8_t *p
        fu_text_kind kind
    bint fu_cut_plain(object url, fu_text *text, fu_spans *s) except -1
    bint fu_low_scheme(const fu_text *text, const fu_spans *s)
    object fu_scheme_str(const fu_text *text, const fu_spans *s)
    Py_ssize_t fu_text_find(const fu_text *text, char octet, size_t start, size_t end, int direction) \
        except -2


cdef extern from "pyparts.h":
    ctypedef struct fu_range:
        size_t start
        size_t end
    object fu_ascii_str(const uint8_t *p, size_t n)
    object fu_make_result(
        object cls, object first, const fu_text *text, size_t length, const fu_range *ranges, int n
    )
    object fu_part(const fu_text *text, size_t length, fu_range range)
    bint fu_tuple_like(object cls)
    bint fu_same_items(object items, object snapshot)


# What stood in urllib.parse when this module was first imported.
cdef object original_urlsplit = _urllib.urlsplit
cdef object original_urlparse = _urllib.urlparse
cdef object original_urlunsplit = _urllib.urlunsplit
cdef object original_urlunparse = _urllib.urlunparse
cdef object original_urljoin = _urllib.urljoin
cdef object original_urldefrag = _urllib.urldefrag
# Without its cache, for arguments that surely are hashable: a URL may hold a secret; a cache would keep it.
cdef object uncached_urlsplit = getattr(original_urlsplit, "__wrapped__", original_urlsplit)
cdef object original_scheme_chars = _urllib.scheme_chars
cdef dict urllib_globals = _urllib.__dict__

cdef object SplitResult = _urllib.SplitResult
cdef object SplitResultBytes = _urllib.SplitResultBytes
cdef object ParseResult = _urllib.ParseResult
cdef object ParseResultBytes = _urllib.ParseResultBytes
cdef object DefragResult = _urllib.DefragResult
cdef object DefragResultBytes = _urllib.DefragResultBytes

cdef str HTTP = "http"
cdef str HTTPS = "https"
cdef bytes HTTP_OCTETS = b"http"
cdef bytes HTTPS_OCTETS = b"https"
cdef str NOTHING = ""
cdef bytes NO_OCTETS = b""

fu_start_kernels()


# ---- One of urllib's lists of schemes, which applications append to and replace ----

cdef class _SchemeList:
    cdef str name
    cdef tuple seen  # what the list held when `members` was made: same objects, same answer, for str
    cdef frozenset members

    def __cinit__(self, str name):
        self.name = name
        self.seen = ()
        self.members = frozenset()

    cdef bint has(self, scheme) except -1:
        schemes = urllib_globals.get(self.name, ())
        if type(schemes) is not list:
            return scheme in schemes
        if fu_same_items(schemes, self.seen):
            return scheme in self.members
        for one in schemes:
            if type(one) is not str:  # it may be unhashable, or equal to what it likes
                return scheme in schemes
        self.seen = tuple(schemes)
        self.members = frozenset(self.seen)
        return scheme in self.members


cdef _SchemeList uses_relative = _SchemeList("uses_relative")
cdef _SchemeList uses_netloc = _SchemeList("uses_netloc")
cdef _SchemeList uses_params = _SchemeList("uses_params")


# ---- Cutting ----

cdef inline bint cut(url, fu_text *text, fu_spans *s) except -1:
    """Cut what is ours to cut; False for everything else. urllib.parse.scheme_chars must be what it was; not
    asked for the web's own schemes, which are nearly all of what there is and have nothing to gain from
    another alphabet."""
    if not fu_cut_plain(url, text, s):
        return False
    if text.p != NULL and (s.scheme_end == 5 or s.scheme_end == 4) and memcmp(text.p, b"http", 4) == 0:
        return True
    return urllib_globals.get("scheme_chars") is original_scheme_chars


cdef inline object scheme_of(const fu_text *text, const fu_spans *s):
    """The scheme, lower case, as a str (of any kind of text)."""
    if text.p != NULL:
        if s.scheme_end == 5 and memcmp(text.p, b"https", 5) == 0:
            return HTTPS
        if s.scheme_end == 4 and memcmp(text.p, b"http", 4) == 0:
            return HTTP
    return fu_scheme_str(text, s)


cdef inline object typed_scheme(object scheme, const fu_text *text):
    if text.kind != FU_TEXT_OCTETS:
        return scheme
    if scheme is HTTPS:
        return HTTPS_OCTETS
    if scheme is HTTP:
        return HTTP_OCTETS
    return (<str>scheme).encode("ascii")


cdef bint is_default_scheme(scheme) except -1:
    """Whether `scheme` may be taken as it is: urllib strips it, and deletes from it."""
    cdef Py_ssize_t i
    if not PyUnicode_CheckExact(scheme) or not PyUnicode_IS_COMPACT_ASCII(scheme):
        return False
    for i in range(PyUnicode_GET_LENGTH(scheme)):
        if PyUnicode_1BYTE_DATA(scheme)[i] <= 0x20:
            return False
    return True


cdef object result_state = None  # (name, value) pairs that an interpreter sets on every result, or None


cdef inline object finished(result):
    if result_state is not None:
        for name, value in result_state:
            setattr(result, name, value)
    return result


cdef object split(url, default_scheme, allow_fragments, bint params):
    """The SplitResult of `url`, or its ParseResult, or None when it is the interpreter's to say."""
    cdef fu_text text
    cdef fu_spans s
    cdef fu_range parts[5]
    cdef Py_ssize_t at, slash
    cdef int n = 0
    cdef size_t path_end, query_start
    if allow_fragments is not True and allow_fragments is not False:
        return None
    if default_scheme is not NOTHING and not is_default_scheme(default_scheme):
        return None
    if not cut(url, &text, &s):
        return None
    if text.kind == FU_TEXT_OCTETS and PyUnicode_GET_LENGTH(default_scheme):
        return None  # str mixed with bytes
    scheme = scheme_of(&text, &s) if s.flags & FU_HAS_SCHEME else default_scheme
    if allow_fragments is False and s.flags & FU_HAS_FRAGMENT:
        # A "#" still ends the netloc, but nothing else.
        if not s.flags & FU_HAS_QUERY:
            at = fu_text_find(&text, c"?", s.query_end, s.length, 1)
            s.path_end = s.length if at < 0 else <size_t>at
            if at >= 0:
                s.flags |= FU_HAS_QUERY
        s.query_end = s.length
    path_end = s.path_end
    parts[n].start = s.netloc_start
    parts[n].end = s.path_start
    if not s.flags & FU_HAS_NETLOC:
        parts[n].start = parts[n].end = 0
    parts[n + 1].start = s.path_start
    parts[n + 1].end = path_end
    n += 2
    if params:
        parts[n].start = parts[n].end = path_end
        at = fu_text_find(&text, c";", s.path_start, path_end, 1)
        if at >= 0 and uses_params.has(scheme):
            slash = fu_text_find(&text, c"/", s.path_start, path_end, -1)
            if slash > at:
                at = fu_text_find(&text, c";", <size_t>slash, path_end, 1)
            if at >= 0:
                parts[n - 1].end = <size_t>at
                parts[n].start = <size_t>at + 1
        n += 1
    query_start = path_end + 1 if s.flags & FU_HAS_QUERY else s.query_end
    parts[n].start = query_start
    parts[n].end = s.query_end
    parts[n + 1].start = s.query_end + 1 if s.query_end < s.length else s.length
    parts[n + 1].end = s.length
    n += 2
    if text.kind == FU_TEXT_OCTETS:
        cls = ParseResultBytes if params else SplitResultBytes
        scheme = typed_scheme(scheme, &text)
    else:
        cls = ParseResult if params else SplitResult
    return finished(fu_make_result(cls, scheme, &text, s.length, parts, n))


# ---- Putting together ----

cdef object build(fu_parts *parts):
    """What every urlunparse makes of these parts; None where Pythons differ (before 3.13 and after) on how to
    keep a path from being read as a netloc."""
    cdef size_t size = 0
    parts.slashes = False
    if parts.netloc.n == 0:
        if parts.path.n >= 2 and parts.path.p[0] == c"/" and parts.path.p[1] == c"/":
            return None
        if parts.scheme.n and uses_netloc.has(fu_ascii_str(parts.scheme.p, parts.scheme.n)):
            if not fu_rooted(parts) and (parts.path.n or parts.params.n):
                return None
            parts.slashes = True
    if not fu_rebuilt_size(parts, <size_t>PY_SSIZE_T_MAX, &size):
        return None
    if size == 0:
        return NOTHING
    url = PyUnicode_New(<Py_ssize_t>size, 127)
    fu_rebuild(parts, PyUnicode_1BYTE_DATA(url))
    return url


cdef bint as_piece(item, fu_piece *out) noexcept:
    if not PyUnicode_CheckExact(item) or not PyUnicode_IS_COMPACT_ASCII(item):
        return False
    out.p = PyUnicode_1BYTE_DATA(item)
    out.n = <size_t>PyUnicode_GET_LENGTH(item)
    return True


cdef object unsplit(components, result_class, Py_ssize_t n):
    """urlunsplit (n = 5) or urlunparse (n = 6), or None."""
    cdef fu_parts parts
    cls = type(components)
    if cls is list:
        components = tuple(components)
    elif cls is not tuple and (cls is not result_class or result_state is not None):
        return None
    cdef tuple items = <tuple>components
    if len(items) != n:
        return None
    parts.params.n = 0
    if n == 6 and not as_piece(items[3], &parts.params):
        return None
    if not (as_piece(items[0], &parts.scheme) and as_piece(items[1], &parts.netloc)
            and as_piece(items[2], &parts.path) and as_piece(items[n - 2], &parts.query)
            and as_piece(items[n - 1], &parts.fragment)):
        return None
    return build(&parts)


cdef inline fu_piece piece(const fu_text *text, size_t start, size_t end) noexcept:
    cdef fu_piece out
    out.p = text.p + start
    out.n = end - start
    return out


cdef inline fu_piece query_of(const fu_text *text, const fu_spans *s) noexcept:
    return piece(text, s.path_end + (1 if s.flags & FU_HAS_QUERY else 0), s.query_end)


cdef object join(str base, str url):
    """urljoin of two str that are not empty, or None."""
    cdef fu_text base_text, text
    cdef fu_spans b, s
    cdef fu_parts parts
    cdef uint8_t room[1024]
    cdef uint8_t *merged = room
    cdef size_t i, size
    if not cut(base, &base_text, &b) or not cut(url, &text, &s) or base_text.p == NULL or text.p == NULL:
        return None
    if s.scheme_end:
        if s.scheme_end != b.scheme_end:
            return url
        for i in range(s.scheme_end):
            if fu_lower(text.p[i]) != fu_lower(base_text.p[i]):
                return url
    scheme = scheme_of(&base_text, &b)
    if not uses_relative.has(scheme):
        return url if b.scheme_end else None
    if (not uses_netloc.has(scheme) or fu_empty_query(&s) or fu_empty_fragment(&s)
            or fu_odd_params(text.p, &s)):
        return None
    as_piece(scheme, &parts.scheme)
    parts.params.n = 0
    parts.path = piece(&text, s.path_start, s.path_end)
    parts.query = query_of(&text, &s)
    parts.fragment = piece(&text, s.query_end + (1 if s.flags & FU_HAS_FRAGMENT else 0), s.length)
    if s.flags & FU_HAS_NETLOC:
        # An empty netloc is not always an absent one, from 3.14 on; below too.
        parts.netloc = piece(&text, s.netloc_start, s.path_start)
        return build(&parts) if parts.netloc.n else None
    if fu_odd_params(base_text.p, &b):
        return None
    parts.netloc = piece(&base_text, b.netloc_start, b.path_start)
    if parts.netloc.n == 0 and b.flags & (FU_HAS_SCHEME | FU_HAS_NETLOC):
        return None
    if parts.path.n == 0:
        parts.path = piece(&base_text, b.path_start, b.path_end)
        if parts.query.n == 0:
            if parts.fragment.n == 0 or fu_empty_query(&b):
                return None
            parts.query = query_of(&base_text, &b)
        return build(&parts)
    size = (b.path_end - b.path_start) + parts.path.n + 2
    if size > sizeof(room):
        merged = <uint8_t *>PyMem_Malloc(size)
        if merged == NULL:
            raise MemoryError
    try:
        parts.path.n = fu_merge_paths(
            base_text.p + b.path_start, b.path_end - b.path_start, parts.path.p, parts.path.n, merged
        )
        parts.path.p = merged
        return build(&parts)
    finally:
        if merged != room:
            PyMem_Free(merged)


cdef object defragment(url):
    """urldefrag of a str or bytes, or None. What stands before the "#" is the result wherever taking the URL
    apart and putting it together changes nothing, in any Python."""
    cdef fu_text text
    cdef fu_spans s
    cdef fu_range part
    if PyUnicode_CheckExact(url) and "#" not in <str>url:
        return new_defrag(url, NOTHING)
    if not cut(url, &text, &s):
        return None
    if not s.flags & FU_HAS_FRAGMENT:
        return new_defrag(url, NO_OCTETS)
    if not fu_low_scheme(&text, &s):
        return None
    if s.flags & FU_HAS_NETLOC:
        if s.path_start == s.netloc_start:
            return None
    elif s.scheme_end and uses_netloc.has(scheme_of(&text, &s)):
        return None
    if fu_empty_query(&s):
        return None
    if s.path_end > s.path_start and fu_text_find(&text, c";", s.path_end - 1, s.path_end, 1) >= 0:
        return None  # params that are empty
    part.start = 0
    part.end = s.query_end
    rest = fu_part(&text, s.length, part)
    part.start = s.query_end + 1
    part.end = s.length
    return new_defrag(rest, fu_part(&text, s.length, part))


cdef object new_defrag(url, fragment):
    cdef fu_text text
    cdef fu_range whole
    text.object = <PyObject *>fragment
    whole.start = 0
    whole.end = 0
    return finished(fu_make_result(
        DefragResult if type(url) is str else DefragResultBytes, url, &text, 0, &whole, 1
    ))


# ---- The functions of urllib.parse ----

def urlsplit(url, scheme="", allow_fragments=True):
    """Cut a URL into scheme, netloc, path, query and fragment, as urllib.parse.urlsplit does.

    url : str or ASCII bytes; scheme : the scheme of a URL that has none; allow_fragments : if false, "#" ends
        no part.
    Returns: urllib.parse.SplitResult, or SplitResultBytes for bytes; an absent part is empty.
    Raises: ValueError for a bad bracketed host, or a netloc with characters that NFKC turns into delimiters;
        UnicodeDecodeError for bytes that are not ASCII; TypeError for str mixed with bytes.
    Cost: O(n) time; nothing is cached.
    Source: RFC 1738 section 2.1, read as the running interpreter's urllib.parse reads it.

    >>> urlsplit("ftp://u@h:21/a;type=i?q#f")
    SplitResult(scheme='ftp', netloc='u@h:21', path='/a;type=i', query='q', fragment='f')
    """
    result = split(url, scheme, allow_fragments, False) if splits_here else None
    return slow_split(url, scheme, allow_fragments) if result is None else result


def urlparse(url, scheme="", allow_fragments=True):
    """Cut a URL into scheme, netloc, path, params, query and fragment, as urllib.parse.urlparse does.

    Like urlsplit, but what follows ";" in the path's last segment is cut off as params where the scheme is
    one of urllib.parse.uses_params.
    Returns: urllib.parse.ParseResult, or ParseResultBytes for bytes. Errors and cost: as urlsplit.
    Source: RFC 1738 section 2.1; params as in section 3.2.2 (ftp) and 3.11 (prospero), for urllib's list of
        schemes.

    >>> urlparse("ftp://h/a;type=i").params
    'type=i'
    """
    result = split(url, scheme, allow_fragments, True) if parses_here else None
    return original_urlparse(url, scheme, allow_fragments) if result is None else result


def urlunsplit(components):
    """Put five parts together to a URL, as urllib.parse.urlunsplit does.

    components : any iterable of scheme, netloc, path, query, fragment, all str or all bytes; an empty part is
        left out with its delimiter.
    Returns: str or bytes. Raises: ValueError for another number of parts; TypeError for str mixed with bytes.
    Cost: O(n) time.
    Source: RFC 1738 section 2.1, written as the running interpreter's urllib.parse writes it.

    >>> urlunsplit(("http", "h", "a/b", "q", ""))
    'http://h/a/b?q'
    """
    result = unsplit(components, SplitResult, 5) if unsplits_here else None
    return original_urlunsplit(components) if result is None else result


def urlunparse(components):
    """Put six parts together to a URL, as urllib.parse.urlunparse does.

    components : any iterable of scheme, netloc, path, params, query, fragment. All else: as urlunsplit.

    >>> urlunparse(("ftp", "h", "/a", "type=i", "", ""))
    'ftp://h/a;type=i'
    """
    result = unsplit(components, ParseResult, 6) if unparses_here else None
    return original_urlunparse(components) if result is None else result


def urljoin(base, url, allow_fragments=True):
    """Read `url` relative to `base`, as urllib.parse.urljoin does.

    base, url : str, or both ASCII bytes; where one is empty, the other is the result.
    Returns: str or bytes; `url` itself where its scheme is another one, or none of
        urllib.parse.uses_relative.
    Raises: ValueError and UnicodeDecodeError as urlsplit; TypeError for str mixed with bytes.
    Cost: O(n) time, also for a path of many "..".
    Source: RFC 3986 section 5.2, where urllib.parse follows it (RFC 1738 leaves relative URLs to RFC 1808).

    >>> urljoin("http://h/a/b?q", "../c")
    'http://h/c'
    """
    result = None
    if joins_here and allow_fragments is True and PyUnicode_CheckExact(base) and PyUnicode_CheckExact(url):
        if not base:
            return url
        if not url:
            return base
        result = join(base, url)
    return original_urljoin(base, url, allow_fragments) if result is None else result


def urldefrag(url):
    """Part a URL from its fragment, as urllib.parse.urldefrag does.

    url : str or ASCII bytes.
    Returns: urllib.parse.DefragResult, or DefragResultBytes for bytes. A URL that has a "#" is taken apart
        and put together, which may change how it is written.
    Raises: as urlsplit where there is a "#". Cost: O(n) time. Source: RFC 1738 section 2.2, "Unsafe".

    >>> urldefrag("http://h/a#top")
    DefragResult(url='http://h/a', fragment='top')
    """
    result = defragment(url) if defragments_here else None
    return original_urldefrag(url) if result is None else result


cdef object slow_split(url, scheme, allow_fragments):
    if ((type(url) is str or type(url) is bytes) and (type(scheme) is str or type(scheme) is bytes)
            and type(allow_fragments) is bool):
        return uncached_urlsplit(url, scheme, allow_fragments)
    return original_urlsplit(url, scheme, allow_fragments)


# ---- The same under the signatures of Python 3.15 ----

cdef dict later_defaults = getattr(original_urlunsplit, "__kwdefaults__", None) or {}
cdef object unspecified = later_defaults.get("keep_empty")


def later_urlsplit(url, scheme=None, allow_fragments=True, *, missing_as_none=False):
    result = None
    if splits_here and missing_as_none is False:
        result = split(url, NOTHING if scheme is None else scheme, allow_fragments, False)
    if result is None:
        return original_urlsplit(url, scheme, allow_fragments, missing_as_none=missing_as_none)
    return result


def later_urlparse(url, scheme=None, allow_fragments=True, *, missing_as_none=False):
    result = None
    if parses_here and missing_as_none is False:
        result = split(url, NOTHING if scheme is None else scheme, allow_fragments, True)
    if result is None:
        return original_urlparse(url, scheme, allow_fragments, missing_as_none=missing_as_none)
    return result


def later_urlunsplit(components, *, keep_empty=unspecified):
    result = None
    if unsplits_here and keep_empty is unspecified:
        result = unsplit(components, SplitResult, 5)
    return original_urlunsplit(components, keep_empty=keep_empty) if result is None else result


def later_urlunparse(components, *, keep_empty=unspecified):
    result = None
    if unparses_here and keep_empty is unspecified:
        result = unsplit(components, ParseResult, 6)
    return original_urlunparse(components, keep_empty=keep_empty) if result is None else result


def later_urldefrag(url, *, missing_as_none=False):
    result = None
    if defragments_here and missing_as_none is False:
        result = defragment(url)
    return original_urldefrag(url, missing_as_none=missing_as_none) if result is None else result


# ---- What holds in this interpreter ----

cdef bint agrees(function, original, arguments) except -1:
    """Whether `function` and `original` do the same: this asks the interpreter, not its version."""
    for args in arguments:
        try:
            ours = function(*args)
            theirs = original(*args)
            if (type(ours) is not type(theirs) or ours != theirs or hash(ours) != hash(theirs)
                    or getattr(ours, "__dict__", None) != getattr(theirs, "__dict__", None)):
                return False
        except Exception:
            return False
    return True


cdef bint splits_here, parses_here, unsplits_here, unparses_here, joins_here, defragments_here
result_state = tuple(getattr(uncached_urlsplit("//h/"), "__dict__", {}).items()) or None
splits_here = fu_tuple_like(SplitResult) and fu_tuple_like(SplitResultBytes)
parses_here = fu_tuple_like(ParseResult) and fu_tuple_like(ParseResultBytes)
defragments_here = fu_tuple_like(DefragResult) and fu_tuple_like(DefragResultBytes)
unsplits_here = unparses_here = joins_here = True

if "keep_empty" in later_defaults:
    for later, function in (
        (later_urlsplit, urlsplit), (later_urlparse, urlparse), (later_urlunsplit, urlunsplit),
        (later_urlunparse, urlunparse), (later_urldefrag, urldefrag),
    ):
        later.__doc__ = function.__doc__
        later.__name__ = function.__name__
        later.__qualname__ = function.__name__
        globals()[function.__name__] = later
del later_urlsplit, later_urlparse, later_urlunsplit, later_urlunparse, later_urldefrag

SAMPLES = (
    ("HTTPS://u@h:1/a;b/c;d?q/?#f",), (b"http://h#f",), ("mailto:a@b",), ("/a/b?c",),
    ("http://h/\u00e9?\u20ac#",),
)
splits_here = splits_here and agrees(urlsplit, uncached_urlsplit, (*SAMPLES, ("//h/a?b#c", "x", False)))
parses_here = parses_here and agrees(urlparse, original_urlparse, (*SAMPLES, ("//h/a?b#c", "x", False)))
defragments_here = defragments_here and agrees(urldefrag, original_urldefrag, SAMPLES)
unsplits_here = agrees(urlunsplit, original_urlunsplit, (
    (("http", "h", "a", "q", "f"),), (["", "h", "", "", ""],), (("file", "", "/a", "", ""),),
    (("x", "", "a", "", ""),),
))
unparses_here = agrees(urlunparse, original_urlunparse, (
    (("http", "h", "a", "p", "q", "f"),), (["", "h", "", "p", "", ""],), (("file", "", "/a", "", "", ""),),
))
joins_here = agrees(urljoin, original_urljoin, (
    ("http://h/a//b/c;d?e", "../f//./g;p?q#r"), ("https://h", "?q"), ("http://h/a/b#f", "#g"),
    ("http://h/a", "//i"), ("a/b/c", "../../../d/.."), ("http://h/", "mailto:a"),
    ("http://h/a/b", "/../../c/."),
))
del SAMPLES


def compiled_here():
    """The names of the functions that are compiled for this interpreter; the others only hand on.

    >>> sorted(compiled_here())
    ['urldefrag', 'urljoin', 'urlparse', 'urlsplit', 'urlunparse', 'urlunsplit']
    """
    held = {"urlsplit": splits_here, "urlparse": parses_here, "urlunsplit": unsplits_here,
            "urlunparse": unparses_here, "urljoin": joins_here, "urldefrag": defragments_here}
    return frozenset([name for name in held if held[name]])


def names_of_urllib(module):
    """A module's __getattr__: the names of urllib.parse outside its __all__, as they are at the moment.

    module : the name to give in an AttributeError. Modules that urllib.parse has imported are not passed on,
        nor are names like "__path__".
    Compiled, so that no frame of ours stands where a DeprecationWarning looks for its cause.

    >>> names_of_urllib("fasturl")("unwrap")("<URL:http://h/>")
    'http://h/'
    """
    def __getattr__(name):
        value = _urllib if name[:2] == "__" else getattr(_urllib, name, _urllib)
        if type(value) is type(_urllib):
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        return value

    return __getattr__


for name in ("cache_info", "cache_clear", "cache_parameters"):
    if hasattr(original_urlsplit, name):  # urllib.parse.clear_cache() asks for it
        setattr(urlsplit, name, getattr(original_urlsplit, name))
del name
