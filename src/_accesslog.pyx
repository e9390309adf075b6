# distutils: language = c
"""Lines to Arrow columns: URLs, and the records of common and combined logs, as string views of the blocks they stand in.

Everything works on addresses: fasturl.logs.units holds and sizes the buffers.
"""

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t, uintptr_t
from libc.string cimport memchr, memcpy, memset

from _logrows cimport *
from _scan cimport fu_view

# The columns of texts, in the order of the views that read_lines takes.
VIEW_NAMES = ("url", "client", "user", "time", "method", "protocol", "agent", "vhost", "referer")
ROWS_A_LINE = FU_LOG_ROWS_A_LINE
# Octets of the arena that a line by a plan may take beyond its own length.
PLAN_ARENA_A_LINE = FU_PLAN_ARENA_A_LINE
# What a step of a plan reads, and how: logs/plan.h tells them.
PLAN_FIELDS = (
    "", "vhost", "client", "user", "time", "request", "method", "target", "query", "protocol", "referer", "agent",
)
PLAN_KINDS = (
    "nothing", "word", "last", "list", "first", "words", "user", "until", "enclosed", "quoted", "quoted first",
    "quoted word", "rest", "status", "size", "time", "zone", "fraction", "spaces",
)

# How fields were escaped: logs/escapes.h.
ESCAPINGS = ("server", "json", "none")

cdef enum:
    OCTETS_MAX = 0x7FFFFFFF     # that 32-bit offsets of views can name


cdef inline const uint8_t *octets_of(bytes text):
    return <const uint8_t *>PyBytes_AS_STRING(text)


cdef size_t total_octets(tuple blocks, int64_t count, uint8_t separator, size_t start) except? OCTETS_MAX:
    """The octets of blocks that are what read_lines and read_urls say; ValueError or TypeError for others."""
    cdef size_t total = 0
    cdef Py_ssize_t size
    if not 0 <= count <= OCTETS_MAX:
        raise ValueError("count out of range")
    for block in blocks:
        if not PyBytes_CheckExact(block):
            raise TypeError("a block must be bytes")
        size = PyBytes_GET_SIZE(block)
        if size and octets_of(block)[size - 1] != separator:
            raise ValueError("a block must end with a separator")
        total += <size_t>size
        if total > OCTETS_MAX:
            raise ValueError("the lines are too long for one batch")
    if blocks and start > <size_t>PyBytes_GET_SIZE(blocks[0]):
        raise ValueError("the start is behind the first block")
    return total


def count_octet(bytes octets not None, uint8_t octet):
    """How often the octet stands there. Cost: O(octets), many at a time.

    >>> count_octet(b"one\\ntwo\\n", 10)
    2
    """
    return fu_count_octet(octets_of(octets), <size_t>PyBytes_GET_SIZE(octets), octet)


@cython.final
cdef class Plan:
    """A custom format as the kernel runs it: fields and the octets between them.

    steps : for each a tuple of one of PLAN_KINDS, one of PLAN_FIELDS, the octet that ends the field, the octets between it
        and the next, and of a time its program (logs/moment.h)
    has_more : whether other fields may follow the last; escaping : one of ESCAPINGS, how fields were escaped
    ValueError for more than a plan holds. It never changes, so that any number of threads may read by it.
    """

    cdef fu_log_plan plan
    cdef tuple given

    def __cinit__(self, list steps not None, bint has_more, str escaping not None="server"):
        cdef fu_plan_step *step
        cdef size_t used = 0
        cdef bytes literal, program
        cdef tuple held = tuple(steps)  # the list is the caller's to change
        memset(&self.plan, 0, sizeof(self.plan))
        if len(held) > FU_PLAN_STEPS_MAX:
            raise ValueError("the format is too long")
        for i, (kind, field, stop, literal, program) in enumerate(held):
            # Counted as they are taken: a step of another type may give others each time.
            if len(literal) + len(program) > <Py_ssize_t>(FU_PLAN_OCTETS_MAX - used):
                raise ValueError("the format is too long")
            step = &self.plan.steps[i]
            step.kind, step.field, step.stop = PLAN_KINDS.index(kind), PLAN_FIELDS.index(field), stop
            step.at, step.length = used, len(literal)
            memcpy(self.plan.octets + used, octets_of(literal), step.length)
            used += step.length
            step.program_at, step.program_length = used, len(program)
            memcpy(self.plan.octets + used, octets_of(program), step.program_length)
            used += step.program_length
        self.plan.has_more = has_more
        self.plan.escaped = ESCAPINGS.index(escaping)
        self.plan.count = len(held)
        self.given = held, has_more, escaping

    def __reduce__(self):
        steps, has_more, escaping = self.given
        return Plan, (list(steps), has_more, escaping)

    def is_record(self, bytes line not None):
        """Whether a line, without its end, is a record by the plan. Cost: O(octets)."""
        cdef fu_log_line read
        return bool(fu_read_plan_line(octets_of(line), <size_t>PyBytes_GET_SIZE(line), &self.plan, &read))


