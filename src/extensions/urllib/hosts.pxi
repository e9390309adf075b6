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
        if point >= 0x80:
            if about_character[point] == NOT_ASKED:
                ask_about(point)
            if about_character[point] == HARMFUL:
                return False
    return True


cdef int ask_about(Py_UCS4 point) except -1:
    from unicodedata import normalize

    normalized = normalize("NFKC", chr(point))
    about_character[point] = HARMLESS
    for delimiter in "/?#@:":
        if delimiter in normalized:
            about_character[point] = HARMFUL
    return 0
