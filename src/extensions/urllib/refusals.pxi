# Part of _urllib.pyx: the texts that urlsplit and urlparse refuse, with urllib's messages. An exception is raised here
# only if a test call showed that the running interpreter raises the same one. All other texts are delegated to urllib.

cdef str ODD_BRACKETS = "Invalid IPv6 URL"


cdef str no_address(host):
    return f"{host!r} does not appear to be an IPv4 or IPv6 address"


cdef str harmful(netloc):
    return f"netloc '{netloc}' contains invalid characters under NFKC normalization"


@cython.binding(True)
def _refuses_with(error, *urls):
    """Return True if both functions raise the same exception as `error` for each text."""
    for url in urls:
        for name in ("urlsplit", "urlparse"):
            if not _originals.raises(name, (url,), error):
                return False
    return True


cdef bint odd_brackets_known = _refuses_with(ValueError(ODD_BRACKETS), "//[", "http://a]/", b"//[::1")
cdef bint no_address_known = _refuses_with(ValueError(no_address("x'")), "//[x']", "http://u@[x']:1/", b"//[x']")
cdef bint not_ascii_known = _refuses_with(UnicodeDecodeError("ascii", b"//\xe9", 2, 3, "ordinal not in range(128)"), b"//\xe9")

cdef int harmful_known = -1  # -1: not tested yet, because the test imports unicodedata


cdef bint is_harmful_known() except -1:
    global harmful_known
    if harmful_known < 0:
        harmful_known = _refuses_with(ValueError(harmful("u@\uff1ah")), "//u@\uff1ah/", "http://u@\uff1ah#")
    return harmful_known


cdef int refuse(url, const fu_spans *s, int how) except -1:
    """Raise the exception of urllib for an exact str or bytes, if it is certain.

    `how` is the result of fu_split_text.
    """
    cdef Py_ssize_t start
    if how == FU_SPLIT_NOT_ASCII and not_ascii_known:
        (<bytes>url).decode("ascii")
    if how == FU_SPLIT_NOT_OURS or urllib_globals.get("scheme_chars") != scheme_chars:
        return 0
    netloc = url[s.netloc_start:s.path_start]
    if type(netloc) is bytes:
        netloc = (<bytes>netloc).decode("ascii")
    if how == FU_SPLIT_ODD_BRACKETS and odd_brackets_known:
        raise ValueError(ODD_BRACKETS)
    if how == FU_SPLIT_NO_ADDRESS and no_address_known:
        start = (<str>netloc).index("[") + 1
        raise ValueError(no_address((<str>netloc)[start:(<str>netloc).index("]")]))
    if how == FU_SPLIT_WIDE_HOST and is_harmful_known():
        raise ValueError(harmful(netloc))
    return 0
