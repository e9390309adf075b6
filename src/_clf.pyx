# distutils: language = c
"""The plain lines of common and combined logs, which are nearly all of them, without a pattern matcher.

A line is taken here only when it is written as a server writes an ordinary request: no backslash, no space in the user's name, a
request line of three words. What is not, a broken line for one, goes to the caller's pattern, whose answer counts.
Tests hold both to the same answers.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy

from _plainline cimport Line, Part, read_line

cdef extern from "Python.h":
    bint PyBytes_CheckExact(object value)


cdef int hex_value(uint8_t octet) noexcept nogil:
    if 48 <= octet <= 57:
        return octet - 48
    octet |= 32
    return octet - 87 if 97 <= octet <= 102 else -1


cdef int named(uint8_t letter) noexcept nogil:
    """What a backslash and this letter stand for, -1 for nothing."""
    if letter == 34 or letter == 92:
        return letter
    if letter == 97:    # a
        return 7
    if letter == 98:    # b
        return 8
    if letter == 102:   # f
        return 12
    if letter == 110:   # n
        return 10
    if letter == 114:   # r
        return 13
    if letter == 116:   # t
        return 9
    if letter == 118:   # v
        return 11
    return -1


def unescape(bytes text not None):
    """The octets that a server was sent, of what it wrote into its log.

    Apache writes a backslash before a quote and a backslash, and ``\\n`` and the like; both it and nginx write ``\\xhh`` for
    octets that are not graphic. A backslash that starts none of these stays. Cost: one pass.

    >>> unescape(rb'/a?b=\\"c\\"\\x16\\xE9\\q')
    b'/a?b="c"\\x16\\xe9\\\\q'
    """
    cdef const uint8_t *p = <const uint8_t *>PyBytes_AS_STRING(text)
    cdef size_t n = <size_t>PyBytes_GET_SIZE(text), i = 0, length = 0, run
    cdef const uint8_t *backslash
    cdef uint8_t *out
    cdef int value
    if memchr(p, 92, n) == NULL:
        return text
    out = <uint8_t *>malloc(n)
    if out == NULL:
        raise MemoryError()
    while i < n:
        backslash = <const uint8_t *>memchr(p + i, 92, n - i)
        run = n - i if backslash == NULL else <size_t>(backslash - p) - i
        memcpy(out + length, p + i, run)
        length += run
        i += run
        if i == n:
            break
        value = -1
        if n - i >= 4 and p[i + 1] == 120 and hex_value(p[i + 2]) >= 0 and hex_value(p[i + 3]) >= 0:
            value = hex_value(p[i + 2]) * 16 + hex_value(p[i + 3])
            i += 4
        elif n - i >= 2:
            value = named(p[i + 1])
            if value >= 0:
                i += 2
        if value < 0:
            value = 92
            i += 1
        out[length] = <uint8_t>value
        length += 1
    try:
        return PyBytes_FromStringAndSize(<const char *>out, <Py_ssize_t>length)
    finally:
        free(out)


cdef inline object octets(Part *part):
    return PyBytes_FromStringAndSize(<const char *>part.start, <Py_ssize_t>part.length)


cdef inline object octets_or_none(Part *part):
    """None for a part that the format has not, and for the log's hyphen."""
    if part.start == NULL or (part.length == 1 and part.start[0] == 45):
        return None
    return octets(part)


def read_plain(list lines not None, Py_ssize_t first, *, bint vhost, bint combined, list numbers not None,
               list fields not None, list urls not None, list details not None, log_time not None, slow not None):
    """Append the records of log lines to four lists: a target for each line, and its referer when it has one.

    lines : bytes, without line ends (TypeError for others)
    first : the number of the first line
    vhost, combined : whether the format starts with the host, and whether referer and agent follow
    numbers, fields, urls, details : where the line's number, "target" or "referer", the URL's octets and the tuple
        (client, user, time, method, protocol, status, size, agent, vhost) go
    log_time : what makes the detail of a time's octets; slow(index, line) : takes every line that is not plain, and appends
        its records itself
    Cost: one pass over each line.

    >>> numbers, fields, urls, details, rest = [], [], [], [], []
    >>> lines = [b'h - - [17/May/2015:10:05:03 +0000] "GET /a?b HTTP/1.1" 200 -', b'torn - -']
    >>> read_plain(lines, 1, vhost=False, combined=False, numbers=numbers, fields=fields, urls=urls, details=details,
    ...            log_time=bytes.decode, slow=lambda index, line: rest.append(line))
    >>> numbers, fields, urls, rest
    ([1], ['target'], [b'/a?b'], [b'torn - -'])
    >>> details
    [(b'h', None, '17/May/2015:10:05:03 +0000', b'GET', b'HTTP/1.1', 200, None, None, None)]
    """
    cdef Line line
    cdef Py_ssize_t i
    cdef object text, detail, number, time = None
    cdef bytes time_octets = b""
    for i in range(len(lines)):
        text = lines[i]
        if not PyBytes_CheckExact(text):
            raise TypeError("a line must be bytes")
        if not read_line(<const uint8_t *>PyBytes_AS_STRING(text), <size_t>PyBytes_GET_SIZE(text), vhost, combined, &line):
            slow(i, text)
            continue
        # Neighbours are often of the same second.
        if time is None or <size_t>PyBytes_GET_SIZE(time_octets) != line.time.length or memcmp(
                PyBytes_AS_STRING(time_octets), line.time.start, line.time.length) != 0:
            time_octets = octets(&line.time)
            time = log_time(time_octets)
        number = first + i
        detail = (
            octets(&line.client), octets_or_none(&line.user), time, octets(&line.method), octets(&line.protocol),
            None if line.status < 0 else line.status, None if line.size < 0 else line.size, octets_or_none(&line.agent),
            None if line.vhost.start == NULL else octets(&line.vhost),
        )
        numbers.append(number)
        fields.append("target")
        urls.append(octets(&line.target))
        details.append(detail)
        if line.referer.start != NULL and line.referer.length and not (
                line.referer.length == 1 and line.referer.start[0] == 45):
            numbers.append(number)
            fields.append("referer")
            urls.append(octets(&line.referer))
            details.append(detail)
