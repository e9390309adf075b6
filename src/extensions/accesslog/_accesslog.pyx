# distutils: language = c
"""Turn lines into Arrow columns: URLs and log records, as string views of the blocks of lines.

All functions write to addresses. fasturl.logs.units sizes and holds the buffers.
"""

cimport cython
from cpython.bytearray cimport PyByteArray_AS_STRING
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_CheckExact, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint64_t, uintptr_t
from libc.string cimport memchr, memcpy, memset

from _logrows cimport *
from _scan cimport fu_view

# The text columns, in the order of the views of read_lines.
VIEW_NAMES = (
    "url", "client", "user", "time", "method", "protocol", "agent", "vhost", "forwarded", "request_id", "cache_status",
    "referer",
)
# The columns of numbers, in the order of the bitmaps of read_lines after those of the views.
NUMBER_NAMES = ("status", "size", "duration", "request_length")
ROWS_A_LINE = FU_LOG_ROWS_A_LINE
# Arena bytes of a line read by a template, beyond the length of the line.
TEMPLATE_ARENA_A_LINE = FU_TEMPLATE_ARENA_A_LINE
TEMPLATE_STEPS_MAX = FU_TEMPLATE_STEPS_MAX
TEMPLATE_BYTES_MAX = FU_TEMPLATE_BYTES_MAX
# The fields, the kinds and the flags of template steps: see logs/template.h.
TEMPLATE_FIELDS = (
    "", "vhost", "client", "user", "time", "request", "method", "target", "query", "protocol", "referer", "agent",
    "forwarded", "request_id", "cache_status", "duration", "clock",
)
TEMPLATE_KINDS = (
    "nothing", "word", "last", "list", "words", "user", "until", "enclosed", "quoted", "rest", "status", "size",
    "request_length", "time", "zone", "spaces", "host", "number", "choice", "quotes", "past", "nested", "captures",
    "value", "upper", "request",
)
TEMPLATE_FLAGS = (
    "", "any", "first", "word", "digits", "bracketed", "iso", "epoch", "fraction", "fields", "optional",
)

# The columns of objects, as fields of a line and as numbers, and the grammars of objects: see logs/object.h.
OBJECT_COLUMNS = {
    **{name: place for place, name in enumerate(TEMPLATE_FIELDS) if name},
    "status": FU_LOG_FIELDS, "size": FU_LOG_FIELDS + 1, "request_length": FU_LOG_FIELDS + 2,
    "kind": FU_LOG_FIELDS + 3,
}
OBJECT_SYNTAXES = ("json", "logfmt")

# How servers escape fields: see logs/escapes.h. A template with doubled quotes reads a table of values.
ESCAPINGS = ("server", "json", "none", "doubled")
# The prefixes before a line and the objects that hold one (logs/prefix.h). The last two need an ObjectTemplate.
PREFIXES = ("", "SYSLOG", "CRI", "COMPOSE", "KUBECTL", "TIME", "LOGGER", "DOCKER", "JSON")

cdef enum:
    BYTES_MAX = 0x7FFFFFFF     # views have 32-bit offsets
    ROUTE_NODES_MAX = 0x0FFFFFFF


cdef fu_object_template NO_KEYS     # all zeros


cdef inline const uint8_t *bytes_of(bytes text):
    return <const uint8_t *>PyBytes_AS_STRING(text)


cdef size_t total_bytes(tuple blocks, int64_t count, uint8_t separator, size_t start) except? BYTES_MAX:
    """Return the size of the blocks. Raises ValueError or TypeError for arguments that read_lines does not allow."""
    cdef size_t total = 0
    cdef Py_ssize_t size
    if not 0 <= count <= BYTES_MAX:
        raise ValueError("count out of range")
    for block in blocks:
        if not PyBytes_CheckExact(block):
            raise TypeError("a block must be bytes")
        size = PyBytes_GET_SIZE(block)
        if size and bytes_of(block)[size - 1] != separator:
            raise ValueError("a block must end with a separator")
        total += <size_t>size
        if total > BYTES_MAX:
            raise ValueError("the lines are too long for one batch")
    if blocks and start > <size_t>PyBytes_GET_SIZE(blocks[0]):
        raise ValueError("the start is behind the first block")
    return total


