"""urllib.parse's six functions that take URLs apart and put them together, compiled.

Each takes the inputs on which every supported Python agrees (exact str, or ASCII bytes, that urllib would cut
without stripping, deleting or refusing anything) and hands all others to the interpreter's own function. So an
answer is always the running interpreter's own, in value, class and exception. The originals call one another
through urllib.parse's globals, where install() puts the functions of this module; that cannot loop, because each
function here falls back only on the original of its own name, and among the originals the calls go one way.
"""

import urllib.parse as _urllib

from fasturl import _originals

cimport cython
from cpython.mem cimport PyMem_Free, PyMem_Malloc
from cpython.object cimport PyObject
from libc.stdint cimport uint8_t
from libc.string cimport memcmp

from _pyparts cimport *
from _pytext cimport *
from _runtime cimport import_runtime
from _scan cimport FU_ABSENT, FU_HAS_FRAGMENT, FU_HAS_NETLOC, FU_HAS_SCHEME, fu_spans


cdef object original_urlsplit = _originals.original("urlsplit")
cdef object original_urlparse = _originals.original("urlparse")
cdef object original_urlunsplit = _originals.original("urlunsplit")
cdef object original_urlunparse = _originals.original("urlunparse")
cdef object original_urljoin = _originals.original("urljoin")
cdef object original_urldefrag = _originals.original("urldefrag")
cdef object original_scheme_chars = _urllib.scheme_chars
cdef dict urllib_globals = _urllib.__dict__

cdef object SplitResult, SplitResultBytes, ParseResult, ParseResultBytes, DefragResult, DefragResultBytes
cdef object result_state  # (name, value) pairs that an interpreter sets on every result, or None
cdef bint splits_here, parses_here, unsplits_here, unparses_here, joins_here, defragments_here

cdef str NOTHING = ""
cdef bytes NO_OCTETS = b""

import_runtime()

include "dropin/install.pxi"


# ---- One of urllib's lists of schemes, which applications append to and replace ----

@cython.final
cdef class _SchemeList:
    cdef str name
    cdef tuple seen  # what the list held when `members` was made: same objects, same answer, for str
    cdef frozenset members

    def __cinit__(self, str name):
        self.name = name
        self.seen = ()
        self.members = frozenset()

    cdef inline bint has(self, scheme) except -1:
        schemes = urllib_globals.get(self.name, ())
        if type(schemes) is list and fu_same_items(schemes, self.seen):
            return scheme in self.members
        return self.look_up(scheme, schemes)

    cdef bint look_up(self, scheme, schemes) except -1:
        if type(schemes) is not list:
            return scheme in schemes
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

cdef inline bint cut(url, fu_pytext *text, fu_spans *s) except -1:
    """Cut what is ours to cut; False for everything else. urllib.parse.scheme_chars must be what it was; not
    asked for the web's own schemes, which are nearly all of what there is and have nothing to gain from
    another alphabet."""
    if not fu_split_plain(url, text, s):
        return False
    if (s.scheme_end == 5 or s.scheme_end == 4) and memcmp(text.p, b"http", 4) == 0:
        return True
    return urllib_globals.get("scheme_chars") is original_scheme_chars


cdef inline object scheme_of(const fu_pytext *text, const fu_spans *s, bint octets):
    """The scheme, lower case, as a str whatever the text is, or as bytes."""
    if s.scheme_end == 5 and memcmp(text.p, b"https", 5) == 0:
        return b"https" if octets else "https"
    if s.scheme_end == 4 and memcmp(text.p, b"http", 4) == 0:
        return b"http" if octets else "http"
    scheme = fu_scheme_str(text, s)
    return (<str>scheme).encode("ascii") if octets else scheme


cdef inline object finished(result):
    if result_state is not None:
        for name, value in result_state:
            setattr(result, name, value)
    return result


cdef inline bint is_plain_result(result) except -1:
    """Whether a result has the state that an interpreter gives where it is asked for nothing."""
    if result_state is not None:
        for name, value in result_state:
            if getattr(result, name, value) is not value:
                return False
    return True


