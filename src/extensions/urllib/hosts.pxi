# Part of _urllib.pyx: the characters that urllib refuses in a netloc, because NFKC turns them into a delimiter.

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