def count_byte(bytes data not None, uint8_t byte):
    """Return how often the byte occurs. Cost: O(bytes), 16 bytes at a time.

    >>> count_byte(b"one\\ntwo\\n", 10)
    2
    """
    return fu_count_byte(bytes_of(data), <size_t>PyBytes_GET_SIZE(data), byte)


@cython.final
cdef class LineTemplate:
    """A log format for the kernel: fields and the delimiters between them.

    steps : tuples of one of TEMPLATE_KINDS, perhaps with a space and one of TEMPLATE_FLAGS; one of TEMPLATE_FIELDS; the
        byte that ends the field; the delimiter after it; and its program: the form of a time (logs/time.h), or the
        words of a choice, which `|` divides
    has_more : whether other fields may follow the last
    escaping : one of ESCAPINGS
    is_exact : whether one server always writes the format in the same way (logs/template.h)
    Raises ValueError for a format that is too long. A template is immutable, so threads may share it.
    """

    cdef fu_line_template template
    cdef readonly bint copies   # whether one value of a table is both a field of its own and the agent
    cdef tuple given

    def __cinit__(self, list steps not None, bint has_more, str escaping not None="server", bint is_exact=False):
        cdef fu_template_step *step
        cdef size_t used = 0
        cdef bytes literal, program
        cdef tuple held = tuple(steps)  # the list is the caller's to change
        memset(&self.template, 0, sizeof(self.template))
        if len(held) > FU_TEMPLATE_STEPS_MAX:
            raise ValueError("the format is too long")
        for i, (kind, field, stop, literal, program) in enumerate(held):
            # Checked here, because a step of another type may unpack to other bytes each time.
            if len(literal) + len(program) > <Py_ssize_t>(FU_TEMPLATE_BYTES_MAX - used):
                raise ValueError("the format is too long")
            step = &self.template.steps[i]
            kind, _, flag = str(kind).partition(" ")
            step.kind, step.flag = TEMPLATE_KINDS.index(kind), TEMPLATE_FLAGS.index(flag)
            step.field, step.stop = TEMPLATE_FIELDS.index(field), stop
            step.at, step.length = used, len(literal)
            memcpy(self.template.data + used, bytes_of(literal), step.length)
            used += step.length
            step.program_at, step.program_length = used, len(program)
            memcpy(self.template.data + used, bytes_of(program), step.program_length)
            used += step.program_length
        self.template.has_more = has_more
        self.template.escaped = ESCAPINGS.index(escaping)
        self.template.is_exact = is_exact
        self.template.count = len(held)
        self.copies = self.template.escaped == FU_QUOTES_DOUBLED and any(stop for _, _, stop, _, _ in held)
        self.given = held, has_more, escaping, is_exact

    def __reduce__(self):
        steps, *rest = self.given
        return LineTemplate, (list(steps), *rest)

    def is_record(self, bytes line not None):
        """Return True if the line, without its end, is a record. Cost: O(bytes)."""
        cdef fu_log_line read
        return bool(fu_read_template_line(bytes_of(line), <size_t>PyBytes_GET_SIZE(line), &self.template, &read, NULL))

    def stop(self, bytes line not None):
        """Return the step and the offset at which the line stops to fit, or None for a record. Cost: O(bytes).

        The step after the last stands for the end of the line.
        """
        cdef fu_log_line read
        cdef fu_template_stop stop
        if fu_read_template_line(bytes_of(line), <size_t>PyBytes_GET_SIZE(line), &self.template, &read, &stop):
            return None
        return stop.step, stop.at

    def fields(self, bytes line not None):
        """Return the texts, and the numbers as decimals, of the fields of the line, or None for a reject. Cost: O(bytes).

        Escape sequences stay. A time in a form is only in its column.
        """
        cdef fu_log_line read
        cdef dict found = {}
        if not fu_read_template_line(bytes_of(line), <size_t>PyBytes_GET_SIZE(line), &self.template, &read, NULL):
            return None
        for i in range(1, FU_LOG_FIELDS):
            if read.fields[i].p != NULL:
                found[TEMPLATE_FIELDS[i]] = PyBytes_FromStringAndSize(
                    <const char *>read.fields[i].p, <Py_ssize_t>read.fields[i].n)
        if read.status >= 0:
            found["status"] = b"%d" % read.status
        if read.has_size:
            found["size"] = b"%d" % read.size
        return found


