# Part of _urllib.pyx: classify characters, escape and unescape by RFC 1738, and decode text so that it is safe to print.
# The character sets are generated from the grammar, in chars.h.

# The CharClass of each byte. A lookup in the enum for each call would be slow.
cdef tuple CLASSES = tuple([CharClass(byte_classes(byte)) for byte in range(256)])
cdef object NO_CLASS = CharClass(0)
cdef object UNRESERVED = CharClass.UNRESERVED
# The bits of CharClass: the eight disjoint classes of BYTE_CLASS, and HEX, which overlaps them.
cdef enum:
    HEX_CLASS = 0x100
    ALL_CLASSES = 0x1ff


cdef int byte_classes(int byte) noexcept:
    """Return the classes of a byte, including HEX."""
    return BYTE_CLASS[byte] | (HEX_CLASS if BYTE_TERMS[byte] & TERM_HEX else 0)


cdef long number_up_to(object number, long high) except -2:
    """Return the value of an int from 0 to high, or -1 for any other value. Call no method of an int's subclass."""
    cdef int overflow = 0
    cdef long value = PyLong_AsLongAndOverflow(number, &overflow)
    return -1 if overflow or not 0 <= value <= high else value


def classify(byte_or_char):
    """Return the character classes that contain a byte or a character (RFC 1738 section 2.2).

    To test for a class or a union, write for example ``classify(x) & CharClass.UNRESERVED``.
    $Parameters
    byte_or_char : int, str or bytes-like
        Byte from 0 to 255, or a text with length 1.
    $Returns
    CharClass
        A class from ``LOWALPHA`` to ``PUNCTUATION``, together with ``HEX`` for a hex digit. It is ``CharClass(0)`` for
        a space, a control byte, and a byte above 7E.
    $Raises
    TypeError
        If the argument has another type.
    ValueError
        If the number is not from 0 to 255, or if the text has another length.
    $Notes
    Cost: O(1). Source: RFC 1738 section 5, the last productions.
    $Examples
    >>> classify("~"), classify(0x24)
    (<CharClass.NATIONAL: 64>, <CharClass.SAFE: 8>)
    >>> classify("f"), bool(classify("g") & CharClass.HEX)
    (<CharClass.LOWALPHA|HEX: 257>, False)
    """
    cdef Py_UCS4 point
    cdef Py_ssize_t byte
    if PyLong_Check(byte_or_char):
        byte = number_up_to(byte_or_char, 255)
        if byte < 0:
            raise ValueError("a byte is a number from 0 to 255")
        return CLASSES[byte]
    text = fu_exact_text(byte_or_char, None, b"classify(), for what is not an int:")
    if len(text) != 1:
        raise ValueError(f"a {type(text).__name__} of length 1, not {len(text)}")
    point = text[0] if PyBytes_CheckExact(text) else ord(text)
    return CLASSES[<Py_ssize_t>point] if point < 0x80 else NO_CLASS


def classify_bytes(buffer):
    """Return each byte's character class in a buffer.
    $Parameters
    buffer : bytes-like
        Contiguous buffer.
    $Returns
    bytes
        A bit for each byte: one of the classes from ``LOWALPHA`` to ``PUNCTUATION`` in ``CharClass``, or 0.
    $Raises
    TypeError
        If ``buffer`` has another type.
    BufferError
        If the buffer is not contiguous.
    $Notes
    Cost: O(n). Source: RFC 1738 section 5, the last productions.
    $Examples
    >>> list(classify_bytes(b"aZ9$ "))
    [1, 2, 4, 8, 0]
    """
    cdef Py_buffer view
    cdef Py_ssize_t i
    cdef bytes result
    cdef uint8_t *out
    PyObject_GetBuffer(buffer, &view, PyBUF_SIMPLE)
    try:
        result = PyBytes_FromStringAndSize(NULL, view.len)
        out = <uint8_t *>PyBytes_AS_STRING(result)
        for i in range(view.len):
            out[i] = BYTE_CLASS[(<const uint8_t *>view.buf)[i]]
        return result
    finally:
        PyBuffer_Release(&view)


# ---- escape and unescape

cdef bytes class_table(int classes):
    """Return the quote table that keeps the bytes of some classes, but never a ``%``."""
    cdef bytearray keep = bytearray(256)
    for byte in range(256):
        keep[byte] = 1 if byte_classes(byte) & classes else 0
    keep[0x25] = 0
    return new_table(bytes(keep), False)


cdef bytes UNRESERVED_TABLE = class_table(UNRESERVED)
cdef bytes USER_TABLE = new_table(bytes([BYTE_TERMS[byte] & TERM_USER and byte != c"?" for byte in range(256)]), False)
# Cache of quote tables by set of classes; cleared when it holds MAX_TABLES.
cdef dict CLASS_TABLES = {}


