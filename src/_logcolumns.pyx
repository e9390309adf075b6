# distutils: language = c
"""Lines to Arrow columns: URLs, and the records of a batch of lines as string views of the blocks they stand in.

A row is a URL, as in :mod:`fasturl._clf`, which reads the same lines to rows of Python objects; here nothing is made of a
plain line but views. Everything works on addresses: fasturl.cli.units holds and sizes the buffers.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset

from _plainline cimport Line, Part, read_line

cdef extern from "Python.h":
    bint PyBytes_CheckExact(object value)
    bint PyUnicode_CheckExact(object value)
    const char *PyUnicode_AsUTF8AndSize(object text, Py_ssize_t *size) except NULL

cdef extern from "utf8.h" nogil:
    size_t fu_utf8_decode(const uint8_t *p, size_t n, uint32_t *out)

# The columns, in the order of the views and bitmaps that read_lines takes.
VIEW_NAMES = ("url", "client", "user", "time", "method", "protocol", "agent", "vhost")

cdef enum:
    URL = 0
    CLIENT
    USER
    TIME
    METHOD
    PROTOCOL
    AGENT
    VHOST
    VIEWS
    STATUS = VIEWS      # bitmaps only
    SIZE
    BITMAPS
    TIME_LENGTH = 25    # 2015-05-17T10:05:03+00:00
    ARENA_MAX = 0x7FFFFFFF
    # Of the arena, beside the line's length: a time that is written out may take more than it took in the line.
    BESIDE = 32

ROWS_A_LINE = 2         # the target and the referer
TIME_ROOM = BESIDE


cdef struct View:
    int32_t length
    uint8_t start[4]
    int32_t buffer
    int32_t offset


cdef struct Sink:
    int64_t rows
    const uint8_t *block
    int32_t buffer      # by which views name the block; the arena is 0
    int64_t *numbers
    int8_t *fields
    uint8_t *targets
    View *views[VIEWS]
    uint8_t *valid[BITMAPS]
    int64_t nulls[BITMAPS]
    int16_t *status
    uint64_t *size
    uint8_t *arena
    # How much of the arena is used, and where the share ends of the line that was read elsewhere.
    size_t used, limit
    # The last time that was converted: neighbours are often of the same second.
    uint8_t time[26]
    View time_view


cdef inline void set_view(View *view, const uint8_t *p, size_t length, int32_t buffer, size_t offset) noexcept nogil:
    """A view of octets that stand at this offset of the buffer."""
    memset(view, 0, sizeof(View))
    view.length = <int32_t>length
    if length <= 12:
        memcpy(&view.start[0], p, length)
    else:
        memcpy(&view.start[0], p, 4)
        view.buffer = buffer
        view.offset = <int32_t>offset


cdef inline void put_view(Sink *sink, int column, View *view, bint is_there) noexcept nogil:
    cdef int64_t row = sink.rows
    if is_there:
        sink.views[column][row] = view[0]
        sink.valid[column][row >> 3] |= <uint8_t>(1 << (row & 7))
    else:
        memset(&sink.views[column][row], 0, sizeof(View))
        sink.nulls[column] += 1


cdef inline void put_numbers(Sink *sink, int64_t number, bint referer, int64_t status, bint has_status, uint64_t size,
                             bint has_size) noexcept nogil:
    cdef int64_t row = sink.rows
    cdef uint8_t bit = <uint8_t>(1 << (row & 7))
    sink.numbers[row] = number
    sink.fields[row] = referer
    if not referer:
        sink.targets[row >> 3] |= bit
    sink.status[row] = <int16_t>status if has_status else 0
    sink.size[row] = size if has_size else 0
    if has_status:
        sink.valid[STATUS][row >> 3] |= bit
    else:
        sink.nulls[STATUS] += 1
    if has_size:
        sink.valid[SIZE][row >> 3] |= bit
    else:
        sink.nulls[SIZE] += 1


cdef inline bint is_digit(uint8_t octet) noexcept nogil:
    return 48 <= octet <= 57


cdef const char *MONTHS = "janfebmaraprmayjunjulaugsepoctnovdec"


cdef bint iso_time(const uint8_t *p, size_t n, uint8_t *out) noexcept nogil:
    """Apache's time, 17/May/2015:10:05:03 +0000, as ISO 8601 in 25 octets; False for any other form."""
    cdef const char *shape = b"00/aaa/0000:00:00:00 +0000"
    cdef uint8_t month[3]
    cdef int i
    if n != 26:
        return False
    for i in range(26):
        if shape[i] == 48:
            if not is_digit(p[i]):
                return False
        elif shape[i] == 97:
            month[i - 3] = p[i] | 32
        elif shape[i] == 43:
            if p[i] != 43 and p[i] != 45:
                return False
        elif p[i] != <uint8_t>shape[i]:
            return False
    for i in range(12):
        if memcmp(MONTHS + 3 * i, month, 3) == 0:
            break
    else:
        return False
    i += 1
    memcpy(out, p + 7, 4)
    out[4] = out[7] = 45
    out[5] = <uint8_t>(48 + i // 10)
    out[6] = <uint8_t>(48 + i % 10)
    memcpy(out + 8, p, 2)
    out[10] = 84
    memcpy(out + 11, p + 12, 8)
    memcpy(out + 19, p + 21, 3)
    out[22] = 58
    memcpy(out + 23, p + 24, 2)
    return True


cdef inline void put_part(Sink *sink, int column, Part *part, bint is_there) noexcept nogil:
    cdef View view
    if is_there:
        set_view(&view, part.start, part.length, sink.buffer, <size_t>(part.start - sink.block))
    put_view(sink, column, &view, is_there)


cdef inline bint says(Part *part) noexcept nogil:
    """Whether there is more than the log's hyphen."""
    return part.start != NULL and not (part.length == 1 and part.start[0] == 45)


cdef bint put_line(Sink *sink, const uint8_t *p, size_t n, int64_t number, bint vhost, bint combined) noexcept nogil:
    """The rows of a plain line; False, and nothing put, for any other."""
    cdef Line line
    cdef bint referer
    if not read_line(p, n, vhost, combined, &line):
        return False
    if line.time.length != 26 or memcmp(line.time.start, sink.time, 26) != 0:
        if not iso_time(line.time.start, line.time.length, sink.arena + sink.used):
            return False
        memcpy(sink.time, line.time.start, 26)
        set_view(&sink.time_view, sink.arena + sink.used, TIME_LENGTH, 0, sink.used)
        sink.used += TIME_LENGTH
    for referer in range(2):
        if referer and (not says(&line.referer) or line.referer.length == 0):
            break
        put_part(sink, URL, &line.referer if referer else &line.target, True)
        put_part(sink, CLIENT, &line.client, True)
        put_part(sink, USER, &line.user, says(&line.user))
        put_view(sink, TIME, &sink.time_view, True)
        put_part(sink, METHOD, &line.method, True)
        put_part(sink, PROTOCOL, &line.protocol, True)
        put_part(sink, AGENT, &line.agent, says(&line.agent))
        put_part(sink, VHOST, &line.vhost, line.vhost.start != NULL)
        put_numbers(sink, number, referer, line.status, line.status >= 0, <uint64_t>line.size, line.size >= 0)
        sink.rows += 1
    return True


cdef struct Lines:
    const uint8_t *at           # where the next line begins
    const uint8_t *end          # of the block
    const uint8_t *separator    # of the next line, once it is found not to be plain
    int64_t number, last        # of the next line, and behind the last one there is room for
    uint8_t octet               # the separator
    bint strips                 # a carriage return before it


cdef inline size_t clean_length(Lines *lines, const uint8_t *stop) noexcept nogil:
    cdef size_t n = <size_t>(stop - lines.at)
    if lines.strips and n and lines.at[n - 1] == 13:
        n -= 1
    return n


cdef void put_lines(Sink *sink, Lines *lines, bint vhost, bint combined) noexcept nogil:
    """Put plain lines up to the end of the block, the first line that is not plain, or the last there is room for."""
    while lines.at < lines.end and lines.number < lines.last:
        lines.separator = <const uint8_t *>memchr(lines.at, lines.octet, <size_t>(lines.end - lines.at))
        if not put_line(sink, lines.at, clean_length(lines, lines.separator), lines.number, vhost, combined):
            return
        lines.at = lines.separator + 1
        lines.number += 1


cdef int put_value(Sink *sink, int column, object value) except -1:
    """A text that stands nowhere yet: str, bytes or None."""
    cdef View view
    cdef const uint8_t *p
    cdef Py_ssize_t n
    if value is None:
        put_view(sink, column, &view, False)
        return 0
    if PyUnicode_CheckExact(value):
        p = <const uint8_t *>PyUnicode_AsUTF8AndSize(value, &n)
    elif PyBytes_CheckExact(value):
        p, n = <const uint8_t *>PyBytes_AS_STRING(value), PyBytes_GET_SIZE(value)
    else:
        raise TypeError("a text must be str, bytes or None")
    if <size_t>n > sink.limit - sink.used:
        raise ValueError("the parts of a line are longer than the line")
    memcpy(sink.arena + sink.used, p, <size_t>n)
    set_view(&view, sink.arena + sink.used, <size_t>n, 0, sink.used)
    sink.used += <size_t>n
    put_view(sink, column, &view, True)
    return 0


cdef int put_records(Sink *sink, list urls, list referers, tuple detail, int64_t number, size_t length) except -1:
    """The rows of a line of this length that was read elsewhere.

    It may take no more of the arena than its own share: plain lines after it are put without another look at the room.
    """
    cdef int column
    cdef int64_t row = sink.rows
    cdef object status, size
    if len(urls) > ROWS_A_LINE or len(urls) != len(referers) or len(detail) != 9:
        raise ValueError("a line gives at most two rows, of nine details")
    sink.limit = sink.used + length + BESIDE
    client, user, time, method, protocol, status, size, agent, vhost = detail
    has_size = size is not None and 0 <= size < 1 << 64
    has_status = status is not None and 0 <= status < 1 << 15
    for at in range(len(urls)):
        put_value(sink, URL, urls[at])
        if at == 0:
            for column, value in (
                (CLIENT, client), (USER, user), (TIME, time), (METHOD, method), (PROTOCOL, protocol), (AGENT, agent),
                (VHOST, vhost),
            ):
                put_value(sink, column, value)
        else:
            for column in range(CLIENT, VIEWS):
                put_view(sink, column, &sink.views[column][row], sink.valid[column][row >> 3] >> (row & 7) & 1)
        put_numbers(sink, number, referers[at], status if has_status else 0, has_status, size if has_size else 0, has_size)
        sink.rows += 1
    return 0


cdef size_t room_for(tuple blocks, int64_t count, uint8_t separator) except 0:
    cdef size_t total = 64
    cdef Py_ssize_t size
    if not 0 <= count <= ARENA_MAX:
        raise ValueError("count out of range")
    total += <size_t>count * BESIDE
    for block in blocks:
        if not PyBytes_CheckExact(block):
            raise TypeError("a block must be bytes")
        size = PyBytes_GET_SIZE(block)
        if size and <uint8_t>PyBytes_AS_STRING(block)[size - 1] != separator:
            raise ValueError("a block must end with a separator")
        total += <size_t>size
        if total > ARENA_MAX:
            raise ValueError("the lines are too long for one batch")
    return total


def arena_size(list blocks not None, int64_t count, uint8_t separator):
    """The octets that read_lines needs for what no block has; ValueError when no view could name them, or those of a
    block."""
    return room_for(tuple(blocks), count, separator)


def read_lines(list blocks not None, *, uint8_t separator, bint strips, size_t start, int64_t first, int64_t count,
               bint vhost, bint combined, slow not None, uintptr_t numbers, uintptr_t fields, uintptr_t targets,
               tuple views not None, tuple bitmaps not None, uintptr_t status, uintptr_t size, uintptr_t arena,
               size_t arena_room):
    """Put the records of log lines into columns, without the GIL while lines are plain.

    blocks : bytes, each of them lines with the separator at the end of each; strips : whether a carriage return before it
        belongs to it; start : where the first line of the first block begins
    first : the number of the first line; count : how many there are, ValueError for more
    vhost, combined : whether the format starts with the host, and whether referer and agent follow
    slow(index, line, raw) : (octets of URLs, whether each is a referer, the tuple of details) of a line that is not plain, or
        None; ValueError when its texts take more than the line's length and TIME_ROOM. `raw` is the line with what was
        stripped of it
    numbers, fields, targets : addresses for ROWS_A_LINE rows a line: 8 octets, 1 octet (0 target, 1 referer), a bit
    views : for each of VIEW_NAMES, 16 octets a row, which name the arena as buffer 0 and the blocks from 1 on
    bitmaps : a bit a row for each of them, for status and for size
    status, size : 2 and 8 octets a row; arena : arena_size(...) octets
    Every bitmap is zero before. Returns (rows, octets of the arena, nulls by bitmap); after an exception, which may be
    slow's, what the columns hold means nothing.
    """
    cdef Sink sink
    # Ours alone: slow may change the list, and its octets are looked at again after that.
    cdef tuple kept = tuple(blocks)
    cdef Lines lines
    cdef Py_ssize_t i
    cdef size_t n
    cdef const uint8_t *raw
    cdef bytes block
    if len(views) != VIEWS or len(bitmaps) != BITMAPS:
        raise ValueError("views and bitmaps must be one for each column")
    if arena_room < room_for(kept, count, separator):
        raise ValueError("the arena is too small for these lines")
    if kept and start > <size_t>PyBytes_GET_SIZE(kept[0]):
        raise ValueError("the start is behind the first block")
    memset(&sink, 0, sizeof(sink))
    sink.numbers, sink.fields, sink.targets = <int64_t *>numbers, <int8_t *>fields, <uint8_t *>targets
    sink.status, sink.size = <int16_t *>status, <uint64_t *>size
    sink.arena = <uint8_t *>arena
    # A bracket, which no time holds: zeros would be the time of a line that says 26 NULs.
    memset(sink.time, 93, sizeof(sink.time))
    for i in range(VIEWS):
        sink.views[i] = <View *><uintptr_t>views[i]
    for i in range(BITMAPS):
        sink.valid[i] = <uint8_t *><uintptr_t>bitmaps[i]
    lines.number, lines.last, lines.octet, lines.strips = first, first + count, separator, strips
    for i in range(len(kept)):
        block = kept[i]
        sink.block, sink.buffer = <const uint8_t *>PyBytes_AS_STRING(block), <int32_t>(i + 1)
        lines.at, lines.end = sink.block, sink.block + PyBytes_GET_SIZE(block)
        if i == 0:
            lines.at += start
        while lines.at < lines.end:
            with nogil:
                put_lines(&sink, &lines, vhost, combined)
            if lines.at == lines.end:
                break
            if lines.number == lines.last:
                raise ValueError("there are more lines than were counted")
            n = clean_length(&lines, lines.separator)
            raw = sink.block if i == 0 and lines.number == first else lines.at
            found = slow(lines.number - first, lines.at[:n], raw[:lines.separator - raw])
            if found is not None:
                urls, referers, detail = found
                put_records(&sink, urls, referers, detail, lines.number, n)
            lines.at = lines.separator + 1
            lines.number += 1
    return sink.rows, sink.used, tuple([sink.nulls[i] for i in range(BITMAPS)])


cdef int64_t put_urls(View *views, int64_t *numbers, int64_t rows, const uint8_t *block, int32_t buffer, Lines *lines) noexcept nogil:
    """A row for each line of a block that says something, up to the last there is room for; returns how many there are."""
    cdef size_t n
    while lines.at < lines.end and lines.number < lines.last:
        lines.separator = <const uint8_t *>memchr(lines.at, lines.octet, <size_t>(lines.end - lines.at))
        n = clean_length(lines, lines.separator)
        if n:
            set_view(&views[rows], lines.at, n, buffer, <size_t>(lines.at - block))
            numbers[rows] = lines.number
            rows += 1
        lines.at = lines.separator + 1
        lines.number += 1
    return rows


def read_urls(list blocks not None, *, uint8_t separator, bint strips, size_t start, int64_t first, int64_t count,
              uintptr_t numbers, uintptr_t views):
    """A row for each line that is not empty, without the GIL. Returns how many there are.

    blocks, separator, strips, start, first, count : as for read_lines
    numbers, views : 8 and 16 octets a line; views name the blocks from 0 on
    """
    cdef tuple kept = tuple(blocks)
    cdef Lines lines
    cdef const uint8_t *block
    cdef int64_t rows = 0
    cdef Py_ssize_t i
    room_for(kept, count, separator)
    if kept and start > <size_t>PyBytes_GET_SIZE(kept[0]):
        raise ValueError("the start is behind the first block")
    lines.number, lines.last, lines.octet, lines.strips = first, first + count, separator, strips
    for i in range(len(kept)):
        block = <const uint8_t *>PyBytes_AS_STRING(kept[i])
        lines.at, lines.end = block, block + PyBytes_GET_SIZE(kept[i])
        if i == 0:
            lines.at += start
        with nogil:
            rows = put_urls(<View *>views, <int64_t *>numbers, rows, block, <int32_t>i, &lines)
        if lines.at < lines.end:
            raise ValueError("there are more lines than were counted")
    return rows


# --- what columns say -------------------------------------------------------------------------------------------------

def finding_lists(uintptr_t findings, int64_t rows, uintptr_t offsets, uintptr_t values, size_t room):
    """Each set of findings as a list of bit numbers: offsets (rows + 1, 4 octets each) and values (1 octet each).

    room : how many values there is room for; returns -1 when there are more, else their count
    ValueError for more room than 32-bit offsets can name.
    """
    cdef const uint32_t *bits = <const uint32_t *>findings
    cdef int32_t *starts = <int32_t *>offsets
    cdef int8_t *out = <int8_t *>values
    cdef uint32_t left
    cdef size_t used = 0
    cdef int64_t row
    cdef int bit
    if rows < 0 or room > 0x7FFFFFFF:
        raise ValueError("rows or room out of range")
    with nogil:
        for row in range(rows):
            starts[row] = <int32_t>used
            left = bits[row]
            bit = 0
            while left and used < room:
                if left & 1:
                    out[used] = <int8_t>bit
                    used += 1
                left >>= 1
                bit += 1
            if left:
                break
        else:
            starts[rows] = <int32_t>used
            left = 0
    return -1 if left else used


def count_findings(uintptr_t findings, int64_t rows):
    """How often each bit is set, and in which row first: a list of (first row, bit, count), in that order.

    Cost: O(rows + bits set).
    """
    cdef const uint32_t *bits = <const uint32_t *>findings
    cdef int64_t counts[32]
    cdef int64_t firsts[32]
    cdef uint32_t left
    cdef int64_t row
    cdef int bit
    memset(counts, 0, sizeof(counts))
    with nogil:
        for row in range(rows):
            left = bits[row]
            bit = 0
            while left:
                if left & 1:
                    if counts[bit] == 0:
                        firsts[bit] = row
                    counts[bit] += 1
                left >>= 1
                bit += 1
    return sorted([(firsts[bit], bit, counts[bit]) for bit in range(32) if counts[bit]])


def is_ascii(uintptr_t address, size_t size):
    """Whether no octet is above 7F. Cost: O(size), eight at a time."""
    cdef const uint8_t *p = <const uint8_t *>address
    cdef uint64_t word, seen = 0
    cdef size_t i = 0
    with nogil:
        while size - i >= 8:
            memcpy(&word, p + i, 8)
            seen |= word
            i += 8
        while i < size:
            seen |= p[i]
            i += 1
    return not seen & 0x8080808080808080ULL


def not_utf8(uintptr_t offsets, uintptr_t data, int64_t rows):
    """The rows of a binary column (32-bit offsets) that hold no UTF-8; ValueError for offsets that go back.

    Cost: O(octets).
    """
    cdef const int32_t *starts = <const int32_t *>offsets
    cdef const uint8_t *p = <const uint8_t *>data
    cdef size_t length, longest = 1
    cdef uint32_t *points
    cdef int64_t row
    cdef list found = []
    for row in range(rows):
        if starts[row + 1] < starts[row]:
            raise ValueError("offsets go back")
        length = <size_t>(starts[row + 1] - starts[row])
        if length > longest:
            longest = length
    points = <uint32_t *>malloc(longest * sizeof(uint32_t))
    if points == NULL:
        raise MemoryError()
    try:
        for row in range(rows):
            if fu_utf8_decode(p + starts[row], <size_t>(starts[row + 1] - starts[row]), points) == <size_t>-1:
                found.append(row)
    finally:
        free(points)
    return found