@cython.final
cdef class ObjectTemplate:
    """The wanted keys of lines that are objects, for the kernel (logs/object.h).

    candidates : tuples of one of OBJECT_COLUMNS, a path of keys (bytes), and the exponent of the unit of a duration. For
        one column, the first that an object has counts.
    required : paths of keys that each object must have, or after a `!` must not have, at most 8
    syntax : one of OBJECT_SYNTAXES
    needs : how many of status, method, client, time and agent an object must have; two or more include the status
    is_mapped : whether a user named the keys: a request is a request line then, and a query is always joined
    Raises ValueError for too many keys. It is immutable, so threads may share it.
    """

    cdef fu_object_template template
    cdef tuple given

    def __cinit__(self, list candidates not None, list required not None, str syntax not None, int needs, bint is_mapped):
        cdef fu_object_key *key
        cdef int rank, bit, nodes = FU_OBJECT_ROOT
        cdef tuple held = tuple(candidates), paths = tuple(required)
        memset(&self.template, 0, sizeof(self.template))
        self.template.syntax = OBJECT_SYNTAXES.index(syntax)
        self.template.needs, self.template.is_mapped = needs, is_mapped
        for rank, (column, path, exponent) in enumerate(held, 1):
            for key_path in self.spellings(path):
                key = self.add(key_path, &nodes)
                if key.rank == 0:
                    key.rank, key.column, key.exponent = <uint16_t>rank, OBJECT_COLUMNS[column], exponent
            if column == "vhost" and path == b"host":
                self.template.host = <uint16_t>rank
        if len(paths) > 8:
            raise ValueError("too many keys are required")
        for place, path in enumerate(paths):
            bit = 0 if path.startswith(b"!") else 1 << <int>place
            for key_path in self.spellings(path.removeprefix(b"!")):
                key = self.add(key_path, &nodes)
                key.required |= <uint8_t>bit
                key.barred |= <uint8_t>(bit == 0)
            self.template.required |= <uint8_t>bit
        self.given = held, paths, syntax, needs, is_mapped

    cdef list spellings(self, bytes path):
        """Return the keys of the path: one key that may hold dots, or keys of nested objects, the last with dots or not."""
        return [path.split(b".", depth) for depth in range(path.count(b".") + 1)]

    cdef fu_object_key *add(self, list path, int *nodes) except NULL:
        cdef fu_object_key *key = NULL
        cdef int parent = FU_OBJECT_ROOT
        cdef bytes name
        for name in path:
            if key != NULL:
                if key.node == 0:
                    nodes[0] += 1
                    key.node = <uint16_t>nodes[0]
                parent = key.node
            key = fu_add_object_key(&self.template, <uint16_t>parent, bytes_of(name), <size_t>PyBytes_GET_SIZE(name))
            if key == NULL:
                raise ValueError("too many keys are wanted")
        if key == NULL:
            raise ValueError("a path has no key")
        return key

    def __reduce__(self):
        candidates, required, *rest = self.given
        return ObjectTemplate, (list(candidates), list(required), *rest)

    def is_record(self, bytes line not None):
        """Return True if the line, without its end, is a record. Cost: O(bytes)."""
        cdef fu_log_line read
        return bool(fu_read_object_line(bytes_of(line), <size_t>PyBytes_GET_SIZE(line), &self.template, &read))


cdef int set_prefix(fu_line_reader *by, str prefix, ObjectTemplate holder) except -1:
    by.prefix = PREFIXES.index(prefix) if prefix in PREFIXES else FU_PREFIXES
    if by.prefix == FU_PREFIXES or (holder is None) == (by.prefix >= FU_PREFIX_HOLDER):
        raise ValueError("prefix must be one of PREFIXES, with a holder for the last two alone")
    by.holder = NULL if holder is None else &holder.template
    return 0


