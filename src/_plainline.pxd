"""One line of a common or combined log, cut into its parts without a pattern matcher: for rows and for columns."""

from libc.stdint cimport uint8_t
from libc.string cimport memchr, memcmp


cdef struct Part:
    const uint8_t *start
    size_t length


cdef struct Line:
    Part vhost, client, user, time, method, target, protocol, referer, agent
    long status
    long long size


cdef inline const uint8_t *word(const uint8_t *p, const uint8_t *end, Part *part) noexcept nogil:
    """One octet or more up to a space; returns what follows the space, NULL when there is no such word."""
    cdef const uint8_t *space = <const uint8_t *>memchr(p, 32, <size_t>(end - p))
    if space == NULL or space == p:
        return NULL
    part.start, part.length = p, space - p
    return space + 1


cdef inline const uint8_t *quoted(const uint8_t *p, const uint8_t *end, Part *part) noexcept nogil:
    """A space and a quoted string (that holds no backslash, as the line holds none); returns what follows."""
    cdef const uint8_t *quote
    if end - p < 3 or p[0] != 32 or p[1] != 34:
        return NULL
    quote = <const uint8_t *>memchr(p + 2, 34, end - p - 2)
    if quote == NULL:
        return NULL
    part.start, part.length = p + 2, quote - p - 2
    return quote + 1


cdef inline const uint8_t *digits(const uint8_t *p, const uint8_t *end, size_t at_least, size_t at_most, long long *number) noexcept nogil:
    """A number of so many digits, -1 for a hyphen; returns what follows."""
    cdef size_t count = 0
    number[0] = 0
    if p < end and p[0] == 45:
        number[0] = -1
        return p + 1
    while p < end and 48 <= p[0] <= 57:
        # Before the digit is counted in: one too many may be more than the number can hold.
        if count == at_most:
            return NULL
        number[0] = number[0] * 10 + (p[0] - 48)
        p += 1
        count += 1
    return p if count >= at_least else NULL


cdef inline bint read_line(const uint8_t *p, size_t n, bint vhost, bint combined, Line *out) noexcept nogil:
    """Whether the line is a plain one, and its parts."""
    cdef const uint8_t *end = p + n
    cdef const uint8_t *at
    cdef Part skipped
    cdef long long number
    cdef size_t i
    if memchr(p, 92, n) != NULL:
        return False
    out.vhost.start = NULL
    if vhost:
        p = word(p, end, &out.vhost)
        # A hyphen there is the second word of a log without hosts.
        if p == NULL or (end - p >= 2 and p[0] == 45 and p[1] == 32):
            return False
    p = word(p, end, &out.client)
    if p == NULL:
        return False
    p = word(p, end, &skipped)
    if p == NULL:
        return False
    p = word(p, end, &out.user)
    if p == NULL or p == end or p[0] != 91:
        return False
    p += 1
    at = <const uint8_t *>memchr(p, 93, end - p)
    if at == NULL or at == p or at - p > 64 or memchr(p, 91, at - p) != NULL:
        return False
    out.time.start, out.time.length = p, at - p
    p = at + 1
    p = quoted(p, end, &skipped)
    if p == NULL:
        return False
    # The request: capitals, a target without spaces, HTTP/ and a version.
    at = skipped.start
    while 65 <= at[0] <= 90:
        at += 1
    if at == skipped.start or at[0] != 32:
        return False
    out.method.start, out.method.length = skipped.start, at - skipped.start
    at = word(at + 1, skipped.start + skipped.length, &out.target)
    if at == NULL:
        return False
    out.protocol.start, out.protocol.length = at, skipped.start + skipped.length - at
    if out.protocol.length < 6 or memcmp(at, b"HTTP/", 5) != 0:
        return False
    for i in range(5, out.protocol.length):
        if not (48 <= at[i] <= 57 or at[i] == 46):
            return False
    if p == end or p[0] != 32:
        return False
    p = digits(p + 1, end, 3, 3, &number)
    if p == NULL or p == end or p[0] != 32:
        return False
    out.status = <long>number
    p = digits(p + 1, end, 1, 18, &out.size)
    if p == NULL:
        return False
    out.referer.start = out.agent.start = NULL
    if combined:
        p = quoted(p, end, &out.referer)
        if p == NULL:
            return False
        p = quoted(p, end, &out.agent)
        if p == NULL:
            return False
    return p == end or p[0] == 32
