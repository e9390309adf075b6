# The characters of a netloc that urllib refuses: those of which NFKC makes a delimiter.

cdef enum:
    NOT_ASKED, HARMLESS, HARMFUL


cdef uint8_t about_character[0x110000]  # the interpreter's own answers; what is not asked for takes no memory


cdef bint are_harmless(str text, size_t start, size_t end) except -1:
    """Whether urllib takes these characters of a netloc.

    It looks for delimiters in what NFKC makes of all of them together. Nothing is composed of a delimiter, so one is there
    if, and only if, it is there of one character alone.
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

    made = normalize("NFKC", chr(point))
    about_character[point] = HARMLESS
    for delimiter in "/?#@:":
        if delimiter in made:
            about_character[point] = HARMFUL
    return 0