def read_lines(list blocks not None, *, uint8_t separator, bint strips, size_t start, int64_t first, int64_t count,
               bint vhost, bint combined, bint by_request, uintptr_t numbers, uintptr_t fields, uintptr_t targets,
               tuple views not None, tuple validity not None, tuple figures not None, uintptr_t arena, size_t arena_size,
               LineTemplate template=None, ObjectTemplate objects=None, str prefix not None="", ObjectTemplate holder=None):
    """Append the records of log lines to columns. It holds the GIL only for rejects.

    blocks : bytes that hold lines, each line with its separator
    strips : whether to strip a carriage return before the separator
    start : the offset of the first line in the first block
    first : the number of the first line
    count : the number of lines; ValueError if there are more
    vhost : whether the format starts with the host
    combined : whether referer and agent follow in each line
    by_request : one row per line, with a column for the referer; else one row per URL, at most ROWS_A_LINE per line
    numbers, fields, targets : addresses with 8 bytes, 1 byte (0 target, 1 referer) and 1 bit per row
    views : addresses with 16 bytes per row for each of VIEW_NAMES, 0 for a column that is not wanted; the first is
        required. The arena is buffer 0, the blocks follow from 1.
    validity : addresses with a bit per row for each view and each of NUMBER_NAMES
    figures : addresses with 2 bytes per row for the status and 8 for the other NUMBER_NAMES, 0 for a column that is not
        wanted; the first two are required
    arena : as many bytes as the blocks have, as many again with a holder and with a template that copies, plus
        TEMPLATE_ARENA_A_LINE per line with a template or objects
    template, objects : read the lines instead of vhost and combined
    prefix : one of PREFIXES, which lines may have; `holder` reads the objects that hold lines, as its target
    All bitmaps must be zero. Returns (rows, used arena, nulls per bitmap, empty lines, rejects). Rejects are pairs of a
    line number and the line before stripping. Cost: O(bytes).
    """
    cdef fu_log_rows out
    cdef tuple kept = tuple(blocks)     # the list is the caller's to change
    cdef fu_lines lines
    cdef Py_ssize_t i
    cdef const uint8_t *raw
    cdef bytes block
    cdef list rejects = [], nulls = []
    cdef fu_line_reader by
    cdef size_t needed = 0 if template is None and objects is None else <size_t>count * FU_TEMPLATE_ARENA_A_LINE
    if len(views) != FU_LOG_VIEWS or len(validity) != FU_LOG_COLUMNS or len(figures) != FU_LOG_COLUMNS - FU_LOG_VIEWS:
        raise ValueError("views and bitmaps must be one for each column")
    if not (views[0] and figures[0] and figures[1]):
        raise ValueError("URLs, status and size are always wanted")
    needed += total_bytes(kept, count, separator, start) * (
        1 + (holder is not None) + (template is not None and template.copies))
    if needed > BYTES_MAX:
        raise ValueError("the lines are too long for one batch")
    if arena_size < needed:
        raise ValueError("the arena is too small for these lines")
    memset(&out, 0, sizeof(out))
    memset(&lines, 0, sizeof(lines))
    by.template = NULL if template is None else &template.template
    by.objects = NULL if objects is None else &objects.template
    by.vhost, by.combined = vhost, combined
    set_prefix(&by, prefix, holder)
    out.by_request = by_request
    if template is not None:
        out.escaped = template.template.escaped
    elif objects is not None:
        out.escaped = FU_ESCAPED_AS_JSON
    out.numbers, out.fields, out.targets = <int64_t *>numbers, <int8_t *>fields, <uint8_t *>targets
    out.status, out.size = <int16_t *><uintptr_t>figures[0], <uint64_t *><uintptr_t>figures[1]
    out.duration, out.request_length = <double *><uintptr_t>figures[2], <uint64_t *><uintptr_t>figures[3]
    out.arena = <uint8_t *>arena
    # No time holds a bracket. Zeros would match a time of 26 NULs.
    memset(out.time, c"]", sizeof(out.time))
    for i in range(FU_LOG_VIEWS):
        out.views[i] = <fu_view *><uintptr_t>views[i]
    for i in range(FU_LOG_COLUMNS):
        out.validity[i] = <uint8_t *><uintptr_t>validity[i]
    lines.number, lines.last, lines.separator, lines.strips_return = first, first + count, separator, strips
    for i in range(len(kept)):
        block = kept[i]
        out.block, out.buffer = bytes_of(block), <int32_t>(i + 1)
        lines.at, lines.end = out.block, out.block + PyBytes_GET_SIZE(block)
        if i == 0:
            lines.at += start
        while True:
            with nogil:
                fu_put_log_lines(&out, &lines, &by)
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
    """Append a row per line that is not empty, without the GIL. Returns the number of rows.

    blocks, separator, strips, start, first, count : as for read_lines
    numbers, views : addresses with 8 and 16 bytes per line; the first block is buffer 0
    """
    cdef tuple kept = tuple(blocks)
    cdef fu_lines lines
    cdef const uint8_t *block
    cdef int64_t rows = 0
    cdef Py_ssize_t i
    total_bytes(kept, count, separator, start)
    lines.number, lines.last, lines.separator, lines.strips_return = first, first + count, separator, strips
    for i in range(len(kept)):
        block = bytes_of(kept[i])
        lines.at, lines.end = block, block + PyBytes_GET_SIZE(kept[i])
        if i == 0:
            lines.at += start
        with nogil:
            rows = fu_put_url_lines(<fu_view *>views, <int64_t *>numbers, rows, block, <int32_t>i, &lines)
        if lines.at < lines.end:
            raise ValueError("there are more lines than were counted")
    return rows