cdef inline object bytes_in(object text, const char *caller):
    """Return the bytes of a text: an ASCII str as it is, anything else as bytes."""
    if PyUnicode_CheckExact(text) and PyUnicode_IS_COMPACT_ASCII(text):
        return text
    text = fu_exact_text(text, None, caller)
    if PyUnicode_CheckExact(text) and not PyUnicode_IS_ASCII(text):
        return PyUnicode_AsEncodedString(text, "utf-8", "surrogateescape")
    return text


cdef object escape_bytes(object data, bytes table, const char *caller):
    """Escape a str (as UTF-8) or a bytes-like object by a quote table. Return a str, the same object if unchanged."""
    data = bytes_in(data, caller)
    if PyUnicode_CheckExact(data):
        return quoted_text(table_of(table), data)
    return quoted_bytes(table_of(table), bytes_of(data), PyBytes_GET_SIZE(data))


# Unlike the others, a bound function: the signature of a built-in function cannot show an enum member as a default.
@cython.binding(True)
def escape(data, allowed=UNRESERVED):
    """Escape every byte outside the classes that you allow in a URL part.
    $Parameters
    data : str or bytes-like
        Data to escape. A str is encoded as UTF-8 with ``surrogateescape``.
    allowed : CharClass
        Classes to keep. ``%`` is always escaped, because it would start an escape.
    $Returns
    str
        Escaped ASCII text, with hex digits in upper case. It is the same object for a str that needs no escape.
    $Raises
    TypeError
        If an argument has another type.
    ValueError
        If ``allowed`` has other bits than a ``CharClass``.
    UnicodeEncodeError
        If a str has a surrogate outside U+DC80 to U+DCFF.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.2.
    $Examples
    >>> escape(b"caf\\xe9~/$1"), escape("a/b", CharClass.XCHAR)
    ('caf%E9%7E%2F$1', 'a/b')
    """
    cdef long classes
    if allowed is UNRESERVED:
        return escape_bytes(data, UNRESERVED_TABLE, b"escape()")
    if not PyLong_Check(allowed):
        raise TypeError(f"allowed is a CharClass, not {type(allowed).__name__}")
    classes = number_up_to(allowed, ALL_CLASSES)
    if classes < 0:
        raise ValueError("allowed is not a set of classes")
    table = CLASS_TABLES.get(classes)
    if table is None:
        table = class_table(classes)
        if len(CLASS_TABLES) >= MAX_TABLES:
            CLASS_TABLES.clear()
        CLASS_TABLES[classes] = table
    return escape_bytes(data, table, b"escape()")


def escape_login(text):
    """Escape a user name or a password for a login, for example the ``:``, ``@`` and ``/`` in it.
    $Parameters
    text : str or bytes-like
        User name or password. A str is encoded as UTF-8 with ``surrogateescape``.
    $Returns
    str
        Text that you can write before an ``@``. It is the same object for a str that needs no escape. ``?`` is escaped
        too, because other programs end the login there.
    $Raises
    TypeError
        If ``text`` has another type.
    UnicodeEncodeError
        If a str has a surrogate outside U+DC80 to U+DCFF.
    $Notes
    Cost: O(n). Source: RFC 1738 section 3.1, and ``user`` and ``password`` in section 5.
    $Examples
    >>> escape_login("p@ss:w/rd&x")
    'p%40ss%3Aw%2Frd&x'
    """
    return escape_bytes(text, USER_TABLE, b"escape_login()")


def unescape(text):
    """Decode the escapes in a URL part.
    $Parameters
    text : str or bytes-like
        Part to decode. A str is encoded as UTF-8 with ``surrogateescape``. A ``%`` that starts no escape stays.
    $Returns
    bytes
        Decoded bytes.
    $Raises
    TypeError
        If ``text`` has another type.
    UnicodeEncodeError
        If a str has a surrogate outside U+DC80 to U+DCFF.
    $Notes
    Cost: O(n). Source: RFC 1738 section 2.2.
    $Examples
    >>> unescape("caf%e9%2")
    b'caf\\xe9%2'
    """
    text = bytes_in(text, b"unescape()")
    if PyUnicode_CheckExact(text):
        return unescaped_bytes(ascii_bytes(text), PyUnicode_GET_LENGTH(text), False)
    return unescaped_bytes(bytes_of(text), PyBytes_GET_SIZE(text), False)


# ---- decoding for a terminal or a log

