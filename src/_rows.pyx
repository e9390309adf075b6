# distutils: language = c
"""The command line's main job in bulk: octets of URLs to rows, and rows to JSON lines or CSV.

A row is a tuple of None, bool, int, str, bytes, or a tuple of str. The cut and the judgement are the kernel's, the same
that :func:`fasturl.parse` gives; this room only spares the objects between the octets and the text.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.pycapsule cimport PyCapsule_GetPointer
from cpython.ref cimport Py_INCREF
from cpython.tuple cimport PyTuple_New, PyTuple_SET_ITEM
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy

cimport _scan
from _scan cimport fu_form, fu_netloc, fu_scheme_table, fu_spans, fu_verdict

import os

from fasturl import _fastparse

cdef extern from "Python.h":
    bint PyBytes_CheckExact(object value)
    bint PyUnicode_CheckExact(object value)
    bint PyTuple_CheckExact(object value)
    bint PyLong_CheckExact(object value)
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

_scan.fu_start_kernels()
if "FASTURL_KERNEL" in os.environ:
    _scan.fu_use_kernel(os.environ["FASTURL_KERNEL"].encode())

cdef const fu_scheme_table *schemes_table = <const fu_scheme_table *>PyCapsule_GetPointer(
    _fastparse._scheme_table, b"fasturl._fastparse._scheme_table")


# --- octets to rows ---------------------------------------------------------------------------------------------------

cdef enum:
    WHERE = 4       # file, line, field, url
    PARTS = 9
    WIDTH = 16      # and valid, findings, error_offset


cdef inline void set_item(tuple row, Py_ssize_t place, object value) noexcept:
    Py_INCREF(value)    # the tuple takes a reference over
    PyTuple_SET_ITEM(row, place, value)


cdef inline object cut(const uint8_t *p, size_t start, size_t end):
    return PyBytes_FromStringAndSize(<const char *>p + start, <Py_ssize_t>(end - start))


cdef object port_number(const uint8_t *p, fu_netloc *places):
    """The port, None when there is none, it is empty, or no number up to 65535."""
    cdef size_t i
    cdef int32_t number = 0
    if places.port_start == _scan.FU_ABSENT or places.port_start == places.port_end:
        return None
    for i in range(places.port_start, places.port_end):
        if not _scan.fu_is(p[i], _scan.TERM_DIGIT):
            return None
        number = number * 10 + p[i] - 48
        if number > 65535:
            return None
    return number


cdef int fill(tuple row, Py_ssize_t at, object url, fu_form form, object names) except -1:
    """Put the parts and the verdict of a URL into its row, from place `at`."""
    cdef const uint8_t *p = <const uint8_t *>PyBytes_AS_STRING(url)
    cdef size_t n = <size_t>PyBytes_GET_SIZE(url)
    cdef fu_spans spans
    cdef fu_netloc places
    cdef fu_verdict verdict
    cdef uint32_t findings = 0
    cdef object offset = None
    cdef Py_ssize_t i
    _scan.fu_split(schemes_table, p, n, form, False, &spans)
    if not spans.flags & _scan.FU_CLEAN:
        _scan.fu_start_verdict(&verdict)
        _scan.fu_judge(schemes_table, p, &spans, form, &verdict)
        findings = verdict.findings
        if verdict.error_offset != _scan.FU_ABSENT:
            offset = verdict.error_offset
        if spans.scheme != _scan.FU_NO_SCHEME and _scan.fu_shape_of(schemes_table, spans.scheme) == _scan.FU_SHAPE_CUSTOM:
            # Productions in Python: the URL object knows how to ask them.
            judged = _fastparse.parse(url, form="url" if form == _scan.FU_FORM_URL else "request-target")
            findings = <uint32_t><int>judged.findings
            offset = judged.error_offset
    if not spans.flags & _scan.FU_HAS_SCHEME:
        set_item(row, at, None)
    elif spans.scheme == _scan.FU_NO_SCHEME:
        set_item(row, at, cut(p, 0, spans.scheme_end).lower())
    else:
        set_item(row, at, PyBytes_FromStringAndSize(
            schemes_table.entries[spans.scheme].name, schemes_table.entries[spans.scheme].length))
    if spans.flags & _scan.FU_HAS_NETLOC:
        _scan.fu_cut_netloc(p, spans.netloc_start, spans.path_start, &places)
        set_item(row, at + 1, cut(p, spans.netloc_start, spans.path_start))
        set_item(row, at + 2, None if places.user_start == _scan.FU_ABSENT else cut(p, places.user_start, places.user_end))
        set_item(row, at + 3, None if places.password_start == _scan.FU_ABSENT else
                 cut(p, places.password_start, places.password_end))
        set_item(row, at + 4, cut(p, places.host_start, places.host_end))
        set_item(row, at + 5, port_number(p, &places))
    else:
        for i in range(1, 6):
            set_item(row, at + i, None)
    set_item(row, at + 6, cut(p, spans.path_start, spans.path_end))
    set_item(row, at + 7, cut(p, spans.path_end + 1, spans.query_end) if spans.flags & _scan.FU_HAS_QUERY else None)
    set_item(row, at + 8, cut(p, spans.query_end + 1, n) if spans.flags & _scan.FU_HAS_FRAGMENT else None)
    set_item(row, at + 9, not findings & _scan.FU_VIOLATIONS)
    set_item(row, at + 10, names[findings])
    set_item(row, at + 11, offset)
    return 0


def url_rows(file, list numbers not None, list fields not None, list urls not None, list details not None,
             frozenset targets not None, names not None):
    """One row a URL: (file, line, field, url, scheme, netloc, username, password, host, port, path, query, fragment,
    valid, findings, error_offset, *details).

    numbers, fields, urls, details : the line, the field, the octets (bytes; TypeError else) and the tuple of details of each URL;
        ValueError when they are not of one length
    targets : the fields that are read with form="request-target"; the others are read as URLs
    names : a mapping of finding bits to what stands for them in the row
    Absent parts are None, empty ones b""; a port that is no number up to 65535 is None, and BAD_PORT says why.
    Cost: one pass over each URL.

    >>> url_rows(b"f", [1], ["url"], [b"HTTP://h:80/?"], [()], frozenset(), {0: ()})
    [(b'f', 1, 'url', b'HTTP://h:80/?', b'http', b'h:80', None, None, b'h', 80, b'/', b'', None, True, (), None)]
    """
    cdef Py_ssize_t count = len(urls), i, j
    cdef tuple row, detail
    cdef fu_form form
    cdef object url, field, last = None
    cdef bint target = False
    cdef list rows = []
    if not len(numbers) == len(fields) == len(details) == count:
        raise ValueError("numbers, fields, urls and details differ in length")
    for i in range(count):
        url, field, detail = urls[i], fields[i], details[i]
        if not PyBytes_CheckExact(url) or detail is None:
            raise TypeError("a URL must be bytes, and its details a tuple")
        if field is not last:
            target = field in targets
            last = field
        form = _scan.FU_FORM_TARGET if target else _scan.FU_FORM_URL
        row = PyTuple_New(WIDTH + len(detail))
        # The tuple is no one else's until it is full; empty places are NULL, which it can be dropped with.
        set_item(row, 0, file)
        set_item(row, 1, numbers[i])
        set_item(row, 2, field)
        set_item(row, 3, url)
        fill(row, WHERE, url, form, names)
        for j in range(len(detail)):
            set_item(row, WIDTH + j, detail[j])
        rows.append(row)
    return rows


# --- rows to text -----------------------------------------------------------------------------------------------------

cdef const char *HEX = "0123456789abcdef"

# What an octet becomes in a JSON string: itself, an escape by one letter, \u00XX, or a look at the octets after it.
cdef enum:
    PLAIN = 0
    CODE = 1
    MULTI = 2
cdef uint8_t json_class[256]
cdef int _octet
for _octet in range(256):
    json_class[_octet] = CODE if _octet < 0x20 or _octet == 0x7F else MULTI if _octet >= 0x80 else PLAIN
for _octet, _letter in zip(b'"\\\b\f\n\r\t', b'"\\bfnrt'):
    json_class[_octet] = _letter


@cython.final
cdef class _Text:
    """Octets that grow; each `room` call makes sure of the space that the writes after it use."""

    cdef uint8_t *start
    cdef size_t length, capacity

    def __cinit__(self, size_t capacity):
        self.start = <uint8_t *>malloc(capacity)
        if self.start == NULL:
            raise MemoryError()
        self.capacity = capacity
        self.length = 0

    def __dealloc__(self):
        free(self.start)

    cdef inline int room(self, size_t more) except -1:
        if more <= self.capacity - self.length:
            return 0
        return self.grow(more)

    cdef int grow(self, size_t more) except -1:
        cdef size_t wanted
        cdef uint8_t *moved
        if more > <size_t>-1 // 4 - self.length:
            raise MemoryError()
        wanted = self.length + more
        wanted += wanted >> 1
        moved = <uint8_t *>realloc(self.start, wanted)
        if moved == NULL:
            raise MemoryError()
        self.start = moved
        self.capacity = wanted
        return 0

    cdef inline void put(self, uint8_t octet) noexcept:
        self.start[self.length] = octet
        self.length += 1

    cdef inline void put_all(self, const void *octets, size_t n) noexcept:
        memcpy(self.start + self.length, octets, n)
        self.length += n

    cdef int add(self, bytes octets) except -1:
        cdef size_t n = <size_t>PyBytes_GET_SIZE(octets)
        self.room(n)
        self.put_all(PyBytes_AS_STRING(octets), n)
        return 0

    cdef inline void put_code(self, uint32_t unit) noexcept:
        self.put_all(b"\\u", 2)
        self.put(HEX[unit >> 12 & 15])
        self.put(HEX[unit >> 8 & 15])
        self.put(HEX[unit >> 4 & 15])
        self.put(HEX[unit & 15])

    cdef object octets(self):
        return PyBytes_FromStringAndSize(<const char *>self.start, <Py_ssize_t>self.length)


cdef size_t utf8_at(const uint8_t *p, size_t n, uint32_t *code) noexcept nogil:
    """The length of the well-formed UTF-8 sequence of 2 to 4 octets at p, its character in code; 0 when there is none."""
    cdef uint8_t first = p[0]
    cdef size_t length, i
    cdef uint32_t value
    if first < 0xC2:
        return 0
    if first < 0xE0:
        length, value = 2, first & 0x1F
    elif first < 0xF0:
        length, value = 3, first & 0x0F
    elif first < 0xF5:
        length, value = 4, first & 0x07
    else:
        return 0
    if length > n:
        return 0
    for i in range(1, length):
        if p[i] & 0xC0 != 0x80:
            return 0
        value = value << 6 | p[i] & 0x3F
    # Not the shortest form, a surrogate, or beyond the last character.
    if length == 3 and (value < 0x800 or 0xD800 <= value <= 0xDFFF):
        return 0
    if length == 4 and (value < 0x10000 or value > 0x10FFFF):
        return 0
    code[0] = value
    return length


cdef int json_string(_Text out, const uint8_t *p, size_t n) except -1:
    """A JSON string in ASCII. An octet that is no UTF-8 becomes the lone surrogate DC00 + octet, as Python's
    surrogateescape has it, so no two byte strings give the same text."""
    cdef size_t i = 0, run, length
    cdef uint32_t code
    cdef uint8_t kind
    if n > <size_t>-1 // 16:
        raise MemoryError()
    out.room(n + 2)     # the common case whole; each escape asks for more
    out.put(34)
    while i < n:
        run = i
        while i < n and json_class[p[i]] == PLAIN:
            i += 1
        out.put_all(p + run, i - run)
        if i == n:
            break
        # Six octets for each one that is left would be the worst; the room for those after this one is kept.
        out.room(n - i + 14)
        kind = json_class[p[i]]
        if kind == CODE:
            out.put_code(p[i])
            i += 1
        elif kind != MULTI:
            out.put(92)
            out.put(kind)
            i += 1
        else:
            length = utf8_at(p + i, n - i, &code)
            if length == 0:
                out.put_code(0xDC00 + p[i])
                i += 1
            elif code < 0x10000:
                out.put_code(code)
                i += length
            else:
                code -= 0x10000
                out.put_code(0xD800 + (code >> 10))
                out.put_code(0xDC00 + (code & 0x3FF))
                i += length
    out.put(34)
    return 0


cdef int number(_Text out, object value) except -1:
    cdef long long small
    cdef unsigned long long rest
    cdef uint8_t digits[20]
    cdef int count = 0
    try:
        small = value
    except OverflowError:
        out.add(b"%d" % value)
        return 0
    out.room(21)
    rest = <unsigned long long>small
    if small < 0:
        out.put(45)
        rest = 0 - rest
    while True:
        digits[count] = <uint8_t>(48 + rest % 10)
        rest //= 10
        count += 1
        if rest == 0:
            break
    while count:
        count -= 1
        out.put(digits[count])
    return 0


cdef int json_value(_Text out, object value) except -1:
    cdef Py_ssize_t size
    cdef const char *utf8
    if value is None:
        out.room(4)
        out.put_all(b"null", 4)
    elif PyBytes_CheckExact(value):
        json_string(out, <const uint8_t *>PyBytes_AS_STRING(value), <size_t>PyBytes_GET_SIZE(value))
    elif value is True:
        out.room(4)
        out.put_all(b"true", 4)
    elif value is False:
        out.room(5)
        out.put_all(b"false", 5)
    elif PyLong_CheckExact(value):
        number(out, value)
    elif PyUnicode_CheckExact(value):
        utf8 = PyUnicode_AsUTF8AndSize(value, &size)
        json_string(out, <const uint8_t *>utf8, <size_t>size)
    elif PyTuple_CheckExact(value):
        out.room(1)
        out.put(91)
        first = True
        for item in <tuple>value:
            if not first:
                out.room(1)
                out.put(44)
            first = False
            json_value(out, item)
        out.room(1)
        out.put(93)
    else:
        raise TypeError(f"no JSON for {type(value).__name__}")
    return 0


def json_rows(list rows not None, tuple columns not None):
    """JSON lines: one object a row, with the columns' names as keys.

    rows : tuples of None, bool, int, str, bytes or tuples of these, as many as there are columns (ValueError else)
    columns : str
    Returns bytes, all of them ASCII, a line end after each row. Bytes are taken as UTF-8; an octet that is none becomes
    the escape of a lone surrogate, ``\\\\udc80`` to ``\\\\udcff``: ``text.encode("utf-8", "surrogateescape")`` gives the octets
    back. Cost: one pass, O(n).

    >>> json_rows([(b"caf\\xe9", None, 80)], ("path", "query", "port"))
    b'{"path":"caf\\\\udce9","query":null,"port":80}\\n'
    """
    cdef _Text out = _Text(256 * len(rows) + 64)
    cdef Py_ssize_t count = len(columns), i
    cdef tuple row
    cdef _Text key
    cdef list keys = []
    for i in range(count):
        key = _Text(64)
        key.room(1)
        key.put(44 if i else 123)
        json_value(key, columns[i])
        key.room(1)
        key.put(58)
        keys.append(key.octets())
    for row in rows:
        if len(row) != count:
            raise ValueError(f"a row of {len(row)} values for {count} columns")
        if count == 0:
            out.add(b"{")
        for i in range(count):
            out.add(<bytes>keys[i])
            json_value(out, row[i])
        out.room(2)
        out.put_all(b"}\n", 2)
    return out.octets()


cdef uint8_t csv_special[256]
for _octet in b'",\r\n':
    csv_special[_octet] = 1


cdef int csv_octets(_Text out, const uint8_t *p, size_t n) except -1:
    cdef size_t i
    cdef bint plain = n > 0     # an empty value is quoted, which tells it from an absent one
    for i in range(n):
        if csv_special[p[i]]:
            plain = False
            break
    if plain:
        out.room(n)
        out.put_all(p, n)
        return 0
    if n > <size_t>-1 // 4:
        raise MemoryError()
    out.room(2 * n + 2)
    out.put(34)
    for i in range(n):
        if p[i] == 34:
            out.put(34)
        out.put(p[i])
    out.put(34)
    return 0


cdef int csv_value(_Text out, object value) except -1:
    cdef Py_ssize_t size
    cdef const char *utf8
    if value is None:
        return 0
    if PyBytes_CheckExact(value):
        csv_octets(out, <const uint8_t *>PyBytes_AS_STRING(value), <size_t>PyBytes_GET_SIZE(value))
    elif value is True:
        out.add(b"true")
    elif value is False:
        out.add(b"false")
    elif PyLong_CheckExact(value):
        number(out, value)
    elif PyUnicode_CheckExact(value):
        utf8 = PyUnicode_AsUTF8AndSize(value, &size)
        csv_octets(out, <const uint8_t *>utf8, <size_t>size)
    elif PyTuple_CheckExact(value):
        csv_value(out, "|".join(value)) if value else None
    else:
        raise TypeError(f"no CSV for {type(value).__name__}")
    return 0


def csv_rows(list rows not None):
    """CSV: values divided by commas, a row a line, the octets of bytes as they are.

    rows : tuples as for :func:`json_rows`; the str of a tuple are joined by "|"
    Returns bytes. Absent (None) is nothing between the commas, empty is ``""``. A value with a quote, a comma, a
    carriage return or a line feed is quoted, its quotes doubled. Cost: one pass, O(n).

    >>> csv_rows([(b'a"b', None, b"", 80, ("UNSAFE", "FRAGMENT"))])
    b'"a""b",,"",80,UNSAFE|FRAGMENT\\n'
    """
    cdef _Text out = _Text(192 * len(rows) + 64)
    cdef Py_ssize_t i
    cdef tuple row
    for row in rows:
        for i in range(len(row)):
            if i:
                out.room(1)
                out.put(44)
            csv_value(out, row[i])
        out.room(1)
        out.put(10)
    return out.octets()