def read_lines(list blocks not None, *, uint8_t separator, bint strips, size_t start, int64_t first, int64_t count,
               bint vhost, int combined, bint by_request, uintptr_t numbers, uintptr_t fields, uintptr_t targets,
               tuple views not None, tuple validity not None, uintptr_t status, uintptr_t size, uintptr_t arena,
               size_t arena_size, Plan plan=None):
    """Put the records of log lines into columns, without the GIL while lines are records.

    blocks : bytes, each of them lines with the separator at the end of each; strips : whether a carriage return before it
        belongs to it; start : where the first line of the first block begins
    first : the number of the first line; count : how many there are, ValueError for more
    vhost : whether the format starts with the host; combined : whether referer and agent follow, 0 in no line, 1 in each,
        2 in some lines, the others ending with the size
    by_request : a row a line, with its referer in the column of that name; else a row a URL, at most ROWS_A_LINE a line
    numbers, fields, targets : addresses for as many rows: 8 octets, 1 octet (0 target, 1 referer), a bit
    views : for each of VIEW_NAMES, 16 octets a row, which name the arena as buffer 0 and the blocks from 1 on; 0 for a
        column that is not wanted, the first always is
    validity : a bit a row for each of them, for status and for size
    status, size : 2 and 8 octets a row; arena : as many octets as the blocks have, and by a plan PLAN_ARENA_A_LINE more
        for each line
    plan : how lines are read when the format is none of the common ones; vhost and combined then say nothing
    Every bitmap is zero before. Returns (rows, octets of the arena, nulls by bitmap, empty lines, rejects), the last a list
    of (number, octets with what was stripped) of the lines that are no records. Cost: O(octets).
    """
    cdef fu_log_rows out
    cdef tuple kept = tuple(blocks)     # the list is the caller's to change
    cdef fu_lines lines
    cdef Py_ssize_t i
    cdef const uint8_t *raw
    cdef bytes block
    cdef list rejects = [], nulls = []
    cdef const fu_log_plan *by = NULL if plan is None else &plan.plan
    cdef size_t needed = 0 if plan is None else <size_t>count * FU_PLAN_ARENA_A_LINE
    if len(views) != FU_LOG_VIEWS or len(validity) != FU_LOG_COLUMNS:
        raise ValueError("views and bitmaps must be one for each column")
    if not 0 <= combined <= 2:
        raise ValueError("combined must be 0, 1 or 2")
    if not views[0]:
        raise ValueError("URLs are always wanted")
    needed += total_octets(kept, count, separator, start)
    if needed > OCTETS_MAX:
        raise ValueError("the lines are too long for one batch")
    if arena_size < needed:
        raise ValueError("the arena is too small for these lines")
    memset(&out, 0, sizeof(out))
    memset(&lines, 0, sizeof(lines))
    out.by_request = by_request
    out.escaped = 0 if plan is None else plan.plan.escaped
    out.numbers, out.fields, out.targets = <int64_t *>numbers, <int8_t *>fields, <uint8_t *>targets
    out.status, out.size = <int16_t *>status, <uint64_t *>size
    out.arena = <uint8_t *>arena
    # A bracket, which no time holds: zeros would be the time of a line that says 26 NULs.
    memset(out.time, c"]", sizeof(out.time))
    for i in range(FU_LOG_VIEWS):
        out.views[i] = <fu_view *><uintptr_t>views[i]
    for i in range(FU_LOG_COLUMNS):
        out.validity[i] = <uint8_t *><uintptr_t>validity[i]
    lines.number, lines.last, lines.separator, lines.strips_return = first, first + count, separator, strips
    for i in range(len(kept)):
        block = kept[i]
        out.block, out.buffer = octets_of(block), <int32_t>(i + 1)
        lines.at, lines.end = out.block, out.block + PyBytes_GET_SIZE(block)
        if i == 0:
            lines.at += start
        while True:
            with nogil:
                fu_put_log_lines(&out, &lines, vhost, combined, by)
            if lines.at == lines.end:
                break
            if lines.number == lines.last:
                raise ValueError("there are more lines than were counted")
            raw = out.block if i == 0 and lines.number == first else lines.at
            rejects.append((lines.number, PyBytes_FromStringAndSize(<const char *>raw, lines.separated - raw)))
            fu_next_line(&lines)
    for i in range(FU_LOG_COLUMNS):
        nulls.append(out.nulls[i])
    return out.rows, out.arena_used, tuple(nulls), out.empty, rejects


