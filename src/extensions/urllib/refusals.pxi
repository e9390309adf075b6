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


# ---- The characters that urllib refuses in a netloc, because NFKC turns them into a delimiter

cdef enum:
    NOT_ASKED, HARMLESS, HARMFUL


cdef uint8_t about_character[0x110000]  # cache of the interpreter's answers; untouched pages take no memory


cdef bint are_harmless(str text, size_t start, size_t end) except -1:
    """Return True if urllib accepts the characters [start, end) of a text in a netloc.

    urllib normalizes all characters together by NFKC and searches the result for delimiters. No composition contains a
    delimiter. So the result has a delimiter exactly if the NFKC of a single character has one.
    """
    cdef size_t i
    cdef Py_UCS4 point
    for i in range(start, end):
        point = PyUnicode_READ_CHAR(text, <Py_ssize_t>i)
        if point >= 0x80 and is_harmful(point):
            return False
    return True


cdef bint is_harmful(Py_UCS4 point) except -1:
    if about_character[point] == NOT_ASKED:
        from unicodedata import normalize

        normalized = normalize("NFKC", chr(point))
        harmful = any([delimiter in normalized for delimiter in "/?#@:"])
        if type(normalize) is not type(len):
            return harmful  # the answer of a mock: ask again
        about_character[point] = HARMFUL if harmful else HARMLESS
    return about_character[point] == HARMFUL