cdef Py_ssize_t controls(str text) noexcept:
    """Return the number of C0, DEL and C1 characters in a text."""
    cdef Py_ssize_t i, count = 0
    cdef int kind = PyUnicode_KIND(text)
    cdef const void *data = PyUnicode_DATA(text)
    cdef Py_UCS4 point
    for i in range(PyUnicode_GET_LENGTH(text)):
        point = PyUnicode_READ(kind, data, i)
        count += point < 0x20 or 0x7f <= point < 0xa0
    return count


cdef bytes decode_safely(bytes data, int keep):
    cdef Py_ssize_t n = PyBytes_GET_SIZE(data)
    cdef uint8_t seen = 0
    cdef uint8_t *out = <uint8_t *>PyMem_Malloc(n + 1)
    if out == NULL:
        raise MemoryError
    try:
        n = fu_unquote_safe_write(bytes_of(data), n, keep, out, &seen)
        return PyBytes_FromStringAndSize(<const char *>out, n)
    finally:
        PyMem_Free(out)


cdef str safe_run(bytes data, object encoding, object errors, bint of_text):
    """Decode the escapes in a run of bytes, except those that would add a control character.

    of_text : the bytes are a run of ASCII from a str
    In UTF-8, the kernel knows which escapes decode to control characters. In any other encoding, check the result and
    retry with fewer escapes decoded. The last try decodes none.
    """
    cdef int keep
    cdef Py_ssize_t before
    if encoding == "utf-8" and errors == "replace":
        return decode_safely(data, FU_KEEP_UTF8).decode("utf-8", "replace")
    before = controls(data.decode("ascii" if of_text else encoding, errors))
    for keep in (FU_KEEP_UTF8 if encoding == "utf-8" else FU_KEEP_CONTROLS, FU_KEEP_C1, FU_KEEP_HIGH, FU_KEEP_ALL):
        text = decode_safely(data, keep).decode(encoding, errors)
        if controls(text) <= before:
            return text
    # Even plain bytes decode to a control character, for example in UTF-7.
    return data.decode("ascii") if of_text else text


cdef int check_codec(object encoding, object errors) except -1:
    """Raise LookupError for an unknown codec or error handler.

    The messages of codecs would quote the name unescaped.
    """
    import codecs
    for what, look_up, name in (("encoding", codecs.lookup, encoding), ("error handler", codecs.lookup_error, errors)):
        try:
            look_up(name)
            continue
        except LookupError:
            pass
        # Raised outside the except clause: otherwise __context__ would hold the message of codecs.
        from fasturl._quoted import quoted
        raise LookupError(f"unknown {what}: {quoted(name)}")
    return 0


def unquote_safe(string, encoding='utf-8', errors='replace'):
    """Decode the escapes in a text that you write to a log or a terminal.

    Unlike ``unquote``, this function never turns an escape into a control character. The escapes from ``%00`` to
    ``%1F``, ``%7F``, and the escapes that decode to U+0080 to U+009F stay as written. A control character that is
    already in the text stays too.
    $Parameters
    string : str or bytes-like
        Text to decode. A ``%`` that starts no escape stays.
    $decoding
    $Returns
    str
        Decoded text. It is the same object for a str without ``%``.
    $undecodable
    $Notes
    Cost: O(n). Source: RFC 1738 sections 2.2 and 6.
    $Examples
    >>> unquote_safe("a%20b%0d%0aSet-Cookie%3a%1b%c2%9b%c3%a9")
    'a b%0d%0aSet-Cookie:%1b%c2%9b\xe9'
    """
    cdef Py_ssize_t n, i = 0, start
    cdef int kind
    cdef const void *data
    cdef list parts
    if encoding is None:
        encoding = "utf-8"
    if errors is None:
        errors = "replace"
    string = fu_exact_text(string, URL, b"unquote_safe()")
    if encoding != "utf-8" or errors != "replace":
        check_codec(encoding, errors)
    if PyBytes_CheckExact(string):
        return safe_run(string, encoding, errors, False)
    n = PyUnicode_GET_LENGTH(string)
    if "%" not in string:
        return string
    if PyUnicode_IS_ASCII(string):
        return safe_run(PyUnicode_AsUTF8String(string), encoding, errors, True)
    # As in unquote, each run of ASCII is decoded separately.
    parts = []
    kind = PyUnicode_KIND(string)
    data = PyUnicode_DATA(string)
    while i < n:
        start = i
        while i < n and PyUnicode_READ(kind, data, i) < 0x80:
            i += 1
        if i > start:
            parts.append(safe_run(PyUnicode_AsUTF8String(PyUnicode_Substring(string, start, i)), encoding, errors, True))
        start = i
        while i < n and PyUnicode_READ(kind, data, i) >= 0x80:
            i += 1
        parts.append(PyUnicode_Substring(string, start, i))
    return "".join(parts)