def read_urls(list blocks not None, *, uint8_t separator, bint strips, size_t start, int64_t first, int64_t count,
              uintptr_t numbers, uintptr_t views):
    """A row for each line that is not empty, without the GIL. Returns how many there are.

    blocks, separator, strips, start, first, count : as for read_lines
    numbers, views : 8 and 16 octets a line; views name the blocks from 0 on
    """
    cdef tuple kept = tuple(blocks)
    cdef fu_lines lines
    cdef const uint8_t *block
    cdef int64_t rows = 0
    cdef Py_ssize_t i
    total_octets(kept, count, separator, start)
    lines.number, lines.last, lines.separator, lines.strips_return = first, first + count, separator, strips
    for i in range(len(kept)):
        block = octets_of(kept[i])
        lines.at, lines.end = block, block + PyBytes_GET_SIZE(kept[i])
        if i == 0:
            lines.at += start
        with nogil:
            rows = fu_put_url_lines(<fu_view *>views, <int64_t *>numbers, rows, block, <int32_t>i, &lines)
        if lines.at < lines.end:
            raise ValueError("there are more lines than were counted")
    return rows


def is_record(bytes line not None, *, bint vhost, int combined):
    """Whether a line, without its end, is a record of the format. Cost: O(octets).

    >>> is_record(b'h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 -', vhost=False, combined=0)
    True
    """
    cdef fu_log_line read
    return bool(fu_read_log_line(octets_of(line), <size_t>PyBytes_GET_SIZE(line), vhost, combined, &read))


def unescape(bytes text not None):
    """The octets that a server was sent, of what it wrote into its log.

    Apache writes a backslash before a quote and a backslash, and ``\\n`` and the like; both it and nginx write ``\\xhh`` for
    octets that are not graphic. A backslash that starts none of these stays. Cost: O(octets).

    >>> unescape(rb'/a?b=\\"c\\"\\x16\\xE9\\q')
    b'/a?b="c"\\x16\\xe9\\\\q'
    """
    cdef size_t n = <size_t>PyBytes_GET_SIZE(text)
    cdef bytes out
    if memchr(octets_of(text), c"\\", n) == NULL:
        return text
    out = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>n)
    n = fu_unescape_as(FU_ESCAPED_BY_SERVER, octets_of(text), n, <uint8_t *>PyBytes_AS_STRING(out))
    return out[:<Py_ssize_t>n]


cdef object octets_or_none(fu_log_field *field):
    if field.start == NULL:
        return None
    return PyBytes_FromStringAndSize(<const char *>field.start, <Py_ssize_t>field.length)


def split_request(bytes request not None):
    """(method, target, protocol) of a request line; what is no method and no protocol belongs to the target.

    Joined by spaces again, those that are not None give the request line. Cost: O(octets).

    >>> split_request(b"GET /a b HTTP/1.1"), split_request(b"quit")
    ((b'GET', b'/a b', b'HTTP/1.1'), (None, b'quit', None))
    """
    cdef fu_request_line line = fu_split_request(octets_of(request), <size_t>PyBytes_GET_SIZE(request))
    return octets_or_none(&line.method), octets_or_none(&line.target), octets_or_none(&line.protocol)


def iso_time(bytes written not None):
    """The time of a log as ISO 8601 where it is written as Apache writes it; any other stays as it is.

    >>> iso_time(b"7/May/2015:10:05:03.5 +0000"), iso_time(b"yesterday")
    (b'2015-05-07T10:05:03.5+00:00', b'yesterday')
    """
    cdef size_t n = <size_t>PyBytes_GET_SIZE(written)
    cdef bytes out = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>n)
    n = fu_iso_time(octets_of(written), n, <uint8_t *>PyBytes_AS_STRING(out))
    return out[:<Py_ssize_t>n] if n else written
