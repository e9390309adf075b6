# Part of _urllib.pyx: building a URL from its parts, for urlunsplit and urlunparse.

cdef object build(fu_parts *parts, fu_pytext_kind kind):
    """Build a URL from its parts as urlunparse does. For FU_PYTEXT_WIDE, the parts are UTF-8.

    Return None to fall back to urllib: Python versions differ in how they keep a path from being read as a netloc, and
    ask_what_differs() does not cover all cases.
    """
    parts.slashes = parts.empty_query = parts.empty_fragment = False
    return build_text(parts, kind) if parts.netloc.n or lead_path(parts) else None


cdef object build_text(fu_parts *parts, fu_pytext_kind kind):
    cdef size_t size = 0
    cdef bytes data
    if not fu_rebuilt_size(parts, <size_t>PY_SSIZE_T_MAX, &size):
        return None
    if kind == FU_PYTEXT_ASCII:
        if size == 0:
            return NOTHING
        url = PyUnicode_New(<Py_ssize_t>size, 127)
        fu_rebuild(parts, PyUnicode_1BYTE_DATA(url))
        return url
    data = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>size)
    fu_rebuild(parts, <uint8_t *>PyBytes_AS_STRING(data))
    return data if kind == FU_PYTEXT_BYTES else data.decode("utf-8", "surrogatepass")


cdef bint lead_path(fu_parts *parts) except -1:
    """Decide if a URL without a netloc gets a "//" before its path. Return False to fall back to urllib."""
    if has_slashes(&parts.path):
        parts.slashes = doubles_slashes
    elif parts.scheme.n and uses_netloc.has(fu_ascii_str(parts.scheme.p, parts.scheme.n)):
        if not fu_is_rooted(parts) and (parts.path.n or parts.params.n):
            parts.slashes = roots_paths
            return roots_paths or parts.params.n == 0 or parts.path.n != 0
        parts.slashes = True
    return True


cdef inline bint has_slashes(const fu_slice *path) noexcept:
    return path.n >= 2 and path.p[0] == c"/" and path.p[1] == c"/"


cdef enum:
    ASKED_OF_PARTS = FU_ASKS_TRUTH | FU_ASKS_EQUAL | FU_ASKS_SLICE | FU_ASKS_STR | FU_ASKS_SUM


cdef object unsplit(components, result_class, bytes_class, Py_ssize_t n):
    """Return the result of urlunsplit (n = 5) or urlunparse (n = 6), or None to fall back to urllib."""
    cdef fu_parts parts
    cls = type(components)
    if cls is list:
        components = tuple(components)
    elif cls is not tuple and ((cls is not result_class and cls is not bytes_class) or not is_plain_result(components)):
        return None
    cdef tuple items = <tuple>components
    if len(items) != n:
        return None
    parts.params.n = 0
    if n == 6 and not fu_optional_slice(items[3], none_is_empty, &parts.params):
        return unsplit_wide(items, n, &parts)
    if not (fu_slice_of(items[0], &parts.scheme) and fu_optional_slice(items[1], none_is_empty, &parts.netloc)
            and fu_slice_of(items[2], &parts.path) and fu_optional_slice(items[n - 2], none_is_empty, &parts.query)
            and fu_optional_slice(items[n - 1], none_is_empty, &parts.fragment)):
        return unsplit_wide(items, n, &parts)
    return build(&parts, FU_PYTEXT_ASCII)


cdef object unsplit_wide(tuple items, Py_ssize_t n, fu_parts *parts):
    """Do the same as unsplit() for ASCII bytes, for str that are not all ASCII, and for subclasses of str."""
    cdef list data = []
    cdef bint text = PyUnicode_Check(items[0]), alone = type(items[2]) is not str
    cdef Py_ssize_t i
    for i in range(n):
        item = items[i]
        if text and acts_as_str(item, ASKED_OF_PARTS, "encode"):
            item = PyUnicode_FromObject(item)
        if text and PyUnicode_CheckExact(item):
            data.append((<str>item).encode("utf-8", "surrogatepass"))
        elif item is None and none_is_empty and i != 0 and i != 2:
            data.append(NO_BYTES)
        elif text or not PyBytes_CheckExact(item) or not (<bytes>item).isascii():
            return None
        else:
            data.append(item)
        alone = alone and (i == 2 or not item)
    if alone and text:
        return None  # urllib may return the path itself, which is of a subclass
    take_bytes(data[0], &parts.scheme)
    take_bytes(data[1], &parts.netloc)
    take_bytes(data[2], &parts.path)
    if n == 6:
        take_bytes(data[3], &parts.params)
    take_bytes(data[n - 2], &parts.query)
    take_bytes(data[n - 1], &parts.fragment)
    if not fu_is_ascii(parts.scheme.p, parts.scheme.n):
        return None
    return build(parts, FU_PYTEXT_WIDE if text else FU_PYTEXT_BYTES)


cdef inline void take_bytes(object data, fu_slice *out) noexcept:
    out.p = <const uint8_t *>PyBytes_AS_STRING(data)
    out.n = <size_t>len(<bytes>data)