cdef object split(url, default_scheme, allow_fragments, bint params):
    """The SplitResult of `url`, or its ParseResult, or None when it is the interpreter's to say."""
    cdef fu_pytext text
    cdef fu_spans s
    if allow_fragments is not True and allow_fragments is not False:
        return None
    if default_scheme is not NOTHING and not fu_stripped(default_scheme):
        return None
    try:
        if not cut(url, &text, &s) or (text.kind == FU_PYTEXT_OCTETS and PyUnicode_GET_LENGTH(default_scheme)):
            return None  # str mixed with bytes, for one
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
    if text.kind == FU_PYTEXT_OCTETS:
        cls = ParseResultBytes if params else SplitResultBytes
        scheme = scheme_of(text, s, True)
    else:
        cls = ParseResult if params else SplitResult
    return finished(fu_make_result(cls, scheme, text, s.length, parts, n))


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


cdef object unsplit(components, result_class, Py_ssize_t n):
    """urlunsplit (n = 5) or urlunparse (n = 6), or None."""
    cdef fu_parts parts
    cls = type(components)
    if cls is list:
        components = tuple(components)
    elif cls is not tuple and (cls is not result_class or not is_plain_result(components)):
        return None
    cdef tuple items = <tuple>components
    if len(items) != n:
        return None
    parts.params.n = 0
    if n == 6 and not fu_piece_of(items[3], &parts.params):
        return None
    if not (fu_piece_of(items[0], &parts.scheme) and fu_piece_of(items[1], &parts.netloc)
            and fu_piece_of(items[2], &parts.path) and fu_piece_of(items[n - 2], &parts.query)
            and fu_piece_of(items[n - 1], &parts.fragment)):
        return None
    return build(&parts)


cdef object join(str base, str url):
    """urljoin of two str that are not empty, or None: for those that are not ASCII, too."""
    cdef fu_pytext base_text, text
    cdef fu_spans b, s
    cdef fu_parts parts
    cdef uint8_t buffer[1024]
    cdef uint8_t *merged = buffer
    cdef size_t size
    cdef fu_join how
    if not PyUnicode_IS_COMPACT_ASCII(base) or not PyUnicode_IS_COMPACT_ASCII(url):
        return None
    if not cut(base, &base_text, &b) or not cut(url, &text, &s):  # which stand where they are: nothing to release
        return None
    if not fu_same_scheme(base_text.p, &b, text.p, &s):
        return url
    scheme = scheme_of(&base_text, &b, False)
    if not uses_relative.has(scheme):
        return url if b.scheme_end else None
    if not uses_netloc.has(scheme):
        return None
    fu_piece_of(scheme, &parts.scheme)
    how = fu_join_parts(base_text.p, &b, text.p, &s, &parts)
    if how != FU_JOIN_MERGE:
        return build(&parts) if how == FU_JOIN_BUILD else None
    size = (b.path_end - b.path_start) + parts.path.n + 2
    if size > sizeof(buffer):
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
        if merged != buffer:
            PyMem_Free(merged)


cdef object defragment(url):
    """urldefrag of a str or bytes, or None. What stands before the "#" is the result wherever taking the URL
    apart and putting it together changes nothing, in any Python."""
    cdef fu_pytext text
    cdef fu_spans s
    if PyUnicode_CheckExact(url) and "#" not in <str>url:
        return new_defrag(url, NOTHING)
    try:
        return defrag_result(url, &text, &s) if cut(url, &text, &s) else None
    finally:
        fu_release_text(&text)


cdef object defrag_result(url, const fu_pytext *text, const fu_spans *s):
    cdef fu_range part
    if not s.flags & FU_HAS_FRAGMENT:
        return new_defrag(url, NO_OCTETS)
    if not fu_stands_before_fragment(text.p, s):
        return None
    if not s.flags & FU_HAS_NETLOC and s.scheme_end and uses_netloc.has(scheme_of(text, s, False)):
        return None
    part.start = 0
    part.end = s.query_end
    rest = fu_part(text, s.length, part)
    part.start = s.query_end + 1
    part.end = s.length
    return new_defrag(rest, fu_part(text, s.length, part))


cdef object new_defrag(url, fragment):
    cdef fu_pytext text
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
    if result is None:
        refuse_unhashable(url, scheme, allow_fragments)
        return original_urlsplit(url, scheme, allow_fragments)
    return result


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


cdef int refuse_unhashable(url, scheme, allow_fragments) except -1:
    """Raise what urllib's cache raises for arguments that it cannot look up."""
    if not ((type(url) is str or type(url) is bytes) and (type(scheme) is str or type(scheme) is bytes)
            and type(allow_fragments) is bool):
        hash((url, scheme, allow_fragments))
    return 0