def is_record(bytes line not None, *, bint vhost, bint combined):
    """Return True if the line, without its end, is a record of a common log. Cost: O(bytes).

    >>> is_record(b'h - - [17/May/2015:10:05:03 +0000] "GET / HTTP/1.1" 200 -', vhost=False, combined=False)
    True
    """
    cdef fu_log_line read
    return bool(fu_read_log_line(bytes_of(line), <size_t>PyBytes_GET_SIZE(line), vhost, combined, &read))


def is_object(bytes line not None):
    """Return True if the line, without its end, is a JSON object. Cost: O(bytes).

    >>> is_object(b'{"a": [1]}'), is_object(b'{"a": [1}'), is_object(b"[1]")
    (True, False, False)
    """
    cdef fu_object_values found
    memset(&found, 0, sizeof(found))
    return bool(fu_scan_json(bytes_of(line), bytes_of(line) + PyBytes_GET_SIZE(line), &NO_KEYS, &found))


def find_addresses(bytes data not None):
    """Return the addresses in a text, in order, through its escapes. Cost: O(bytes).

    Each is a tuple of its start, its end, and its 4 or 16 bytes: 4 also for IPv4 in IPv6.

    >>> find_addresses(b"from%2065.66.67.68, [::ffff:65%2E66%2E67%2E69]:80")
    [(7, 18, b'ABCD'), (21, 45, b'ABCE')]
    """
    cdef fu_address_search search
    cdef fu_address found
    cdef list places = []
    memset(&search, 0, sizeof(search))
    search.p, search.n = bytes_of(data), <size_t>PyBytes_GET_SIZE(data)
    while fu_next_address(&search, &found):
        places.append((found.start, found.end, (<const char *>found.packed)[:found.size]))
    return places