# ---- The same under the signatures of Python 3.15 ----

cdef object pristine_urlunsplit = _originals.FUNCTIONS.get("urlunsplit")
cdef object unspecified = (getattr(pristine_urlunsplit, "__kwdefaults__", None) or {}).get("keep_empty")


def later_urlsplit(url, scheme=None, allow_fragments=True, *, missing_as_none=False):
    own = splits_here and missing_as_none is False
    result = split(url, NOTHING if scheme is None else scheme, allow_fragments, False) if own else None
    if result is None:
        refuse_unhashable(url, scheme, allow_fragments)
        hash(missing_as_none)
        return original_urlsplit(url, scheme, allow_fragments, missing_as_none=missing_as_none)
    return result


def later_urlparse(url, scheme=None, allow_fragments=True, *, missing_as_none=False):
    own = parses_here and missing_as_none is False
    result = split(url, NOTHING if scheme is None else scheme, allow_fragments, True) if own else None
    if result is None:
        return original_urlparse(url, scheme, allow_fragments, missing_as_none=missing_as_none)
    return result


def later_urlunsplit(components, *, keep_empty=unspecified):
    result = unsplit(components, SplitResult, 5) if unsplits_here and keep_empty is unspecified else None
    return original_urlunsplit(components, keep_empty=keep_empty) if result is None else result


def later_urlunparse(components, *, keep_empty=unspecified):
    result = unsplit(components, ParseResult, 6) if unparses_here and keep_empty is unspecified else None
    return original_urlunparse(components, keep_empty=keep_empty) if result is None else result


def later_urldefrag(url, *, missing_as_none=False):
    result = defragment(url) if defragments_here and missing_as_none is False else None
    return original_urldefrag(url, missing_as_none=missing_as_none) if result is None else result


# ---- What holds in this interpreter ----

def take_results():
    """Use urllib.parse's result classes as they are now: after a reload it has others, and so have all its functions."""
    global SplitResult, SplitResultBytes, ParseResult, ParseResultBytes, DefragResult, DefragResultBytes
    global result_state, splits_here, parses_here, defragments_here
    SplitResult, SplitResultBytes = _urllib.SplitResult, _urllib.SplitResultBytes
    ParseResult, ParseResultBytes = _urllib.ParseResult, _urllib.ParseResultBytes
    DefragResult, DefragResultBytes = _urllib.DefragResult, _urllib.DefragResultBytes
    result_state = _originals.state_of(original_urlsplit("//h/"))
    splits_here = fu_tuple_like(SplitResult) and fu_tuple_like(SplitResultBytes)
    parses_here = fu_tuple_like(ParseResult) and fu_tuple_like(ParseResultBytes)
    defragments_here = fu_tuple_like(DefragResult) and fu_tuple_like(DefragResultBytes)


take_results()
unsplits_here = unparses_here = joins_here = True

# A function for each way in which a Python writes its parameters; the first is that of 3.11 to 3.14.
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
_originals.take_shapes(globals(), SHAPES)
del SHAPES, later_urlsplit, later_urlparse, later_urlunsplit, later_urlunparse, later_urldefrag

splits_here = splits_here and _originals.agrees("urlsplit", urlsplit)
parses_here = parses_here and _originals.agrees("urlparse", urlparse)
defragments_here = defragments_here and _originals.agrees("urldefrag", urldefrag)
unsplits_here = _originals.agrees("urlunsplit", urlunsplit)
unparses_here = _originals.agrees("urlunparse", urlunparse)
joins_here = _originals.agrees("urljoin", urljoin)


def compiled_here():
    """The names of the functions that are compiled for this interpreter; the others only hand on.

    >>> sorted(compiled_here())
    ['urldefrag', 'urljoin', 'urlparse', 'urlsplit', 'urlunparse', 'urlunsplit']
    """
    held = {"urlsplit": splits_here, "urlparse": parses_here, "urlunsplit": unsplits_here,
            "urlunparse": unparses_here, "urljoin": joins_here, "urldefrag": defragments_here}
    return frozenset([name for name in held if held[name]])


for name in ("cache_info", "cache_clear", "cache_parameters", "__wrapped__"):
    if hasattr(_urllib.urlsplit, name):
        setattr(urlsplit, name, getattr(_urllib.urlsplit, name))
del name