def replace_addresses(bytes data not None, replace not None):
    """Return a text with other texts in place of its addresses. Cost: O(bytes), and the calls.

    replace : called with the bytes of an address, its first dot or colon as written, and whether it stands behind `//` or
        `@`. It returns bytes, or None to keep the address.

    >>> replace_addresses(b"//65%2E66%2E67%2E68", lambda *given: print(given) or b"*")
    (b'ABCD', b'%2E', True)
    b'//*'
    """
    cdef fu_address_search search
    cdef fu_address found
    cdef list pieces = []
    cdef const char *p = PyBytes_AS_STRING(data)
    cdef size_t done = 0
    cdef bint is_host
    memset(&search, 0, sizeof(search))
    search.p, search.n = bytes_of(data), <size_t>PyBytes_GET_SIZE(data)
    while fu_next_address(&search, &found):
        is_host = found.start >= 1 and (
            p[found.start - 1] == c"@" or (found.start >= 2 and p[found.start - 1] == p[found.start - 2] == c"/"))
        new = replace((<const char *>found.packed)[:found.size], p[found.sign:found.sign_end], is_host)
        if new is not None:
            pieces.append(p[done:found.start])
            pieces.append(new)
            done = found.end
    if not pieces:
        return data
    pieces.append(p[done:search.n])
    return b"".join(pieces)


def unescape(bytes text not None):
    """Undo the escape sequences that a server wrote into its log.

    Apache writes a backslash before a quote and a backslash, and ``\\n`` and the like. Apache and nginx write ``\\xhh``
    for bytes that are not graphic. Any other backslash stays. Cost: O(bytes).

    >>> unescape(rb'/a?b=\\"c\\"\\x16\\xE9\\q')
    b'/a?b="c"\\x16\\xe9\\\\q'
    """
    cdef size_t n = <size_t>PyBytes_GET_SIZE(text)
    cdef bytes out
    if memchr(bytes_of(text), c"\\", n) == NULL:
        return text
    out = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>n)
    n = fu_unescape_as(FU_ESCAPED_BY_SERVER, bytes_of(text), n, <uint8_t *>PyBytes_AS_STRING(out))
    return out[:<Py_ssize_t>n]


def behind_prefix(bytes line not None, str prefix not None, ObjectTemplate holder=None):
    """Return the line behind one of PREFIXES, or in the object that `holder` reads, or None if there is none.

    Raises ValueError for another prefix, or for one that needs a holder. Cost: O(bytes).

    >>> behind_prefix(b"web-1  | GET /", "COMPOSE"), behind_prefix(b"GET /", "COMPOSE")
    (b'GET /', None)
    """
    cdef const uint8_t *p = bytes_of(line)
    cdef const uint8_t *end = p + PyBytes_GET_SIZE(line)
    cdef fu_line_reader by
    cdef fu_slice held
    cdef fu_object_value time
    cdef bytes data
    memset(&by, 0, sizeof(by))
    set_prefix(&by, prefix, holder)
    if by.holder == NULL:
        p = fu_behind_prefix(by.prefix, p, end, &held)
        return None if p == NULL else PyBytes_FromStringAndSize(<const char *>p, end - p)
    data = PyBytes_FromStringAndSize(NULL, PyBytes_GET_SIZE(line))
    if not fu_held_line(&by, p, <size_t>(end - p), <uint8_t *>PyBytes_AS_STRING(data), &held, &time):
        return None
    return PyBytes_FromStringAndSize(<const char *>held.p, <Py_ssize_t>held.n)


def iso_time(bytes written not None):
    """Return Apache's time as ISO 8601, or None for a time that cannot be. Text in another form is returned as written.

    A leap second becomes the next second. Cost: O(bytes).

    >>> iso_time(b"7/May/2015:10:05:03.5 +0000"), iso_time(b"yesterday"), iso_time(b"2015-02-31T10:05:03Z")
    (b'2015-05-07T10:05:03.5+00:00', b'yesterday', None)
    """
    cdef size_t size = <size_t>PyBytes_GET_SIZE(written)
    cdef bytes out = PyBytes_FromStringAndSize(NULL, <Py_ssize_t>size)
    cdef size_t n = fu_iso_time(bytes_of(written), size, <uint8_t *>PyBytes_AS_STRING(out))
    if n == 0:
        n = fu_checked_iso_time(bytes_of(written), size, <uint8_t *>PyBytes_AS_STRING(out))
    if n == FU_TIME_IMPOSSIBLE:
        return None
    return out[:<Py_ssize_t>n] if n else written


include "routes.pxi"
